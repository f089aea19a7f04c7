"""The release before answers while the schema is upgraded under it, and is replaced one process after the other."""

import pytest

from tests.soak.releases import NoHistory, code_of, release_before
from tests.soak.scene import opened
from tests.soak.upgrade import Plan, upgraded

pytestmark = pytest.mark.faults


def test_each_question_has_one_answer_while_the_release_before_is_replaced() -> None:
    try:
        with code_of(release_before()) as code, opened(code) as scene:
            found = upgraded(scene, Plan(calm=1.0, dump=4.0, notes=60, every=0.7))
    except NoHistory as missing:
        pytest.skip(f"the release before comes out of the repository's history: {missing}")
    assert found["broken"] == [], "\n".join(scene.logs)
