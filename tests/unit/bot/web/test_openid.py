"""What is believed of an issuer."""

import pytest

from bot.web.openid import Attempt, is_private_way, open_openid
from domain.errors import Misconfigured, Transient
from tests.fakes.openid_issuer import CLIENT, SECRET, openid_issuer

BACK = "http://127.0.0.1:1/sign-in/back"
AFTERWARDS = f"client_id={CLIENT}&post_logout_redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fsigned-out"


async def test_an_issuer_that_names_another_is_not_believed() -> None:
    with openid_issuer() as issuer:
        issuer.named = "https://another.example"
        async with open_openid(issuer.url, CLIENT, SECRET) as client:
            with pytest.raises(Misconfigured, match="says that it is another"):
                await client.address(Attempt.new(), BACK)


async def test_an_issuer_that_is_away_is_said_to_be() -> None:
    with openid_issuer() as issuer:
        gone = issuer.url
    async with open_openid(gone, CLIENT, SECRET) as client:
        with pytest.raises(Transient, match="does not answer"):
            await client.address(Attempt.new(), BACK)


async def test_a_wrong_secret_is_for_the_operator_to_mend() -> None:
    with openid_issuer() as issuer:
        async with open_openid(issuer.url, CLIENT, "wrong") as client:
            attempt = Attempt.new()
            await client.address(attempt, BACK)
            with pytest.raises(Misconfigured, match="does not accept us"):
                await client.email({"code": "x", "state": attempt.state}, attempt, BACK)


@pytest.mark.parametrize(
    ("ending", "address"),
    [
        ("", ""),
        ("https://login.example/out", f"https://login.example/out?{AFTERWARDS}"),
        ("https://login.example/?do=out", f"https://login.example/?do=out&{AFTERWARDS}"),
        ("http://login.example/out", ""),
        ("javascript:alert(1)", ""),
    ],
)
async def test_a_sign_in_is_ended_where_the_issuer_says(ending: str, address: str) -> None:
    with openid_issuer() as issuer:
        issuer.ending = ending
        async with open_openid(issuer.url, CLIENT, SECRET) as client:
            assert await client.end_address("http://127.0.0.1:1/signed-out") == address


@pytest.mark.parametrize(
    ("url", "private"),
    [
        ("https://login.example.com", True),
        ("http://127.0.0.1:9", True),
        ("http://localhost", True),
        ("http://login.example.com", False),
        ("ftp://localhost", False),
        ("https://", False),
        ("", False),
        ("http://[::1", False),
    ],
)
def test_nobody_may_read_along(url: str, private: bool) -> None:
    assert is_private_way(url) is private


@pytest.mark.parametrize("kept", ["", "a.b", "a..c", "a.b.c.d", "x" * 400 + ".b.c"])
def test_what_no_sign_in_left_is_none(kept: str) -> None:
    assert Attempt.of(kept) is None


def test_a_sign_in_is_what_a_browser_kept_of_it() -> None:
    attempt = Attempt.new()
    assert Attempt.of(attempt.kept) == attempt
