"""How much a word looks like a secret that somebody chose or a machine made."""

import math
import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise

from domain.patterns import LinearRegex


def words(text: str, between: str | None = None) -> tuple[str, ...]:
    """The words of a list that is written as one text."""
    return tuple(text.split(between))


SHORTEST_PASSWORD = 4
"""Characters: a PIN has four. What is shorter stands in every text."""

WORDS_KEPT = 8_192
"""Results are cached for so many words: several rules ask about the same word, and texts repeat their words."""


_PLACEHOLDER = LinearRegex(
    r"(?i)^(?:"
    r"[x*.•●_#?\-…]{3,}|x{2,}[-_x]*"
    r"|<.*|\{.*|\[.*|\(.*|\$.*|%[\w({].*|@\{.*|@[A-Za-z_.-]+\(.*|1Password.*|@[A-Za-z_.-]+|#[0-9a-fA-F]{3,8}|#[a-z][a-z-]+|[\w-]+\{.*|!\w+|!\w+ .*|\\.*|#\{.*|~.*|&.*;?|__\w+__|:\w+|\?+"
    r"|.*(?:\$\{|\{\{|\$\(|<[a-z_ -]+>|%\(\w+\)s|\[masked:|\ue000).*"
    r"|.*(?:your|placeholder|redacted|masked|change[-_ ]?me|change[-_ ]?this|change[-_ ]?it|replace|insert|enter[-_ ]|dummy|example|sample|fixme"
    r"|not[-_]?(?:set|used|required)|hidden|removed|omitted|obfuscated|xxxx|\*\*\*\*).*"
    r"|(?:my|the|some|any|a|an|new|old|this|that|an?other|user|db|database|admin|root|app|api|test|default|plain|real|super|top)?[-_ ]?"
    r"(?:\w{0,12}[-_ ])?(?:pass(?:word|wd|phrase|code)?s?|pwd|pw|secrets?|tokens?|keys?|credentials?|value|string|text|hash|here)\d{0,2}"
    r"|(?:[a-z]{1,12}[-_]){1,4}(?:passwd|password|passwort|pwd|secret|token)(?:[-_][a-z]{1,12}){0,3}|none|null|nil|undefined|true|false|yes|no|on|off|required|optional|default|empty|unset|n/?a|tbd|todo|foo\w{0,3}|bar|baz|qux|blah"
    r"|str|string|bytes?|int|integer|bool|boolean|number|object|array|any|void|char|varchar|text|type|auto|manual|plain|md5|sha-?\d+|scram\S*|bcrypt"
    r"|bearer|basic|digest|oauth2?|jwt|saml|ldap|kerberos|gssapi|peer|trust|ident|cert|pam|radius|sspi|reject"
    r")$"
)
_CODE = LinearRegex(
    r"^(?:[A-Za-z_$][\w$]*(?:\.|::|->|\?\.)[A-Za-z_$][\w$.:>?-]*[;,)]*"  # a.b, A::b, a->b
    r"|[A-Za-z_$][\w$.:]*[(\[<].*"  # call(…), list[…], Generic<…>
    r"|\d+:\d+:.*|.*::.*|(?:[!+-]?[A-Z0-9]+:){2,}.*|(?-i:[A-Z_]{3,})\*\d+|.*/[$%]\w.*|.*\.\.\.|pkcs11:.*|\d+#[a-z].*|\w+@[\w.-]+:[/~].*|\^\$.*"
    r"|(?:self|this|new|await|process|os|env|config|settings|request|params|args|options|props|ctx|vault|ssm|secretsmanager|arn|file|op|keyring|pass|env|ref)"
    r"(?:[.:/]{1,3}|\s).*"
    r"|\.{1,2}/.*|~?/(?:[\w.-]+/)+[\w.-]*|/[\w.-]+(?:\.\w{1,5})?|[A-Za-z]:\\.*|(?:\w+/){2,}[\w.-]*|--?[a-z][\w-]*=?.*"
    r"|(?-i:[a-z][a-z_.-]+=.*|[A-Z][A-Z_]+=.*)|-?[A-Za-z][A-Za-z_.]{3,}=[\w./:%-]*;?|.* == .*|.*&&.*|.*\|\|.*|https?://.*|[a-z][a-z0-9+.-]*://.*|enc\[.*|\{?(?:aes|crypt|cipher|enc)\}?[(:\[{].*|\$\d\w?\$.*"
    r")$",
    ignore_case=True,
)
_NAME = LinearRegex(
    r"^(?:[a-z]+(?:[A-Z][a-z]+)+\d?"  # camelCase
    r"|(?:[A-Z][a-z]+){2,}\d?"  # PascalCase
    r"|[a-z][a-z0-9]*(?:_[a-z0-9]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"  # snake_case, CONSTANT_CASE
    r"|[A-Za-z]?[a-z]*(?:[-/'’][A-Za-z]?[a-z]+)+"  # hyphen-ated, either/or, don't
    r"|[A-Za-z]+(?:\.[A-Za-z]+)+\.?)$"  # file.name
)
_UNITS = (
    "[a-z]{1,3}|bits?|bytes?|chars?|characters?|digits?|days?|hours?|minutes?|seconds?|months?|weeks?|years?|times?|words?|factor|step"
    "|stellig\\w*|fach|uhr|zeichen|mbps|[mgk]hz|[mgk]ib|fa|password"
)
_DOMAINS = "com|org|net|io|de|fr|es|it|nl|pl|ru|cn|jp|kr|br|tr|eu|uk|us|dev|app|cloud|local|internal|lan|corp|test|example|invalid|svc|arpa"
_FILES = (
    "ya?ml|json|toml|ini|conf|cfg|env|txt|md|rst|html?|xml|py|js|ts|go|rs|rb|java|c|h|cpp|sh|sql|php|key|pem|crt|cer|p12|pfx|jks|log"
    "|pdf|docx?|xlsx?|png|jpe?g|zip|gz|tar|tgz|deb|rpm|exe|dll|so|kdbx|whl|sig|asc|jar|war"
)
_STANDARDS = (
    "sha|md|aes|rsa|des|tls|ssl|utf|iso|rfc|cve|ipv|oauth|http|base|ed|ecdsa|x|ec|s|k|p|h|i|log|ntlm|pbkdf|argon|blowfish|chacha|hs|rs|es|ps"
    "|pkcs|fips|wpa|sec|eap|mschap|otp|u|ubuntu|debian|rhel|centos|python|java|node|php|mysql|postgres(?:ql)?|eth|kb|level|tier|version|page"
    "|release|option|phase|chapter|section|figure|table|line|part|step|item|file|port|azure|office|o|m|e|g|f|t|c|r|b|n|l|v|q|a|d|gp|win|windows"
    "|libpq|snmp|smtp|imap|pop|ldap|radius|kerberos|krb|server|host|db|web|api|app|client|user|test|example"
)
_BENIGN = LinearRegex(
    r"^(?:v?\d+(?:\.\d+)+\+?(?:/v?\d+(?:\.\d+)+\+?)*|[A-Z]{2,}\d{0,4}(?:[/+-][A-Z][A-Za-z]*\d{0,4})*\+?|[A-Z][a-z]+-[A-Z]{2,}\d{0,4}|(?:INC|CHG|REQ|RITM|TASK|PRB|CASE|SR)\d{4,}|ssh-[a-z0-9-]+|ecdsa-[a-z0-9-]+|v?\d+(?:[.,:x/_-]\d+)*(?i:[-.+_~]?(?:rc|beta|alpha|dev|final|lts|el|deb|ubuntu|snapshot|post|pre|p)[\w.+~]*)?"  # versions, dates
    rf"|(?i:v?\d+(?:[.,]\d+)*[-–]?(?:{_UNITS})[.,]?)"
    r"|\d{4}-\d\d?-\d\d?(?:T[\d:.+Z-]*)?|\d\d?:\d\d(?::\d\d)?(?i:am|pm)?|[A-Z][A-Z0-9]{1,9}-\d{1,7}"
    rf"|(?i:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.(?:{_DOMAINS})(?:[:/].*)?|[\w.-]+\.(?:{_FILES}))"
    rf"|(?i:(?:{_STANDARDS})[-#_]?v?\d{{1,5}}(?:[-./_][\w.-]*)?)"
    r"|[A-Z]{2,}s?(?:[-/#.]?[A-Z]{1,4})*|[A-Z]{2,}s?\d{0,3}|[A-Z]{2,}[-/#]\d{1,4}(?:[.-]\w+)*"
    r"|[A-Fa-f0-9]{2}(?::[A-Fa-f0-9]{2})+|\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d+)?|[A-Za-z][\w.-]*:\d{1,6}(?:[/.]\w*)?|\d{2,5}:[\w.-]+:\d{2,5}|\w+/\d[\d.]*|(?:sha|md|hmac|blake)[\w-]*[:~-].*|e\.g\.?.*|[^@\s]+@[^@\s]+\.[a-z]+"
    r"|[\d.,]+[%€$£]|[€$£]\d[\d.,]*|\d+/\d+|[A-Z]\d{1,2}|\d[A-Z]|[+-]?\d[\d.,]*)$"
)
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_HEX = re.compile(r"^(?:0x)?[0-9a-fA-F]{7,}$")
_UUID = re.compile(r"^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$")
_SYMBOLS = frozenset("!@#$%^&*+=?~§€£")

