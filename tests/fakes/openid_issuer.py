"""An issuer of sign-ins on a loopback port, served in threads: it sends everybody back signed in as whom it is told,
and says what is false on demand."""

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import jwt
from jwt.algorithms import RSAAlgorithm

from tests.fakes.teams_keys import private_key

CLIENT, SECRET = "kb", "the-secret-of-the-client"


@dataclass
class OpenIdIssuer:
    """See above. claims: others than the right ones; None leaves one out. key, algorithm: sign the token. named: whom
    the discovery document names as the issuer, where that is wrong. ending: where it ends sign-ins, if it says so.
    redeemed: codes that were."""

    url: str = ""
    email: str = "ada@example.com"
    claims: dict[str, Any] = field(default_factory=dict)
    key: str = "issuer"
    algorithm: str = "RS256"
    named: str = ""
    ending: str = ""
    back: dict[str, str] = field(default_factory=dict)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    redeemed: list[str] = field(default_factory=list)

    def document(self) -> Any:
        places = {name: f"{self.url}/{name}" for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")}
        ending = {"end_session_endpoint": self.ending} if self.ending else {}
        return {"issuer": self.named or self.url, **places, **ending}

    def keys(self) -> Any:
        public = RSAAlgorithm.to_jwk(private_key("issuer").public_key(), as_dict=True)
        return {"keys": [{**public, "use": "sig", "kid": "issuer", "alg": "RS256"}]}

    def sent_back(self, query: dict[str, str]) -> str:
        """Where a browser goes on to."""
        code = f"code-{len(self.codes)}"
        self.codes[code] = query
        given = {"code": code, "state": query["state"], "iss": self.url, **self.back}
        return f"{query['redirect_uri']}?{urlencode(given)}"

    def token(self, form: dict[str, str], authorization: str) -> tuple[int, Any]:
        """Status and JSON for a code."""
        pair = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if authorization != f"Basic {pair}":
            return 401, {"error": "invalid_client"}
        asked = self.codes.get(form.get("code", ""))
        verifier = form.get("code_verifier", "")
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        right = asked and (asked["code_challenge"], asked["redirect_uri"]) == (challenge, form.get("redirect_uri"))
        if asked is None or not right or form["code"] in self.redeemed:
            return 400, {"error": "invalid_grant"}
        self.redeemed.append(form["code"])
        now = int(time.time())
        claims = {"iss": self.url, "sub": "1", "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": asked["nonce"]}
        claims |= {"email": self.email, "email_verified": True, **self.claims}
        given = {name: value for name, value in claims.items() if value is not None}
        secret: Any = None if self.algorithm == "none" else SECRET * 3
        signer = private_key(self.key) if self.algorithm[:2] == "RS" else secret
        return 200, {"id_token": jwt.encode(given, signer, algorithm=self.algorithm, headers={"kid": "issuer"})}


def sign_in_env(issuer: str) -> dict[str, str]:
    """The settings by which people of example.com sign in at the issuer."""
    client = {"OIDC_CLIENT_ID": CLIENT, "OIDC_CLIENT_SECRET": SECRET}
    return {"OIDC_ISSUER": issuer, **client, "EMAIL_DOMAINS": "example.com"}


@contextmanager
def openid_issuer() -> Iterator[OpenIdIssuer]:
    """An issuer, while inside."""
    issuer = OpenIdIssuer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path == "/authorization_endpoint":
                self.send_response(303)
                self.send_header("Location", issuer.sent_back(dict(parse_qsl(parts.query))))
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            known = {"/.well-known/openid-configuration": issuer.document, "/jwks_uri": issuer.keys}
            found = known.get(parts.path)
            self._say(200 if found else 404, found() if found else {})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._say(*issuer.token(dict(parse_qsl(body)), self.headers.get("Authorization", "")))

        def _say(self, status: int, value: Any) -> None:
            data = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        issuer.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield issuer
        finally:
            server.shutdown()
            thread.join()
