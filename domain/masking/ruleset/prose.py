"""Passwords in running text.

A word that announces a password is looked for, then every other word of its sentence is weighed: how much it looks like
a chosen password (domain.masking.ruleset.secret_strength) against how it is tied to the announcing word.
"""

import re
from collections.abc import Iterable
from typing import Literal

from domain.masking.re2_patterns import Re2Pattern
from domain.masking.ruleset.assigned_values import passphrase
from domain.masking.ruleset.rule import Rule, value
from domain.masking.ruleset.secret_keywords import (
    HANDED,
    NEAR,
    NEARLY,
    NUMBERS,
    PASSWORDS,
    TOKENS,
    TOLD,
    keywords,
    pattern,
)
from domain.masking.ruleset.secret_strength import (
    GOOD,
    WEAK,
    WORD,
    is_benign,
    is_code,
    is_hash,
    is_mixed,
    is_name,
    is_random,
    is_slug,
    strength,
    words,
)
from domain.masking.ruleset.sentences import AFTER, BEFORE, CJK, NOT_WORDS, CandidateWord, sentence, words_of
from domain.patterns import LinearRegex, PatternMatch, Place

_PHRASE = re.compile(r"[a-z]{3,}(?:[._-][a-z]{3,}){2,}(?:[._-]?\d{1,4})?[!?]?")
"""Several words as a passphrase."""

_ORDINARY = frozenset(
    words(
        "password passwords username invalid required incorrect expired changed disabled enabled encrypted default "
        "optional unknown forgotten confirm administrator authentication credentials visible hidden internal "
        "external public private general settings security profile account change reset continue connection "
        "production staging development postgres"
    )
)
_NO_CODE = LinearRegex(
    r"(?i)(?:error|status|exit|return|response|result|http|country|zip|post(?:al)?|area|currency|source|reason|event|product|discount|coupon|promo|voucher"
    r"|item|reference|dial|bar|qr|byte|machine|op|char|fault|swift|bank|sort|tax|cost|job|project|color|colour|hex|unicode|language|locale|hata|alan|posta|ülke)[ -_]$"
)

_DIGITS = Re2Pattern(r"\d{4}")
_LIKELY = Re2Pattern(r"[0-9\"'`!@#$%^&*=]|[a-z][._-][a-z]")
"""What a secret has, so that most sentences need not be taken apart."""

_NO_CODE_OF = LinearRegex(
    r"(?i)\W{0,2}(?:postal|fuente|de barras|qr|source|points?|pages?|de error|di errore|sorgente|di avviamento|fiscale|fonte|review|base)(?:\W|$)"
)

Kind = Literal["password", "number", "token", "near"]


def _is_password(word: CandidateWord) -> bool:
    held = word.text
    if " " in held:
        return word.quoted and passphrase(held) and (word.tied or word.next)
    if (not word.quoted and _WORTH.search(held) is None) or (is_slug(held) and _OF_A_FIELD.match(word.tie)):
        return False
    if _PHRASE.fullmatch(held) and word.after and len(word.tie) <= 80 and _NAMED.search(held) is None:
        long = sum(map(held.count, "._-")) >= 3 and held[-1].isdigit()
        return TOLD.occurs(word.tie[-40:]) or (long and (word.tied or word.next or word.nearly))
    if held.isdigit():
        return 6 <= len(held) <= 12 and (word.tied or word.next or _CJK_TIE.fullmatch(word.tie) is not None)
    if is_hash(held):
        return len(held) <= 16 and word.tied and _OF_A_HASH.search(word.tie) is None
    two = _TWO_WORDS.fullmatch(held) is not None and word.tied
    return two or ((not is_code(held) or (_mixed(held) and word.tied)) and _is_chosen(word))


def _is_chosen(word: CandidateWord) -> bool:
    """Whether how the word looks and how it is tied to what announces it make it a password together."""
    held = word.text
    found = strength(held)
    if found < WORD or (found == WORD and not word.quoted):
        return False
    if word.tied:
        told = TOLD.occurs(word.tie[-40:])
        return found >= WEAK or (word.quoted and found == WORD and told and _alone(held))
    if word.next or word.nearly:
        good = found >= GOOD and not is_slug(held)
        return good or (_WORD_AND_YEAR.fullmatch(held) is not None and not is_benign(held))
    return found >= GOOD and _chosen(held) and len(word.tie) <= 120 and _NAMED.search(held) is None


_WORTH = re.compile(r"[0-9!@#$%^&*+=?~§€£]|[._-][^._\n-]*[._-]")
"""What a password outside quotes has: a digit, a sign, or several words in one."""

_OF_A_FIELD = LinearRegex(
    r"(?i)\W{0,3}(?:field|column|variable|parameter|attribute|property|setting|option|table|flag)\s+(?:is|are) (?:called|named)\W"
)
_OF_A_HASH = LinearRegex(r"(?i)commit|hash|sha|md5|digest|checksum")
_NAMED = LinearRegex(r"(?i)passw|kennw|credential|secret|token|\.\.")