_KEBAB = re.compile(r"[a-z0-9]+(?:[-_./:]+[a-z0-9]+)+")


def is_slug(word: str) -> bool:
    """Whether it is a name of small letters and digits in parts, as of a host, a cluster or a file."""
    return _KEBAB.fullmatch(word) is not None


NONE, WORD, WEAK, GOOD, STRONG = range(5)
"""How much a word looks like a secret, from least to most: rules compare these numbers.

NONE: no secret: a placeholder, code, or too short.
WORD: letters alone: a secret only where nothing else can stand, as behind `password=`.
WEAK: with a digit or a sign, but short or like a name: a secret where a key or a sentence says so.
GOOD: what forms for new passwords demand: a secret where one is spoken of nearby.
STRONG: only a machine writes so.
"""


@lru_cache(maxsize=WORDS_KEPT)
def is_placeholder(word: str) -> bool:
    """Whether it takes the place of a value: `<password>`, `${TOKEN}`, `changeme`, `xxxx`, a type, a method."""
    repeated = len(word) >= 3 and len(set(word.lower())) == 1
    return not word or repeated or _PLACEHOLDER.match(word) is not None


def is_base64(word: str) -> bool:
    """Whether it is a long run of base64 rather than a path: with digits, and letters of both cases."""
    mixed = word.lower() != word and word.upper() != word
    # 28 characters are 21 bytes: SHA-1, the shortest digest in use, has 20. Few paths are as long without a hyphen,
    # a point or an underscore.
    return len(word) >= 28 and mixed and _BASE64.fullmatch(word) is not None and sum(map(str.isdigit, word)) >= 2


