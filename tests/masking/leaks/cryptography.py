"""JWTs, private keys (as random bytes in the right envelope) and the transforms that write them."""

import base64
import json
import random
import re
import textwrap

from tests.masking.leaks.plain_values import mail, name, new_uuid, pick
from tests.masking.leaks.template import generator, transform

HEADS = {
    "rsa": ("RSA PRIVATE KEY", "3082025d02010002818100", 600, 64),
    "rsa2048": ("RSA PRIVATE KEY", "308204a40201000282010100", 1192, 64),
    "pkcs8": ("PRIVATE KEY", "30820276020100300d06092a864886f70d0101010500048202603082025c", 600, 64),
    "ec": ("EC PRIVATE KEY", "30770201010420", 121, 64),
    "p8": ("PRIVATE KEY", "308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420", 138, 64),
    "ed25519": ("PRIVATE KEY", "302e020100300506032b657004220420", 48, 64),
    "openssh": ("OPENSSH PRIVATE KEY", b"openssh-key-v1\x00\x00\x00\x00\x04none".hex(), 264, 70),
    "dsa": ("DSA PRIVATE KEY", "308201bb02010002818100", 430, 64),
    "encrypted": ("ENCRYPTED PRIVATE KEY", "3081ec305706092a864886f70d01050d304a302906092a864886f70d01050c", 239, 64),
    "pgp": ("PGP PRIVATE KEY BLOCK", "9504", 500, 64),
}
DASHES = "-" * 5


def body_of(rng: random.Random, head: str, size: int, width: int) -> list[str]:
    """Base64 lines of random bytes that start with the right envelope."""
    start = bytes.fromhex(head)
    data = start + rng.randbytes(size - len(start))
    return textwrap.wrap(base64.b64encode(data).decode(), width)


@generator("pem")
def pem(rng: random.Random, arg: str, language: str) -> str:
    """A PEM key: argument ``type`` or ``type,cut`` (the end is missing)."""
    kind, _, how = arg.partition(",")
    label, head, size, width = HEADS[kind]
    lines = body_of(rng, head, size, width)
    if how == "cut":
        return "\n".join([f"{DASHES}BEGIN {label}{DASHES}", *lines[: min(5, len(lines) - 1)]])
    if how == "nohead":
        return "\n".join([*lines[-4:], f"{DASHES}END {label}{DASHES}"])
    extra: list[str] = []
    if kind == "pgp":
        extra = ["Version: GnuPG v2", ""]
        lines.append("=" + pick(rng, "A", 4))
    if how == "legacy":
        extra = ["Proc-Type: 4,ENCRYPTED", f"DEK-Info: AES-128-CBC,{pick(rng, 'H', 32)}", ""]
    return "\n".join([f"{DASHES}BEGIN {label}{DASHES}", *extra, *lines, f"{DASHES}END {label}{DASHES}"])


def key_lines(plain: str) -> tuple[str, ...]:
    """The base64 lines of a key, which are what must be gone."""
    return tuple(line for line in plain.split("\n") if len(line) >= 6 and not re.search(r"[-:]{1}[- ]", line))


def key_transform(prefix: str, glue: str) -> None:
    """Register a way to write a key over several lines."""

    def apply(rng: random.Random, plain: str) -> tuple[str, tuple[str, ...]]:
        return glue.join(plain.split("\n")), key_lines(plain)

    transform(prefix)(apply)


key_transform("pem", "\n")
key_transform("pemquote", "\n> ")
key_transform("pemquote2", "\n>> ")
key_transform("pemjson", "\\n")
key_transform("pemdouble", "\\\\n")
key_transform("pemcrlf", "\r\n")
key_transform("peminone", " ")
key_transform("pemind4", "\n    ")
key_transform("pemind6", "\n      ")
key_transform("pemtab", "\n\t")
key_transform("pemlog", "\n2026-02-11T08:14:33.120Z app[web.1]: ")
key_transform("pemhash", "\n# ")
key_transform("pemplus", "\n+")