_WORD_AND_YEAR = re.compile(r"[^\W\d_]{4,}[_.-]?\d{2,8}[!?]?")
_TWO_WORDS = re.compile(r"[^\W\d_]{3,}[./][^\W\d_]{3,}\d{2,8}[!?]?|[^\W\d_]{4,}/\d{4}")
"""What people choose most: `verano5390`, `lubimaya_1991`."""


def _is_handed(word: CandidateWord) -> bool:
    """Whether a word before the announcing one is the password: `use … as the password`, `… ist das Passwort`."""
    held, tie = word.text, word.tie.replace("\n", " ")
    if _WORTH.search(held) is None or not HANDED.match(tie) or _NAMED.search(held):
        return False
    if _PHRASE.fullmatch(held):
        return _AS.match(tie) is not None
    return (
        " " not in held
        and not is_code(held)
        and not is_benign(held)
        and strength(held) >= (WEAK if tie.strip() else GOOD)
        and not is_slug(held)
    )


_CJK_TIE = LinearRegex(rf"[^\d.,;:!?\n]{{0,30}}[{CJK}][^\d.,;:!?\n]{{0,30}}")
_SAID = LinearRegex(
    r"(?i)(?:[^\d.;:!?\n]{0,39}[^\p{L}\p{N}_.;:!?\n])?(?:is|ist|est|es|é|è|jest|to)(?:[^\p{L}\p{N}_.;:!?\n][^\d.;:!?\n]{0,19})?|"
    r"[^\d.;:!?\n]{0,39}[\p{L}\p{Nl}\p{No}_]-[\p{L}\p{Nl}\p{No}_][^\d.;:!?\n]{0,19}|[^\d.;:!?\n]{0,40} - "
)
"""Text with a copula somewhere and no other number."""

_AS = LinearRegex(r"(?i)\W*(?:as|is|als|ist|comme|est|como|come|jako|как|olarak)(?:\W|$)")


_NUMBER, _ONE_WORD = LinearRegex(r"\d{4,12}#?"), LinearRegex(r"[\s-]+[\pL\p{Nl}\p{No}_]{2,16}\s+")


def _is_number(word: CandidateWord) -> bool:
    if _NUMBER.fullmatch(word.text):
        near = len(word.text) >= 5 and _ONE_WORD.fullmatch(word.tie) is not None
        near = near or (len(word.text) >= 6 and _SAID.fullmatch(word.tie) is not None)
        near = near or (not word.after and not word.tie.strip()) or NEARLY.occurs(word.tie[-60:])
        return (word.tied or word.next or (near and len(word.text) >= 5)) and 4 <= len(word.text) <= 12
    return strength(word.text) >= GOOD and _chosen(word.text) and word.tied


def _is_near(word: CandidateWord) -> bool:
    near = (word.tied and ":" in word.tie) or word.next or word.tied
    return near and len(word.tie) <= 6 and strength(word.text) >= GOOD and _chosen(word.text) and not is_code(word.text)


SHORTEST_TOKEN, LONG_TOKEN = 8, 12
"""Characters. From the second on, what a sentence calls a key is one if it looks like a password; below, only a mix of
letters and digits or signs that no name has."""


def _is_token(word: CandidateWord) -> bool:
    if len(word.text) < SHORTEST_TOKEN or " " in word.text or is_code(word.text):
        return False
    if len(word.text) < LONG_TOKEN and ("+" in word.text or not (_chosen(word.text) and is_mixed(word.text))):
        return False
    if "\n" in word.tie and not word.tied:
        return False
    usual = is_hash(word.text) or is_slug(word.text)
    if is_random(word.text):
        return len(word.text) >= 16 and (not usual or word.tied or word.next)
    return strength(word.text) >= GOOD and not is_slug(word.text) and (word.tied or word.next)


_MARKS = frozenset("!@#$%^&*+?~")


def _mixed(word: str) -> bool:
    """Whether what could be code is a password all the same: it has digits and signs."""
    return (
        any(char.isdecimal() for char in word)
        and not _MARKS.isdisjoint(word)
        and "(" not in word
        and "/" not in word[:2]
    )


def _alone(word: str) -> bool:
    """Whether a quoted word without digits is a chosen password rather than a name of something."""
    return (
        word.isalpha()
        and _NAMED.search(word) is None
        and not is_name(word)
        and not is_benign(word)
        and word.lower() not in _ORDINARY
        and len(word) >= 7
    )


_JOINED = LinearRegex(r"[A-Z]\w*[A-Z]\w*\d?|\w+[-./:]\w+(?:[-./:]\w+)*")