@lru_cache(maxsize=WORDS_KEPT)
def is_code(word: str) -> bool:
    """Whether it is an expression, a path, a reference or an option."""
    # a long run of base64 with capital letters has slashes as a path has them, and is none
    base64 = len(word) >= 28 and _BASE64.fullmatch(word) and sum(map(str.isdigit, word)) >= 2 and word.lower() != word
    return not base64 and _CODE.match(word) is not None


@lru_cache(maxsize=WORDS_KEPT)
def is_name(word: str) -> bool:
    """Whether it is an identifier, or words joined by hyphens or dots."""
    return _NAME.match(word) is not None


@lru_cache(maxsize=WORDS_KEPT)
def is_benign(word: str) -> bool:
    """Whether it is a number with or without its unit, a version, a date, a host, a file, a standard, a ticket."""
    return _BENIGN.match(word) is not None


def is_hash(word: str) -> bool:
    """Whether it has the form of a hash or a UUID, which only its surroundings can make a secret."""
    return _HEX.match(word) is not None or _UUID.match(word) is not None


def entropy(word: str) -> float:
    """Bits a character, from the frequencies of its characters (Shannon)."""
    total = len(word)
    return -sum(n / total * math.log2(n / total) for n in Counter(word).values())


@lru_cache(maxsize=WORDS_KEPT)
def strength(word: str) -> int:
    """How much a word looks like a secret: NONE, WORD, WEAK, GOOD or STRONG.

    Cheap tests come first, and each test relies on what those before it have excluded.
    """
    if len(word) < SHORTEST_PASSWORD or is_placeholder(word) or is_code(word):
        return NONE
    # Letters alone are a word of a language, unless it has ten letters or more and changes four times between small and
    # capital ones: a name of two words changes three times at most, and is_name knows longer camelCase names. WORD
    # takes six letters: shorter words stand behind `password:` in every manual.
    bare = word.strip("!?.,:;…#+*¡¿")
    if bare.isalpha() or (is_name(bare) and not any(char.isdigit() for char in bare)):
        mixed = bare.isalpha() and len(bare) >= 10 and not is_name(bare) and _switches(bare) >= 4
        return GOOD if mixed else WORD if len(word) >= 6 else NONE
    digits = sum(char.isdigit() for char in word)
    letters = sum(char.isalpha() for char in word)
    upper = sum(char.isupper() for char in word)
    signs = sum(char in _SYMBOLS for char in word)
    others = len(word) - digits - letters - signs
    # from 16 characters on: a short run of hexadecimal digits is random too, but it is the number of a commit
    if len(word) >= 16 and is_random(word):
        return STRONG
    classes = (digits > 0) + (signs > 0) + (0 < upper < letters) + (others > 0)
    length = len(word)
    # a name with digits, such as `summer-rain-77`, can be a password from eight characters on: below, `node-1` and
    # `web_02` are far more common
    if is_benign(word) or is_name(word):
        weak = digits and length >= 8 and not is_benign(word)
        return WEAK if weak else WORD if letters and length >= 6 else NONE
    # eight characters of two kinds: the least that forms for passwords commonly take
    if length >= 8 and letters and classes >= 2 and (digits or signs):
        return GOOD
    # digits alone count from six on, as codes that are sent have them: shorter ones are years, ports and amounts
    weaker = length >= 5 and ((letters and (digits or signs)) or (digits >= 6 and not letters))
    return WEAK if weaker else WORD if length >= 6 else NONE


