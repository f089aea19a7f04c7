"""Check digits of national numbers. Each test takes the bare digits or letters.

python-stdnum knows most of them. Here is what it lacks (SNILS, Taiwan's numbers, Sweden's coordination numbers) and what
it judges by more than the number itself: by today's date (Belgium, Denmark, Norway, Sweden), by a table of regions that
ages (China), by a check digit that new numbers no longer have (South Korea).
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType

from stdnum import luhn


def standard(name: str) -> Callable[[str], bool]:
    """The test of python-stdnum's module of that name, such as `es.nif`. The module is loaded with the first number:
    that takes some milliseconds, and most countries' numbers occur in no text of a company."""
    return lambda text: bool(_module(name).is_valid(text))


@cache
def _module(name: str) -> ModuleType:
    return import_module(f"stdnum.{name}")


def _sum(digits: str, weights: Sequence[int]) -> int:
    return sum(int(char) * weight for char, weight in zip(digits, weights, strict=False))


def resident_id(text: str) -> bool:
    """China: ISO 7064 MOD 11-2, with a date of birth inside."""
    rest = _sum(text, (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)) % 11
    return text[6:8] in {"19", "20"} and "10X98765432"[rest] == text[17].upper()


def rrn(digits: str) -> bool:
    """South Korea; numbers given since October 2020 have no check digit, only a date."""
    month, day = int(digits[2:4]), int(digits[4:6])
    return 1 <= month <= 12 and 1 <= day <= 31 and digits[6] in "12345678"


def personnummer(digits: str) -> bool:
    """Sweden: Luhn over the last ten digits, with a date."""
    short = digits[-10:]
    return 1 <= int(short[2:4]) <= 12 and 1 <= int(short[4:6]) % 60 <= 31 and luhn.is_valid(short)


def cpr(digits: str) -> bool:
    """Denmark: a date; check digits were given up in 2007."""
    return 1 <= int(digits[:2]) <= 31 and 1 <= int(digits[2:4]) <= 12


def fodselsnummer(digits: str) -> bool:
    """Norway: two digits modulo 11."""
    first = (11 - _sum(digits, (3, 7, 6, 1, 8, 9, 4, 5, 2)) % 11) % 11
    second = (11 - _sum(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11) % 11
    return (first, second) == (int(digits[9]), int(digits[10]))


def rijksregister(digits: str) -> bool:
    """Belgium: 97 less the number modulo 97; with a 2 before it for those born since 2000."""
    check = int(digits[9:])
    return 97 - int(digits[:9]) % 97 == check or 97 - int("2" + digits[:9]) % 97 == check


def snils(digits: str) -> bool:
    """Russia, pension insurance: modulo 101."""
    return _sum(digits[:9], range(9, 0, -1)) % 101 % 100 == int(digits[9:])


def taiwan(text: str) -> bool:
    """Taiwan: the letter as two digits, modulo 10."""
    number = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(text[0]) + 10
    total = number // 10 + number % 10 * 9 + _sum(text[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1))
    return total % 10 == 0
