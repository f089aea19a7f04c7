"""Who signs what Teams sends: an OpenID document and its keys on a loopback port, served in threads of their own, and
tokens as Teams makes them. It hangs, fails and serves other keys on demand."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

ISSUER = "https://api.botframework.com"
DOCUMENT = "/v1/.well-known/openidconfiguration"
JWKS = "/v1/.well-known/keys"

Mode = Literal["serves", "hangs", "fails", "garbage", "redirects"]


_MADE: dict[str, rsa.RSAPrivateKey] = {}
_MAKING = threading.Lock()


def private_key(name: str) -> rsa.RSAPrivateKey:
    """A key, the same for a name as long as the process lives, in all threads."""
    with _MAKING:
        if name not in _MADE:
            _MADE[name] = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        return _MADE[name]


@dataclass
class TeamsKeys:
    """Serves keys. keys: names of those that are published, with the channels they are endorsed for. asked: paths, in
    order. going: set when what hangs may go on."""

    url: str = ""
    keys: dict[str, list[str]] = field(default_factory=lambda: {"first": ["msteams"]})
    mode: Mode = "serves"
    asked: list[str] = field(default_factory=list)
    going: threading.Event = field(default_factory=threading.Event)

    def token(
        self,
        app_id: str,
        service_url: str,
        *,
        key: str = "first",
        kid: str | None = None,
        algorithm: str = "RS256",
        headers: Mapping[str, Any] | None = None,
        **claims: Any,
    ) -> str:
        """A token as Teams signs it. key: signs it; kid: as it is called in it. claims: others than the right ones;
        None leaves one out."""
        now = int(time.time())
        right = {"iss": ISSUER, "aud": app_id, "nbf": now - 60, "exp": now + 3_000, "serviceurl": service_url}
        given = {name: value for name, value in {**right, **claims}.items() if value is not None}
        secret: Any = None if algorithm == "none" else "x" * 64 if algorithm[:2] == "HS" else private_key(key)
        named = {"kid": kid or key, **(headers or {})}
        return jwt.encode(given, secret, algorithm=algorithm, headers=named)

    def document(self, path: str) -> Any:
        """What is served at a path; None for nothing."""
        base = self.url.removesuffix(DOCUMENT)
        if path == DOCUMENT:
            return {"issuer": ISSUER, "jwks_uri": base + JWKS, "id_token_signing_alg_values_supported": ["RS256"]}
        return {"keys": [_jwk(*each) for each in self.keys.items()]} if path == JWKS else None


def _jwk(name: str, endorsements: list[str]) -> dict[str, Any]:
    public = RSAAlgorithm.to_jwk(private_key(name).public_key(), as_dict=True)
    return {**public, "use": "sig", "kid": name, "endorsements": endorsements}


@contextmanager
def teams_keys() -> Iterator[TeamsKeys]:
    """A key server on a free loopback port."""
    keys = TeamsKeys()
    for name in keys.keys:
        private_key(name)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            keys.asked.append(self.path)
            mode = keys.mode
            if mode == "hangs":
                keys.going.wait(60)
            found = keys.document(self.path)
            status = {"fails": 500, "redirects": 302}.get(mode, 200 if found is not None else 404)
            body = b"<html>" if mode == "garbage" else json.dumps(found).encode()
            self.send_response(status)
            self.send_header("Location", keys.url)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Who asked is gone."""

    with Server(("127.0.0.1", 0), Handler) as server:
        keys.url = f"http://127.0.0.1:{server.server_address[1]}{DOCUMENT}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield keys
        finally:
            keys.going.set()
            server.shutdown()
            thread.join()
