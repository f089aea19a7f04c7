"""Which requests are taken for Teams' own."""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

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


@pytest.mark.parametrize("url", ALLOWED)
def test_replies_go_to_the_services_that_are_named(url: str) -> None:
    assert may_reply_to(url, TRUST)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:4000/", "http://localhost/x/", "http://[::1]:1/", "https://127.0.0.2"]
)
def test_in_development_to_this_machine_too(url: str) -> None:
    assert may_reply_to(url, TrustPolicy(APP, TENANT, HOSTS, loopback=True))
    assert not may_reply_to(url, TRUST)
