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


@pytest.mark.parametrize(
    ("timestamp", "signature"),
    [
        (None, _sign()),
        ("", _sign("")),
        (str(NOW), None),
        (str(NOW), ""),
        (str(NOW), "v0="),
        (str(NOW), _sign()[:-1]),
        (str(NOW), _sign() + "0"),
        (str(NOW), _sign().upper()),
        (str(NOW), _sign().removeprefix("v0=")),
        (str(NOW), "v1=" + _sign()[3:]),
        (str(NOW), _sign(secret="another")),
        (str(NOW), _sign(body=BODY + b" ")),
        (str(NOW), _sign(str(NOW + 1))),
        (str(NOW), "v0=\u00e9"),
        ("now", _sign("now")),
        (f"{NOW}.5", _sign(f"{NOW}.5")),
        (f"-{NOW}", _sign(f"-{NOW}")),
        (f"+{NOW}", _sign(f"+{NOW}")),
        (f" {NOW}", _sign(f" {NOW}")),
        ("1e9", _sign("1e9")),
        ("0x5b48", _sign("0x5b48")),
        ("1_531_420_618", _sign("1_531_420_618")),
        ("١٥٣١٤٢٠٦١٨", _sign("١٥٣١٤٢٠٦١٨")),
        ("¹²³", _sign("¹²³")),
        ("9" * 10_000, _sign("9" * 10_000)),
    ],
)
def test_everything_else_is_forged(timestamp: str | None, signature: str | None) -> None:
    assert not is_signed(SECRET, timestamp, signature, BODY, NOW)
