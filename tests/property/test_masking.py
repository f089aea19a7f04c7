from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from domain.masking import RULES, Finding, MaskedText, Masker
from tests.masking.sets import SETS

MASKER = Masker()

MARKUP = (
    *("\n", "\n\n", "\r\n", "\r", " ", ". ", "。", "! ", "\u2028", "\x0b", "\x0c", "\x85", "\u00a0"),
    *(
        "```\n",
        "\n```\n",
        "\n~~~\n",
        "> ",
        "- ",
        "1. ",
        "| ",
        "**",
        "`",
        "__",
        "*",
        "~~",
        "<b>",
        "</b>",
        "<br>",
        "{code}",
    ),
    *(
        "[masked: password]",
        "[masked: x]",
        "[masked: ",
        "\ue000",
        "\ud800",
        "\udc00",
        "\x00",
        "\u0301",
        "\u200b",
        "\u00ad",
    ),
    *("%20", "%41", "%3A", "&amp;", "&#65;", "\\", "\\n", "\\x41", "\\u0041", "'", '"', "=", ":", "@", "(", "/", "://"),
)
"""What text is put together with, and what must not confuse the masker."""

ANNOUNCING = (
    *(
        "password",
        "password: ",
        "password=",
        "The password is",
        "The password is\n\n",
        "Passwort:\n",
        "Пароль: ",
        "密码是",
    ),
    *("key: |\n", "Authorization: Bearer ", "Authorization:", "Tel. ", "call ", "IBAN ", "SSN ", "token=", "curl -u "),
    *("-----BEGIN RSA PRIVATE KEY-----", "\n-----BEGIN PRIVATE KEY-----\n", "-----END RSA PRIVATE KEY-----"),
)
VALUES = (
    "hunter22!X",
    "Sunny2024!",
    "a7Bk2Zq9Rm4Tx6Yw8Lp3",
    "ada@example-company.de",
    "+49 30 901820",
    "4111 1111 1111 1111",
)
SOLID = [each for rule in RULES for each in (*rule.examples, *rule.not_examples)]


@cache
def prose() -> list[str]:
    """The texts of all sets. Making them takes a moment, which collecting these tests should not take."""
    positives = [case.text for each in SETS for case in each.positives()]
    return positives + [case.text for each in SETS for case in each.negatives()]


def part_of(text: str) -> st.SearchStrategy[str]:
    """Up to a hundred characters of a text."""
    start = st.integers(0, max(0, len(text) - 1))
    return st.builds(lambda first, length: text[first : first + length], start, st.integers(1, 100))


PIECES = (
    st.sampled_from(SOLID)
    | st.sampled_from(MARKUP)
    | st.sampled_from(ANNOUNCING)
    | st.sampled_from(VALUES)
    | st.deferred(lambda: st.sampled_from(prose()).flatmap(part_of))
    | st.text(st.characters(), max_size=6)
)
TEXTS = st.lists(PIECES, max_size=7).map("".join)


def streamed(text: str, cuts: Sequence[int]) -> list[MaskedText]:
    """What a stream gives for a text that is cut at these places, part by part."""
    stream = MASKER.stream()
    parts = [stream.feed(text[start:end]) for start, end in zip((0, *cuts), (*cuts, len(text)), strict=True)]
    return [*parts, stream.finish()]


def rebuilt(text: str, findings: Sequence[Finding]) -> str:
    """The text with each of the findings replaced by its mask."""
    parts, position = [], 0
    for each in findings:
        assert position <= each.start < each.end <= len(text)
        breaks = "\n" * text.count("\n", each.start, each.end)
        parts.append(f"{text[position : each.start]}[masked: {each.kind}]{breaks}")
        position = each.end
    return "".join(parts) + text[position:]


def prefixes_of_what_is_masked(text: str, masked: MaskedText) -> set[str]:
    """The first characters of every secret: the next part would go on from there. None that are shown in any case,
    because the same characters stand elsewhere in the text, unmasked."""
    begins = {text[each.start : each.end][:6] for each in masked.findings if each.end - each.start >= 6}
    return {each for each in begins if each not in masked.text}


@given(TEXTS, st.data())
def test_a_stream_gives_what_the_whole_gives_however_it_is_cut(text: str, data: st.DataObject) -> None:
    whole = MASKER.mask(text)
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=12).map(sorted))
    assert "".join(part.text for part in streamed(text, cuts)) == whole.text
    assert "".join(part.text for part in streamed(text, range(1, len(text)))) == whole.text


