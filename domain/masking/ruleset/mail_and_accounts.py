"""E-mail addresses, numbers of cards and accounts."""

from collections.abc import Iterable

from stdnum import luhn
from stdnum.iso7064 import mod_97_10

from domain.masking.ruleset.rule import DIGITS, Rule
from domain.masking.ruleset.secret_strength import words
from domain.patterns import LinearRegex, PatternMatch, Place

_SHELL = LinearRegex(
    r"(?:^|[\s`$(])(?:ssh|scp|sftp|rsync|git|mosh|autossh|sshfs|ssh-copy-id|rdesktop|psexec|clone|remote|Host|HostName)\s[^\n]*$"
)
_PATH_AFTER = LinearRegex(r":(?:[/~]|[\w.-]+/)")
_FILE = LinearRegex(r"\.(?:png|jpe?g|gif|svg|webp|js|ts|css|md|json|py|sh|service|socket|timer|target|mount)$")
_USER_OF_URL = LinearRegex(r"[a-z][a-z0-9+.-]*://[^\s/]*$")
_MAIL = r"([0-9_A-Za-z\x{C0}-\x{24F}\x{370}-\x{52F}][0-9._%+A-Za-z\x{C0}-\x{24F}\x{370}-\x{52F}-]*(?:@|\(at\)|\[at\]| \[at\] | \(at\) |%40)(?:[A-Za-z\x{C0}-\x{24F}\x{370}-\x{52F}0-9-]+(?:\.| \[dot\] | \(dot\) |\[dot\]|\(dot\))){1,5}[A-Za-z\x{C0}-\x{24F}\x{370}-\x{52F}]{2,24})"


def _mail(match: PatternMatch) -> Iterable[Place]:
    """The address, where it is no place to log in to and no file."""
    text, (start, end) = match.string, match.span(1)
    near = max(0, start - 200)
    line = text[max(near, text.rfind("\n", near, start) + 1) : start]
    host = match.group(1).rpartition("@")[2].lower()
    if match.group(1).lower().startswith("git@") or _PATH_AFTER.match(text[end : end + 40]):
        return
    if _SHELL.search(line) or _FILE.search(host):
        return
    if _USER_OF_URL.search(line):
        return  # the user of a URL
    yield start, end


_BRANDS = LinearRegex(
    r"4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|6(?:011|4[4-9]\d|5\d\d)\d{12}|3(?:0[0-5]|[68]\d|9\d)\d{11,13}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}|220[0-4]\d{12}|(?:50|5[6-9]|6[0-9])\d{10,17}|81\d{14}|1\d{14}|9792\d{12}"
)
_CARD_GROUPS = LinearRegex(
    "|".join(
        [
            rf"\d{{4}}{by}\d{{4}}{by}\d{{4}}{by}\d{{1,4}}(?:{by}\d{{1,3}})?"
            for by in (r"\.", " ", "  ", "   ", "-", " -", "- ", " - ")
        ]
        + [rf"\d{{4}}{by}\d{{6}}{by}\d{{4,5}}" for by in (" ", "-")]
    )
)
"""The same between all groups."""

_IN_GROUPS = LinearRegex(r"\d{4}[ .-]\d{4}[ .-]\d{4}[ .-]\d{1,7}|\d{4}[ -]\d{6}[ -]\d{4,5}")
_OTHER_NUMBER = LinearRegex(
    r"(?i)(?:id|no|nr|seq|ts|time|trace|span|request|order|invoice|serial|offset|epoch|imei|iccid|ean|gtin|upc|isbn|barcode|tracking|account|ref\w*|hash|key|uuid|pid|build|number|_)\W{0,4}$"
)
_MAESTRO = LinearRegex(r"(?:50|5[6-9]|6[0-9]|81|1)\d+")


