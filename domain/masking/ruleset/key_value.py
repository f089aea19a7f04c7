"""`key = value` in the ways of configuration files, code, tables and forms."""

from collections.abc import Iterable

from domain.masking.ruleset.assigned_values import passphrase, wanted
from domain.masking.ruleset.key_words import (
    HEADING,
    PASSWORD,
    PASSWORD_WORDS,
    PASSWORDS_AT_HAND,
    QUOTE,
    TOKEN_WORDS,
    TOKENS_AT_HAND,
    VALUE_OR_PARAMETER,
)
from domain.masking.ruleset.rule import Rule
from domain.masking.ruleset.secret_strength import is_random, words
from domain.patterns import LinearRegex, PatternMatch, Place

_FURTHER_WORDS = r"((?:[_.-]\w{1,24}|(?-i:[A-Z])\w{0,24}|\d{1,4}){0,3})"

_NOT_AFTER = LinearRegex(
    r"(?i)(?:^|[_.-])(?:file|path|dir|name|names|id|ids|ids?|url|uri|field|policy|length|len|ttl|expir\w*|type|kind|env|var|ref|cmd|command|min|max|count|enabled?|disabled?|required?"
    r"|reset|label|hint|placeholder|limit|endpoint|version|store|provider|validity|lifetime|age|days|hours|minutes|seconds|timeout|interval|retries|attempts|history|size|bytes|bits|rounds|iterations"
    r"|algorithm|algo|method|mode|format|prefix|suffix|regex|pattern|template|prompt|title|text|message|error|help|description|column|table|index|rotation|rotated|budget|usage|used|manager|generator|hasher|hashers|validators?|backend|class|scope|scopes|audience|issuer|header|status|state|group|role|source|encryption|auth|authentication|protection|change|changed|strength|complexity|grace|scheme|tokens)$"
)
_NOT_BEFORE = LinearRegex(
    r"(?i)(?:^|[_.$/-])(?:max|min|num|total|n|count|expired?|allow|require|enable|disable|forgot|show|hide|use|has|is|no|reset|change|update|check|verify|validate|prompt|save|remember|rotate|missing|invalid|wrong|bad)[_.-]?$"
)
_TRAILING = ")]}.,:;"


def _trimmed(held: str) -> int:
    """The length of a bare value without the brackets and stops that close what is around it."""
    end = len(held)
    while end and held[end - 1] in _TRAILING:
        char = held[end - 1]
        opening = {")": "(", "]": "[", "}": "{"}.get(char)
        if opening and held.count(opening, 0, end) >= held.count(char, 0, end):
            break
        end -= 1
    return end


def _assigned(match: PatternMatch) -> Iterable[Place]:
    word, after = match.group(1), match.group(2)
    before = _key_before(match.string, match.start(1))
    key = before + word + after
    if (
        _NOT_AFTER.search(_parted(after))
        or _NOT_BEFORE.search(before)
        or (word.lower() in _SHORT and before[-1:].isalpha() and not (separator_of(match) == "=" and word.isupper()))
    ):
        return
    separator = separator_of(match)
    line = match.string.rfind("\n", 0, match.start()) + 1
    if separator == "|" and not match.string[line:].lstrip().startswith("|"):
        return
    password = PASSWORD.fullmatch(word) is not None
    for number in (4, 5, 6, 7):
        held = match.group(number)
        if not held:
            continue
        start, end = match.span(number)
        if number == 7:
            end = start + _trimmed(held)
            if further := _FURTHER.search(held + match.string[match.end(number) : match.end(number) + 1]):
                end = start + further.start()
            held = held[: end - start]
            if separator in {"=", ":="} and match.string[end : end + 1] == "(":
                return
        strict = number == 7 and (separator == "|" or (separator == ":" and not before))
        if wanted(
            key, held.strip("\\"), password=password, quoted=number != 7, strict=strict, tight=match.group(3) == "="
        ):
            yield start, end


def _parted(further: str) -> str:
    """What follows the announcing word in a key, with its words parted: `_Secret_Ref` of `passwordSecretRef`."""
    return further if further.isupper() else "".join(f"_{char}" if char.isupper() else char for char in further)


_SHORT = frozenset(words("pass pw pin key clave salt psk dsn jwt creds pepper passe passw"))
"""Ends of other words too: `compass`, `monkey`."""


def _key_before(text: str, end: int) -> str:
    """What of a key stands before the announcing word: `DB_` of `DB_PASSWORD`."""
    start = end
    while start > max(0, end - 80) and (text[start - 1].isalnum() or text[start - 1] in "_.$/-"):
        start -= 1
    return text[start:end]


_FURTHER = LinearRegex(r"&[\w.-]+=")
"""The next parameter of a URL."""


def separator_of(match: PatternMatch) -> str:
    """What stands between a key and its value."""
    return match.group(3).strip()


_SEPARATOR = rf"{QUOTE}{{0,2}}(?:\[\d{{0,4}}\]|\])?\)?[ \t]{{0,8}}(?:\*\*)?((?::\s?&?[\w<>\[\]' ]{{1,30}})?\s?=>|:=|(?::\s?&?[\w<>\[\]']{{1,30}}\s?)?={{1,2}}|:|->|→|\||:?\s*</t[dh]>\s*<t[dh][^<>]*>)(?:\*\*)?[ \t]{{0,8}}(?:[>|][-+]?[ \t]*)?(?:\\?\r?\n[ \t]{{1,20}})?"


