"""Tokens and passwords in the standard forms of protocols: JWT, URLs, headers, cookies."""

import base64
import binascii
from collections.abc import Iterable

from domain.masking.ruleset.rule import LONG, Rule, value
from domain.masking.ruleset.secret_strength import GOOD, WEAK, is_code, is_placeholder, is_random, strength, words
from domain.patterns import LinearRegex, PatternMatch, Place

_PORT, _PATHS = LinearRegex(r"\d{1,5}(?:/|$)"), LinearRegex(r"//|[a-z]+/[a-z]+/")
_BLANKED = LinearRegex(r"[*.x]+", ignore_case=True)
_COMMIT_OR_NUMBER = LinearRegex(r"[0-9a-f]{40}|\d+")


def _jwt(text: str) -> bool:
    """Whether the first part is a JSON object."""
    head = text.split(".", 1)[0]
    try:
        decoded = base64.urlsafe_b64decode(head + "=" * (-len(head) % 4))
    except (binascii.Error, ValueError):
        return False
    return decoded.startswith(b"{") and b'"' in decoded


def url_password(text: str) -> bool:
    """Whether what stands between `user:` and `@host` of a URL is a password: not a port and a path, no placeholder."""
    word = text.strip()
    if _PORT.match(word) and "/" in word:
        return False
    return not is_placeholder(word) and _BLANKED.fullmatch(word) is None


def url_user(text: str) -> bool:
    """Whether the user of a URL without a password is a token."""
    return len(text) >= 20 and is_random(text)


def header_value(text: str) -> bool:
    """Whether the value of a header for credentials is one."""
    word = text.strip()
    if _PATHS.match(word):
        return False
    return (
        len(word) >= 6
        and not is_placeholder(word)
        and not is_code(word)
        and (strength(word) >= WEAK or len(word) >= 20)
    )


def bearer(text: str) -> bool:
    """Whether what follows `Bearer` is a token, not a word."""
    return not is_placeholder(text) and (strength(text) >= GOOD or is_random(text))


def basic(text: str) -> bool:
    """Whether it is base64 of `user:password`."""
    try:
        decoded = base64.b64decode(text + "=" * (-len(text) % 4)).decode()
    except (binascii.Error, ValueError):
        return False
    return ":" in decoded and decoded.isprintable()


_COOKIE = LinearRegex(r"([\w.$!%*-]+)=(\"?[^;,\s\"']{4,})")
_ATTRIBUTES = frozenset(
    [
        "path",
        "domain",
        "expires",
        "max-age",
        "samesite",
        "secure",
        "httponly",
        "priority",
        "version",
        "comment",
        "partitioned",
    ]
)
_NAMED = LinearRegex(r"(?i)sess|sid$|auth|token|jwt|csrf|xsrf|remember|login|ticket|secret|^id$")


def _cookies(match: PatternMatch) -> Iterable[Place]:
    start = match.start(1)
    for pair in _COOKIE.finditer(match.group(1)):
        name, held = pair[1], pair[2].strip('"')
        if name.lower() in _ATTRIBUTES or is_placeholder(held):
            continue
        if _NAMED.search(name) and len(held) >= 20:
            yield start + pair.start(2), start + pair.end(2)
            continue
        if is_code(held):
            continue
        if is_random(held) or (_NAMED.search(name) and len(held) >= 6 and strength(held) >= WEAK):
            yield start + pair.start(2), start + pair.end(2)


