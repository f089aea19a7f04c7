"""Records of answers for tests."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from domain.answer_ports import KeptAnswer
from domain.answer_records import AnswerRecord, RecordedAs
from domain.answers import Trace
from domain.conversation import ConversationPlace, Platform, Result

_BEGIN = datetime(2026, 11, 2, tzinfo=UTC)
_RESULTS: dict[RecordedAs, Result] = {"partly": "answered", "not_found": "not_found", "answered": "answered"}


def kept(
    number: int,
    question: str,
    *,
    channel: str = "C1",
    private: bool = False,
    audience: str = "organisation",
    platform: Platform = "slack",
    nearest: Sequence[str] = (),
    outcome: RecordedAs = "not_found",
) -> KeptAnswer:
    """A record of a question that has no whole answer."""
    return KeptAnswer(
        number=number,
        place=ConversationPlace(platform, "T1", channel, str(number), private),
        audience=audience,
        result=_RESULTS[outcome],
        record=AnswerRecord(outcome, "", question, 0.0, tuple(nearest), Trace()),
        asked_at=_BEGIN + timedelta(minutes=number),
        wait_ms=900.0,
        quality=None,
        up=0,
        down=int(outcome == "answered"),
        reasons=(),
    )
