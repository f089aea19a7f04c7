import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.masking import Masker
from domain.masking.rules import RULES, Rule

MASKER = Masker()
EXAMPLES = [(rule, example) for rule in RULES for example in rule.examples]
OTHERS = [(rule, text) for rule in RULES for text in rule.not_examples]


def secret_of(rule: Rule, example: str) -> str:
    """What of an example is the secret itself."""
    import re2

    match = re2.compile(rule.pattern).search(example)
    assert match is not None, (rule.kind, example)
    return str(match.group(1) if match.groups() else match.group())


@pytest.mark.parametrize("frame", ["{}", "see {} there", "({})\n", "a\n\n{}"])
@pytest.mark.parametrize(
    ("rule", "example"), EXAMPLES, ids=[f"{rule.kind}-{n}" for n, (rule, _) in enumerate(EXAMPLES)]
)
def test_every_example_is_masked(rule: Rule, example: str, frame: str) -> None:
    masked = MASKER.mask(frame.format(example))
    assert secret_of(rule, example) not in masked.text
    assert f"[masked: {rule.kind}]" in masked.text
    assert masked.counts[rule.kind] == 1


@pytest.mark.parametrize(("rule", "text"), OTHERS, ids=[f"{rule.kind}-{n}" for n, (rule, _) in enumerate(OTHERS)])
def test_every_counter_example_is_left_alone(rule: Rule, text: str) -> None:
    assert rule.kind not in MASKER.mask(text).counts
    assert MASKER.mask(text).text == text


def test_every_rule_has_examples_and_names_its_own_kind() -> None:
    assert all(rule.examples for rule in RULES)
    assert len({rule.kind for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("example", [example for _, example in EXAMPLES])
def test_keywords_do_not_hide_what_the_pattern_finds(example: str) -> None:
    unguarded = Masker(rules=[Rule(rule.kind, rule.pattern, (), rule.examples) for rule in RULES])
    assert unguarded.mask(example) == MASKER.mask(example)


PIECES = st.sampled_from(
    [example for _, example in EXAMPLES]
    + [text for _, text in OTHERS]
    + ["\n", " ", "password=", "://", "x", '"', "[masked: password]", "Authorization: Bearer ", "-----BEGIN "]
)
TEXTS = st.lists(PIECES | st.text(max_size=8), max_size=6).map("".join)


@given(TEXTS)
def test_masking_twice_is_masking_once_and_line_breaks_stay(text: str) -> None:
    once = MASKER.mask(text)
    assert once.text.count("\n") == text.count("\n")
    assert MASKER.mask(once.text).text == once.text


def test_secrets_that_touch_are_all_masked() -> None:
    masked = MASKER.mask("AIza" + "b" * 35 + "AKIAIOSFODNN7EXAMPLE")
    assert masked.text == "[masked: google api key][masked: aws access key]"
    assert dict(masked.counts) == {"google api key": 1, "aws access key": 1}


def test_line_numbers_behind_a_masked_key_stay_true() -> None:
    key = "-----BEGIN PRIVATE KEY-----\nMIIE\nabcd\n-----END PRIVATE KEY-----"
    lines = MASKER.mask(f"first\n{key}\nlast").text.split("\n")
    assert (lines[0], lines[5]) == ("first", "last")


def test_the_counts_say_how_many_and_never_what() -> None:
    masked = MASKER.mask("password=hunter22 and password=hunter33 at postgresql://a:hunter44@h/d")
    assert dict(masked.counts) == {"password": 2, "password in url": 1}
    assert "hunter" not in repr(masked)


@pytest.mark.parametrize(
    "text",
    [
        "sha256:53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "commit 9156cea4b0b84b1e8b4d6d4bde1f4d2f3b4c5d6e",
        "550e8400-e29b-41d4-a716-446655440000",
        "ports 5432:5432 of PROJ-123, release 1.2.3",
        "def reset_password(user): return token(user)",
        "How do I reset my password?",
    ],
)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert MASKER.mask(text).text == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The password is", True),
        ("-----BEGIN RSA", True),
        ("-----BEGIN PRIVATE KEY-----\nMII\n\nE", True),
        ("Authorization:", True),
        ("The password is long.\n\nWalruses swim.", False),
        ("Walruses swim.", False),
        ("", False),
    ],
)
def test_a_secret_may_have_begun_in_the_last_paragraph(text: str, *, expected: bool) -> None:
    assert MASKER.may_be_open(text) == expected
