"""National identifiers with valid check digits (first half)."""

import random
import string

from stdnum import luhn

from tests.masking.leaks.plain_values import pick
from tests.masking.leaks.template import generator


def weighted(digits: str, weights: tuple[int, ...]) -> int:
    """The weighted sum of digits."""
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def born(rng: random.Random) -> tuple[int, int, int]:
    """A date of birth."""
    return rng.randint(1955, 1999), rng.randint(1, 12), rng.randint(1, 28)


def groups(digits: str, *sizes: int, glue: str = " ") -> str:
    """Digits in groups."""
    made, at = [], 0
    for size in sizes:
        made.append(digits[at : at + size])
        at += size
    return glue.join(made)


@generator("nino")
def uk_nino(rng: random.Random, arg: str, language: str) -> str:
    """UK national insurance number."""
    first, second = rng.choice("ABCEHJKLMPRSTWX"), rng.choice("ABCEHJKLMPRSTWX")
    if first + second == "BG":
        second = "A"
    digits, last = pick(rng, "d", 6), rng.choice("ABCD")
    spaced = f"{first}{second} {groups(digits, 2, 2, 2)} {last}"
    return spaced if arg == "space" else spaced.replace(" ", "")


@generator("nhs")
def uk_nhs(rng: random.Random, arg: str, language: str) -> str:
    """NHS number."""
    while True:
        body = rng.choice("4567") + pick(rng, "d", 8)
        check = 11 - weighted(body, (10, 9, 8, 7, 6, 5, 4, 3, 2)) % 11
        if check != 10:
            return groups(body + str(check % 11), 3, 3, 4)


@generator("dni")
def es_dni(rng: random.Random, arg: str, language: str) -> str:
    """Spanish DNI."""
    number = rng.randint(11000000, 79999999)
    letter = "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23]
    dotted = f"{number:,}-{letter}".replace(",", ".")
    return {"": f"{number}{letter}", "dash": f"{number}-{letter}", "dots": dotted}[arg]


@generator("nie")
def es_nie(rng: random.Random, arg: str, language: str) -> str:
    """Spanish NIE."""
    head, number = rng.choice("XYZ"), rng.randint(1000000, 9999999)
    letter = "TRWAGMYFPDXBNJZSQVHLCKE"[int(f"{'XYZ'.index(head)}{number}") % 23]
    return f"{head}-{number}-{letter}" if arg == "dash" else f"{head}{number}{letter}"


@generator("nir")
def fr_nir(rng: random.Random, arg: str, language: str) -> str:
    """French social security number."""
    year, month, _ = born(rng)
    body = f"{rng.randint(1, 2)}{year % 100:02d}{month:02d}{rng.choice((13, 31, 33, 59, 69, 75))}"
    body += f"{rng.randint(1, 499):03d}{rng.randint(1, 499):03d}"
    full = f"{body}{97 - int(body) % 97:02d}"
    return full if arg == "none" else groups(full, 1, 2, 2, 2, 3, 3, 2)


@generator("cf")
def it_codice(rng: random.Random, arg: str, language: str) -> str:
    """Italian codice fiscale."""
    year, month, day = born(rng)
    made = pick(rng, "U", 6).translate(str.maketrans("AEIOU", "BCDFG"))
    made += f"{year % 100:02d}{'ABCDEHLMPRST'[month - 1]}{day + rng.choice((0, 40)):02d}"
    made += rng.choice(("H501", "F205", "L219", "D612", "F839", "A944"))
    odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
    total = 0
    for index, char in enumerate(made):
        value = int(char) if char.isdigit() else string.ascii_uppercase.index(char)
        total += odd[value] if index % 2 == 0 else value
    full = made + string.ascii_uppercase[total % 26]
    return full.lower() if arg == "lower" else full


