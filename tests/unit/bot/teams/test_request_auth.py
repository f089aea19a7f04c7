"""Which requests are taken for Teams' own."""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from jwt.utils import base64url_encode

from bot.teams.request_auth import ForgedError, RequestVerifier, TrustPolicy, may_reply_to
from bot.teams.signing_keys import SigningKey
from tests.fakes.teams_keys import TeamsKeys, private_key

APP, TENANT, SERVICE = "0a0b", "tenant-1", "https://smba.trafficmanager.net/amer/"
HOSTS = ("smba.trafficmanager.net", ".botframework.com")
TRUST = TrustPolicy(APP, TENANT, HOSTS)
ACTIVITY = {"serviceUrl": SERVICE, "channelId": "msteams", "conversation": {"tenantId": TENANT}}
TEAMS = TeamsKeys()


class Known:
    """Two keys, one of them endorsed for another channel alone."""

    def __init__(self) -> None:
        first, web = (private_key(name).public_key() for name in ("first", "web"))
        self.keys = {"first": SigningKey(first, frozenset({"msteams"})), "web": SigningKey(web, frozenset({"webchat"}))}

    async def find(self, name: str) -> SigningKey | None:
        return self.keys.get(name)


def verifier(trust: TrustPolicy = TRUST) -> RequestVerifier:
    return RequestVerifier(Known().find, trust)


async def checked(header: str | None, activity: Mapping[str, Any] = ACTIVITY, trust: TrustPolicy = TRUST) -> None:
    found = verifier(trust)
    found.activity(await found.token(header), activity)


def token(**more: Any) -> str:
    return f"Bearer {TEAMS.token(APP, SERVICE, **more)}"


async def test_what_teams_signs_is_taken() -> None:
    await checked(token())
    await checked(token().replace("Bearer", "bearer"))
    await checked(token(exp=int(time.time()) - 120))


FORGED: Mapping[str, Any] = {
    "no header": None,
    "an empty one": "",
    "another scheme": "Basic dXNlcjpwYXNz",
    "no token": "Bearer ",
    "garbage": "Bearer garbage",
    "garbage in three parts": "Bearer a.b.c",
    "something behind it": f"{token()} more",
    "too long": f"Bearer {'a' * 20_000}",
    "deep JSON": "Bearer " + ".".join([base64url_encode(b"[" * 9_000).decode(), "e30", "e30"]),
    "a header that is no object": "Bearer " + ".".join([base64url_encode(b"[]").decode(), "e30", "e30"]),
    "wrong signing key": token(key="other", kid="first"),
    "unknown key": token(key="other"),
    "no key's name": token(headers={"kid": ""}),
    "a header without anything": "Bearer e30.e30.e30",
    "alg none": token(algorithm="none"),
    "a shared secret": token(algorithm="HS256"),
    "another algorithm": token(algorithm="RS512"),
    "another issuer": token(iss="https://sts.windows.net/x/"),
    "no issuer": token(iss=None),
    "another audience": token(aud="another"),
    "no audience": token(aud=None),
    "several audiences": token(aud=[APP, "another"]),
    "expired": token(exp=int(time.time()) - 400),
    "never expires": token(exp=None),
    "an end that is no time": token(exp="soon"),
    "not yet": token(nbf=int(time.time()) + 86_400),
    "no service": token(serviceurl=None),
    "another service": token(serviceurl="https://smba.trafficmanager.net/emea/"),
    "a service that is no text": token(serviceurl=["https://smba.trafficmanager.net/amer/"]),
    "a key that is not endorsed": token(key="web"),
}


@pytest.mark.parametrize("name", FORGED)
async def test_what_is_forged_is_not(name: str) -> None:
    with pytest.raises(ForgedError):
        await checked(FORGED[name])


@pytest.mark.parametrize(
    "change",
    [
        {"serviceUrl": "https://evil.example/"},
        {"serviceUrl": None},
        {"channelId": "webchat"},
        {"channelId": ["msteams"]},
        {"channelId": None},
        {"conversation": {"tenantId": "another"}},
        {"conversation": {}},
        {"conversation": None},
        {"channelData": {"tenant": {"id": "another"}}},
    ],
    ids=str,
)
async def test_an_activity_for_which_the_token_was_not_made(change: Mapping[str, Any]) -> None:
    with pytest.raises(ForgedError):
        await checked(token(), {**ACTIVITY, **change})


async def test_another_cloud_has_another_issuer() -> None:
    cloud = replace(TRUST, issuer="https://issuer.example")
    await checked(token(iss="https://issuer.example"), trust=cloud)
    for issuer in ("https://api.botframework.com", None):
        with pytest.raises(ForgedError):
            await checked(token(iss=issuer), trust=cloud)


async def test_a_tenant_may_stand_in_either_place() -> None:
    await checked(token(), {**ACTIVITY, "conversation": {}, "channelData": {"tenant": {"id": TENANT.upper()}}})


async def test_without_an_id_nobody_needs_a_token_and_services_are_still_chosen() -> None:
    free = TrustPolicy("", "", HOSTS, loopback=True)
    await checked(None, {"serviceUrl": "http://127.0.0.1:4000/amer/"}, free)
    with pytest.raises(ForgedError):
        await checked(None, {"serviceUrl": "http://evil.example/"}, free)


ALLOWED = [
    "https://smba.trafficmanager.net/amer/",
    "https://smba.trafficmanager.net:443/",
    "https://x.botframework.com",
]
REFUSED = [
    *("", "smba.trafficmanager.net", "http://smba.trafficmanager.net/", "https://smba.trafficmanager.net:8443/"),
    *("https://smba.trafficmanager.net.evil.example/", "https://evil.example/smba.trafficmanager.net"),
    *("https://evilbotframework.com/", "https://botframework.com.evil.example/", "https://a@smba.trafficmanager.net/"),
    *("https://smba.trafficmanager.net@evil.example/", "https://smba.trafficmanager.net/?x", "https://[", "file:///x"),
    *("http://127.0.0.1:4000/", "https://localhost/", "https://169.254.169.254/", "https://smba.trafficmanager.net:x/"),
]


@pytest.mark.parametrize("url", ALLOWED)
def test_replies_go_to_the_services_that_are_named(url: str) -> None:
    assert may_reply_to(url, TRUST)


@pytest.mark.parametrize("url", REFUSED)
def test_and_nowhere_else(url: str) -> None:
    assert not may_reply_to(url, TRUST)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:4000/", "http://localhost/x/", "http://[::1]:1/", "https://127.0.0.2"]
)
def test_in_development_to_this_machine_too(url: str) -> None:
    assert may_reply_to(url, TrustPolicy(APP, TENANT, HOSTS, loopback=True))
    assert not may_reply_to(url, TRUST)