def _card(match: PatternMatch) -> Iterable[Place]:
    text, (start, end) = match.string, match.span(1)
    digits = "".join(filter(str.isdecimal, match.group(1)))
    if not (_BRANDS.fullmatch(digits) and luhn.is_valid(digits)) or len(set(digits)) < 2:
        return
    if not match.group(1).isdecimal() and not _CARD_GROUPS.fullmatch(match.group(1)):
        return
    grouped = _IN_GROUPS.fullmatch(match.group(1)) is not None
    sure = grouped or not _MAESTRO.fullmatch(digits) or digits.startswith(("6011", "65", "62", "64"))
    context = text[max(0, start - 80) : end + 40].lower()
    if not sure and not _CARD_WORD.search(context):
        return
    if not grouped and not _CARD_WORD.search(context) and _OTHER_NUMBER.search(text[max(0, start - 16) : start]):
        return
    yield start, end


_CARD_WORD = LinearRegex(
    r"card|visa|master|amex|american express|maestro|discover|diners|jcb|unionpay|credit|debit|payment|pan(?:\W|$)|cvv|cvc|exp|karte|carte|tarjeta|cart[ãa]o|carta|kaart|kart|карт|卡|カード|카드"
)

_IBAN = dict(
    pair.split(":")
    for pair in words(
        "AD:24 AE:23 AL:28 AT:20 AZ:28 BA:20 BE:16 BG:22 BH:22 BI:27 BR:29 BY:28 CH:21 CR:22 CY:28 CZ:24 DE:22 "
        "DJ:27 DK:18 DO:28 EE:20 EG:29 ES:24 FI:18 FK:18 FO:18 FR:27 GB:22 GE:22 GI:23 GL:18 GR:27 GT:28 HR:21 "
        "HU:28 IE:22 IL:23 IQ:23 IS:26 IT:27 JO:30 KW:30 KZ:20 LB:28 LC:32 LI:21 LT:20 LU:20 LV:21 LY:25 MC:27 "
        "MD:24 ME:22 MK:19 MN:20 MR:27 MT:31 MU:30 NI:28 NL:18 NO:15 OM:23 PK:24 PL:28 PS:29 PT:25 QA:29 RO:24 "
        "RS:22 RU:33 SA:24 SC:31 SD:18 SE:24 SI:19 SK:24 SM:27 SO:23 ST:25 SV:28 TL:23 TN:24 TR:26 UA:29 VA:22 "
        "VG:24 XK:20 YE:30"
    )
)
"""Lengths by country, from the IBAN registry (ISO 13616-2, SWIFT)."""


def _iban(match: PatternMatch) -> Iterable[Place]:
    """The longest beginning of what was found that is an account of its country."""
    start = match.start(1)
    found = match.group(1)
    length = int(_IBAN.get(found[:2].upper(), "0"))
    taken, end = "", 0
    for place, char in enumerate(found):
        if char.isalnum():
            taken += char.upper()
            end = place + 1
        if len(taken) == length:
            break
    after = match.string[start + end : start + end + 1]
    if length and len(taken) == length and not after.isalnum() and mod_97_10.is_valid(taken[4:] + taken[:4]):
        yield start, start + end


PERSONAL = (
    Rule(
        "e-mail address",
        rf"(?:^|[^\w.%+@/-]|mailto:|=|/){_MAIL}",
        ("@", "(at)", "[at]", "%40"),
        _mail,
        ("write to ana.silva@example.com today", "mailto:j.doe+x@mail.example.co.uk"),
        (
            "git@github.com:acme/app.git",
            "ssh deploy@web01.example.com",
            "picture@2x.png",
            "@types/node@18.2.0",
            "root@localhost",
        ),
        personal=True,
        group="e-mail",
    ),
    Rule(
        "payment card",
        r"(?:^|[^\w.+/-]|[a-z]=|:)(\d(?:(?: ?[ -] ?|\.)?\d){11,18})(?:[^\w-]|$)",
        (DIGITS,),
        _card,
        ("card 4539 1488 0343 6467 was charged", "4539148803436467"),
        ("4539 1488 0343 6468", "id 1234567890123456"),
        personal=True,
        group="card",
    ),
    Rule(
        "bank account",
        r"(?i)(?:^|[^A-Za-z0-9])([A-Z]{2}\d{2}(?:[ .-]?[A-Z0-9]){11,30})",
        (DIGITS,),
        _iban,
        ("IBAN DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"),
        ("DE88370400440532013000", "AB12CDEFGHIJKLMNOPQ"),
        personal=True,
        group="iban",
    ),
)
