"""Signing in at oidc-provider, an OpenID provider from npm."""

import re
import subprocess
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from tests.command import Kb, embeddings_env, own_database, wait_for
from tests.counterparts.conftest import INSTALLED, free_port, missing, system_program
from tests.fakes.embeddings_server import embeddings_server
from tests.flows.web.conftest import SERVING, client, serving

SCRIPT = Path(__file__).with_name("openid_provider.mjs")


@pytest.fixture(scope="module")
def base(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the pages are; people sign in at the provider."""
    modules = INSTALLED / "node_modules"
    if not (modules / "oidc-provider").is_dir():
        missing("openid", "oidc-provider is not installed: `make counterparts` does that")
    ours, port = free_port(), free_port()
    back = f"http://127.0.0.1:{ours}/sign-in/back"
    log = tmp_path_factory.mktemp("openid") / "log"
    with log.open("w", encoding="utf-8") as out:
        command = [str(system_program("openid", "node")), str(SCRIPT), str(modules), str(port), back]
        provider = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        try:
            wait_for(lambda: "ready" in log.read_text(encoding="utf-8") or provider.poll() is not None)
            assert provider.poll() is None, log.read_text(encoding="utf-8")
            with embeddings_server() as server, own_database(data_dir, "openid") as url:
                env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, **embeddings_env(server)}
                kb = Kb(env, tmp_path_factory.mktemp("working")).having(**{**SERVING, "API_PORT": str(ours)})
                issuer = {"OIDC_ISSUER": f"http://127.0.0.1:{port}", "OIDC_CLIENT_ID": "kb"}
                issuer["EMAIL_DOMAINS"] = "example.com"
                with serving(kb.having(**issuer, OIDC_CLIENT_SECRET="a-secret-of-the-counterpart")) as (_, api):
                    yield api.removesuffix("/api/v1")
        finally:
            provider.terminate()
            provider.wait(10)


def signed_in(base: str, name: str) -> httpx.Response:
    """What somebody sees who has signed in and agreed."""
    browser = client("")
    page = browser.get(f"{base}/")
    for fields in ({"prompt": "login", "login": name, "password": "any"}, {"prompt": "consent"}):
        action = re.search(r'action="([^"]+)"', page.text)
        assert action, page.text
        page = browser.post(unescape(str(page.url.join(action[1]))), data=fields)
    return page


def test_a_verified_address_is_let_in(base: str) -> None:
    page = signed_in(base, "ada")
    assert (page.status_code, str(page.url)) == (200, f"{base}/")
    assert "You are signed in as ada@example.com" in page.text


def test_an_address_that_is_not_verified_is_not(base: str) -> None:
    page = signed_in(base, "new-ada")
    assert page.status_code == 403
    assert "Your e-mail address is not verified" in page.text
