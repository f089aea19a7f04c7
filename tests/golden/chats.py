"""What the golden files of all chats have in common: outcomes, sources, and how a file is written."""

import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.conversation.actions import SourceSummary
from bot.conversation.render_context import RenderContext
from domain.answers import Answer, Citation, Declined, Failed, NearestDocument, NotFound, Outcome
from domain.masking import Masker
from domain.scope_reason import ScopeReason

NOW = datetime(2026, 6, 4, 12, tzinfo=UTC)
MASKER = Masker()
CHANNEL = RenderContext(7, NOW, private=False)
PRIVATE = RenderContext(7, NOW, private=True, share=True)
FILE = Citation(2, "Runbook", "file:///docs/runbook.md", "runbook.md", "docs", "1f", "", "", "", None)
INDEX = [SourceSummary("wiki", 1_234, datetime(2026, 6, 4, 11, tzinfo=UTC)), SourceSummary("docs", 1, None)]
_HELD = ScopeReason(readers="shared_channel", shared=True)


def outcomes(answer: Answer, nearest: tuple[NearestDocument, ...]) -> Mapping[str, tuple[Outcome, RenderContext]]:
    """An outcome of each kind and where it is shown, by the name of its file."""
    missed = NotFound(
        "50 documents", nearest=nearest, notice="One source was down.", scope_reason=ScopeReason(shared=True)
    )
    guest = NotFound("5 documents", scope_reason=ScopeReason("guest", "guests", shared=True))
    failed = Failed("The model did not answer", advice="Ask again.", why="It is away", next_step="start it")
    return {
        "answer": (answer, CHANNEL),
        "answer_private": (answer, PRIVATE),
        "not_found": (missed, CHANNEL),
        "not_found_private": (NotFound("50 documents"), PRIVATE),
        "declined": (Declined("That is no question for <documents>."), CHANNEL),
        "not_found_for_a_guest": (guest, CHANNEL),
        "nothing_to_search": (Declined(_HELD.nothing, cause="nothing_to_search", scope_reason=_HELD), CHANNEL),
        "failed": (failed, CHANNEL),
    }


def shown(content: object) -> str:
    """What a file holds, as its text."""
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def write(usage: str | None, folder: Path, files: Mapping[str, Any]) -> int:
    """Writes all files anew if the command line says so, and removes those that nothing fills any more."""
    if sys.argv[1:] != ["--write"]:
        sys.stderr.write(f"{usage}\n")
        return 2
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("*.json"):
        stale.unlink()
    for name, content in files.items():
        (folder / f"{name}.json").write_text(shown(content), encoding="utf-8")
    return 0
