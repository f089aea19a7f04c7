"""What `kb mask` does when the masker gives up."""

import json

import pytest

from bot.cli.mask import look_for, rows, write_lines, write_masked
from domain.masking import MaskedText, Masker

Captured = pytest.CaptureFixture[str]
SAID = "was withheld: it could not be checked for secrets."


class GivesUp(Masker):
    """Withholds texts that are too much for it."""

    def mask(self, text: str) -> MaskedText:
        return MaskedText("[withheld]", withheld=True) if "too much" in text else super().mask(text)


MASKER = GivesUp()
LINES = '{"id": 1, "text": "fine"}\n{"id": 2, "text": "too much"}\n{"id": 3, "text": "fine"}\n'


@pytest.mark.parametrize("as_json", [True, False])
def test_a_text_that_is_withheld_leaves_nothing_but_a_notice(capsys: Captured, *, as_json: bool) -> None:
    assert write_masked("too much", MASKER, as_json=as_json) == 1
    assert capsys.readouterr().out == ""
    assert write_masked("too much", MASKER, as_json=as_json) == 1
    assert capsys.readouterr().err.startswith(f"The text {SAID}")


def test_a_line_that_is_withheld_is_named_and_ends_the_work(capsys: Captured) -> None:
    assert write_lines(LINES, MASKER) == 1
    out, err = capsys.readouterr()
    assert [json.loads(line) for line in out.splitlines()] == [{"id": 1, "masked": "fine", "spans": []}]
    assert err.startswith(f"The text in line 2 {SAID}")


@pytest.mark.parametrize(("given", "said"), [([(0, {"text": "too much"})], "The text"), (None, "The text in line 2")])
def test_what_is_withheld_does_not_pass_a_check(
    capsys: Captured, given: list[tuple[int, dict[str, str]]] | None, said: str
) -> None:
    assert look_for(rows(LINES) if given is None else given, MASKER) == 1
    assert capsys.readouterr() == ("", f"{said} {SAID}\n  next: try a smaller part of it.\n")
