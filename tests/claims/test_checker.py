"""A model behind the comparison: how often it is asked, and what becomes of a sentence with its score or without."""

import json

from tests.claims.checker import ask
from tests.fakes.embeddings_server import KEY
from tests.fakes.model_rules import reasonable, scored
from tests.fakes.model_server import CHAT_MODEL, Body, Reply, model_server


async def test_eight_sentences_are_one_request_and_what_the_model_believes_is_cleared() -> None:
    with model_server(rules=(reasonable,)) as server:
        found = await ask(server.base_url, CHAT_MODEL, key=KEY, nth=5)
    assert found.requests == [1] * 5
    assert (found.turned + found.true, found.unscored) == (40, 0)
    assert (found.caught["both"], found.unmarked["both"]) == (0, found.true)


async def test_a_model_that_believes_everything_clears_nothing_and_is_not_asked_again() -> None:
    def credulous(body: Body) -> Reply:
        return Reply(json.dumps(scored([1.0] * 8, controls=(1.0, 1.0, 1.0))))

    with model_server(rules=(credulous,)) as server:
        found = await ask(server.base_url, CHAT_MODEL, key=KEY, nth=5)
    assert (found.requests, found.unscored) == ([1] * 5, 40)
    assert (found.caught["both"], found.unmarked["both"]) == (found.caught["comparison"], found.unmarked["comparison"])


async def test_a_model_without_a_score_is_asked_once_more_and_the_comparison_stands() -> None:
    def useless(body: Body) -> Reply:
        return Reply('{"support": [{"claim": 100, "score": 100}]}')

    with model_server(rules=(useless,)) as server:
        found = await ask(server.base_url, CHAT_MODEL, key=KEY, nth=5)
    assert found.requests == [2] * 5
    assert found.unscored == 40
    assert (found.caught["both"], found.unmarked["both"]) == (found.caught["comparison"], found.unmarked["comparison"])
