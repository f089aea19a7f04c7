import json

import pytest

from agent.evaluation.judge import Judge, JudgedAnswer, average_precision
from agent.providers.json_replies import object_of
from domain.errors import Misconfigured, Transient
from tests.fakes.chat_model import ScriptedModel
from tests.fakes.embedder import HashEmbedder

ASKED = JudgedAnswer("When is the walrus fed?", "At noon.", ("It is fed at noon.", "It is grey."), ("at noon",))
STATEMENTS = json.dumps({"statements": ["The walrus is fed at noon.", "The walrus is fed by Ada."]})
HALF = json.dumps({"verdicts": [{"item": 1, "supported": True}, {"item": 2, "supported": False}]})
SAME = json.dumps({"questions": ["When is the walrus fed?"] * 3, "evasive": False})
USEFUL = json.dumps({"verdicts": [{"item": 2, "useful": True}, {"item": 1, "useful": False}]})
RECALLED = json.dumps({"verdicts": [{"item": 1, "supported": True}]})


def a_judge(*replies: object) -> tuple[Judge, ScriptedModel]:
    model = ScriptedModel(*replies)  # type: ignore[arg-type] # texts and errors
    return Judge(model, HashEmbedder(), object_of), model


async def test_each_measure_follows_from_the_verdicts() -> None:
    judge, model = a_judge(STATEMENTS, HALF, SAME, USEFUL, RECALLED)
    assert await judge.judge(ASKED) == {
        "faithfulness": 0.5,
        "answer_relevancy": pytest.approx(1.0),
        "context_precision": 0.5,
        "context_recall": 1.0,
        "unjudged": 0,
        "judge_requests": 5,
    }
    assert all(request.schema and request.purpose == "judge/1" for request in model.requests)
    assert "It is grey." in model.requests[1].messages[1].text


async def test_an_evasive_answer_is_not_relevant() -> None:
    judge, _ = a_judge(STATEMENTS, HALF, json.dumps({"questions": ["Why?"], "evasive": True}), USEFUL, RECALLED)
    assert (await judge.judge(ASKED))["answer_relevancy"] == 0


@pytest.mark.parametrize("bad", ["no json", "{}", json.dumps({"verdicts": [{"item": 1, "supported": True}]}), "[]"])
async def test_a_reply_that_cannot_be_read_is_asked_for_once_more_and_counts_as_nothing(bad: str) -> None:
    judge, _ = a_judge(STATEMENTS, bad, bad, SAME, USEFUL, RECALLED)
    found = await judge.judge(ASKED)
    assert "faithfulness" not in found
    assert (found["unjudged"], found["judge_requests"], found["context_recall"]) == (1, 6, 1)


async def test_a_model_that_is_away_for_a_moment_is_asked_again_and_a_wrong_key_ends_all() -> None:
    judge, _ = a_judge(Transient("away"), STATEMENTS, HALF, SAME, USEFUL, RECALLED)
    assert (await judge.judge(ASKED))["faithfulness"] == 0.5
    judge, _ = a_judge(Misconfigured("the key"))
    with pytest.raises(Misconfigured):
        await judge.judge(ASKED)


async def test_without_facts_and_evidence_less_is_judged() -> None:
    judge, _ = a_judge(STATEMENTS, SAME)
    found = await judge.judge(JudgedAnswer("Who?", "Ada.", (), ()))
    assert found == {
        "faithfulness": 0.0,
        "answer_relevancy": found["answer_relevancy"],
        "unjudged": 0,
        "judge_requests": 2,
    }


def test_precision_is_taken_at_the_rank_of_each_useful_passage() -> None:
    assert average_precision([True, False, True]) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision([False, False]) == 0
    assert average_precision([]) == 0
