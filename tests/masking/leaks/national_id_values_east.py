"""National identifiers with valid check digits (second half)."""

import random

from stdnum import luhn, verhoeff

from tests.masking.leaks.national_id_values_west import born, groups, weighted
from tests.masking.leaks.plain_values import pick
from tests.masking.leaks.template import generator


@generator("aadhaar")
def in_aadhaar(rng: random.Random, arg: str, language: str) -> str:
    """Indian Aadhaar (Verhoeff)."""
    body = rng.choice("23456789") + pick(rng, "d", 10)
    return groups(body + verhoeff.calc_check_digit(body), 4, 4, 4, glue=" " if arg != "none" else "")


@generator("pan")
def in_pan(rng: random.Random, arg: str, language: str) -> str:
    """Indian PAN of a person."""
    return f"{pick(rng, 'U', 3)}P{pick(rng, 'U', 1)}{pick(rng, 'd', 4)}{pick(rng, 'U', 1)}"


@generator("mynumber")
def jp_my_number(rng: random.Random, arg: str, language: str) -> str:
    """Japanese My Number."""
    body = rng.choice("123456789") + pick(rng, "d", 10)
    rest = weighted(body[::-1], (2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6)) % 11
    full = body + str(0 if rest <= 1 else 11 - rest)
    return full if arg == "none" else groups(full, 4, 4, 4)


@generator("personnummer")
def se_person(rng: random.Random, arg: str, language: str) -> str:
    """Swedish personnummer."""
    year, month, day = born(rng)
    body = f"{year % 100:02d}{month:02d}{day:02d}{pick(rng, 'd', 3)}"
    long = f"{year // 100}{body[:6]}-{body[6:]}{luhn.calc_check_digit(body)}"
    return long if arg == "long" else long[2:]


