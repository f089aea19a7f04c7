"""Every text that a pattern matches has the terms that the pattern is said to need."""

import re
import sys
import unicodedata

import pytest
import re2
from hypothesis import assume, example, given
from hypothesis import strategies as st

from domain.text.required_literals import AllOf, AnyOf, required_literals
from domain.text.required_terms import LOOSE, RequiredTerms, TermPart, WholeTerm, required_terms
from domain.text.stems import REPLACEMENTS, cuts
from domain.text.tokens import ENGLISH_STOP_WORDS, Analyzer
from tests.fakes.patterns import patterns, texts

ENDINGS = """
    s es ies ed ing ingly edly ization ational ation ator ness fulness ousness iveness ability ity al alize icate ical
    ance ence er able ible ant ement ment ent ism ate ive ize ion ly li ful less y ted tting nned rring e l ll sses
""".split()  # noqa: SIM905 - read and changed more easily as lines
ANALYZERS = [Analyzer("english"), Analyzer("none")]


def holds(wanted: RequiredTerms, terms: set[str], text: str) -> bool:
    """Whether a text with these terms has the evidence."""
    if isinstance(wanted, AllOf):
        return all(holds(part, terms, text) for part in wanted.parts)
    if isinstance(wanted, AnyOf):
        return any(holds(part, terms, text) for part in wanted.parts)
    if isinstance(wanted, WholeTerm):
        return wanted.text in terms
    looked_up = [term for term in terms if wanted.within in term or term.endswith(wanted.ends) or len(term) == 64]
    return any(map(wanted.fits, looked_up)) or (wanted.loose and re.search(LOOSE, text) is not None)


@given(st.data(), texts, st.booleans())
def test_what_matches_has_the_evidence(data: st.DataObject, text: str, ignore_case: bool) -> None:
    pattern = data.draw(patterns(text))
    options = re2.Options()
    options.case_sensitive = not ignore_case
    options.log_errors = False
    try:
        regex = re2.compile(pattern, options)
    except re2.error:
        return
    if not any(regex.search(line) for line in text.split("\n")):
        return
    for analyzer in ANALYZERS:
        wanted = required_terms(required_literals(pattern, ignore_case=ignore_case), analyzer)
        assert wanted is None or holds(wanted, set(analyzer.tokens(text)), text), wanted


@given(st.text("abcdefghiklmnoprstuvyz", max_size=6), st.lists(st.sampled_from(ENDINGS), max_size=3))
@example("nation", ["al", "ization", "s"])
@example("d", ["ying"])
@example("", ["ization", "ational", "ity"])
def test_a_stem_breaks_off_only_where_it_is_said_to(root: str, endings: list[str]) -> None:
    word = root + "".join(endings)
    assume(word not in ENGLISH_STOP_WORDS)
    stem = "".join(ANALYZERS[0].tokens(word))
    spans = [(start, end) for start in range(len(word)) for end in range(start + 2, len(word) + 1)]
    for start, end in spans:
        piece = word[start:end]
        ends = tuple(piece[:place] + ending for place in cuts(piece) for ending in REPLACEMENTS)
        assert piece in stem or 0 in cuts(piece) or stem.endswith(ends), (piece, stem)


@pytest.mark.parametrize(
    "pattern",
    [
        "timeout",
        "error",
        "connection",
        "password",
        "settings",
        "date",
        "table",
        "api",
        "vacation",
        "(?i)onedrive",
        r"\bpolicy\b",
        r"10\.0\.0\.1",
        r"PROJ-\d+",
        "KB_.*_DIR|HOME",
        "ключ",
        "数据",
        "[Tt]imeout",
        r"v1\.2",
    ],
)
def test_ordinary_patterns_have_evidence(pattern: str) -> None:
    assert all(required_terms(required_literals(pattern), analyzer) is not None for analyzer in ANALYZERS)


def test_letters_of_either_case_are_folded_alike() -> None:
    """Whatever RE2 takes for the same letter in another case is the same letter to the analyzer."""
    plain = Analyzer("none")
    letters = [chr(code) for code in range(0x2000) if chr(code).isalpha()]
    everything = "".join(chr(code) for code in range(0x20, 0x2C00)) + "".join(
        chr(code) for code in range(0xA640, 0xABC0)
    )
    for letter in letters:
        wanted = required_terms(required_literals(f" {letter}{letter}{letter} ", ignore_case=True), plain)
        if wanted is None:
            continue
        for other in set(re2.findall(f"(?i){letter}", everything)):
            assert holds(wanted, set(plain.tokens(other * 3)), ""), (letter, other)


def test_marks_make_no_other_letter_of_an_ascii_one() -> None:
    """Composed letters that begin with an ASCII one are folded back to it."""
    plain = Analyzer("none")
    for code in range(0x80, sys.maxunicode + 1):
        parts = unicodedata.normalize("NFD", chr(code))
        if len(parts) > 1 and parts[0].isascii() and parts[0].isalpha():
            assert plain.tokens(chr(code)) == [parts[0].lower()], hex(code)


@pytest.mark.parametrize(
    "pattern",
    [r"\d+", "the", "a|", "(foo)?", "[a-z]+", "ation", "x*", r"\bab\b", "(?i)s", "about|timeout", "'s", r"\x{1F600}"],
)
def test_what_may_leave_no_trace_has_no_evidence(pattern: str) -> None:
    assert required_terms(required_literals(pattern), ANALYZERS[0]) is None


def test_whole_words_are_looked_up_as_they_are_stored() -> None:
    english = ANALYZERS[0]
    assert required_terms(required_literals(' "running" '), english) == WholeTerm("run")
    assert required_terms(required_literals("=KB_DIR="), english) == AllOf(
        (WholeTerm("kb_dir"), WholeTerm("kb"), WholeTerm("dir"))
    )
    assert required_terms(required_literals("^OneDrive$", ignore_case=True), english) == WholeTerm(
        english.tokens("OneDrive")[0]
    )
    assert required_terms(required_literals("running"), english) == TermPart("running", cuts("running"))
