"""Makers of cards, bank accounts, national numbers, telephone numbers and e-mail addresses."""

from datetime import date, timedelta
from random import Random

from stdnum import luhn

from tests.masking.everyday.drawing import draw
from tests.masking.everyday.template import Maker

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def card(rng: Random, brand: str, mark: str = "") -> str:
    """A card number: Visa, Mastercard, Amex, Discover, Diners, JCB, Maestro."""
    prefix, length = {
        "visa": (rng.choice(["4539", "4716", "4024", "4916"]), 16),
        "mc": (rng.choice(["5235", "5412", "2720", "5555"]), 16),
        "amex": (rng.choice(["3782", "3714", "3499"]), 15),
        "discover": ("6011", 16),
        "diners": ("3056", 14),
        "jcb": ("3530", 16),
        "maestro": ("6759", 16),
    }[brand]
    body = prefix + draw(f"{{D{(length - len(prefix) - 1)}}}", rng)
    full = body + luhn.calc_check_digit(body)
    if length == 16:
        return mark.join(full[i : i + 4] for i in range(0, 16, 4))
    return mark.join([full[:4], full[4:10], full[10:]])


BBAN = {
    "DE": "{D18}", "FR": "{D10}{U11}{D2}", "GB": "{C4}{D14}", "ES": "{D20}", "IT": "{C1}{D22}", "NL": "{C4}0{D9}",
    "PL": "{D24}", "CH": "00{D15}", "AT": "{D16}", "BE": "{D12}", "PT": "{D21}", "TR": "{D5}0{D16}", "SE": "{D20}",
    "NO": "{D11}", "DK": "{D14}", "IE": "{C4}{D14}", "LU": "0{D15}", "CZ": "{D20}", "RO": "{C4}{D16}", "FI": "{D14}",
}  # fmt: skip


def iban(rng: Random, country: str, mark: str = "") -> str:
    """An IBAN with its check number, in groups of four joined by a mark."""
    body = draw(BBAN[country], rng)
    number = "".join(str(int(char, 36)) for char in body + country + "00")
    full = f"{country}{98 - int(number) % 97:02d}{body}"
    return mark.join(full[i : i + 4] for i in range(0, len(full), 4))


def _date(rng: Random) -> date:
    """A date of birth."""
    return date(1958, 1, 1) + timedelta(days=rng.randint(0, 16000))


def _weighted(digits: str, weights: tuple[int, ...]) -> int:
    """The weighted sum of digits."""
    return sum(int(char) * weight for char, weight in zip(digits, weights, strict=True))


def ssn(rng: Random) -> str:
    """A United States social security number."""
    area = rng.choice([n for n in range(101, 899) if n != 666])
    return f"{area}-{rng.randint(10, 98)}-{rng.randint(1001, 9998)}"


def nino(rng: Random) -> str:
    """A United Kingdom national insurance number."""
    return draw(f"{rng.choice(['JG', 'PR', 'SH', 'TW', 'CE'])} {{D2}} {{D2}} {{D2}} {rng.choice('ABCD')}", rng)


def dni(rng: Random) -> str:
    """A Spanish DNI."""
    number = rng.randint(10_000_000, 79_999_999)
    return f"{number}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}"


def nie(rng: Random) -> str:
    """A Spanish NIE."""
    first, rest = rng.randint(0, 2), draw("{D7}", rng)
    return f"{'XYZ'[first]}-{rest}-{'TRWAGMYFPDXBNJZSQVHLCKE'[int(f'{first}{rest}') % 23]}"


def nir(rng: Random) -> str:
    """A French NIR, in groups."""
    day = _date(rng)
    body = f"{rng.choice('12')}{day:%y%m}{rng.randint(10, 95):02d}{rng.randint(1, 400):03d}{rng.randint(1, 300):03d}"
    key = 97 - int(body) % 97
    return f"{body[0]} {body[1:3]} {body[3:5]} {body[5:7]} {body[7:10]} {body[10:]} {key:02d}"


def codice(rng: Random) -> str:
    """An Italian codice fiscale."""
    day = _date(rng)
    town = f"{rng.choice('ABDFGHL')}{rng.randint(100, 899)}"
    body = f"{rng.choice(['RSS', 'BNC', 'VRD'])}{rng.choice(['MRC', 'LRA', 'GPP'])}{day:%y}"
    body += f"{'ABCDEHLMPRST'[day.month - 1]}{day.day:02d}{town}"
    odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]
    total = 0
    for place, char in enumerate(body):
        value = int(char) if char.isdigit() else LETTERS.index(char)
        total += odd[value] if place % 2 == 0 else value
    return body + LETTERS[total % 26]


