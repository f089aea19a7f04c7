import logging
import re

import pytest

from bot.app.logs import MaskingHandler
from bot.app.masking import log_withheld, masker_of
from domain.masking import Masker, Policy
from domain.masking.ruleset.rule import Rule
from domain.patterns import PatternMatch


def fails(match: PatternMatch) -> list[tuple[int, int]]:
    raise ZeroDivisionError(match.group())


BROKEN = Masker(rules=[Rule("broken", ".+", (), fails, ("x",))], report=log_withheld)
"""Fails on every text."""


def test_the_masker_of_the_product_logs_what_it_withholds() -> None:
    assert masker_of(Policy())._report is log_withheld


def test_that_a_text_was_withheld_is_logged_without_its_words(caplog: pytest.LogCaptureFixture) -> None:
    assert BROKEN.mask("4111 1111 1111 1111").withheld
    [record] = caplog.records
    assert record.levelno == logging.WARNING
    assert re.search(r"ZeroDivisionError at detector\.py:\d+$", record.getMessage())
    assert "4111" not in caplog.text


def test_a_log_that_cannot_be_masked_does_not_go_on_about_itself(caplog: pytest.LogCaptureFixture) -> None:
    log, handler = logging.getLogger("bot.app.masking"), MaskingHandler(lambda: BROKEN)
    log.addHandler(handler)
    try:
        assert BROKEN.mask("4111 1111 1111 1111").withheld
    finally:
        log.removeHandler(handler)
    assert len(caplog.records) == 1