URL_NAMES = (
    r"access[_-]?token|refresh[_-]?token|id[_-]?token|auth[_-]?token|session[_-]?(?:token|id|key)|reset[_-]?token|invite[_-]?token|[a-z]{0,20}[_-]?token|token|api[_-]?key|apikey|app[_-]?key"
    r"|access[_-]?key(?:[_-]?id)?|subscription[_-]?key|secret[_-]?key|[a-z]{0,12}[_-]?secret|secret|sig|signature|x-amz-signature|x-amz-security-token|x-amz-credential|x-goog-signature|x-goog-credential|x-oss-signature"
    r"|hmac|password|passwd|pwd|pass|auth|authorization|bearer|jwt|code|assertion|samlresponse|otp|key|hash|ticket|sid|jsessionid|phpsessid|invite|confirmation|verification|magic|nonce"
)
_WEAK_NAMES = frozenset(
    [
        "key",
        "hash",
        "code",
        "ticket",
        "sid",
        "k",
        "t",
        "s",
        "nonce",
        "confirmation",
        "verification",
        "magic",
        "auth",
        "invite",
    ]
)


_URL_AT_HAND = tuple(
    f"{name}{sign}"
    for name in words(
        "token key keyid key_id key-id secret sig signature credential hmac password passwd pwd pass auth authorization bearer jwt code assertion samlresponse "
        "otp hash ticket sid sessionid session_id session-id invite confirmation verification magic nonce"
    )
    for sign in ("=", "%3d")
)


_PATHS_AT_HAND = words(
    "/reset /passw /mot-de-passe /contrasena /senha /set /invit /join /verif /confirm /activ /magic /login /sso /auth /signup "
    "/accept /hook /webhook /token /onboarding /one /otp /ical"
)


def _url_token(match: PatternMatch) -> Iterable[Place]:
    name, held = match.group(1).lower(), match.group(2)
    if is_placeholder(held) or is_code(held) or (held.isdigit() and "pass" not in name):
        return
    if "pass" in name or name in {"pwd", "otp"}:
        wanted = len(held) >= 4
    elif name in _WEAK_NAMES:
        wanted = (is_random(held) and ("-" not in held or len(held) >= 40)) or (
            len(held) >= 20 and strength(held) >= GOOD and "-" not in held
        )
    else:
        wanted = strength(held) >= GOOD or is_random(held) or (len(held) >= 8 and strength(held) >= WEAK)
    if wanted:
        yield match.span(2)


def _path_token(text: str) -> bool:
    return is_random(text) and not _COMMIT_OR_NUMBER.fullmatch(text)


_HEADER = (
    r"(?:x-)?(?:[a-z0-9]{1,20}-){0,3}(?:api-?key|auth-?token|access-?token|auth-?key|api-?token|secret-?key|app-?key|application-?key|client-?secret|session-?token|"
    r"security-?token|csrf-?token|service-?token|subscription-?key|functions-key|vault-token|private-token|job-token|deploy-token|user-token|bot-token|admin-token|goog-api-key|amz-security-token|token)"
)

