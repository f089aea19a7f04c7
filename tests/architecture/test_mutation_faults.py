"""The table of faults fits the product: each one can still be made, and would be one."""

import ast
from collections import Counter

from tests.architecture.checkout import ROOT, text, tree
from tests.mutation.fault_table import Fault, faults

FAULTS = list(faults())


def test_the_text_that_a_fault_changes_stands_once_in_its_file() -> None:
    assert [str(each) for each in FAULTS if text(each.file).count(each.original) != 1] == []


def test_a_fault_is_neither_a_mistake_of_syntax_nor_without_effect() -> None:
    assert [str(each) for each in FAULTS if ast.dump(with_fault(each)) == ast.dump(tree(each.file))] == []


def with_fault(fault: Fault) -> ast.Module:
    return ast.parse(text(fault.file).replace(fault.original, fault.replacement), fault.file)


def test_a_room_has_ten_faults_and_tests_of_the_whole_product() -> None:
    assert set(Counter(each.area for each in FAULTS).values()) == {10}
    assert [path for each in FAULTS for path in each.flows if not (ROOT / path).exists()] == []
