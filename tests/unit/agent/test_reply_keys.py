from dataclasses import replace

from agent.providers.cached import reply_key
from domain.chat import ChatRequest, Message, ReplySchema

REQUEST = ChatRequest("grade/1", (Message("user", "Is it so?"),))
OTHERS = [
    replace(REQUEST, purpose="grade/2"),
    replace(REQUEST, messages=(Message("system", "Is it so?"),)),
    replace(REQUEST, messages=(Message("user", "Is it so"), Message("user", "?"))),
    replace(REQUEST, schema=ReplySchema("a", {"type": "object"})),
    replace(REQUEST, schema=ReplySchema("a", {"type": "array"})),
    replace(REQUEST, schema=ReplySchema("b", {"type": "object"})),
    replace(REQUEST, small=True),
    replace(REQUEST, model="grade/1"),
    replace(REQUEST, temperature=None),
    replace(REQUEST, temperature=0.5),
    replace(REQUEST, max_tokens=1),
]


def test_a_reply_is_kept_under_all_that_it_depends_on() -> None:
    keys = {reply_key("model", request, b"view", "1") for request in (REQUEST, *OTHERS)}
    keys |= {reply_key("another", REQUEST, b"view", "1"), reply_key("model", REQUEST, b"another view", "1")}
    keys |= {reply_key("model", REQUEST, b"view", "2")}
    assert len(keys) == len(OTHERS) + 4
    assert all(len(key) == 32 for key in keys)
    assert reply_key("model", replace(REQUEST), b"view", "1") in keys


def test_the_order_of_a_schema_does_not_matter() -> None:
    one, other = ({"type": "object", "title": "a"}, {"title": "a", "type": "object"})
    keys = {reply_key("m", replace(REQUEST, schema=ReplySchema("a", schema)), b"", "1") for schema in (one, other)}
    assert len(keys) == 1
