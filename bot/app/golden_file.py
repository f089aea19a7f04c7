"""The file of golden questions that the settings or a command name."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bot.app.named_file import text_of
from bot.app.scopes import scope_of
from config.settings import Settings

if TYPE_CHECKING:
    from agent.evaluation.golden_comparison import AskedQuestions

LARGEST = 10_000_000
"""Characters of the file: some ten thousands of questions."""


@dataclass(frozen=True, slots=True)
class GoldenFile:
    """A file of golden questions, read."""

    file: Path
    asked: "AskedQuestions"


def golden_of(settings: Settings, file: Path | None, clean: Callable[[str], str]) -> GoldenFile | None:
    """The golden questions in `file`, or else in the one that the settings name; None when neither names one. clean:
    takes secrets out of a text.

    Raises:
        Misconfigured: the file cannot be read, or is not of the form.
    """
    from agent.evaluation.golden_questions import read_golden

    path = file or settings.index.golden
    if path is None:
        return None
    what, next_step = f"The file of golden questions {path}", "Check --golden or KB_AGENT_GOLDEN."
    text = text_of(path, what, next_step, largest=LARGEST)
    asked = [replace(each, question=clean(each.question)) for each in read_golden(text, str(path))]
    return GoldenFile(path, [(each, scope_of(each.email or None, settings.access.email_domains)) for each in asked])