@transform("pemconcat")
def pem_concat(rng: random.Random, plain: str) -> tuple[str, tuple[str, ...]]:
    """A key as a concatenation of string literals in code."""
    shown = " +\n    ".join(f'"{line}\\n"' for line in plain.split("\n"))
    return shown, key_lines(plain)


def b64url(data: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@generator("jwt")
def jwt(rng: random.Random, arg: str, language: str) -> str:
    """A signed token: argument ``hs``, ``rs``, ``es`` or ``jwe``."""
    alg = {"": "HS256", "hs": "HS256", "rs": "RS256", "es": "ES256", "jwe": "RSA-OAEP"}[arg]
    head: dict[str, object] = {"alg": alg, "typ": "JWT"}
    if arg in ("rs", "es"):
        head["kid"] = pick(rng, "h", 16)
    if arg == "jwe":
        head = {"alg": alg, "enc": "A256GCM"}
    claims: dict[str, object] = {
        "sub": rng.choice((new_uuid(rng, "", ""), str(rng.randint(1000, 99999)))),
        rng.choice(("name", "preferred_username")): name(rng, "", ""),
        "email": mail(rng, "", ""),
        "iat": 1760000000 + rng.randint(0, 9000000),
    }
    if arg == "es":
        claims = {"iss": "https://id.example.com", "scope": "read:invoices", "exp": 1770000000 + rng.randint(0, 99999)}
    parts = [b64url(json.dumps(part, separators=(",", ":")).encode()) for part in (head, claims)]
    size = {"hs": 32, "": 32, "rs": 256, "es": 64, "jwe": 64}[arg]
    if arg == "jwe":
        sizes = (64, 12, 60, 16)
        return ".".join([parts[0], *(b64url(rng.randbytes(one)) for one in sizes)])
    return ".".join([*parts, b64url(rng.randbytes(size))])


@transform("jwtdots")
def jwt_dots(rng: random.Random, plain: str) -> tuple[str, tuple[str, ...]]:
    """A token that is broken after its dots."""
    parts = plain.split(".")
    return ".\n".join(parts), tuple(parts[1:])


@transform("jwtlines")
def jwt_lines(rng: random.Random, plain: str) -> tuple[str, tuple[str, ...]]:
    """A token that a terminal broke at 76 characters."""
    lines = [plain[at : at + 76] for at in range(0, len(plain), 76)]
    return "\n".join(lines), tuple(line for line in lines if len(line) >= 6)


@generator("publickey")
def public_key(rng: random.Random, arg: str, language: str) -> str:
    """A public key or certificate in PEM."""
    if arg == "cert":
        lines, label = body_of(rng, "308201f53082019ba003020102", 420, 64), "CERTIFICATE"
    elif arg == "pgp":
        lines, label = body_of(rng, "9833", 320, 64), "PGP PUBLIC KEY BLOCK"
        lines = ["", *lines, "=" + pick(rng, "A", 4)]
    else:
        lines, label = body_of(rng, "3059301306072a8648ce3d020106082a8648ce3d030107034200", 91, 64), "PUBLIC KEY"
    return "\n".join([f"{DASHES}BEGIN {label}{DASHES}", *lines, f"{DASHES}END {label}{DASHES}"])


@generator("sshpub")
def ssh_public(rng: random.Random, arg: str, language: str) -> str:
    """An OpenSSH public key without its comment."""
    data = b"\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20" + rng.randbytes(32)
    return "ssh-ed25519 " + base64.b64encode(data).decode()


@generator("b64text")
def b64_text(rng: random.Random, arg: str, language: str) -> str:
    """Base64 of ordinary text."""
    return base64.b64encode(arg.replace("_", " ").encode()).decode()


@generator("b64png")
def b64_png(rng: random.Random, arg: str, language: str) -> str:
    """Base64 of the start of a picture."""
    head = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61")
    return base64.b64encode(head + rng.randbytes(60)).decode()


@generator("integrity")
def integrity(rng: random.Random, arg: str, language: str) -> str:
    """A lock file hash."""
    size = {"sha512": 64, "sha384": 48, "sha256": 32, "sha1": 20}[arg or "sha512"]
    return f"{arg or 'sha512'}-{base64.b64encode(rng.randbytes(size)).decode()}"
