"""Tokens of ours."""

from bot.web.callers import new_token
from domain.masking import Masker


def test_a_token_of_ours_that_stands_in_a_text_is_masked() -> None:
    masker = Masker()
    for text in ("use {} for that", "KB_TOKEN={}", "(Authorization: Bearer {})", "{}"):
        token = new_token()
        assert token not in masker.mask(text.format(token)).text
