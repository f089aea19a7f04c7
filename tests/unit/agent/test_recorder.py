from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from agent.recorder import Recorder
from agent.tracing import Attributes
from domain.answers import Progress, ReplyPart
from domain.masking import MaskedText, Masker


def told(recorder: Recorder) -> list[Progress | ReplyPart | None]:
    return [recorder.events.get_nowait() for _ in range(recorder.events.qsize())]


class Noted:
    """Spans in a list."""

    def __init__(self) -> None:
        self.spans: list[tuple[str, Attributes, str]] = []

    @contextmanager
    def span(self, name: str, attributes: Attributes) -> Iterator[None]:
        try:
            yield
        except ValueError:
            self.spans.append((name, attributes, "failed"))
            raise
        self.spans.append((name, attributes, "done"))


def test_percentages_never_fall_and_never_reach_the_end() -> None:
    recorder = Recorder(Masker())
    for percent in (5, 40, 20, 150, 30):
        recorder.progress("x", percent, "search")
    assert [event.percent for event in told(recorder) if isinstance(event, Progress)] == [5, 40, 40, 99, 99]


def test_what_is_told_is_masked() -> None:
    recorder = Recorder(Masker())
    recorder.progress("Iteration 2 of 3: looking for password=tr0ub4dor&3", 40, "plan", 2)
    (event,) = told(recorder)
    assert isinstance(event, Progress)
    assert event.text == "Iteration 2 of 3: looking for password=[masked: password]"
    assert (event.percent, event.stage, event.iteration) == (40, "plan", 2)


def test_what_was_written_adds_up() -> None:
    recorder = Recorder(Masker())
    for part in ("One.", "", " Two."):
        recorder.write(MaskedText(part))
    assert told(recorder) == [ReplyPart(MaskedText("One.")), ReplyPart(MaskedText(" Two."))]
    assert recorder.written == "One. Two."


def test_lines_are_kept_in_order() -> None:
    recorder = Recorder(Masker())
    recorder.say("one")
    recorder.say("two")
    assert recorder.reasoning == ["one", "two"]


def test_every_visit_of_a_stage_is_timed_also_one_that_fails() -> None:
    spans = Noted()
    recorder = Recorder(Masker(), spans)
    with recorder.stage("search", 1):
        pass
    with recorder.stage("search", 2):
        pass
    with pytest.raises(ValueError, match="no"), recorder.stage("grade", 2):
        raise ValueError("no")
    assert [(each.stage, each.iteration) for each in recorder.stages] == [("search", 1), ("search", 2), ("grade", 2)]
    assert set(recorder.timings()) == {"search", "grade"}
    assert recorder.timings()["search"] == pytest.approx(recorder.stages[0].ms + recorder.stages[1].ms)
    assert spans.spans == [
        ("kb.search", {"kb.iteration": 1}, "done"),
        ("kb.search", {"kb.iteration": 2}, "done"),
        ("kb.grade", {"kb.iteration": 2}, "failed"),
    ]