def pesel(rng: Random) -> str:
    """A Polish PESEL."""
    body = f"{_date(rng):%y%m%d}{draw('{D4}', rng)}"
    return body + str(-_weighted(body, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10)


def bsn(rng: Random) -> str:
    """A Dutch BSN."""
    while True:
        body = draw("{N1}{D7}", rng)
        rest = _weighted(body, (9, 8, 7, 6, 5, 4, 3, 2)) % 11
        if rest < 10:
            return body + str(rest)


def cpf(rng: Random) -> str:
    """A Brazilian CPF."""
    body = draw("{D9}", rng)
    for length in (9, 10):
        rest = _weighted(body, tuple(range(length + 1, 1, -1))) % 11
        body += str(0 if rest < 2 else 11 - rest)
    return f"{body[:3]}.{body[3:6]}.{body[6:9]}-{body[9:]}"


def turkish(rng: Random) -> str:
    """A Turkish identity number."""
    n = [int(char) for char in draw("{N1}{D8}", rng)]
    n.append((sum(n[0:9:2]) * 7 - sum(n[1:8:2])) % 10)
    n.append(sum(n) % 10)
    return "".join(map(str, n))


def chinese(rng: Random) -> str:
    """A Chinese resident number."""
    body = f"{rng.choice(['110105', '310104', '440305'])}{_date(rng):%Y%m%d}{draw('{D3}', rng)}"
    rest = _weighted(body, tuple(2 ** (17 - i) % 11 for i in range(17))) % 11
    return body + "10X98765432"[rest]


def korean(rng: Random) -> str:
    """A Korean resident registration number."""
    body = f"{_date(rng):%y%m%d}{rng.choice('12')}{draw('{D5}', rng)}"
    check = (11 - _weighted(body, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10
    return f"{body[:6]}-{body[6:]}{check}"


def swiss(rng: Random) -> str:
    """A Swiss AHV number."""
    body = "756" + draw("{D9}", rng)
    full = body + str(-_weighted(body, (1, 3) * 6) % 10)
    return f"{full[:3]}.{full[3:7]}.{full[7:11]}.{full[11:]}"


def german_tax(rng: Random) -> str:
    """A German tax identification number, in groups."""
    digits = rng.sample("123456789", 9)
    digits.insert(rng.randint(4, 8), digits[0])
    product = 10
    for char in digits:
        total = (int(char) + product) % 10 or 10
        product = total * 2 % 11
    body = "".join(digits) + str((11 - product) % 10)
    return f"{body[:2]} {body[2:5]} {body[5:8]} {body[8:]}"


def aadhaar(rng: Random) -> str:
    """An Indian Aadhaar number (Verhoeff)."""
    mult = [[(a + b) % 5 if a < 5 and b < 5 else 0 for b in range(10)] for a in range(10)]
    for a in range(10):
        for b in range(10):
            if a < 5:
                mult[a][b] = (a + b) % 5 if b < 5 else 5 + (a + b) % 5
            else:
                mult[a][b] = 5 + (a - b) % 5 if b < 5 else (a - b) % 5
    perm, base = list(range(10)), [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]
    body, check = draw("{N1}{D10}", rng).replace("1", "7", 1), 0
    for char in reversed(body):
        perm = [base[number] for number in perm]
        check = mult[check][perm[int(char)]]
    full = body + str([0, 4, 3, 2, 1, 5, 6, 7, 8, 9][check])
    return f"{full[:4]} {full[4:8]} {full[8:]}"


def my_number(rng: Random) -> str:
    """A Japanese My Number."""
    body = draw("{N1}{D10}", rng)
    rest = _weighted(body, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    full = body + str(0 if rest < 2 else 11 - rest)
    return f"{full[:4]}-{full[4:8]}-{full[8:]}"


def sin(rng: Random) -> str:
    """A Canadian SIN."""
    body = rng.choice("124567") + draw("{D7}", rng)
    full = body + luhn.calc_check_digit(body)
    return f"{full[:3]} {full[3:6]} {full[6:]}"


def swedish(rng: Random) -> str:
    """A Swedish personnummer."""
    day = _date(rng)
    body = f"{day:%y%m%d}{draw('{D3}', rng)}"
    return f"{day:%Y%m%d}-{body[6:]}{luhn.calc_check_digit(body)}"


def finnish(rng: Random) -> str:
    """A Finnish personal identity code."""
    day, serial = _date(rng), f"{rng.randint(2, 899):03d}"
    return f"{day:%d%m%y}-{serial}{'0123456789ABCDEFHJKLMNPRSTUVWXY'[int(f'{day:%d%m%y}{serial}') % 31]}"


def belgian(rng: Random) -> str:
    """A Belgian national register number."""
    day, serial = _date(rng), f"{rng.randint(1, 997):03d}"
    return f"{day:%y.%m.%d}-{serial}.{97 - int(f'{day:%y%m%d}{serial}') % 97:02d}"


def nif_pt(rng: Random) -> str:
    """A Portuguese NIF."""
    body = rng.choice("12") + draw("{D7}", rng)
    rest = _weighted(body, (9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return body + str(0 if rest < 2 else 11 - rest)


def snils(rng: Random) -> str:
    """A Russian SNILS."""
    body = draw("1{D8}", rng)
    check = _weighted(body, (9, 8, 7, 6, 5, 4, 3, 2, 1)) % 101 % 100
    return f"{body[:3]}-{body[3:6]}-{body[6:]} {check:02d}"


def nric(rng: Random) -> str:
    """A Singapore NRIC."""
    body = draw("{D7}", rng)
    return f"S{body}{'JZIHGFEDCBA'[_weighted(body, (2, 7, 6, 5, 4, 3, 2)) % 11]}"


def _person(rng: Random, language: str) -> str:
    """A personal e-mail address at a made-up company."""
    first, last = rng.choice(
        {
            "de": [("jana", "brinkmeier"), ("tobias", "wachtel"), ("svenja", "ohlendorf")],
            "fr": [("camille", "berthoux"), ("yann", "legoffic")],
            "es": [("nerea", "zubiaurre"), ("alvaro", "cifuentes")],
            "it": [("giada", "ferrabosco"), ("tommaso", "brugnoli")],
            "pl": [("kinga", "wrzosek"), ("marek", "zielonka")],
            "pt": [("thais", "figueiroa"), ("duarte", "magalhaes")],
        }.get(language, [("megan", "holloway"), ("priya", "raghunath"), ("owen", "castellane"), ("femke", "dijkhuis")])
    )
    domain = rng.choice(["nordwind-freight.de", "kestrelfoods.co.uk", "altamira-seguros.es", "lumenhr.io"])
    name = rng.choice([f"{first}.{last}", f"{first[0]}{last}", f"{first}_{last}{rng.randint(2, 89)}"])
    return f"{name}@{domain}"


def _simple(name: str) -> Maker:
    """Wrap a function that needs no language."""
    function = {
        "ssn": ssn, "nino": nino, "dni": dni, "nie": nie, "nir": nir, "codice": codice, "pesel": pesel, "bsn": bsn,
        "cpf": cpf, "tc": turkish, "cnid": chinese, "rrn": korean, "ahv": swiss, "steuerid": german_tax,
        "aadhaar": aadhaar, "mynumber": my_number, "sin": sin, "personnummer": swedish, "hetu": finnish,
        "rrnr": belgian, "nif": nif_pt, "snils": snils, "nric": nric,
    }[name]  # fmt: skip
    return lambda rng, _language: function(rng)


def _card(brand: str, mark: str) -> Maker:
    """A maker of cards."""
    return lambda rng, _language: card(rng, brand, mark)


def _iban(country: str, mark: str) -> Maker:
    """A maker of IBANs."""
    return lambda rng, _language: iban(rng, country, mark)


IDS = "ssn nino dni nie nir codice pesel bsn cpf tc cnid rrn ahv steuerid aadhaar mynumber sin personnummer hetu rrnr"
BRANDS = ("visa", "mc", "amex", "discover", "diners", "jcb", "maestro")
MARKS = {"": "", "_s": " ", "_d": "-", "_n": "\u00a0", "_p": "."}
PERSONAL: dict[str, Maker] = {
    **{name: _simple(name) for name in (IDS + " nif snils nric").split()},
    **{f"card_{brand}{end}": _card(brand, mark) for brand in BRANDS for end, mark in MARKS.items()},
    **{f"iban_{land.lower()}{end}": _iban(land, mark) for land in BBAN for end, mark in MARKS.items()},
    "pan": lambda rng, _: draw("{C3}P{C1}{D4}{C1}", rng),
    "ssn_s": lambda rng, _: ssn(rng).replace("-", " "),
    "ssn_0": lambda rng, _: ssn(rng).replace("-", ""),
    "nir_0": lambda rng, _: nir(rng).replace(" ", ""),
    "nino_0": lambda rng, _: nino(rng).replace(" ", ""),
    "mail": _person,
}
