"""What a scheduled run's tasks make of it as a whole."""

import pytest

from domain.schedule import ScheduledRunProgress, ScheduledRunState, SourceTask, SourceTaskState


@pytest.mark.parametrize(
    ("tasks", "whole"),
    [
        ((), "done"),
        (("done", "done"), "done"),
        (("waits", "waits"), "queued"),
        (("waits", "done"), "running"),
        (("runs", "failed"), "running"),
        (("done", "attention"), "attention"),
        (("done", "failed"), "failed"),
        (("failed", "attention"), "failed"),
    ],
)
def test_a_run_is_as_its_worst_task_once_all_have_ended(
    tasks: tuple[SourceTaskState, ...], whole: ScheduledRunState
) -> None:
    progress = ScheduledRunProgress(tasks={f"source-{place}": SourceTask(state) for place, state in enumerate(tasks)})
    assert progress.state == whole
    assert ScheduledRunProgress.from_text(progress.as_text()) == progress
