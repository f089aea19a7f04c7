"""What the connector's responses mean."""

import json

import pytest

from bot.conversation.chat_platform import OutcomeUnknown
from bot.teams.connector_session import ConnectorResponse, TeamsRefused, read_response
from domain.errors import KbError, Misconfigured, Transient


def got(status: int, code: str = "", **headers: str) -> ConnectorResponse:
    body = json.dumps({"error": {"code": code, "message": "no"}}) if code else ""
    return ConnectorResponse(status, {name.replace("_", "-"): value for name, value in headers.items()}, body.encode())


@pytest.mark.parametrize(
    ("response", "kind"),
    [
        (got(412, "PreconditionFailed"), Transient),
        (got(429), Transient),
        (got(500, "ServiceError"), OutcomeUnknown),
        (got(502), OutcomeUnknown),
        (got(503), OutcomeUnknown),
        (got(504), OutcomeUnknown),
        (got(408), OutcomeUnknown),
        (got(401, "Unauthorized"), Misconfigured),
        (got(400, "BadArgument"), TeamsRefused),
        (got(403, "BotNotInConversationRoster"), TeamsRefused),
        (got(404, "ConversationNotFound"), TeamsRefused),
        (got(413, "MessageSizeTooBig"), TeamsRefused),
        (got(302), TeamsRefused),
        (ConnectorResponse(200, {}, b"<html>"), OutcomeUnknown),
    ],
)
def test_what_a_response_means(response: ConnectorResponse, kind: type[KbError]) -> None:
    with pytest.raises(KbError) as raised:
        read_response(response, "POST")
    assert type(raised.value) is kind


def test_a_refusal_says_why() -> None:
    with pytest.raises(TeamsRefused) as raised:
        read_response(got(403, "BotNotInConversationRoster"), "PUT")
    assert (raised.value.status, raised.value.code) == (403, "BotNotInConversationRoster")
    assert "change a message" in raised.value.what
    assert "BotNotInConversationRoster" in raised.value.why


@pytest.mark.parametrize(("said", "seconds"), [("2", 2.0), ("0", 0.05), ("9999", 300.0), ("soon", None), (None, None)])
def test_how_long_to_wait(said: str | None, seconds: float | None) -> None:
    response = got(429) if said is None else got(429, Retry_After=said)
    with pytest.raises(Transient) as raised:
        read_response(response, "POST")
    assert raised.value.retry_after == seconds


@pytest.mark.parametrize("body", [b"", b"{}", b"null", b"[]"])
def test_a_reply_without_an_id(body: bytes) -> None:
    if body in {b"null", b"[]"}:
        with pytest.raises(OutcomeUnknown):
            read_response(ConnectorResponse(200, {}, body), "POST")
    else:
        assert read_response(ConnectorResponse(202, {}, body), "POST") == {}