@generator("fnr")
def no_fnr(rng: random.Random, arg: str, language: str) -> str:
    """Norwegian national number."""
    while True:
        year, month, day = born(rng)
        body = f"{day:02d}{month:02d}{year % 100:02d}{rng.randint(100, 499)}"
        one = -weighted(body, (3, 7, 6, 1, 8, 9, 4, 5, 2)) % 11
        if one == 10:
            continue
        two = -weighted(f"{body}{one}", (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
        if two != 10:
            return groups(f"{body}{one}{two}", 6, 5)


@generator("cpr")
def dk_cpr(rng: random.Random, arg: str, language: str) -> str:
    """Danish CPR number."""
    while True:
        year, month, day = born(rng)
        body = f"{day:02d}{month:02d}{year % 100:02d}{rng.choice('0123')}{pick(rng, 'd', 2)}"
        check = -weighted(body, (4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
        if check != 10:
            return f"{body[:6]}-{body[6:]}{check}"


@generator("hetu")
def fi_hetu(rng: random.Random, arg: str, language: str) -> str:
    """Finnish personal identity code."""
    year, month, day = born(rng)
    head, serial = f"{day:02d}{month:02d}{year % 100:02d}", f"{rng.randint(2, 899):03d}"
    return f"{head}-{serial}{'0123456789ABCDEFHJKLMNPRSTUVWXY'[int(head + serial) % 31]}"


@generator("nrn_be")
def be_register(rng: random.Random, arg: str, language: str) -> str:
    """Belgian national register number."""
    year, month, day = born(rng)
    body = f"{year % 100:02d}{month:02d}{day:02d}{rng.randint(1, 997):03d}"
    check = f"{97 - int(body) % 97:02d}"
    return f"{body[:2]}.{body[2:4]}.{body[4:6]}-{body[6:]}.{check}"


@generator("nif_pt")
def pt_nif(rng: random.Random, arg: str, language: str) -> str:
    """Portuguese tax number of a person."""
    body = rng.choice("12") + pick(rng, "d", 7)
    check = 11 - weighted(body, (9, 8, 7, 6, 5, 4, 3, 2)) % 11
    full = body + str(0 if check > 9 else check)
    return groups(full, 3, 3, 3) if arg == "space" else full


@generator("svnr_at")
def at_social(rng: random.Random, arg: str, language: str) -> str:
    """Austrian social insurance number."""
    while True:
        year, month, day = born(rng)
        serial, birth = str(rng.randint(100, 999)), f"{day:02d}{month:02d}{year % 100:02d}"
        check = weighted(serial + birth, (3, 7, 9, 5, 8, 4, 2, 1, 6)) % 11
        if check != 10:
            return f"{serial}{check} {birth}"


@generator("rodne")
def cz_birth(rng: random.Random, arg: str, language: str) -> str:
    """Czech birth number."""
    while True:
        year, month, day = born(rng)
        body = f"{year % 100:02d}{month + rng.choice((0, 50)):02d}{day:02d}{pick(rng, 'd', 3)}"
        if int(body) % 11 != 10:
            return f"{body[:6]}/{body[6:]}{int(body) % 11}"


@generator("cnp")
def ro_cnp(rng: random.Random, arg: str, language: str) -> str:
    """Romanian CNP."""
    year, month, day = born(rng)
    body = f"{rng.randint(1, 2)}{year % 100:02d}{month:02d}{day:02d}{rng.choice(('12', '40', '41'))}{pick(rng, 'd', 3)}"
    rest = weighted(body, (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)) % 11
    return body + str(1 if rest == 10 else rest)


@generator("egn")
def bg_egn(rng: random.Random, arg: str, language: str) -> str:
    """Bulgarian EGN."""
    year, month, day = born(rng)
    body = f"{year % 100:02d}{month:02d}{day:02d}{pick(rng, 'd', 3)}"
    return body + str(weighted(body, (2, 4, 8, 5, 10, 9, 7, 3, 6)) % 11 % 10)


@generator("snils")
def ru_snils(rng: random.Random, arg: str, language: str) -> str:
    """Russian SNILS."""
    body = rng.choice("123456789") + pick(rng, "d", 8)
    rest = weighted(body, (9, 8, 7, 6, 5, 4, 3, 2, 1)) % 101 % 100
    return f"{groups(body, 3, 3, 3, glue='-')} {rest:02d}"


@generator("inn")
def ru_inn(rng: random.Random, arg: str, language: str) -> str:
    """Russian INN of a person."""
    body = rng.choice(("77", "78", "50", "16")) + pick(rng, "d", 8)
    body += str(weighted(body, (7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10)
    return body + str(weighted(body, (3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10)


@generator("rut")
def cl_rut(rng: random.Random, arg: str, language: str) -> str:
    """Chilean RUT."""
    number = rng.randint(9000000, 23000000)
    rest = 11 - weighted(str(number)[::-1], (2, 3, 4, 5, 6, 7, 2, 3)) % 11
    return f"{number:,}".replace(",", ".") + "-" + {10: "K", 11: "0"}.get(rest, str(rest))


@generator("cuil")
def ar_cuil(rng: random.Random, arg: str, language: str) -> str:
    """Argentine CUIL."""
    while True:
        body = rng.choice(("20", "27")) + str(rng.randint(14000000, 43000000))
        check = (11 - weighted(body, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11) % 11
        if check != 10:
            return f"{body[:2]}-{body[2:]}-{check}"


@generator("curp")
def mx_curp(rng: random.Random, arg: str, language: str) -> str:
    """Mexican CURP."""
    year, month, day = born(rng)
    body = f"{rng.choice('GHLMR')}{rng.choice('AEIOU')}{rng.choice('BCDFG')}{rng.choice('JKLM')}{year % 100:02d}"
    body += f"{month:02d}{day:02d}{rng.choice('HM')}{rng.choice(('DF', 'JC', 'NL', 'PL'))}"
    body += "".join(rng.choice("BCDFGLMNRS") for _ in range(3)) + rng.choice("0123456789")
    alphabet = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"
    total = sum(alphabet.index(char) * (18 - index) for index, char in enumerate(body))
    return body + str(-total % 10)


@generator("zaid")
def za_id(rng: random.Random, arg: str, language: str) -> str:
    """South African identity number."""
    year, month, day = born(rng)
    body = f"{year % 100:02d}{month:02d}{day:02d}{pick(rng, 'd', 4)}08"
    return body + luhn.calc_check_digit(body)


@generator("nric")
def sg_nric(rng: random.Random, arg: str, language: str) -> str:
    """Singapore NRIC."""
    body = f"{rng.randint(6900000, 9999999)}"
    return f"S{body}{'JZIHGFEDCBA'[weighted(body, (2, 7, 6, 5, 4, 3, 2)) % 11]}"


@generator("twid")
def tw_id(rng: random.Random, arg: str, language: str) -> str:
    """Taiwanese identity number."""
    letter = rng.choice("ABCDEFGHJKLMNPQRSTUVXYWZIO")
    code = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(letter) + 10
    body = rng.choice("12") + pick(rng, "d", 7)
    total = code // 10 + code % 10 * 9 + weighted(body, (8, 7, 6, 5, 4, 3, 2, 1))
    return f"{letter}{body}{-total % 10}"


@generator("tfn")
def au_tfn(rng: random.Random, arg: str, language: str) -> str:
    """Australian tax file number."""
    while True:
        full = rng.choice("123456789") + pick(rng, "d", 8)
        if weighted(full, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0:
            return groups(full, 3, 3, 3)


@generator("ilid")
def il_id(rng: random.Random, arg: str, language: str) -> str:
    """Israeli identity number (its check digit is Luhn's)."""
    body = rng.choice("23") + pick(rng, "d", 7)
    return body + luhn.calc_check_digit(body)


@generator("pps")
def ie_pps(rng: random.Random, arg: str, language: str) -> str:
    """Irish PPS number."""
    body = rng.choice("123456789") + pick(rng, "d", 6)
    return body + "WABCDEFGHIJKLMNOPQRSTUV"[(weighted(body, (8, 7, 6, 5, 4, 3, 2)) + 9) % 23] + "A"


@generator("oib")
def hr_oib(rng: random.Random, arg: str, language: str) -> str:
    """Croatian OIB (ISO 7064 mod 11,10)."""
    body, product = rng.choice("123456789") + pick(rng, "d", 9), 10
    for char in body:
        product = ((int(char) + product) % 10 or 10) * 2 % 11
    return body + str((11 - product) % 10)
