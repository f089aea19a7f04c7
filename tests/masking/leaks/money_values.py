"""Payment cards, IBANs and US social security numbers."""

import random

from stdnum import luhn

from tests.masking.leaks.plain_values import expand, pick
from tests.masking.leaks.template import generator

BRANDS: dict[str, tuple[tuple[str, ...], int]] = {
    "visa": (("4024", "4556", "4916", "4532", "4485", "4716", "4929"), 16),
    "mastercard": (("5105", "5214", "5342", "5425", "5519", "2221", "2301", "2720"), 16),
    "amex": (("3400", "3434", "3712", "3782", "3791"), 15),
    "discover": (("6011", "6440", "6504"), 16),
    "diners": (("3005", "3619", "3852"), 14),
    "jcb": (("3528", "3541", "3589"), 16),
    "maestro": (("5018", "5020", "6304", "6759"), 16),
    "unionpay": (("6214", "6222", "6259"), 16),
}
IBANS = {
    "DE": "{d18}",
    "AT": "{d16}",
    "CH": "{d17}",
    "FR": "{d10}{u11}{d2}",
    "ES": "{d20}",
    "PT": "{d21}",
    "IT": "{U1}{d10}{u12}",
    "NL": "{U4}{d10}",
    "BE": "{d12}",
    "LU": "{d3}{u13}",
    "GB": "{U4}{d14}",
    "IE": "{U4}{d14}",
    "PL": "{d24}",
    "CZ": "{d20}",
    "SE": "{d20}",
    "DK": "{d14}",
    "NO": "{d11}",
    "FI": "{d14}",
    "TR": "{d5}0{d16}",
    "GR": "{d7}{d16}",
    "MT": "{U4}{d5}{u18}",
    "RO": "{U4}{u16}",
    "HU": "{d24}",
    "BR": "{d23}{U1}{d1}",
    "SA": "{d2}{d18}",
    "AE": "{d3}{d16}",
    "HR": "{d17}",
    "SK": "{d20}",
    "BG": "{U4}{d6}{d8}",
    "UA": "{d6}{d19}",
    "IL": "{d19}",
    "KZ": "{d3}{u13}",
    "EE": "{d16}",
    "LT": "{d16}",
    "CY": "{d8}{d16}",
}
BANKS = {
    "NL": ("INGB", "RABO", "ABNA", "TRIO", "KNAB"),
    "GB": ("NWBK", "BARC", "LOYD", "MIDL"),
    "IE": ("AIBK", "BOFI"),
    "MT": ("VALL", "MMEB"),
    "RO": ("BTRL", "RNCB"),
    "BG": ("UNCR", "STSA"),
}


@generator("card")
def card(rng: random.Random, arg: str, language: str) -> str:
    """A card number: argument ``brand`` or ``brand,separator`` (space, dash, none, dot)."""
    brand, _, sep = arg.partition(",")
    heads, length = BRANDS[brand or rng.choice(("visa", "mastercard"))]
    body = rng.choice(heads)
    body += pick(rng, "d", length - 1 - len(body))
    digits = body + luhn.calc_check_digit(body)
    glue = {"": " ", "space": " ", "dash": "-", "none": "", "dot": ".", "nbsp": "\u00a0", "two": "  "}[sep]
    if length == 16:
        groups = [digits[at : at + 4] for at in range(0, 16, 4)]
    elif length == 15:
        groups = [digits[:4], digits[4:10], digits[10:]]
    else:
        groups = [digits[:4], digits[4:10], digits[10:]]
    return glue.join(groups)


@generator("cardbad")
def card_bad(rng: random.Random, arg: str, language: str) -> str:
    """Sixteen digits that fail Luhn."""
    body = rng.choice(("7", "9", "8")) + pick(rng, "d", 14)
    digit = str((int(luhn.calc_check_digit(body)) + rng.randint(1, 9)) % 10)
    return body + digit


@generator("iban")
def iban(rng: random.Random, arg: str, language: str) -> str:
    """A valid IBAN: argument ``CC`` or ``CC,style`` (space, none, dash, lower)."""
    country, _, style = arg.partition(",")
    bban = expand(rng, IBANS[country])
    if country in BANKS:
        bban = rng.choice(BANKS[country]) + bban[4:]
    digits = "".join(str(int(char, 36)) for char in bban + country + "00")
    plain = f"{country}{98 - int(digits) % 97:02d}{bban}"
    if style == "none":
        return plain
    if style == "lower":
        return plain.lower()
    glue = "-" if style == "dash" else "\u00a0" if style == "nbsp" else " "
    return glue.join(plain[at : at + 4] for at in range(0, len(plain), 4))


@generator("ibanbad")
def iban_bad(rng: random.Random, arg: str, language: str) -> str:
    """A part number that starts like an IBAN but has neither its length nor its check."""
    return f"{rng.choice(('DE', 'FR', 'NL'))}{rng.randint(10, 99)}-{pick(rng, 'd', 4)}-{pick(rng, 'U', 2)}"


@generator("ssn")
def ssn(rng: random.Random, arg: str, language: str) -> str:
    """A US social security number with valid ranges; argument is the separator."""
    area = rng.choice([number for number in range(101, 772) if number not in (666, 219, 457, 987, 123)])
    glue = {"": "-", "dash": "-", "space": " ", "none": "", "dot": "."}[arg]
    return f"{area:03d}{glue}{rng.randint(11, 98):02d}{glue}{rng.randint(1002, 9986):04d}"
