import re
from time import process_time

import pytest

from domain.documents import Block, BlockKind, Span
from tests.unit.indexer.parse.parsing import lines_of, parsed, paths, texts, words

PYTHON = '''\
"""Module words."""

import os

# about the limit
LIMIT = 3


# leads the function
@decorated(1)
def first(
    a: int,
) -> int:
    """Doc words."""
    return a  # \\d


class Small:
    x = 1

    def method(self) -> None: ...


AFTER = 1
'''


def test_every_word_is_in_some_block_and_every_line_in_exactly_one() -> None:
    file = parsed(PYTHON, "a.py")
    assert set(re.findall(r"\w+", PYTHON)) <= words(file)
    lines = [line for block in file.blocks for line in block.text.split("\n") if line.strip()]
    assert lines == [line for line in PYTHON.split("\n") if line.strip()]


def test_python_definitions_have_name_signature_and_what_leads_them() -> None:
    file = parsed(PYTHON, "a.py")
    assert paths(file) == [(), ("first",), ("Small",), ()]
    first = file.blocks[1]
    assert first.text.startswith("# leads the function\n@decorated(1)\ndef first(")
    assert first.header == "def first(\n    a: int,\n) -> int:"
    assert first.header in first.text
    assert first.span == Span(9, 15)
    assert file.title == ""


def test_spans_are_the_source_lines() -> None:
    for block in parsed(PYTHON, "a.py").blocks:
        assert lines_of(PYTHON, block) == block.text


def test_methods_of_a_long_class_are_blocks_of_their_own() -> None:
    body = "\n".join(f"    def m{n}(self):\n        return {n}\n" for n in range(30))
    source = f'class Long:\n    """Doc."""\n\n    x = 1\n\n{body}\ndef after(): ...\n'
    file = parsed(source, "a.py")
    assert paths(file)[:3] == [("Long",), ("Long", "m0"), ("Long", "m1")]
    assert paths(file)[-1] == ("after",)
    assert file.blocks[0].text == 'class Long:\n    """Doc."""\n\n    x = 1'
    assert file.blocks[1].header == "    def m0(self):"
    assert all(block.header in block.text for block in file.blocks)


@pytest.mark.parametrize("source", ["print 'old'\n\ndef f(x):\n    exec x\n", "x = " + "(" * 500 + "\ndef f(x): ...\n"])
def test_python_that_this_python_cannot_read_is_split_by_pattern(source: str) -> None:
    assert paths(parsed(source, "a.py")) == [(), ("f",)]


CASES = [
    ("a.go", "package p\n\n// Run it.\nfunc (s *S) Run() error {\n\treturn nil\n}\n\ntype S struct{}\n", ["Run", "S"]),
    (
        "a.ts",
        "import x\n\nexport default async function load() {\n}\nexport const go = async (e) => {\n}\n",
        ["load", "go"],
    ),
    ("a.js", "class A {\n  m() {}\n}\nconst small = 1\n", ["A"]),
    ("a.rs", "pub(crate) async fn run<T>() {}\n\nimpl<T> Foo for Bar<T> {\n}\n", ["run", "Foo for Bar<T>"]),
    (
        "a.c",
        '#include "x.h"\n/* adds */\nstatic int add(int a)\n{\n}\nint add(int a);\nint main() { f(); }\n',
        ["add", "main"],
    ),
    ("A.java", "package a;\n\n@X\npublic final class A {\n    private enum B {}\n}\n", ["A", "B"]),
    ("a.kt", "data class P(val x: Int)\n\nfun go() {}\n", ["P", "go"]),
    ("a.rb", "class A < B\nend\n\ndef self.run\nend\n", ["A", "self.run"]),
    ("a.sh", "set -e\nfunction one {\n}\ntwo() {\n}\n", ["one", "two"]),
    ("a.sql", "-- users\nCREATE TABLE IF NOT EXISTS users (\n  id int\n);\n", ["users"]),
    ("a.tf", 'resource "aws_s3" "b" {\n}\n', ['"aws_s3" "b"']),
    ("a.proto", "syntax = 3;\nmessage M {\n}\nservice S {\n}\n", ["M", "S"]),
    ("Makefile", "X := 1\nall: a\n\techo\n", ["all"]),
    ("a.css", "a { b: c }\n", []),
]