def _table(match: PatternMatch) -> Iterable[Place]:
    """The cells below a heading that names a secret, in tables of Markdown, tabs or commas."""
    text, start = match.string, match.start()
    end = text.find("\n", start)
    head = text[start:end]
    separator = next((char for char in "|\t;," if char in head), "")
    above = text[text.rfind("\n", 0, max(0, start - 1)) + 1 : max(0, start - 1)]
    below = text.find("\n", end + 1)
    if not separator or separator not in text[end : below if below >= 0 else len(text)] or separator in above:
        return
    parts = _cells(text, start, end, separator)
    columns = [number for number, cell in enumerate(parts) if HEADING.fullmatch(text[slice(*cell)])]
    password = PASSWORD.search(head) is not None
    if sum(start < end for start, end in parts) < 2:
        return
    while columns and end >= 0:
        start, end = end + 1, text.find("\n", end + 1)
        row = _cells(text, start, end if end >= 0 else len(text), separator)
        if len(row) < 2 or (separator != "|" and len(row) != len(parts)):
            return
        for number in columns:
            if number < len(row) and _cell(text[slice(*row[number])], password=password):
                yield row[number]


def _cells(text: str, start: int, end: int, separator: str) -> list[Place]:
    """The cells of a line, without what dresses them."""
    cells: list[Place] = []
    for cell in text[start:end].split(separator):
        bare = cell.strip(" *`\"'\r\t")
        begin = start + cell.find(bare)
        if bare or separator != "|":
            cells.append((begin, begin + len(bare)))
        start += len(cell) + 1
    return cells


_ITEM = LinearRegex(r"[ \t]*-[ \t]+(?:\"([^\"\n]+)\"|'([^'\n]+)'|(\S+))[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)")
_PART = LinearRegex(r"\s*(?:\"([^\"\n]+)\"|'([^'\n]+)'|([^\s,\"']+))\s*(?:,|\Z)")


def _items(match: PatternMatch) -> Iterable[Place]:
    """The items of a list of YAML or JSON whose key names a secret."""
    password, inline = PASSWORD.fullmatch(match.group(1)) is not None, bool(match.group(3))
    if inline and match.string[match.end() : match.end() + 1] in {"{", "+", "*", "("}:
        return  # a pattern
    start = match.start(3 if inline else 2)
    for item in (_PART if inline else _ITEM).finditer(match.group(3 if inline else 2)):
        number = next(each for each in (1, 2, 3) if item[each])
        named = not password and not is_random(item[number])  # of a secret, kept elsewhere
        alias = item[number].startswith("*")  # of YAML
        if not named and not alias and wanted("", item[number], password=password, quoted=number < 3, strict=True):
            yield start + item.start(number), start + item.end(number)


def _cell(held: str, *, password: bool) -> bool:
    if not held.strip("-: ") or (held.isdigit() and len(held) < 6):
        return False
    if " " in held:
        return password and passphrase(held)
    return wanted("", held, password=password, quoted=True)


ASSIGNMENTS = (
    Rule(
        "password",
        rf"(?i)({PASSWORD_WORDS}){_FURTHER_WORDS}{_SEPARATOR}{VALUE_OR_PARAMETER}",
        PASSWORDS_AT_HAND,
        _assigned,
        (
            "DB_PASSWORD=tr0ub4dor&3",
            'password: "correct-horse-battery-9"',
            "пароль: Zima2024!",
            "Kennwort: Winter#2024",
        ),
        (
            "password: <your-password>",
            "password = $DB_PASSWORD",
            "The password: ask IT",
            "password = os.environ['DB_PASSWORD']",
            "password_min_length: 12",
        ),
        group="key value",
    ),
    Rule(
        "secret",
        rf"(?i)({TOKEN_WORDS}){_FURTHER_WORDS}{_SEPARATOR}{VALUE_OR_PARAMETER}",
        TOKENS_AT_HAND,
        _assigned,
        ("api_key = 9f8e7d6c5b4a3f2e1d0c", "token: a7Bk2Zq9Rm4T"),
        ("token: str | None = None", "max_tokens: 4096", "secret: required"),
        group="key value",
    ),
    Rule(
        "password",
        rf"(?im)(?:^|[^\w.-])[\w.-]{{0,40}}?({PASSWORD_WORDS}|{TOKEN_WORDS})s?{QUOTE}?[ \t]*:[ \t]*(?:(?:#[^\n]*)?\r?\n((?:[ \t]*-[ \t]+[^\n]+(?:\n|$))+)|\[([^\[\]]+)\])",
        (*PASSWORDS_AT_HAND, *TOKENS_AT_HAND),
        _items,
        (
            "passwords:\n  - Zq9-plum!7\n  - 'hunter22'\n  - Blue.Horse42 # old\n",
            '{"passwords": ["Zq9-plum!7", "hunter22", "Blue.Horse42"]}',
            "api_keys:\n- 9f8e7d6c5b4a3f2e1d0c\n",
        ),
        (
            "Passwords:\n- at least 12 characters\n- no names\n",
            "secrets:\n  - db-cert-2024\n",
            "tokens: [access_token, refresh_token_v2]",
        ),
        group="key value",
    ),
    Rule(
        "password",
        rf"(?im)^[^\n]*(?:{PASSWORD_WORDS}|{TOKEN_WORDS})[^\n]*\n",
        (*PASSWORDS_AT_HAND, *TOKENS_AT_HAND),
        _table,
        ("| host | password |\n|---|---|\n| db1 | tr0ub4dor3 |", "user,password\nbob,hunter22\n"),
        (
            "| setting | password length |\n|---|---|\n| x | 12 |",
            "| password | meaning |\n|---|---|\n| required | yes |",
        ),
        group="key value",
    ),
)
