import re

import pytest

from domain.errors import Misconfigured
from domain.masking import WITHHELD, Masker, OwnRule, Policy
from domain.masking.ruleset.rule import Rule
from domain.patterns import PatternMatch

BADGE = OwnRule("badge", r"\bBDG-(\d{6})\b")


def masked(text: str, policy: Policy) -> str:
    return Masker(policy).mask(text).text


def test_a_kind_that_is_switched_off_is_left_alone() -> None:
    text = "write to ada.lovelace@gmail.com"
    assert masked(text, Policy()) != text
    assert masked(text, Policy(off=frozenset({"e-mail address"}))) == text


def test_a_kind_that_does_not_exist_cannot_be_switched_off() -> None:
    with pytest.raises(Misconfigured) as raised:
        Masker(Policy(off=frozenset({"telepathy"})))
    assert "telepathy" in str(raised.value)


def test_addresses_of_offices_are_shown() -> None:
    assert masked("write to Support@gmail.com", Policy()) == "write to Support@gmail.com"
    assert "support" not in masked("write to support@gmail.com", Policy(mailboxes=()))


def test_addresses_of_a_domain_may_be_shown() -> None:
    policy = Policy(domains=("press.initech.com",))
    assert "ada@press.initech.com" in masked("write to ada@press.initech.com", policy)
    assert "ada@" not in masked("write to ada@initech.com", policy)
    assert "ada@" not in masked("write to ada@other.press.initech.com", policy)


def test_a_value_may_be_shown_wherever_it_stands() -> None:
    text = "password=hunter22!X and password=hunter33!X"
    assert masked(text, Policy(values=("hunter22!X",))) == "password=hunter22!X and password=[masked: password]"


def test_an_own_rule_masks_its_group() -> None:
    assert masked("of BDG-123456.", Policy(own=(BADGE,))) == "of BDG-[masked: badge]."
    whole = OwnRule("badge", r"BDG-\d{6}", ("bdg",))
    assert masked("of BDG-123456.", Policy(own=(whole,))) == "of [masked: badge]."


def test_an_own_rule_is_for_secrets() -> None:
    assert Masker(Policy(own=(BADGE,))).secrets("of BDG-123456.").text == "of BDG-[masked: badge]."


@pytest.mark.parametrize("name", ["", "Badge", "a" * 41, "a]b", "-a", "a\nb", "ä"])
def test_an_own_rule_needs_a_name_that_fits_into_a_mask(name: str) -> None:
    with pytest.raises(Misconfigured):
        Masker(Policy(own=(OwnRule(name, "BDG"),)))


@pytest.mark.parametrize("pattern", ["(", "(?=a)b", r"(a)\1", "a*", "", "^", "(a)(b)", "a" * 1001])
def test_an_own_rule_needs_a_pattern_that_can_be_used(pattern: str) -> None:
    with pytest.raises(Misconfigured) as raised:
        Masker(Policy(own=(OwnRule("badge", pattern),)))
    assert "badge" in str(raised.value)


def test_the_version_changes_with_what_is_stored_and_with_nothing_else() -> None:
    plain = Masker().version
    others = [
        Policy(off=frozenset({"password"})),
        Policy(values=("hunter22!X",)),
        Policy(own=(BADGE,)),
        Policy(own=(OwnRule("badge", "BDG"),)),
    ]
    versions = {Masker(policy).version for policy in others}
    assert len(versions) == len(others)
    assert plain not in versions
    assert Masker(Policy(mailboxes=("ada",), domains=("initech.com",))).version == plain


class Clock:
    """Goes on by so many seconds with every reading."""

    def __init__(self, step: float) -> None:
        self.step, self.now = step, 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def test_a_text_that_takes_too_long_is_withheld() -> None:
    text = "password=hunter22!X"
    late = Masker(cpu_time=Clock(1000.0))
    assert late.mask(text).withheld
    assert late.mask(text).text == WITHHELD
    assert [part.withheld for part in late.secrets_in([text, "b"])] == [True, True]
    assert not Masker(cpu_time=Clock(0.001)).mask(text).withheld


def test_a_stream_that_takes_too_long_shows_nothing_more() -> None:
    stream = Masker(cpu_time=Clock(1000.0)).stream()
    first = stream.feed("Walruses swim.\n\npassword=hunter22!X\n\n")
    after = [stream.feed("Seals swim.\n\n"), stream.finish()]
    assert first.text.endswith(WITHHELD)
    assert first.withheld
    assert "".join(part.text for part in after) == ""


def fails(match: PatternMatch) -> list[tuple[int, int]]:
    raise ZeroDivisionError(match.group())


BROKEN = [Rule("broken", "hunter", ("hunter",), fails, ("hunter",))]


def test_why_a_text_was_withheld_is_told_without_a_word_of_it() -> None:
    told: list[str] = []
    masker = Masker(rules=BROKEN, report=told.append)
    stream = masker.stream()
    assert masker.mask("a hunter22 b").withheld
    assert (*stream.feed("a hunter22 b").findings, stream.finish().withheld) == (True,)
    assert Masker(cpu_time=Clock(1000.0), report=told.append).secrets("password=hunter22!X").withheld
    places = [re.sub(r"\d+", "N", each) for each in told]
    assert places == [*["ZeroDivisionError at detector.py:N"] * 2, "OverflowError at masker.py:N"]


def test_who_cannot_be_told_changes_nothing() -> None:
    def deaf(reason: str) -> None:
        raise ValueError(reason)

    assert Masker(rules=BROKEN, report=deaf).mask("a hunter22 b").text == WITHHELD


def test_a_check_that_fails_withholds_the_text() -> None:
    masker = Masker(rules=BROKEN)
    assert masker.mask("a hunter22 b").text == WITHHELD
    assert masker.secrets("a hunter22 b").withheld
    assert masker.mask("nothing here").text == "nothing here"
    stream = masker.stream()
    assert stream.feed("a hunter22 b").text + stream.finish().text == WITHHELD


def test_a_secret_that_holds_personal_data_is_masked_where_secrets_alone_are() -> None:
    masker = Masker(Policy(own=(OwnRule("voucher", r"V-\d+ of \S+"),)))
    assert masker.secrets("Use V-77 of ana.silva@example.com today.").text == "Use [masked: voucher] today."
