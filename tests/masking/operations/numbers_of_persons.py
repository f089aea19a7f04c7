"""Numbers of persons and accounts with valid check digits: cards, IBAN, SSN."""

import string
from random import Random

from stdnum import luhn

from tests.masking.operations.template import Gen


def digits(rng: Random, size: int) -> str:
    """Random digits, the first not 0."""
    return rng.choice("123456789") + "".join(rng.choice("0123456789") for _ in range(size - 1))


def card(prefixes: tuple[str, ...], size: int, groups: tuple[int, ...] = (), sep: str = "") -> Gen:
    """Generator of a card number of a brand, grouped as asked."""

    def make(rng: Random) -> str:
        start = rng.choice(prefixes)
        body = start + "".join(rng.choice(string.digits) for _ in range(size - len(start) - 1))
        return grouped(body + luhn.calc_check_digit(body), groups, sep)

    return make


def grouped(text: str, groups: tuple[int, ...], sep: str) -> str:
    """A text cut into groups; the last group size is repeated."""
    if not groups:
        return text
    out, at, number = [], 0, 0
    while at < len(text):
        size = groups[min(number, len(groups) - 1)]
        out.append(text[at : at + size])
        at, number = at + size, number + 1
    return sep.join(out)


def no_luhn(size: int, start: str = "") -> Gen:
    """Generator of digits that fail the Luhn test."""

    def make(rng: Random) -> str:
        body = start + "".join(rng.choice(string.digits) for _ in range(size - len(start) - 1))
        right = luhn.calc_check_digit(body)
        return body + rng.choice([d for d in string.digits if d != right])

    return make


_BBAN = {
    "DE": "18d",
    "AT": "16d",
    "CH": "17d",
    "GB": "4a14d",
    "FR": "10d11d2d",
    "ES": "20d",
    "IT": "1a22d",
    "NL": "4a10d",
    "BE": "12d",
    "PL": "24d",
    "PT": "21d",
    "SE": "20d",
    "NO": "11d",
    "DK": "14d",
    "FI": "14d",
    "IE": "4a14d",
    "TR": "5d1z16d",
    "LU": "3d13d",
    "CZ": "20d",
    "HU": "24d",
    "GR": "7d16d",
    "AE": "19d",
    "RO": "4a16d",
    "SA": "20d",
    "BR": "23d1a1d",
    "LT": "16d",
    "MT": "4a23d",
    "CY": "24d",
}


def iban_of(country: str) -> Gen:
    """Generator of an IBAN with a right mod-97 check, without blanks."""

    def make(rng: Random) -> str:
        bban, number = "", ""
        for char in _BBAN[country]:
            if char.isdigit():
                number += char
                continue
            pool = {"d": string.digits, "a": "ABCDEFGHIKLMNPRSTVWX", "z": "0"}[char]
            bban += "".join(rng.choice(pool) for _ in range(int(number)))
            number = ""
        value = int("".join(str(int(c, 36)) for c in bban + country + "00"))
        return f"{country}{98 - value % 97:02}{bban}"

    return make


def spaced(gen: Gen, sep: str = " ", size: int = 4) -> Gen:
    """A generator's value in groups."""
    return lambda rng: grouped(gen(rng), (size,), sep)


def ssn(sep: str) -> Gen:
    """Generator of a US social security number of a valid range."""

    def make(rng: Random) -> str:
        area = rng.choice([n for n in range(1, 899) if n != 666])
        return sep.join((f"{area:03}", f"{rng.randrange(1, 99):02}", f"{rng.randrange(100, 9999):04}"))

    return make


_VISA = ("4024", "4485", "4532", "4716", "4917", "4539")
_MC = ("51", "52", "53", "54", "55", "2223", "2358", "2512", "2699")
_AMEX = ("34", "37")
_G4 = (4, 4, 4, 4)

IDS: dict[str, Gen] = {
    "visa": card(_VISA, 16),
    "visa_s": card(_VISA, 16, _G4, " "),
    "visa_d": card(_VISA, 16, _G4, "-"),
    "visa_dot": card(_VISA, 16, _G4, "."),
    "visa_nb": card(_VISA, 16, _G4, "\u00a0"),
    "visa_2": card(_VISA, 16, _G4, "  "),
    "mc": card(_MC, 16),
    "mc_s": card(_MC, 16, _G4, " "),
    "mc_d": card(_MC, 16, _G4, "-"),
    "amex": card(_AMEX, 15),
    "amex_s": card(_AMEX, 15, (4, 6, 5), " "),
    "amex_d": card(_AMEX, 15, (4, 6, 5), "-"),
    "disc": card(("6011", "65"), 16),
    "disc_s": card(("6011", "65"), 16, _G4, " "),
    "jcb": card(("3528", "3566", "3589"), 16),
    "jcb_d": card(("3530", "3571"), 16, _G4, "-"),
    "diners_s": card(("36", "38"), 14, (4, 6, 4), " "),
    "diners": card(("36", "300"), 14),
    "upay": card(("6222", "6258", "6214"), 16),
    "upay19": card(("6222", "6228"), 19, (4,), " "),
    "maestro_s": card(("6304", "6759", "5020"), 16, _G4, " "),
    "mir_s": card(("2200", "2202", "2204"), 16, _G4, " "),
    "troy_s": card(("9792",), 16, _G4, " "),
    "rupay": card(("6521", "6082"), 16),
    "elo_s": card(("6362", "4576"), 16, _G4, " "),
    "dankort_s": card(("5019",), 16, _G4, " "),
    "noluhn16": no_luhn(16),
    "noluhn16v": no_luhn(16, "4"),
    "noluhn15": no_luhn(15, "3"),
    "noluhn19": no_luhn(19, "6"),
    "ssn": ssn("-"),
    "ssn_s": ssn(" "),
    "ssn_n": ssn(""),
    "ssn_dot": ssn("."),
    **{f"iban_{country.lower()}": iban_of(country) for country in _BBAN},
    **{f"iban_{country.lower()}_s": spaced(iban_of(country)) for country in _BBAN},
    "iban_de_nb": spaced(iban_of("DE"), "\u00a0"),
    "iban_fr_d": spaced(iban_of("FR"), "-"),
    "iban_nl_low": lambda r: iban_of("NL")(r).lower(),
    "iban_es_d": spaced(iban_of("ES"), "-"),
    "iban_gb_dot": spaced(iban_of("GB"), "."),
}
