"""Telephone numbers."""

import re
from collections.abc import Iterable
from functools import lru_cache

from domain.masking.ruleset.rule import DIGITS, Rule
from domain.masking.ruleset.secret_strength import words
from domain.patterns import LinearRegex, PatternMatch, Place

_PHONE_WORD = re.compile(
    r"(?i)(?:^|[^\w])(?:tel(?:ephone|efon\w*|éfono|efono|efone|éphone)?|phones?|mobiles?|mobil\w*|cell(?:ulare?|phone)?|call(?:ing|ed)?|fax|handy\w*|rufnummer|ruf|anruf\w*|durchwahl|portable|móvil|celular|telemóvel|mobiel|gsm|whats ?app|signal|sms|llám\w+|hotline|"
    r"komórk\w*|тел\w*|моб\w*|звон\w*|cep|gsm|ara\w{0,6}|appele[rz]?|joindre|llam\w+|chiam\w+|lig(?:ue|ar)|contat\w+|contact\w*|bel(?:len)?|bereikbaar|zadzwo\w+|dial|reach(?:ed|able)?|ring|texted|whatsapp\w*|desk|direct|viber|kontakt\w*)(?:[.:)]|[^\w]|$)|(?:^|[\s|(])[TMPFtmpf]{1}[.:]\s?$|☎|📞|📱|电话|手机|電話|携帯|연락|전화|핸드폰|휴대|座机|联系"
)
_NO_PHONE = re.compile(
    r"(?i)(?:id|no|nr|#|order|invoice|ticket|case|ref(?:erence)?|version|build|serial|rev|account|isbn|sku|article|part|model|port|pid|uid|line|bytes?|size|rfc|page|zip|postcode|hash|seq|offset|timestamp|epoch|unix|rechnung|bestellung|auftrag|vorgang)\W{0,3}$"
)


_DIGITS = LinearRegex(r"\d+")
_GLUED_BEFORE = re.compile(r"[A-Za-z0-9_./@=#$€£-]\Z|\d:\Z")
_TIED, _TIED_ABROAD = re.compile(r"(?i)(?:tel|phone|mobile|fax)[:=]$"), re.compile(r"[:=/]$")
_GLUED_AFTER = re.compile(r"[A-Za-z0-9_@]|[.:,/-]\d")


def _phone(match: PatternMatch) -> Iterable[Place]:
    """An international number that exists, or a national one that its surroundings call a telephone."""
    text, (start, end) = match.string, match.span(1)
    in_a_row = [found.span() for found in _AMERICAN.finditer(text, start, end + LONGEST_AMERICAN)]
    if len(in_a_row) > 1:
        yield from ((first, last) for first, last in in_a_row if not _GLUED_AFTER.match(text[last : last + 2]))
        return
    number = match.group(1).lstrip("(") if match.group(1).count("(") > match.group(1).count(")") else match.group(1)
    if _DATE.fullmatch(number) or _DATED.match(number) or _GLUED_AFTER.match(text[end : end + 2]):
        return
    start = end - len(number)
    tied = _TIED_ABROAD if number.startswith("+") else _TIED
    if _GLUED_BEFORE.search(text[max(0, start - 2) : start]) and not tied.search(text[max(0, start - 8) : start]):
        return
    digits = "".join(filter(str.isdecimal, number))
    before = text[max(0, start - 60) : start]
    before = before[before.rfind("\n\n") + 1 :]
    if _NO_PHONE.search(before[-24:]):
        return
    if number.lstrip("(").startswith(("+", "00")):
        wanted = len(digits) >= 9 and _exists("+" + (digits.removeprefix("00")))
    else:
        around = text[max(0, start - 80) : end + 80]
        wanted = 7 <= len(digits) <= 13 and _is_national(number, digits, before, around, _column(text, start))
    if wanted:
        yield start, end


_ORDINARY = re.compile(r"(?:^|\D)\d\D\d\D\d(?:\D|$)|^0\D|\d \(|^\d{3}/\d{3}/")
"""A list, a range, a fraction."""


def _is_national(number: str, digits: str, before: str, around: str, column: str) -> bool:
    """A number without its country: one that its form or its surroundings call a telephone."""
    groups = len(_DIGITS.findall(number))
    if _AMERICAN.fullmatch(number):
        return True
    if _ORDINARY.search(number) or _ACCOUNT.search(before):
        return False
    if _PHONE_WORD.search(before[-45:]):
        return len(set(digits)) >= 3 and (digits.startswith("0") or groups >= 2 or len(digits) >= 9)
    if _PART_NUMBER.search(before) or _PART.fullmatch(column):
        return False
    if sum(not _looks_national(each) or _PAIRS.fullmatch(each) is not None for each in _MANY.findall(around)) > 4:
        return False  # a table of numbers
    named = _NUMBER_WORD.search(before) is not None and (groups >= 2 or len(digits) >= 9)
    return (_looks_national(number) or named) and any(_exists(number, region) for region in _REGIONS)


def _looks_national(number: str) -> bool:
    """Whether a number is written as one of a telephone without its country."""
    groups = "".join(each if each.isdecimal() else " " for each in number).split()
    written = "".join(groups)
    grouped = len(groups) >= 2 and (len(groups) >= 4 or "." not in number)
    return len(written) >= 9 and written.startswith("0") and not written.startswith("00") and grouped