@pytest.mark.parametrize(("name", "source", "expected"), CASES, ids=[name for name, _, _ in CASES])
def test_other_languages_by_their_patterns(name: str, source: str, expected: list[str]) -> None:
    file = parsed(source, name)
    assert [path[0] for path in paths(file) if path] == expected
    assert "\n".join(texts(file)).split() == source.split()
    assert all(block.header in block.text for block in file.blocks)
    assert all(lines_of(source, block) == block.text for block in file.blocks)


def test_comments_above_a_definition_go_with_it_and_preprocessor_lines_do_not() -> None:
    assert texts(parsed(CASES[4][1], "a.c"))[0] == '#include "x.h"'
    assert texts(parsed(CASES[0][1], "a.go"))[1].startswith("// Run it.\nfunc")


YAML = """\
# compose
version: "3"
name: shop
services:
  web:
    image: a
# where data is
volumes:
- one
- two
---
"quoted key":
  - x
last: 1
"""


def test_yaml_is_split_at_its_outermost_keys() -> None:
    file = parsed(YAML, "a.yaml")
    assert paths(file) == [(), ("services",), ("volumes",), ("quoted key",), ()]
    assert file.blocks[0] == Block(BlockKind.CODE, '# compose\nversion: "3"\nname: shop', (), Span(1, 3))
    assert file.blocks[2].text == "# where data is\nvolumes:\n- one\n- two"
    assert file.blocks[2].header == "volumes:"
    assert "\n".join(texts(file)) == YAML.strip()


def test_json_is_split_at_its_outermost_keys() -> None:
    source = (
        '{\n  "name": "x", "version": "1",\n  "scripts": {\n    "a}": "{\\"b",\n    "c": [1]\n  },\n  "empty": []\n}\n'
    )
    file = parsed(source, "package.json")
    assert paths(file) == [(), ("scripts",), ("empty",)]
    assert file.blocks[1].header == '"scripts": {'
    assert "\n".join(texts(file)) == source.strip()


@pytest.mark.parametrize("source", ['{"a": 1, "b": {"c": [1, 2]}}', "[1, 2]", '"text"', "{broken", "[" * 100_000])
def test_json_of_one_line_or_broken_is_one_block(source: str) -> None:
    assert texts(parsed(source, "a.json")) == [source]


def test_toml_and_settings_are_split_at_their_sections() -> None:
    source = "top = 1\n\n# tool\n[tool.x]\na = [\n  1,\n]\n\n[[item]]\nb = 1\n"
    assert paths(parsed(source, "a.toml")) == [(), ("tool.x",), ("item",)]
    assert texts(parsed(source, "a.toml"))[1] == "# tool\n[tool.x]\na = [\n  1,\n]"
    assert paths(parsed("; c\nx=1\n[one]\na=1\n[two]\nb=2\n", "a.ini")) == [(), ("one",), ("two",)]


def test_lines_without_end_are_searched_only_at_their_beginning() -> None:
    source = "a " * 500_000 + "\n" + "x" * 1_000_000 + "(" * 1_000 + "\n"
    for name in ("a.c", "a.ts", "a.java", "a.yaml"):
        assert len(parsed(source, name).blocks) >= 1


@pytest.mark.parametrize("end", ["", "\\", '"'])
def test_a_string_of_escaped_quotes_takes_linear_time(end: str) -> None:
    started = process_time()
    assert parsed('{\n"a": "' + '\\"' * 100_000 + end + "\n}\n", "a.json").blocks
    assert process_time() - started < 5
