"""Private keys: in PEM form, of PuTTY, OpenVPN and JSON web keys."""

from collections.abc import Iterable

from domain.masking.ruleset.rule import Rule, value
from domain.masking.ruleset.secret_strength import is_placeholder
from domain.patterns import LinearRegex, PatternMatch, Place

_KEY = r"(?:(?:[A-Z0-9]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)?|OpenVPN (?:Static key V\d|tls-crypt-v2 (?:client|server) key)) ?"
# five hyphens are two signs or three where an editor made dashes of them
_BEGIN, _END, _BEGIN_OR_END = (rf"-{{2,5}} ?(?:{word}) {_KEY}-{{2,5}}" for word in ("BEGIN", "END", "BEGIN|END"))
_BODY = r"(?:(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): ?[^\n\\]+|[\s>|\"'+,;\\#*/`]|\\[nrt]|[A-Za-z0-9+/=]{4,}|[A-Za-z0-9+/=]{1,3}\s*(?:\\n|\n|$|-))"

LONGEST_KEY = 30_000
"""Characters between the first and the last line of what is masked whole, whatever stands between them."""

_BORDER = LinearRegex(_BEGIN_OR_END)
_BORDER_OR_RUN = LinearRegex(rf"{_BEGIN_OR_END}|[A-Za-z0-9+/=]{{20,}}")

_NO_BASE64 = LinearRegex(r"\\[nrt]|[^A-Za-z0-9+/=]")
_MIXED = LinearRegex(r"[A-Z].*\d|\d.*[A-Z]|[A-Z]{2}|[0-9a-f]{64}")

_OPEN_KEY = LinearRegex(rf"{_BEGIN}{_BODY}*")
_WHOLE_KEY = LinearRegex(rf"{_BEGIN}{_BODY}*(?:{_END})?")
_LAST_LINE = LinearRegex(rf"{_END}\Z")


def _key_block(match: PatternMatch) -> Iterable[Place]:
    """The block, where it holds more than its first line. Of one without an end, what can be base64 goes with it. Of a
    long one with other text in it, which may stand between two mentions, its marks and what can be base64."""
    block = match.group()
    if (unended := _OPEN_KEY.match(block)) and not _LAST_LINE.search(block[-80:]):
        block = unended.group()
    inside = _BORDER.sub("", block)
    body = _NO_BASE64.sub("", inside)
    if len(body) < 8 or not _MIXED.search(body):
        return
    start = match.start()
    if len(inside) <= LONGEST_KEY or _WHOLE_KEY.fullmatch(block):
        yield start, start + len(block)
    else:
        yield from ((start + each.start(), start + each.end()) for each in _BORDER_OR_RUN.finditer(block))


_PRIVATE_MEMBER = LinearRegex(r"\"(?:d|p|q|dp|dq|qi|k)\"\s*:\s*\"([A-Za-z0-9_-]{16,}={0,2})\"")


def _jwk(match: PatternMatch) -> Iterable[Place]:
    """The private parts of a JSON web key (RFC 7518, section 6)."""
    for member in _PRIVATE_MEMBER.finditer(match.group()):
        if not is_placeholder(member[1]):
            yield match.start() + member.start(1), match.start() + member.end(1)


PRIVATE_KEYS = (
    Rule(
        "private key",
        rf"{_BEGIN}(?:(?s:.)*?{_BEGIN_OR_END}|{_BODY}*)|(?:[A-Za-z0-9+/=]{{20,}}[ \t]*\r?\n[ \t>]*)+{_END}",
        ("private key", "openvpn "),
        _key_block,
        (
            "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEpAIBAAKCAQEA7bq9\n-----END RSA PRIVATE KEY-----",
            "-----BEGIN PRIVATE " + "KEY-----\nMIIEvQIBADANBg",
            '{"private_key": "-----BEGIN PRIVATE ' + 'KEY-----\\nMIIEvQIBADANBg\\n-----END PRIVATE KEY-----\\n"}',
            "MIIEpAIBAAKCAQEA7bq9aZ3x\n-----END RSA PRIVATE " + "KEY-----",
            "> -----BEGIN EC PRIVATE " + "KEY-----\n> MHcCAQEEIIGl9mFA\n> -----END EC PRIVATE KEY-----",
            "—–-BEGIN RSA PRIVATE " + "KEY—–-\nMIIEpAIBAAKCAQEA7bq9\n—–-END RSA PRIVATE KEY—–-",
            "-----BEGIN OpenVPN Static " + "key V1-----\n" + "5765b7342d2f5e4e2e200659830eb548\n" * 16,
        ),
        (
            "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
            "keep the private key secret",
            "It begins with -----BEGIN RSA PRIVATE " + "KEY----- and ends likewise.",
        ),
        group="private key",
    ),
    Rule(
        "private key",
        r"(?m)PuTTY-User-Key-File-\d:[^\n]+\n(?s:.*?)Private-MAC: ?[0-9a-f]{16,64}",
        ("putty-user-key-file",),
        value(),
        ("PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 1\nAAABAQC7\nPrivate-MAC: " + "3f9a1c7e" * 5,),
        ("PuTTY-User-Key-File-2 is the format",),
        group="private key",
    ),
    Rule(
        "private key",
        r"(?:^|\{)[^{}]*\"kty\"[^{}]*",
        ('"kty"',),
        _jwk,
        (
            '{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","d":"a7Bk2Zq9Rm4Tx6Yw8Lp3Vn5Jd1Gh0F"}',
            '{"kty": "oct", "k": "a7Bk2Zq9Rm4Tx6Yw8Lp3"}',
        ),
        ('{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","kid":"a7Bk2Zq9Rm4Tx6Yw8Lp3"}',),
        group="private key",
    ),
)
