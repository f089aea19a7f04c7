"""The database is gone for half a minute under load: what was asked is answered, nothing grows, no log is flooded."""

import pytest

from tests.soak.outage import Plan, gone
from tests.soak.scene import opened

pytestmark = pytest.mark.faults


def test_a_database_that_was_gone_is_taken_up_again_by_the_same_processes() -> None:
    with opened() as scene:
        found = gone(scene, Plan(minutes=0.4, calm=4.0, notes=0, every=1.0))
    assert found["broken"] == [], "\n".join(scene.logs)
    told = found["seen by who typed commands"]
    assert told == [
        "I cannot do that at the moment. Please try again in a minute.",
        ":hourglass_flowing_sand: Reading your question… The answer follows, for you alone.",
    ]
    ready = found["ready again after, seconds"]
    assert isinstance(ready, dict)
    assert None not in ready.values()
