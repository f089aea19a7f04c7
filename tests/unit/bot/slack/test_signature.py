"""Slack's signature of a request."""

import hashlib
import hmac

import pytest

from bot.slack.http_endpoint import TOLERANCE, is_signed

SECRET, NOW, BODY = "8f742231b10e8888abcd99yyyzzz85a5", 1_531_420_618, b"token=x&command=%2Fkb"


def _sign(timestamp: str = str(NOW), body: bytes = BODY, secret: str = SECRET) -> str:
    return "v0=" + hmac.new(secret.encode(), b"v0:" + timestamp.encode() + b":" + body, hashlib.sha256).hexdigest()


def test_the_documented_example() -> None:
    body = (
        b"token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
        b"&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
        b"&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
        b"&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
    )
    signature = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
    assert is_signed(SECRET, "1531420618", signature, body, NOW)


@pytest.mark.parametrize("off", [0, TOLERANCE, -TOLERANCE])
def test_within_the_tolerance(off: int) -> None:
    assert is_signed(SECRET, str(NOW), _sign(), BODY, NOW + off)


@pytest.mark.parametrize("off", [TOLERANCE + 1, -TOLERANCE - 1, 10**9])
def test_beyond_the_tolerance(off: int) -> None:
    assert not is_signed(SECRET, str(NOW), _sign(), BODY, NOW + off)


def test_an_empty_body_is_signed_too() -> None:
    assert is_signed(SECRET, str(NOW), _sign(body=b""), b"", NOW)
