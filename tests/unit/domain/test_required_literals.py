"""What a pattern needs, read off it."""

import pytest
import re2

from domain.text.required_literals import AllOf, AnyOf, RequiredLiteral, Tree, required_literals

A, B, C = RequiredLiteral("aa"), RequiredLiteral("bb"), RequiredLiteral("cc")


@pytest.mark.parametrize(
    ("pattern", "need"),
    [
        ("aa", A),
        ("aa.bb", AllOf((A, B))),
        (r"aa\s+bb\d*cc", AllOf((A, B, C))),
        ("aa|bb", AnyOf((A, B))),
        ("aa|bb|aa", AnyOf((A, B))),
        ("(aa|bb).cc", AllOf((AnyOf((A, B)), C))),
        ("a(a)", A),
        ("(?:a)(?P<x>a)", A),
        ("a(?<x>a)", A),
        ("(aa)?bb", B),
        ("(aa)*bb", B),
        ("(aa)+bb", AllOf((A, B))),
        ("(aa){2,}bb", AllOf((A, B))),
        ("(aa){0,3}bb", B),
        ("(?:aa){0}bb", B),
        ("aab?", A),
        ("aax*?bb", AllOf((A, B))),
        ("aa[xy]bb[^]z]cc", AllOf((A, B, C))),
        ("aa[[:alpha:]]bb", AllOf((A, B))),
        (r"aa[\]x]bb", AllOf((A, B))),
        ("a[a]", A),
        ("[.]", RequiredLiteral(".")),
        (r"a\.b\-c\_", RequiredLiteral("a.b-c_")),
        (r"\Qa.b\E", RequiredLiteral("a.b")),
        (r"\Qaab\E+", AllOf((A, RequiredLiteral("b")))),
        (r"\Q*a\E", RequiredLiteral("*a")),
        (r"\Qaa", A),
        (r"\x61\x{61}", A),
        (r"a\ta", RequiredLiteral("a\ta")),
        (r"\baa\b", A),
        ("^aa$", RequiredLiteral("aa", line_start=True, line_end=True)),
        (r"\Aaa.bb\z", AllOf((RequiredLiteral("aa", line_start=True), RequiredLiteral("bb", line_end=True)))),
        ("(?i)aa", RequiredLiteral("aa", ignore_case=True)),
        ("a(?i)a|bb", AnyOf((RequiredLiteral("aa", ignore_case=True), RequiredLiteral("bb", ignore_case=True)))),
        ("(?i:aa).bb", AllOf((RequiredLiteral("aa", ignore_case=True), B))),
        ("(?:(?i)aa).bb", AllOf((RequiredLiteral("aa", ignore_case=True), B))),
        ("(?i)aa.(?-i:bb)", AllOf((RequiredLiteral("aa", ignore_case=True), B))),
        ("{a}", RequiredLiteral("{a}")),
        ("aa{bb", RequiredLiteral("aa{bb")),
        (r"aa\pLbb\p{Greek}cc", AllOf((A, B, C))),
    ],
)
def test_what_is_needed(pattern: str, need: Tree[RequiredLiteral]) -> None:
    re2.compile(pattern)
    assert required_literals(pattern) == need


@pytest.mark.parametrize(
    "pattern", ["", ".*", "a*", "(aa)?", "aa|", "(aa|b*)", r"\d+", "[ab]", r"\w+\s", "aa|[b]*", "(|aa)", "(?i)"]
)
def test_nothing_is_needed(pattern: str) -> None:
    re2.compile(pattern)
    assert required_literals(pattern) is None


@pytest.mark.parametrize("pattern", [r"aa\077", r"aa(?i)*bb", r"aa\Q\E*bb", "(" * 60 + "aa" + ")" * 60, "aa{,3}b"])
def test_what_is_not_understood_needs_nothing(pattern: str) -> None:
    assert required_literals(pattern) is None


def test_case_may_be_ignored_from_outside() -> None:
    assert required_literals("aa", ignore_case=True) == RequiredLiteral("aa", ignore_case=True)
    assert required_literals("(?-i)aa", ignore_case=True) == A