@generator("pesel")
def pl_pesel(rng: random.Random, arg: str, language: str) -> str:
    """Polish PESEL."""
    year, month, day = born(rng)
    body = f"{year % 100:02d}{month:02d}{day:02d}{pick(rng, 'd', 4)}"
    return body + str(-weighted(body, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10)


@generator("bsn")
def nl_bsn(rng: random.Random, arg: str, language: str) -> str:
    """Dutch BSN."""
    while True:
        body = rng.choice("12") + pick(rng, "d", 7)
        check = weighted(body, (9, 8, 7, 6, 5, 4, 3, 2)) % 11
        if check < 10:
            full = f"{body}{check}"
            return groups(full, 4, 2, 3, glue=".") if arg == "dots" else full


@generator("cpf")
def br_cpf(rng: random.Random, arg: str, language: str) -> str:
    """Brazilian CPF."""
    digits = pick(rng, "d", 9)
    for size in (9, 10):
        rest = weighted(digits, tuple(range(size + 1, 1, -1))) * 10 % 11
        digits += str(rest % 10)
    return digits if arg == "none" else f"{digits[:3]}.{digits[3:6]}.{digits[6:9]}-{digits[9:]}"


@generator("tckn")
def tr_tc(rng: random.Random, arg: str, language: str) -> str:
    """Turkish identity number."""
    body = rng.choice("123456789") + pick(rng, "d", 8)
    numbers = [int(char) for char in body]
    numbers.append((sum(numbers[0:9:2]) * 7 - sum(numbers[1:8:2])) % 10)
    numbers.append(sum(numbers) % 10)
    return "".join(map(str, numbers))


@generator("cnid")
def cn_resident(rng: random.Random, arg: str, language: str) -> str:
    """Chinese resident identity number."""
    year, month, day = born(rng)
    body = rng.choice(("110105", "310104", "440305", "330106", "510107"))
    body += f"{year}{month:02d}{day:02d}{rng.randint(1, 989):03d}"
    rest = weighted(body, (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)) % 11
    return body + "10X98765432"[rest]


@generator("rrn")
def kr_rrn(rng: random.Random, arg: str, language: str) -> str:
    """Korean resident registration number."""
    year, month, day = born(rng)
    body = f"{year % 100:02d}{month:02d}{day:02d}{rng.choice('12')}{pick(rng, 'd', 5)}"
    check = (11 - weighted(body, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10
    return f"{body[:6]}-{body[6:]}{check}"


@generator("ahv")
def ch_ahv(rng: random.Random, arg: str, language: str) -> str:
    """Swiss AHV number."""
    body = "756" + pick(rng, "d", 9)
    check = -weighted(body, (1, 3) * 6) % 10
    return groups(f"{body}{check}", 3, 4, 4, 2, glue=".")


@generator("steuerid")
def de_tax(rng: random.Random, arg: str, language: str) -> str:
    """German tax identification number: one digit of the first ten occurs twice."""
    digits = rng.sample("123456789", 9)
    digits.insert(rng.randint(3, 9), digits[0])
    product = 10
    for char in digits:
        total = (int(char) + product) % 10 or 10
        product = total * 2 % 11
    full = "".join(digits) + str((11 - product) % 10)
    return full if arg == "none" else groups(full, 2, 3, 3, 3)


@generator("svnr_de")
def de_pension(rng: random.Random, arg: str, language: str) -> str:
    """German pension insurance number."""
    year, month, day = born(rng)
    area, letter, serial = rng.choice(("12", "15", "53", "65")), rng.choice("BKMSVW"), f"{rng.randint(1, 99):02d}"
    body = f"{area}{day:02d}{month:02d}{year % 100:02d}{ord(letter) - 64:02d}{serial}"
    total = 0
    for char, weight in zip(body, (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1), strict=True):
        total += sum(map(int, str(int(char) * weight)))
    return f"{area} {day:02d}{month:02d}{year % 100:02d} {letter} {serial}{total % 10}"


@generator("sin")
def ca_sin(rng: random.Random, arg: str, language: str) -> str:
    """Canadian SIN."""
    body = rng.choice("1234567") + pick(rng, "d", 7)
    return groups(body + luhn.calc_check_digit(body), 3, 3, 3, glue="-" if arg == "dash" else " ")
