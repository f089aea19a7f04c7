"""People sign in to the pages by OpenID Connect, and nobody else gets in."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from tests.command import Kb
from tests.fakes.openid_issuer import OpenIdIssuer, openid_issuer, sign_in_env
from tests.fakes.page_limits import wrong_on_page
from tests.flows.web.conftest import SERVING, client, serving
from tests.flows.web.test_pages import asked, csrf

pytestmark = pytest.mark.everyday


@pytest.fixture(scope="module")
def issuing() -> Iterator[OpenIdIssuer]:
    with openid_issuer() as found:
        yield found


@pytest.fixture
def issuer(issuing: OpenIdIssuer) -> OpenIdIssuer:
    """The issuer, honest again."""
    fresh = replace(OpenIdIssuer(), url=issuing.url)
    vars(issuing).update(vars(fresh))
    return issuing


@pytest.fixture(scope="module")
def base(indexed: Kb, issuing: OpenIdIssuer) -> Iterator[str]:
    """Where the pages are."""
    with serving(indexed.having(**SERVING, **sign_in_env(issuing.url))) as (_, api):
        yield api.removesuffix("/api/v1")


@pytest.fixture
def browser(base: str) -> httpx.Client:
    return client(base)


def test_a_person_signs_in_asks_and_signs_out(browser: httpx.Client, issuer: OpenIdIssuer) -> None:
    home = browser.get("/")
    assert home.status_code == 200
    assert "You are signed in as ada@example.com" in home.text
    page = asked(browser, "How many days of vacation?")
    assert "Sources" in page.text
    assert browser.get("/api/v1/questions").json()["questions"], "the pages' session opens the API, too"
    assert browser.get("/signed-out").url.path == "/", "a link alone signs nobody out, and does not say so"
    left = browser.post("/sign-out", data={"csrf": csrf(home.text)})
    assert (left.status_code, "You are signed out" in left.text) == (200, True)
    assert 'href="/sign-in"' in left.text
    assert wrong_on_page(left.text, []) == []
    assert browser.get(left.url.path).text == left.text, "nobody is signed in again by that"
    assert browser.get("/history", follow_redirects=False).headers["Location"] == "/sign-in"


def test_who_signs_out_may_sign_out_at_the_issuer_too(indexed: Kb, issuer: OpenIdIssuer) -> None:
    vars(issuer).update(ending="https://login.example.com/out")
    with serving(indexed.having(**SERVING, **sign_in_env(issuer.url))) as (_, api):
        browser = client(base := api.removesuffix("/api/v1"))
        left = browser.post("/sign-out", data={"csrf": csrf(browser.get("/").text)})
    (elsewhere,) = re.findall(r'<a href="(https://login[^"]+)">Sign out there, too</a>', left.text)
    assert wrong_on_page(left.text, [unescape(elsewhere)]) == []
    asked_for = dict(parse_qsl(urlsplit(unescape(elsewhere)).query))
    assert asked_for == {"client_id": "kb", "post_logout_redirect_uri": f"{base}/signed-out"}


def test_that_an_administrator_signs_in_is_noted(browser: httpx.Client, issuer: OpenIdIssuer, indexed: Kb) -> None:
    def noted() -> list[str]:
        listed = indexed("audit", "--action", "signed_in", "--actor", "root@example.com", "--json").json["entries"]
        return [each["actor"] for each in listed]

    before = noted()
    assert browser.get("/").status_code == 200, "ada, who is none"
    browser.cookies.clear()
    vars(issuer).update(claims={"email": "root@example.com"})
    assert "signed in as root@example.com" in browser.get("/").text
    assert noted() == ["web:root@example.com", *before]


def test_a_session_of_before_is_not_taken_over(browser: httpx.Client, issuer: OpenIdIssuer) -> None:
    browser.cookies.set("kb_session", "planted")
    assert browser.get("/").status_code == 200
    kept = [each.value for each in browser.cookies.jar if each.name == "kb_session"]
    assert kept[-1] != "planted"
    assert all(len(str(each)) > 40 for each in kept if each != "planted")


@pytest.mark.parametrize(
    "lie",
    [
        {"claims": {"email_verified": False}},
        {"claims": {"email_verified": None}},
        {"claims": {"email_verified": "true"}},
        {"claims": {"email": None}},
        {"claims": {"email": "ada"}},
        {"claims": {"nonce": "another"}},
        {"claims": {"nonce": None}},
        {"claims": {"aud": "another"}},
        {"claims": {"aud": ["kb", "another"], "azp": "another"}},
        {"claims": {"iss": "https://another.example"}},
        {"claims": {"exp": 1}},
        {"claims": {"exp": None}},
        {"key": "another"},
        {"algorithm": "none"},
        {"algorithm": "HS256"},
        {"back": {"state": "another"}},
        {"back": {"state": ""}},
        {"back": {"iss": "https://another.example"}},
        {"back": {"error": "access_denied"}},
        {"back": {"code": "guessed"}},
    ],
    ids=str,
)
def test_whoever_is_not_vouched_for_gets_nothing(
    browser: httpx.Client, issuer: OpenIdIssuer, lie: dict[str, object]
) -> None:
    vars(issuer).update(lie)
    refused = browser.get("/")
    assert refused.status_code == 403, refused.text
    assert not [each for each in browser.cookies.jar if each.name == "kb_session"]


def test_a_way_back_is_gone_once(browser: httpx.Client, base: str, issuer: OpenIdIssuer) -> None:
    begun = browser.get("/sign-in", follow_redirects=False)
    asked_for = dict(parse_qsl(urlsplit(begun.headers["Location"]).query))
    assert asked_for["code_challenge_method"] == "S256"
    back = issuer.sent_back(asked_for)
    stranger = client(base)
    assert stranger.get(back).status_code == 403, "by another browser"
    assert browser.get(back, follow_redirects=False).status_code == 303
    assert browser.get(back, follow_redirects=False).status_code == 403, "a second time"


def test_a_code_that_the_issuer_does_not_know_opens_nothing(browser: httpx.Client, issuer: OpenIdIssuer) -> None:
    begun = browser.get("/sign-in", follow_redirects=False)
    assert begun.status_code == 303
    lost = browser.get(
        "/sign-in/back",
        params={"code": "x", "state": dict(parse_qsl(urlsplit(begun.headers["Location"]).query))["state"]},
    )
    assert lost.status_code == 403
    assert "Begin again" in lost.text


def test_without_the_organisations_domains_nobody_can_sign_in(indexed: Kb, issuing: OpenIdIssuer) -> None:
    done = indexed.having(**SERVING, **sign_in_env(issuing.url) | {"EMAIL_DOMAINS": ""})("serve")
    assert done.code == 2
    assert "Anybody whom KB_AGENT_OIDC_ISSUER knows could sign in as a member" in done.err
