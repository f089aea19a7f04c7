"""JSON web tokens, key blocks and the encodings of credentials."""

import base64
import json
import textwrap
from random import Random

from tests.masking.operations.plain_values import VALUES
from tests.masking.operations.template import Gen, chars


def _url64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def jwt(algorithm: str, size: int, claims: str) -> Gen:
    """Generator of a signed token with the given algorithm, length of signature and claims."""

    def make(rng: Random) -> str:
        now = 1_700_000_000 + rng.randrange(50_000_000)
        header: dict[str, str] = {"alg": algorithm, "typ": "JWT"}
        if algorithm.startswith(("RS", "ES")):
            header["kid"] = chars(rng, "us", 20)
        body: dict[str, object] = {"sub": chars(rng, "hex", 12), "iat": now, "exp": now + 3600}
        body |= json.loads(claims)
        parts = [json.dumps(part, separators=(",", ":")).encode() for part in (header, body)]
        return ".".join([_url64(parts[0]), _url64(parts[1]), _url64(rng.randbytes(size))])

    return make


def _der(kind: str, rng: Random, size: int) -> bytes:
    """Bytes that begin as the DER form of a key kind begins."""
    heads = {
        "rsa": bytes.fromhex("3082025c02010002818100"),
        "rsa2048": bytes.fromhex("308204a40201000282010100"),
        "pkcs8": bytes.fromhex("308204bd020100300d06092a864886f70d0101010500048204a7308204a3"),
        "ec": bytes.fromhex("30770201010420"),
        "ed": bytes.fromhex("302e020100300506032b657004220420"),
        "dsa": bytes.fromhex("308201bb02010002818100"),
        "enc": bytes.fromhex("308205063040060926864886f70d01050d"),
        "ssh": b"openssh-key-v1\x00\x00\x00\x00\x04none\x00\x00\x00\x04none\x00\x00\x00\x00\x00\x00\x00\x01"
        b"\x00\x00\x00\x33\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20",
        "pgp": bytes.fromhex("9486046541"),
    }
    head = heads[kind]
    return head + rng.randbytes(size - len(head))


_LABEL = {
    "rsa": "RSA PRIVATE KEY",
    "rsa2048": "RSA PRIVATE KEY",
    "pkcs8": "PRIVATE KEY",
    "ec": "EC PRIVATE KEY",
    "ed": "PRIVATE KEY",
    "dsa": "DSA PRIVATE KEY",
    "enc": "ENCRYPTED PRIVATE KEY",
    "ssh": "OPENSSH PRIVATE KEY",
    "pgp": "PGP PRIVATE KEY BLOCK",
}


def pem(kind: str, size: int, join: str = "\n", width: int = 64, end: bool = True, head: str = "") -> Gen:
    """Generator of a key block; `join` stands between its lines, `head` after the first."""

    def make(rng: Random) -> str:
        body = textwrap.wrap(base64.b64encode(_der(kind, rng, size)).decode(), width)
        lines = [f"-----BEGIN {_LABEL[kind]}-----"]
        lines += [line.replace("{iv}", chars(rng, "heu", 32)) for line in head.split("\n")] if head else []
        lines += body
        if kind == "pgp":
            lines.append("=" + chars(rng, "bs", 4))
        if end:
            lines.append(f"-----END {_LABEL[kind]}-----")
        return join.join(lines)

    return make


_PROC = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,{iv}\n"

CRYPTO: dict[str, Gen] = {
    "jwt_user": jwt("HS256", 32, '{"scope": "orders:read orders:write"}'),
    "jwt_rs": jwt("RS256", 256, '{"iss": "https://login.example.com/", "aud": "api://ledger"}'),
    "jwt_es": jwt("ES256", 64, '{"iss": "gateway", "roles": ["admin"]}'),
    "jwt_k8s": jwt(
        "RS256", 256, '{"iss": "kubernetes/serviceaccount", "kubernetes.io/serviceaccount/namespace": "ci"}'
    ),
    "jwt_short": jwt("HS256", 32, "{}"),
    "jwt_anon": jwt("HS256", 32, '{"iss": "supabase", "role": "service_role"}'),
    "jwt_512": jwt("HS512", 64, '{"tenant": "oakford", "typ": "refresh"}'),
    "pem_rsa": pem("rsa", 606),
    "pem_ec": pem("ec", 121),
    "pem_ed": pem("ed", 48),
    "pem_dsa": pem("dsa", 440),
    "pem_ssh": pem("ssh", 290, width=70),
    "pem_enc": pem("enc", 640),
    "pem_pkcs8": pem("pkcs8", 620),
    "pem_proc": pem("rsa", 580, head=_PROC),
    "pem_crlf": pem("ec", 121, "\r\n"),
    "pem_jsonec": pem("ec", 121, "\\n"),
    "pem_jsonp8": pem("pkcs8", 700, "\\n"),
    "pem_jsonrsa": pem("rsa", 606, "\\n"),
    "pem_cut": pem("rsa2048", 240, end=False),
    "pem_cutssh": pem("ssh", 200, width=70, end=False),
    "pem_one": pem("ed", 48, " "),
    "pem_quote": pem("rsa", 420, "\n> "),
    "pem_ind4": pem("ec", 121, "\n    "),
    "pem_ind6": pem("rsa", 480, "\n      "),
    "pem_ind2": pem("ssh", 250, "\n  ", width=70),
    "pem_tab": pem("ec", 121, "\n\t"),
    "pem_plus": pem("ec", 121, "\n+"),
    "pem_br": pem("ec", 121, "<br>"),
    "pem_concat": pem("ec", 121, '\\n" +\n  "'),
    "pem_env": pem("rsa", 480, "\\n"),
    "pgp": pem("pgp", 520, head="\n"),
    "pgp_ver": pem("pgp", 460, head="Version: GnuPG v2\n"),
    "pem_hash": pem("ed", 48, "\n# "),
}


def _pair(rng: Random) -> str:
    return f"{VALUES['u'](rng)}:{VALUES['pws'](rng)}"


def b64_pair(rng: Random) -> str:
    """`user:password` in base64, as in a Basic header; never shorter than 24."""
    text = base64.b64encode(_pair(rng).encode()).decode()
    return text if len(text) >= 24 else b64_pair(rng)


def b64_password(rng: Random) -> str:
    """A password manager's password in base64, as in a Kubernetes secret."""
    return base64.b64encode((VALUES["pwr"](rng) + chars(rng, "an", 6)).encode()).decode()


def docker_auth(rng: Random) -> str:
    """The auth field of a docker config."""
    return base64.b64encode(f"ci-robot:{chars(rng, 'an', 24)}".encode()).decode()


CRYPTO |= {"b64pair": b64_pair, "b64pw": b64_password, "dockauth": docker_auth}