def _chosen(word: str) -> bool:
    """Whether a word has the mix that forms demand: a digit, and a sign or letters of both cases."""
    if not any(char.isdigit() for char in word):
        return False
    if any(char in "!@#$%^&*+=?~§€£" for char in word):
        return True
    both = word.lower() != word and word.upper() != word
    joined = _JOINED.fullmatch(word) is not None
    return both and not joined and not is_benign(word) and not is_name(word)


_TESTS = {"password": _is_password, "number": _is_number, "token": _is_token, "near": _is_near}


_REFERENCE = LinearRegex(r"[a-z](?:Ref|Name|Path|File|Id|Url|Field)\Z")
"""A key whose value says where the secret is: `passwordSecretRef`."""


class _Near:
    """Weighs the words around an announcing word."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._test = _TESTS[kind]

    def __call__(self, match: PatternMatch) -> Iterable[Place]:
        """The places of those that are secret."""
        text, announced = match.string, match.span(1 if match.group(1) else 2)
        around = text[max(0, announced[0] - BEFORE) : announced[1] + AFTER]
        if not (_DIGITS if self._kind == "number" else _LIKELY).occurs(around):
            return
        first, last = sentence(text, *announced)
        name = text[slice(*announced)]
        if _REFERENCE.search(name):
            return
        before = text.rfind(name, first, announced[0])
        first = before + len(name) if before >= 0 else first
        again = text.find(name, announced[1], last)
        last = again if again >= 0 else last  # what stands behind the same word again is weighed there
        if self._kind == "number" and (
            _NO_CODE.search(text[first : announced[0]]) or _NO_CODE_OF.match(text[announced[1] : announced[1] + 40])
        ):
            return
        for word in words_of(text, announced[1], last, announced):
            if self._test(word) and not word.other:
                yield word.start, word.end
        if self._kind == "near":
            return
        for word in words_of(text, first, announced[0], announced):
            if (self._test(word) or (self._kind == "password" and _is_handed(word))) and not word.other:
                yield word.start, word.end


def _rule(
    kind: str, about: Kind, words: Iterable[str], examples: tuple[str, ...], not_examples: tuple[str, ...]
) -> Rule:
    group = "key value" if about == "token" else "prose password"
    return Rule(kind, pattern(words), keywords(words), _Near(about), examples, not_examples, group=group)


PROSE = (
    _rule(
        "password",
        "password",
        tuple(PASSWORDS.values()),
        (
            "The wifi password for guests is Sunny2024!",
            "Das Passwort lautet Winter#2024.",
            "Le mot de passe est maintenant `Soleil77!`",
            "La contraseña es Verano*88",
            "A senha do wifi é Praia2023!",
            "La password del router è Estate99!",
            "Het wachtwoord is Fiets2024!",
            "Hasło do serwera to Zima!2024",
            "Пароль от почты: Zima2024!",
            "Yeni şifre: Ankara06!!",
            "服务器密码是Abc12345!,请勿外传。",
            "サーバーのパスワードはSakura#2024です。",
            "서버 비밀번호는 Seoul2024! 입니다.",
            "Use marble.walnut.ribbon as the password.",
        ),
        (
            "Your password must have at least 12 characters.",
            "The password is stored in the vault.",
            "Das Passwort läuft nach 90 Tagen ab.",
            "The password is hashed with SHA-256 and bcrypt.",
            "Ask IT for the password, see KB-1234.",
            "密码必须至少包含8个字符。",
            "パスワードは90日ごとに変更してください。",
        ),
    ),
    _rule(
        "access code",
        "number",
        tuple(NUMBERS.values()),
        ("The door code is 48271", "El código de la alarma es 482719", "暗証番号は4827です"),
        ("The exit code is 12345", "error code: 40001", "el código fuente tiene 120000 líneas"),
    ),
    _rule(
        "password",
        "near",
        tuple(NEAR.values()),
        ("the usual one, pass MyStar#492, works there too", "it authenticates with Xq9!oR^KwR9"),
        ("pass the value 12345", "pass Foo::Bar2 to it", "it authenticates with OAuth2"),
    ),
    Rule(
        "password",
        r"[:：] ?[\w.@-]{2,40} / ([^\s/,;]{8,60})(?:[\s,;]|$)",
        (" / ",),
        value(
            lambda held: (
                strength(held) >= GOOD and _chosen(held) and not is_code(held) and NOT_WORDS.search(held) is None
            )
        ),
        ("The access for suppliers: sales / Coimbra#1987 until June",),
        ("Options: json / Base64Url", "see: docs / v2.4.1-Beta"),
        group="prose password",
    ),
    _rule(
        "secret",
        "token",
        tuple(TOKENS.values()),
        ("the api key is a7Bk2Zq9Rm4Tx6Yw8Lp3", "Our token for the bot: 3f9a1c7e2d8b4f6a5c0e1d7b"),
        ("the token expires after 30 minutes", "The key is a ConfigurationManagerFactory"),
    ),
)