_PART_WORDS = (
    r"(?:spare ?|replacement |ersatz|bau)?(?:parts?|teile?|items?|articles?|artikel|sach|materials?|sku|serial|serien|models?|modell|drawing|zeichnungs?|batch|charge|chargen|meter|zähler|lot|gtin|ean|upc|cost cent(?:re|er)|kostenstellen?)"
    r"[ -]?"
)
_JOINING = r" (?:(?:replaced |superseded )?by|and|or|to|und|oder|bis|ersetzt durch) "
_PART_NUMBER = LinearRegex(
    rf"(?i)(?:^|\W){_PART_WORDS}(?:numbers?|nos?\.?|nummern?|nrn?\.?|#)(?:\W(?:[^\pL\n]|{_JOINING}){{0,40}})?\Z"
)
_PART = LinearRegex(rf"(?i){_PART_WORDS}(?:numbers?|nos?\.?|nummern?|nrn?\.?|#|codes?|ids?)?")
"""What has numbers in groups, too: before a number, and above its column."""

FARTHEST_HEADING = 5_000
"""Characters between a number in a table and the beginning of the table."""


def _column(text: str, start: int) -> str:
    """The heading of the column of a Markdown table in which a place stands; empty outside of one."""
    line = text.rfind("\n", 0, start) + 1
    if not text.startswith("|", line):
        return ""
    far = max(0, start - FARTHEST_HEADING)
    above = text.rfind("\n\n", far, start)
    head = text[above + 2 if above >= 0 else far : line].lstrip("\n").split("\n", 1)[0].split("|")
    number = text.count("|", line, start)
    return head[number].strip(" *`") if head[0] == "" and number < len(head) else ""


_PAIRS = LinearRegex(r"\d\d(?: \d\d)+")
_MANY = LinearRegex(r"\d[\d ./-]{4,}\d")
_ACCOUNT = re.compile(
    r"(?i)(?:account|routing|duns|swift|tax|vat|ein|registration|customer|order|invoice|isbn(?:-1[03])?|article|asset|serial|bestell|kunden|konto|rechnungs|auftrags|artikel|mitglieds|vertrags|client|commande|pedido|ordine)"
    r"[ -]?(?:number|no\.?|code|id|nummer|nr\.?)?[\s:`*#|]*$"
)
_NUMBER_WORD = re.compile(
    r"(?i)(?:(?:^|[^\w])(?:number|nummer|numer|número|numero|numéro|номер|numara\w*|fijo|fixe|fisso|hotline|zentrale|bereitschaft)|(?:電話|携帯|連絡先?)番号|전화번호|번호는|电话号码|手机号码?|手機號碼?|(?:^|[^\w])番号)\W?[^\n]{0,40}$"
)
_REGIONS = words("DE CH AT FR GB ES IT PT PL NL BE JP KR TR SE BR RU CN AU IN")


_DATE = re.compile(
    r"\d{4}[-./]\d{1,2}[-./]\d{1,2}.*|\d{1,2}[-./]\d{1,2}[-./]\d{4}|\d{1,3}(?:\.\d{1,3}){3}|\d{1,2}:\d.*|\d{1,2}(?:[ .]\d{3})+|\d{3}(?:\.\d{3})+|\d{3} \d{3}"
)


_DATED = re.compile(r"\(?(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)\d\d(?:\)|\s|$)")
"""A day, whatever number follows: `(08.12.2024) 15 years`."""

_AMERICAN = re.compile(r"(?:1[-. ])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[-.])[2-9]\d\d[-. ]\d{4}")
"""`(415) 555-0132`, `415-555-0132`, `1-800-555-0132`."""

LONGEST_AMERICAN = 16
"""Characters of such a number: of several in a row, one match of the rule ends within the next."""


@lru_cache(maxsize=4_096)
def _exists(number: str, region: str | None = None) -> bool:
    """Whether the numbering plan of its country has such a number (ITU-T E.164, by libphonenumber's tables)."""
    import phonenumbers  # its tables take a tenth of a second: only for texts with a number

    try:
        parsed = phonenumbers.parse(number, region)
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_possible_number(parsed) if region is None else phonenumbers.is_valid_number(parsed)


TELEPHONES = (
    Rule(
        "telephone number",
        r"((?:\+|\(\+|00|\()?\(?\d(?:(?:[ ./-]| ?/ ?|\) ?|\) ?-|[ -]?\(\d{1,4}\)[ -]?)?\d){6,15})",
        (DIGITS,),
        _phone,
        ("call +49 30 901820 today", "Tel. 030 901820", "(415) 555-0132"),
        ("192.168.100.200", "2024-01-31", "Version 5.1 (08.12.2024) 15 Jahre", "order 030 901820", "1700000000"),
        personal=True,
        group="telephone",
        hints=words(
            "cell. cell: móvil movil celular portable komórk numer номер тел моб звон 携帯 핸드폰 연락 gsm sms: kontakt phone tel. tel: telef mobil handy fax 电话 手机 電話 전화 llám hotline whatsapp rufnummer anruf"
        )
        + words("| part,| item,| teil,| artikel,| article,| sach,| material,| serial,| sku,| model", ","),
    ),
)
