"""Personal numbers of many countries of Europe with valid check digits: the generators."""

import string
from random import Random

from tests.masking.operations.numbers_of_persons import digits


def a_day(rng: Random) -> tuple[int, int, int]:
    return rng.randrange(1950, 2000), rng.randrange(1, 13), rng.randrange(1, 29)


def weighted(body: str, weights: tuple[int, ...]) -> int:
    return sum(int(c) * w for c, w in zip(body, weights, strict=True))


def until(rng: Random, size: int, weights: tuple[int, ...], check: dict[int, str], start: str = "") -> str:
    """A body whose weighted sum has a check character in the table, followed by it (mod 11 unless shown)."""
    while True:
        body = start + digits(rng, size - len(start))
        mark = check.get(weighted(body, weights) % 11)
        if mark is not None:
            return body + mark


def nino(rng: Random) -> str:
    """UK National Insurance number."""
    first, second = rng.choice("ABCEGHJKLMPRSTWXY"), rng.choice("ABCEGHJKLMPRSTWXYZ")
    if first + second in ("BG", "GB", "KN", "NK", "NT", "TN", "ZZ"):
        return nino(rng)
    return first + second + digits(rng, 6) + rng.choice("ABCD")


def dni(rng: Random) -> str:
    """Spanish DNI."""
    number = digits(rng, 8)
    return number + "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23]


def nie(rng: Random) -> str:
    """Spanish NIE."""
    lead = rng.randrange(3)
    number = digits(rng, 7)
    return "XYZ"[lead] + number + "TRWAGMYFPDXBNJZSQVHLCKE"[int(f"{lead}{number}") % 23]


def nir(rng: Random) -> str:
    """French NIR with its key."""
    year, month, _ = a_day(rng)
    place = f"{rng.randrange(1, 96):02}{rng.randrange(1, 900):03}{rng.randrange(1, 999):03}"
    body = f"{rng.choice('12')}{year % 100:02}{month:02}{place}"
    return body + f"{97 - int(body) % 97:02}"


def codice_fiscale(rng: Random) -> str:
    """Italian codice fiscale."""
    year, month, day = a_day(rng)
    letters = "".join(rng.choice("BCDFGLMNPRSTV") for _ in range(6))
    born = f"{year % 100:02}{'ABCDEHLMPRST'[month - 1]}{day + rng.choice((0, 40)):02}"
    body = f"{letters}{born}{rng.choice('ADFGHL')}{rng.randrange(100, 999)}"
    odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
    total = 0
    for place, char in enumerate(body):
        value = int(char) if char.isdigit() else ord(char) - 65
        total += odd[value] if place % 2 == 0 else value
    return body + chr(65 + total % 26)


def pesel(rng: Random) -> str:
    """Polish PESEL."""
    year, month, day = a_day(rng)
    body = f"{year % 100:02}{month:02}{day:02}{rng.randrange(1000, 9999)}"
    return body + str(-weighted(body, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10)


def cpf(rng: Random) -> str:
    """Brazilian CPF."""
    body = digits(rng, 9)
    for _ in range(2):
        rest = weighted(body, tuple(range(len(body) + 1, 1, -1))) * 10 % 11
        body += str(rest % 10)
    return body


def tckn(rng: Random) -> str:
    """Turkish identity number."""
    body = digits(rng, 9)
    odd, even = sum(int(c) for c in body[0::2]), sum(int(c) for c in body[1::2])
    body += str((odd * 7 - even) % 10)
    return body + str(sum(int(c) for c in body) % 10)


def china(rng: Random) -> str:
    """Chinese resident identity number."""
    year, month, day = a_day(rng)
    place = rng.choice(("110105", "310104", "440106", "320583", "510107"))
    body = f"{place}{year}{month:02}{day:02}{rng.randrange(10, 999):03}"
    rest = weighted(body, (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)) % 11
    return body + "10X98765432"[rest]


def korea(rng: Random) -> str:
    """Korean resident registration number."""
    year, month, day = a_day(rng)
    body = f"{year % 100:02}{month:02}{day:02}{rng.choice('12')}{rng.randrange(10000, 99999)}"
    check = (11 - weighted(body, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10
    return f"{body[:6]}-{body[6:]}{check}"


def ahv(rng: Random) -> str:
    """Swiss AHV number."""
    body = "756" + digits(rng, 9)
    check = -sum(int(c) * (3 if at % 2 else 1) for at, c in enumerate(body)) % 10
    return f"756.{body[3:7]}.{body[7:11]}.{body[11]}{check}"


def german_tax(rng: Random) -> str:
    """German tax identification number."""
    pool = list(string.digits)
    rng.shuffle(pool)
    pool[9] = pool[rng.randrange(0, 8)]
    if pool[0] == "0":
        return german_tax(rng)
    product = 10
    for char in pool:
        total = (int(char) + product) % 10 or 10
        product = total * 2 % 11
    return "".join(pool) + str((11 - product) % 10)


def german_pension(rng: Random) -> str:
    """German pension insurance number."""
    year, month, day = a_day(rng)
    letter = rng.choice("ABDFGHKLMSW")
    area = rng.choice(("12", "65", "53", "13"))
    body = f"{area}{day:02}{month:02}{year % 100:02}{ord(letter) - 64:02}{rng.randrange(0, 99):02}"
    total = sum(sum(divmod(int(c) * w, 10)) for c, w in zip(body, (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1), strict=True))
    return f"{body[:2]} {body[2:8]} {letter} {body[10:]}{total % 10}"
