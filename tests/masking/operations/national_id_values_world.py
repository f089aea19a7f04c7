"""Personal numbers of further countries with valid check digits: the generators."""

import string
from random import Random

from stdnum import luhn, verhoeff

from tests.masking.operations.national_id_values_europe import a_day, weighted
from tests.masking.operations.numbers_of_persons import digits


def aadhaar(rng: Random) -> str:
    """Indian Aadhaar number (Verhoeff)."""
    body = rng.choice("23456789") + digits(rng, 10)
    return f"{body[:4]} {body[4:8]} {body[8:]}{verhoeff.calc_check_digit(body)}"


def my_number(rng: Random) -> str:
    """Japanese My Number."""
    body = digits(rng, 11)
    rest = weighted(body, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return body + ("0" if rest <= 1 else str(11 - rest))


def sin(rng: Random) -> str:
    """Canadian SIN."""
    body = rng.choice("1245679") + digits(rng, 7)
    return body + luhn.calc_check_digit(body)


def sweden(rng: Random) -> str:
    """Swedish personnummer."""
    year, month, day = a_day(rng)
    body = f"{year % 100:02}{month:02}{day:02}{rng.randrange(100, 999)}"
    return f"{year // 100}{body[:6]}-{body[6:]}{luhn.calc_check_digit(body)}"


def finland(rng: Random) -> str:
    """Finnish henkilotunnus."""
    year, month, day = a_day(rng)
    head, tail = f"{day:02}{month:02}{year % 100:02}", f"{rng.randrange(2, 899):03}"
    return f"{head}-{tail}{'0123456789ABCDEFHJKLMNPRSTUVWXY'[int(head + tail) % 31]}"


def norway(rng: Random) -> str:
    """Norwegian fodselsnummer."""
    year, month, day = a_day(rng)
    body = f"{day:02}{month:02}{year % 100:02}{rng.randrange(100, 499)}"
    one = (11 - weighted(body, (3, 7, 6, 1, 8, 9, 4, 5, 2)) % 11) % 11
    two = (11 - weighted(body + str(one % 10), (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11) % 11
    return norway(rng) if 10 in (one, two) else f"{body}{one}{two}"


def belgium(rng: Random) -> str:
    """Belgian national number."""
    year, month, day = a_day(rng)
    body = f"{year % 100:02}{month:02}{day:02}{rng.randrange(1, 997):03}"
    return f"{body[:2]}.{body[2:4]}.{body[4:6]}-{body[6:]}.{97 - int(body) % 97:02}"


def snils(rng: Random) -> str:
    """Russian SNILS."""
    body = digits(rng, 9)
    rest = weighted(body, (9, 8, 7, 6, 5, 4, 3, 2, 1)) % 101 % 100
    return f"{body[:3]}-{body[3:6]}-{body[6:]} {rest:02}"


def inn12(rng: Random) -> str:
    """Russian INN of a person."""
    body = digits(rng, 10)
    one = weighted(body, (7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10
    two = weighted(body + str(one), (3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10
    return f"{body}{one}{two}"


def rodne(rng: Random) -> str:
    """Czech rodne cislo."""
    year, month, day = a_day(rng)
    head = f"{year % 100:02}{month + rng.choice((0, 50)):02}{day:02}"
    for tail in range(rng.randrange(1000, 5000), 9999):
        if int(f"{head}{tail}") % 11 == 0:
            return f"{head}/{tail}"
    raise ValueError("no number divisible by 11")


def nric(rng: Random) -> str:
    """Singapore NRIC."""
    body = digits(rng, 7)
    return f"S{body}{'JZIHGFEDCBA'[weighted(body, (2, 7, 6, 5, 4, 3, 2)) % 11]}"


def za_id(rng: Random) -> str:
    """South African ID number."""
    year, month, day = a_day(rng)
    body = f"{year % 100:02}{month:02}{day:02}{rng.randrange(1000, 9999)}08"
    return body + luhn.calc_check_digit(body)


def cnp(rng: Random) -> str:
    """Romanian CNP."""
    year, month, day = a_day(rng)
    body = f"{rng.choice('12')}{year % 100:02}{month:02}{day:02}{rng.randrange(1, 46):02}{rng.randrange(1, 999):03}"
    rest = weighted(body, (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)) % 11
    return body + ("1" if rest == 10 else str(rest))


def pps(rng: Random) -> str:
    """Irish PPS number."""
    body = digits(rng, 7)
    return body + "WABCDEFGHIJKLMNOPQRSTUV"[weighted(body, (8, 7, 6, 5, 4, 3, 2)) % 23]


def danish_cpr(rng: Random) -> str:
    """Danish CPR number."""
    year, month, day = a_day(rng)
    return f"{day:02}{month:02}{year % 100:02}-{rng.randrange(1000, 3999)}"


def pan_india(rng: Random) -> str:
    """Indian PAN of a person."""
    letters = "".join(rng.choice(string.ascii_uppercase) for _ in range(3))
    return (
        f"{letters}P{rng.choice(string.ascii_uppercase)}{rng.randrange(1000, 9999)}{rng.choice(string.ascii_uppercase)}"
    )