@given(st.lists(PIECES, max_size=3).map("".join).filter(lambda text: len(text) <= 150))
def test_every_single_cut_gives_the_same(text: str) -> None:
    whole = MASKER.mask(text).text
    assert all("".join(part.text for part in streamed(text, [cut])) == whole for cut in range(len(text) + 1))


@given(TEXTS)
def test_at_no_moment_a_beginning_of_a_secret_is_shown(text: str) -> None:
    whole = MASKER.mask(text)
    secret = prefixes_of_what_is_masked(text, whole)
    shown = ""
    for part in streamed(text, range(1, len(text))):
        shown += part.text
        assert whole.text.startswith(shown)
        assert not any(each in shown for each in secret)


@given(TEXTS)
def test_findings_point_into_the_text_that_was_given(text: str) -> None:
    for masked in (MASKER.mask(text), MASKER.secrets(text)):
        assert not masked.withheld
        assert rebuilt(text, masked.findings) == masked.text


@given(TEXTS, st.data())
def test_findings_of_a_stream_point_into_what_was_taken(text: str, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=6).map(sorted))
    stream, taken, given_back = MASKER.stream(), 0, 0
    for start, end in zip((0, *cuts, len(text)), (*cuts, len(text), len(text)), strict=True):
        last = (start, end) == (len(text), len(text)) and taken == len(text)
        part = stream.finish() if last else stream.feed(text[start:end])
        taken = max(taken, end)
        until = taken - stream.pending
        assert rebuilt(text[given_back:until], part.findings) == part.text
        given_back = until


@given(TEXTS)
def test_line_breaks_stay_so_that_later_lines_keep_their_numbers(text: str) -> None:
    for masked in (MASKER.mask(text), MASKER.secrets(text)):
        assert masked.text.count("\n") == text.count("\n")


@given(TEXTS)
@example("es%3A%2F%2F%3A%18%401.pl")
@example("PuTTY-User-Key-File-2:7\nPrivate-MAC:9a1c7e3f9a1c7eab@p.de")
def test_masking_again_changes_nothing(text: str) -> None:
    everything, secrets = MASKER.mask(text).text, MASKER.secrets(text).text
    assert MASKER.mask(everything).text == everything
    assert MASKER.secrets(secrets).text == secrets
    assert MASKER.secrets(everything).text == everything


@given(TEXTS)
@example("es%3A%2F%2F%3A%18%401.pl")
@example("PuTTY-User-Key-File-2:7\nPrivate-MAC:9a1c7e3f9a1c7eab@p.de")
def test_masking_what_is_stored_shows_nothing_that_masking_the_original_hides(text: str) -> None:
    hidden = prefixes_of_what_is_masked(text, MASKER.mask(text))
    later = MASKER.mask(MASKER.secrets(text).text).text
    assert not any(each in later for each in hidden)


@given(TEXTS)
def test_a_text_without_findings_comes_back_as_it_was(text: str) -> None:
    for masked in (MASKER.mask(text), MASKER.secrets(text)):
        assert bool(masked.findings) or masked.text == text


@given(st.lists(TEXTS, max_size=4))
def test_parts_of_a_document_are_masked_as_if_they_stood_together(parts: list[str]) -> None:
    masked = MASKER.secrets_in(parts)
    joined = MASKER.secrets("\n\n".join(parts))
    places, start = [], 0
    for part, each in zip(parts, masked, strict=True):
        assert rebuilt(part, each.findings) == each.text
        places += [(start + one.start, start + one.end) for one in each.findings]
        start += len(part) + 2
    kept = {position for first, last in places for position in range(first, last)}
    wanted = {position for one in joined.findings for position in range(one.start, one.end)}
    between, end = set(), -2
    for part in parts[:-1]:
        end += len(part) + 2
        between |= {end, end + 1}
    assert kept == wanted - between


@settings(max_examples=20)
@given(st.sampled_from([*SOLID, *VALUES, "x", "a b ", "0123 "]), st.integers(1, 20_000))
@example("(415) 555-0132", 374)
def test_very_long_lines_are_masked_or_left_but_never_withheld(piece: str, length: int) -> None:
    masked = MASKER.mask((f"{piece} " * (length // len(piece) + 1))[:length])
    assert not masked.withheld


@pytest.mark.parametrize("breaks", ["\n", "\r\n"])
def test_kinds_of_line_breaks_do_not_matter(breaks: str) -> None:
    first, last = (f"-----{mark} PRIVATE KEY-----" for mark in ("BEGIN", "END"))
    masked = MASKER.mask(breaks.join([first, "MIIEvQIBADANBgkq", "hkiG9w0BAQEFAASC", last, "end"])).text
    assert "MIIE" not in masked
    assert "hkiG" not in masked
    assert masked.endswith("end")
