"""Numbers that states give to persons."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from stdnum import luhn

from domain.masking.re2_patterns import Re2Pattern
from domain.masking.ruleset import check_digits as check
from domain.masking.ruleset.rule import DIGITS, Rule
from domain.masking.ruleset.secret_strength import words
from domain.patterns import LinearRegex, PatternMatch, Place

_PARTS = LinearRegex(r"\d+|\D")
_SSN_WORD = Re2Pattern(r"(?i)\bssns?\b|social[ -]?sec|\bss ?#|\bitin\b|taxpayer|\btin\b|soc\.? sec")


def _ssn(match: PatternMatch) -> Iterable[Place]:
    text, (start, end) = match.string, match.span(1)
    digits = "".join(filter(str.isdecimal, match.group(1)))
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    parts = _PARTS.findall(match.group(1))
    if (
        len(parts) not in {1, 5}
        or parts[1:2] != parts[3:4]
        or area in {"000", "666"}
        or group == "00"
        or serial == "0000"
    ):
        return
    named = _SSN_WORD.occurs(text[max(0, start - 80) : start]) or _SSN_WORD.occurs(text[end : end + 30])
    if area[0] == "9" and not named:
        return
    if "-" in match.group(1) or named:
        yield start, end


@dataclass(frozen=True, slots=True)
class _Id:
    """The number of a person in a country. shape: of the bare characters. words: one of them stands near; none are
    needed where `alone`: the form is unlike anything else."""

    shape: str
    test: Callable[[str], bool]
    words: str
    alone: bool = False


def _always(text: str) -> bool:
    return bool(text)


_IDS = (
    _Id(
        r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]",
        _always,
        r"nino|national insurance|\bni\b|insurance",
        alone=True,
    ),
    _Id(r"[XYZ\d]\d{7}[A-Z]", check.standard("es.nif"), r"d\.?n\.?i\b|n\.?i\.?e\b|nif|documento|identidad"),
    _Id(r"[1-478]\d{4}(?:\d\d|2[AB])\d{8}", check.standard("fr.nir"), r"nir|sécu|secu|social|insee|vitale"),
    _Id(
        r"[A-Z]{6}\d\d[ABCDEHLMPRST]\d\d[A-Z]\d{3}[A-Z]",
        check.standard("it.codicefiscale"),
        r"codice|fiscale|\bcf\b",
        alone=True,
    ),
    _Id(r"\d{11}", check.standard("pl.pesel"), r"pesel"),
    _Id(r"\d{9}", check.standard("nl.bsn"), r"bsn|burgerservice|sofi|service ?nummer"),
    _Id(r"\d{11}", check.standard("br.cpf"), r"cpf|cadastro|contribuinte"),
    _Id(r"\d{11}", check.standard("tr.tckimlik"), r"\btc\b|\bt\.c|kimlik|tckn"),
    _Id(r"\d{17}[\dX]", check.resident_id, r"身份|证件|identity|resident|\bid\b|居民", alone=True),
    _Id(r"\d{13}", check.rrn, r"주민|rrn|resident|등록"),
    _Id(r"756\d{10}", check.standard("ch.ssn"), r"ahv|avs|oasi|social", alone=True),
    _Id(r"\d{11}", check.standard("de.idnr"), r"steuer|idnr|\btin\b|tax|identifikation"),
    _Id(r"\d\d\d{6}[A-Z]\d{3}", _always, r"sozialversicherung|rentenversicherung|sv-?nummer|rvnr|versicherungsnummer"),
    _Id(r"\d{12}", check.standard("in_.aadhaar"), r"aadhaar|aadhar|uidai|आधार"),
    _Id(r"[A-Z]{3}[PCHABGJLFT][A-Z]\d{4}[A-Z]", _always, r"\bpan\b|permanent account|income"),
    _Id(r"\d{9}", luhn.is_valid, r"\bsin\b|social insurance|assurance sociale|\bnas\b"),
    _Id(r"\d{12}", check.standard("jp.in_"), r"my ?number|マイナンバー|個人番号|kojin"),
    _Id(r"(?:19|20)?\d{10}", check.personnummer, r"person-?nummer|personnr|swedish|svensk|samordning"),
    _Id(r"\d{10}", check.cpr, r"cpr|personnummer|danish"),
    _Id(r"\d{11}", check.fodselsnummer, r"fødsels|fodsels|personnummer|norw"),
    _Id(r"\d{6}[+A-FU-Y-]\d{3}[0-9A-Y]", check.standard("fi.hetu"), r"hetu|henkilö|finnish|personal identity"),
    _Id(r"\d{11}", check.rijksregister, r"rijksregister|registre national|insz|niss|national register|belg"),
    _Id(r"\d{10}", check.standard("gb.nhs"), r"nhs"),
    _Id(r"\d{9}", check.standard("au.tfn"), r"tfn|tax file"),
    _Id(r"\d{11}", check.snils, r"снилс|snils"),
    _Id(r"\d{10}", check.standard("bg.egn"), r"\bегн|\begn"),
    _Id(r"\d{7,8}[\dK]", check.standard("cl.rut"), r"\brut\b|\brun\b"),
    _Id(r"\d{11}", check.standard("ar.cuit"), r"cuil|cuit"),
    _Id(r"[A-Z][12]\d{8}", check.taiwan, r"身分證|身份證|taiwan|roc id"),
    _Id(r"\d{11}", check.standard("hr.oib"), r"\boib\b"),
    _Id(r"[1-9]\d{12}", check.standard("ro.cnp"), r"\bcnp|cod numeric"),
    _Id(r"\d{12}", check.standard("ru.inn"), r"инн|\binn\b"),
    _Id(r"\d{10}", _always, r"паспорт|passport"),
    _Id(r"\d{10}", check.standard("at.vnr"), r"sozialversicherung|sv-?n(?:umme)?r|svnr|versicherungsnummer|e-card"),
    _Id(r"\d{9,10}", check.standard("cz.rc"), r"rodn[eéá]"),
    _Id(r"\d{9}", check.standard("il.idnr"), r"teudat|israel|zehut|ת"),
    _Id(r"\d{7}[A-W][A-IW]?", check.standard("ie.pps"), r"\bpps"),
    _Id(r"\d{11}", check.standard("gr.amka"), r"amka|αμκα"),
    _Id(r"\d{9}", check.standard("pt.nif"), r"nif|contribuinte|fiscal"),
    _Id(
        r"[A-Z]{1,2}\d{6,9}|[CFGHJKLMNPRTVWXYZ0-9]{9,10}|\d{9}",
        _always,
        r"passport|reisepass|passeport|pasaporte|passaporto|passaporte|paspoort|paszport|pasaport|护照|旅券|여권|ausweis(?:nummer|nr)|personalausweis",
    ),
    _Id(r"[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z0-9]\d", _always, r"curp", alone=True),
    _Id(r"[STFGM]\d{7}[A-Z]", _always, r"nric|\bfin\b|singapore"),
    _Id(r"\d{13}", luhn.is_valid, r"south afric|rsa id|id number|sa id"),
    _Id(r"[A-Z]{5}\d{6}[A-Z0-9]{2}\d[A-Z]{2}", _always, r"licen[cs]e|dvla|driv"),
)
_ID_HINTS = words(
    "nino national insurance|dni|documento|sécu|securité sociale|insee|codice fiscale|pesel|bsn|"
    "burgerservice|cpf|kimlik|tckn|身份|证件|주민|등록번호|ahv|steuer|versicherung|aadhaar|social insurance|マイナンバー|"
    "個人番号|cpr|hetu|henkilö|rijksregister|registre|nhs|tax file|снилс|инн|паспорт|passport|rodn|"
    "zehut|pps n|amka|contribuinte|reisepass|passeport|pasaporte|护照|旅券|여권|ausweis|curp|nric|cnp|licence|"
    "license",
    "|",
)


def _national_id(match: PatternMatch) -> Iterable[Place]:
    text, (start, end) = match.string, match.span(1)
    found = match.group(1)
    if len(found) < SHORTEST:
        return  # most numbers in texts are
    bare_start = start + len(found) - len(found.lstrip(_LETTERS + " .-"))
    last = end - 2 if found[-2] == " " and found[-1].isalpha() else end
    places = dict.fromkeys(((start, end), (bare_start, end), (start, last), (bare_start, last)))
    shaped = [place for place in places if _has_shape(text[slice(*place)].upper())]
    if not shaped:
        return
    near = text[max(0, start - 90) : start] + " " + text[end : end + 30]
    rows = _COMPILED_IDS if _ID_WORDS.occurs(near) else _ALONE
    for first, stop in shaped:
        if _is_person(text[first:stop].upper(), near, rows):
            yield first, stop
            return


def _bare(held: str) -> str:
    """Without what parts it."""
    return "".join(held.split()).translate(_BETWEEN)


_BETWEEN = str.maketrans("", "", "./-")


def _has_shape(held: str) -> bool:
    """Whether it may be a number of any country, so that it needs a closer look."""
    bare, kept = _bare(held), "".join(held.split())
    if len(bare) < SHORTEST or _DATE.fullmatch(held.strip()):
        return False
    return (_SHAPES.fullmatch(bare) or _SHAPES.fullmatch(kept)) is not None


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _is_person(held: str, near: str, rows: "Sequence[_Row]") -> bool:
    bare, kept = _bare(held), "".join(held.split())
    if len(set(bare)) < 3:
        return False
    for each, shape, near_words in rows:
        shown = kept if "+A-F" in each.shape else bare
        if shape.fullmatch(shown) and (each.alone or near_words.occurs(near)) and each.test(shown):
            return True
    return False


_Row = tuple[_Id, re.Pattern[str], Re2Pattern]
_COMPILED_IDS: list[_Row] = [(each, re.compile(each.shape), Re2Pattern(f"(?i){each.words}")) for each in _IDS]
_ALONE = [row for row in _COMPILED_IDS if row[0].alone]
_ID_WORDS = Re2Pattern("(?i)" + "|".join(f"(?:{each.words})" for each in _IDS))
_SHAPES = re.compile("|".join(dict.fromkeys(each.shape for each in _IDS)))
_DATE = re.compile(r"(?:19|20)\d\d([-./])(?:0[1-9]|1[0-2])\1[0-3]\d|[0-3]?\d([-./])(?:0?[1-9]|1[0-2])\2(?:19|20)\d\d")
"""No country writes its numbers as a whole date, whose digits may pass a test of check digits."""

SHORTEST = 7
"""Characters of a number without what parts it."""


PERSONS = (
    Rule(
        "social security number",
        r"(?:^|[^\w.+/-])(\d{3}[- .]?\d{2}[- .]?\d{4})(?:[^\w-]|$)",
        (DIGITS,),
        _ssn,
        ("SSN: 219-09-9999", "her social security number is 457 55 5462"),
        ("000-12-3456", "order 123456789"),
        personal=True,
        group="us ssn",
        hints=("ssn", "social sec", "taxpayer"),
    ),
    Rule(
        "national id",
        r"(?i)(?:^|[^\w])((?:[A-Z]{1,6}[ .-]?)?\d(?:[ ./+-]{0,2}\d|[ -]?[A-Z] ?\d|-?[A-Z]){4,19}(?: [A-DXZ])?)(?:[^\w]|$)",
        (DIGITS,),
        _national_id,
        (
            "NINO: AB 12 34 56 C",
            "PESEL 44051401359",
            "DNI 12345678Z",
            "CPF 529.982.247-25",
            "BSN 111222333",
            "AHV 756.9217.0769.85",
            "contribuinte, Run: 12.345.678-5",
        ),
        (
            "order 44051401359",
            "build 111222333",
            "1  2026-11-23 08:00:05 UTC",
            "contribuinte, RUT: 2026-03-27",
            "contribuinte, run 2026/03/27",
        ),
        personal=True,
        group="national id",
        hints=_ID_HINTS,
    ),
)
