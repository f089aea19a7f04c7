import ast
from importlib.metadata import packages_distributions
from importlib.util import find_spec

from tests.architecture.checkout import PACKAGES, ROOT, modules, text, tree

SAYS_NOTHING = {"utils", "util", "helpers", "helper", "common", "misc"}
LINES_OF_A_MODULE = 400
LINES_OF_A_FUNCTION = 60


def test_no_module_has_a_name_that_says_nothing() -> None:
    found = [path for path in modules(*PACKAGES, "tests", "benchmarks") if says_nothing(path)]
    assert not found


def says_nothing(path: str) -> bool:
    return bool(SAYS_NOTHING & set(path.removesuffix(".py").split("/")))


def test_names_that_say_nothing_are_seen() -> None:
    assert says_nothing("agent/utils.py")
    assert says_nothing("agent/common/tokens.py")
    assert not says_nothing("agent/commons.py")


def test_no_installed_distribution_has_a_room_of_the_same_name() -> None:
    installed = packages_distributions()
    assert {name for package in PACKAGES for name in installed.get(package, ())} <= {"kb-agent"}


def test_each_room_is_imported_from_this_checkout() -> None:
    specs = {package: find_spec(package) for package in PACKAGES}
    assert [
        package for package, spec in specs.items() if not spec or spec.origin != str(ROOT / package / "__init__.py")
    ] == []


def test_modules_are_short() -> None:
    long = {path: lines for path in modules() if (lines := len(text(path).splitlines())) > LINES_OF_A_MODULE}
    assert not long


def test_functions_are_short() -> None:
    long = {
        f"{path}:{function.lineno} {function.name}": lines
        for path in modules(*PACKAGES, "tests", "benchmarks")
        for function in ast.walk(tree(path))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        if (lines := (function.end_lineno or 0) - function.lineno + 1) > LINES_OF_A_FUNCTION
    }
    assert not long