def _switches(word: str) -> int:
    """How often small and capital letters take turns."""
    return sum(one.isupper() != other.isupper() for one, other in pairwise(word))


@lru_cache(maxsize=WORDS_KEPT)
def is_random(word: str) -> bool:
    """Whether only a machine writes so: hexadecimal or base64 with many changes between kinds of characters."""
    if is_hash(word):  # eight different digits of sixteen: `deadbeefdeadbeef` and `0000ffff` are examples
        return len(set(word)) >= 8 and any(char.isdigit() for char in word)
    # 16 characters: the shortest tokens that vendors issue; shorter words do not show whether they are random
    if len(word) < 16 or not any(char.isdigit() for char in word) or not any(char.isalpha() for char in word):
        return False
    # the beginnings of public SSH keys, which are no secret
    if is_benign(word) or is_name(word) or word.startswith(("AAAAB3Nza", "AAAAC3Nza", "AAAAE2Vj")):
        return False
    # Three bits a character: at least eight different ones, so that no short pattern is repeated.
    return is_mixed(word) and entropy(word) >= 3.0


def is_mixed(word: str) -> bool:
    """Whether small letters, capital ones, digits and signs change often, as they do where a machine writes."""
    kinds = ["d" if char.isdigit() else "u" if char.isupper() else "l" if char.isalpha() else "s" for char in word]
    # In 16 random characters the kind changes 60 times in 100 for base64 and 44 times for hexadecimal, and 6 times in
    # `configuration2024`.
    return sum(one != other for one, other in pairwise(kinds)) >= len(word) * 0.25


def is_token(word: str) -> bool:
    """Whether a vendor's token may look so: not one that is written to show the form, nor a name of several words."""
    # fewer than six different characters are drawn to show the form: `AKIAXXXXXXXXXXXXXXXX`
    if len(set(word)) < 6 or _SHOWN.search(word) is not None:
        return False
    return any(char.isdigit() for char in word) or not is_name(word)


_SHOWN = LinearRegex(r"(?i)x{6}|\.{3}|\*{3}|placeholder|redacted|your[-_]")