CREDENTIALS = (
    Rule(
        "authorization header",
        r"(?i)(?:^|[^\w-])[a-z][a-z0-9]{0,20}(?:-[a-z0-9]{1,20}){0,4}-(?:key|token|secret|api|auth|session-id|sessionid|credential|password)[\"'\]]{0,2}\s{0,3}(?::|=>|;|[\"'],\s?(?:[\"']value[\"']:)?)\s{0,3}[\"'`]?([^\s\"'`<>{},;]{12,})",
        ("-key", "-token", "-secret", "-api", "-auth", "-session", "-credential", "-password"),
        value(lambda held: is_random(held) and not is_placeholder(held)),
        ("Fastly-Key: a7Bk2Zq9Rm4Tx6Yw8Lp3", '"X-JFrog-Art-Api": "a7Bk2Zq9Rm4Tx6Yw8Lp3"'),
        ("sort-key: customer-number-2024", "idempotency-key: see below"),
        group="auth header",
    ),
    Rule(
        "cookie",
        r"\t(?:TRUE|FALSE)\t\d+\t[\w.-]+\t(\S{8,})",
        ("true\t", "false\t"),
        value(is_random),
        (".example.com\tTRUE\t/\tTRUE\t1719830000\tsid\ta7Bk2Zq9Rm4Tx6Yw8Lp3",),
        (".example.com\tTRUE\t/\tFALSE\t1719830000\ttheme\tdark-and-blue",),
        group="auth header",
    ),
    Rule(
        "authorization header",
        r"(?i)digest\s[^\n]*?\bresponse=\"?([0-9a-f]{32,64})",
        ("digest",),
        value(),
        ('Authorization: Digest username="a", nonce="1", response="' + "3f9a1c7e" * 4 + '"',),
        ("the digest of the response",),
        group="auth header",
    ),
    Rule(
        "token in url",
        r"(?i)[?&]u(?:ser(?:name)?)?=[^&\s\"']{1,60}&p(?:ass)?=([^&\s\"']{4,})",
        ("&p",),
        value(lambda held: not is_placeholder(held) and strength(held) >= WEAK),
        ("/query?db=a&u=grafana&p=Zq9plum7&q=x",),
        ("?u=anna&p=2",),
        group="url token",
    ),
    Rule(
        "json web token",
        r"(?:^|[^A-Za-z0-9])(ey[A-Za-z0-9_-]{10,}\.ey[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){0,3}|ey[A-Za-z0-9_-]{14,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})",
        ("eyj", "eya"),
        value(_jwt),
        ("eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLWJ5dGVz",),
        ("eyJ is how they begin", "they.eyes.keys"),
        group="jwt",
    ),
    Rule(
        "password in url",
        r"\b[a-zA-Z][a-zA-Z0-9+.-]{1,30}://[^\s/:@\"'<>|\\]*:([^\s\"'<>|]+)@(?:[A-Za-z0-9_.\[{$%<-]|\\n)",
        ("@",),
        value(url_password),
        ("postgresql://app:hunter22@db.example.com/app", "redis://:p4ss@cache:6379/0", "https://me:p@ss/w0rd@host/x"),
        (
            "https://example.com/a:b@c",
            "postgresql://user:${PASSWORD}@host",
            "http://localhost:8080/picture@2x.png",
            "https://user:<password>@host",
            "amqp://user:password@host",
        ),
        group="basic auth url",
    ),
    Rule(
        "token in url",
        r"\bhttps?://([A-Za-z0-9_.~-]{20,})@[A-Za-z0-9]",
        ("@",),
        value(url_user),
        ("https://3f9a1c7e2d8b4f6a5c0e1d7b" + "3f9a2c8e@git.example.com/a.git",),
        ("https://continuous-integration@git.example.com/a.git",),
        group="basic auth url",
    ),
    Rule(
        "authorization header",
        r"(?i)\b(?:proxy-)?authorization[\"'\]]{0,2}\s{0,3}(?:[:=,]|=>)\s{0,3}[\"'`{]{0,2}(?:[a-z][\w-]{1,24}[\s:=]{1,3})?(?:[\w.-]{1,40}:)?[\"']?([^\s\"'`<>{},;]{6,})",
        ("authorization",),
        value(header_value),
        ("Authorization: Bearer abcdef0123456789ABCDEF", '"Authorization": "Basic YWRtaW46aHVudGVyMjI="'),
        ("Authorization: Bearer <token>", "authorization: required", "Authorization: Bearer $TOKEN"),
        group="auth header",
    ),
    Rule(
        "authorization header",
        r"(?:^|[^\w-])(?i:bearer)[\s:]{1,3}[\"']?([A-Za-z0-9][\w.~+/-]{15,}={0,2})",
        ("bearer",),
        value(bearer),
        ("with the bearer 9f8e7d6c5b4a3c2d1e0f",),
        ("bearer authentication-mechanisms", "Bearer tokens"),
        group="auth header",
    ),
    Rule(
        "authorization header",
        r"(?:^|[^\w-])[Bb]asic[\s:]{1,3}([A-Za-z0-9+/]{8,}={0,2})(?:[^A-Za-z0-9+/=]|$)",
        ("basic",),
        value(basic),
        ("Basic YWRtaW46aHVudGVyMjI=",),
        ("Basic authentication", "Basic configuration"),
        group="auth header",
    ),
    Rule(
        "authorization header",
        r"(?:^|[^A-Za-z])auth[\"']?\s{0,3}[:=]\s{0,3}[\"']?([A-Za-z0-9+/]{8,}={0,2})(?:[^A-Za-z0-9+/=]|$)",
        ("auth",),
        value(basic),
        (
            '{"auths":{"hub.example.com":{"auth":"Ym90OmdLNyFwcTJaeDg4"}}}',
            "//npm.example.com/:_auth=Ym90OmdLNyFwcTJaeDg4",
        ),
        ('"auth": "required"', "auth=enabled"),
        group="auth header",
    ),
    Rule(
        "authorization header",
        rf"(?i)(?:^|[^\w])({_HEADER})[\"'\]]{{0,2}}\s{{0,3}}(?::|=>|,|=|;|\",\s?\"value\":)\s{{0,3}}[\"'`]?([^\s\"'`<>{{}},;]{{6,}})",
        ("key", "token", "secret"),
        lambda match: [match.span(2)] if header_value(match.group(2)) and is_header(match) else [],
        ("X-Api-Key: 3f9a1c7e2d8b", "PRIVATE-TOKEN: a7Bk2Zq9Rm4Tx6Yw8Lp3"),
        ("X-Api-Key: <key>", "x-api-key: required", "the token: a string"),
        group="auth header",
    ),
    Rule(
        "cookie",
        r"(?i)(?:\b(?:set-)?cookie[\"']{0,1}(?:,\s?\"value\")?(?:\s{0,2}[:=,]\s{0,2}|\s)|\bcurl\s[^\n]*?\s-b\s{0,2})[\"'`]{0,1}([^\n\"'`]{6,})",
        ("cookie", "curl"),
        _cookies,
        ("Cookie: theme=dark; sessionid=3f9a1c7e2d8b4f6a5c0e", "Set-Cookie: sid=s%3Aa7Bk2Zq9Rm4Tx6; Path=/"),
        ("Cookie: theme=dark", "Set-Cookie: lang=en-GB; Path=/; Max-Age=3600"),
        group="auth header",
    ),
    Rule(
        "token in url",
        rf"(?i)[?&;#/](?:amp;)?({URL_NAMES})(?:=|%3D)([^\s&\"'<>#;,)\]}}|`\\]{{4,}})",
        _URL_AT_HAND,
        _url_token,
        ("https://example.com/reset?token=a7Bk2Zq9Rm4Tx6Yw", "/x?user=a&api_key=3f9a1c7e2d8b4f6a"),
        ("https://example.com/?token=<token>", "/docs?key=overview", "?code=404", "&token=$TOKEN"),
        group="url token",
    ),
    Rule(
        "token in url",
        r"(?i)/(?:reset|reset-?password|passw[a-zö]*/[a-z]{2,12}|passw[a-z]*|mot-de-passe|contrasena|senha|password-?reset|password/reset|set-?password|invite|invitations?|join|verify|verify-?email|confirm|confirmation|activate|activation|magic|magic-?link|magic_link|login|sso|auth|signup|accept|hooks?|webhooks?|token|onboarding|one-?time|otp|ical)/(?:private-)?([\w.~=-]{16,})",
        (LONG, *_PATHS_AT_HAND),
        value(_path_token),
        ("https://example.com/reset/a7Bk2Zq9Rm4Tx6Yw8Lp3",),
        ("https://example.com/reset/your-password-here", "/verify/email-addresses-of-users"),
        group="url token",
    ),
)


def is_header(match: PatternMatch) -> bool:
    """Whether the name of a header for credentials is written as one: with hyphens, or as a header's."""
    name = match.group(1)
    return "-" in name or name.lower().startswith("x")
