"""Check digits of cards, bank accounts and national numbers. Each takes the bare digits or letters."""

from collections.abc import Sequence


def luhn(digits: str) -> bool:
    """ISO/IEC 7812-1, annex B."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        number = int(char) * (1 + place % 2)
        total += number - 9 if number > 9 else number
    return total % 10 == 0


def mod97(text: str) -> bool:
    """ISO 7064 MOD 97-10, as in an IBAN (ISO 13616)."""
    turned = text[4:] + text[:4]
    return int("".join(str(int(char, 36)) for char in turned)) % 97 == 1


def _sum(digits: str, weights: Sequence[int]) -> int:
    return sum(int(char) * weight for char, weight in zip(digits, weights, strict=False))


def nif(text: str) -> bool:
    """Spain, DNI and NIE: the letter is the number modulo 23."""
    number = text[:-1].translate(str.maketrans("XYZ", "012"))
    return number.isdigit() and "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == text[-1]


def nir(text: str) -> bool:
    """France: 97 less the number modulo 97; 2A and 2B count as 19 and 18."""
    number = text[:13].replace("2A", "19").replace("2B", "18")
    return number.isdigit() and 97 - int(number) % 97 == int(text[13:])


def codice_fiscale(text: str) -> bool:
    """Italy: a letter from the sum over odd and even places."""
    odd = dict(
        zip(
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            (
                1,
                0,
                5,
                7,
                9,
                13,
                15,
                17,
                19,
                21,
                1,
                0,
                5,
                7,
                9,
                13,
                15,
                17,
                19,
                21,
                2,
                4,
                18,
                20,
                11,
                3,
                6,
                8,
                12,
                14,
                16,
                10,
                22,
                25,
                24,
                23,
            ),
            strict=True,
        )
    )
    total = sum(
        odd[char] if place % 2 == 0 else int(char, 36) - (0 if char.isdigit() else 10)
        for place, char in enumerate(text[:15])
    )
    return chr(65 + total % 26) == text[15]


def pesel(digits: str) -> bool:
    """Poland: weights 1, 3, 7, 9."""
    return 1 <= int(digits[2:4]) % 20 <= 12 and _sum(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0


def bsn(digits: str) -> bool:
    """The Netherlands: the eleven test."""
    return _sum(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def cpf(digits: str) -> bool:
    """Brazil: two digits modulo 11."""
    if len(set(digits)) == 1:
        return False
    first = _sum(digits, range(10, 1, -1)) * 10 % 11 % 10
    return first == int(digits[9]) and _sum(digits[:10], range(11, 1, -1)) * 10 % 11 % 10 == int(digits[10])


def tc(digits: str) -> bool:
    """Turkey: two digits from sums over odd and even places."""
    numbers = [int(char) for char in digits]
    tenth = (7 * sum(numbers[0:9:2]) - sum(numbers[1:8:2])) % 10
    return numbers[0] > 0 and tenth == numbers[9] and sum(numbers[:10]) % 10 == numbers[10]


def resident_id(text: str) -> bool:
    """China: ISO 7064 MOD 11-2, with a date of birth inside."""
    rest = _sum(text, (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)) % 11
    return text[6:8] in {"19", "20"} and "10X98765432"[rest] == text[17].upper()


def rrn(digits: str) -> bool:
    """South Korea; numbers given since October 2020 have no check digit, only a date."""
    month, day = int(digits[2:4]), int(digits[4:6])
    return 1 <= month <= 12 and 1 <= day <= 31 and digits[6] in "12345678"


def ahv(digits: str) -> bool:
    """Switzerland: EAN-13."""
    return (10 - _sum(digits, (1, 3) * 6) % 10) % 10 == int(digits[12])


def steuer_id(digits: str) -> bool:
    """Germany: ISO 7064 MOD 11, 10."""
    product = 10
    for char in digits[:10]:
        product = (((int(char) + product) % 10 or 10) * 2) % 11
    return digits[0] != "0" and (11 - product) % 10 == int(digits[10])


_D = (
    "0123456789",
    "1234067895",
    "2340178956",
    "3401289567",
    "4012395678",
    "5987604321",
    "6598710432",
    "7659821043",
    "8765932104",
    "9876543210",
)
_P = (
    "0123456789",
    "1576283094",
    "5803796142",
    "8916043527",
    "9453126870",
    "4286573901",
    "2793806415",
    "7046913258",
)


def aadhaar(digits: str) -> bool:
    """India: Verhoeff's scheme."""
    check = 0
    for place, char in enumerate(reversed(digits)):
        check = int(_D[check][int(_P[place % 8][int(char)])])
    return digits[0] not in "01" and check == 0


def my_number(digits: str) -> bool:
    """Japan: weights 2 to 7."""
    rest = _sum(digits[:11][::-1], (2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6)) % 11
    return (0 if rest <= 1 else 11 - rest) == int(digits[11])


def personnummer(digits: str) -> bool:
    """Sweden: Luhn over the last ten digits, with a date."""
    short = digits[-10:]
    return 1 <= int(short[2:4]) <= 12 and 1 <= int(short[4:6]) % 60 <= 31 and luhn(short)


def cpr(digits: str) -> bool:
    """Denmark: a date; check digits were given up in 2007."""
    return 1 <= int(digits[:2]) <= 31 and 1 <= int(digits[2:4]) <= 12


def fodselsnummer(digits: str) -> bool:
    """Norway: two digits modulo 11."""
    first = (11 - _sum(digits, (3, 7, 6, 1, 8, 9, 4, 5, 2)) % 11) % 11
    second = (11 - _sum(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11) % 11
    return (first, second) == (int(digits[9]), int(digits[10]))


def hetu(text: str) -> bool:
    """Finland: the number modulo 31."""
    number = text[:6] + text[7:10]
    return number.isdigit() and "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(number) % 31] == text[10]


def rijksregister(digits: str) -> bool:
    """Belgium: 97 less the number modulo 97; with a 2 before it for those born since 2000."""
    check = int(digits[9:])
    return 97 - int(digits[:9]) % 97 == check or 97 - int("2" + digits[:9]) % 97 == check


def nhs(digits: str) -> bool:
    """United Kingdom, health service: modulo 11."""
    return (11 - _sum(digits, range(10, 1, -1)) % 11) % 11 == int(digits[9])


def tfn(digits: str) -> bool:
    """Australia, tax file number: modulo 11."""
    return _sum(digits, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0


def snils(digits: str) -> bool:
    """Russia, pension insurance: modulo 101."""
    return _sum(digits[:9], range(9, 0, -1)) % 101 % 100 == int(digits[9:])


def inn(digits: str) -> bool:
    """Russia, tax number of a person: two digits modulo 11."""
    first = _sum(digits, (7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10
    return first == int(digits[10]) and _sum(digits, (3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10 == int(digits[11])


def austrian(digits: str) -> bool:
    """Austria, social insurance: the fourth digit, modulo 11."""
    return _sum(digits, (3, 7, 9, 0, 5, 8, 4, 2, 1, 6)) % 11 == int(digits[3])


def rodne_cislo(digits: str) -> bool:
    """Czechia and Slovakia: divisible by 11."""
    return int(digits) % 11 == 0 and 1 <= int(digits[2:4]) % 50 % 20 <= 12


def israeli(digits: str) -> bool:
    """Israel: Luhn."""
    return luhn(digits.zfill(9))


def pps(text: str) -> bool:
    """Ireland: a letter, modulo 23."""
    total = _sum(text[:7], range(8, 1, -1)) + (9 * (ord(text[8]) - 64) if len(text) > 8 else 0)
    return "WABCDEFGHIJKLMNOPQRSTUV"[total % 23] == text[7]


def amka(digits: str) -> bool:
    """Greece: Luhn, with a date."""
    return 1 <= int(digits[2:4]) <= 12 and luhn(digits)


def nif_pt(digits: str) -> bool:
    """Portugal: modulo 11."""
    rest = _sum(digits[:8], range(9, 1, -1)) % 11
    return (0 if rest < 2 else 11 - rest) == int(digits[8])


def cnp(digits: str) -> bool:
    """Romania: modulo 11, with a date."""
    rest = _sum(digits, (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)) % 11
    return 1 <= int(digits[3:5]) <= 12 and (1 if rest == 10 else rest) == int(digits[12])


def egn(digits: str) -> bool:
    """Bulgaria: modulo 11, then 10."""
    return _sum(digits, (2, 4, 8, 5, 10, 9, 7, 3, 6)) % 11 % 10 == int(digits[9])


def rut(text: str) -> bool:
    """Chile: modulo 11; K stands for 10."""
    total = sum(int(char) * (2 + place % 6) for place, char in enumerate(reversed(text[:-1])))
    return "0K987654321"[total % 11] == text[-1]


def cuil(digits: str) -> bool:
    """Argentina: modulo 11."""
    return (11 - _sum(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11) % 11 == int(digits[10])


def taiwan(text: str) -> bool:
    """Taiwan: the letter as two digits, modulo 10."""
    number = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(text[0]) + 10
    total = number // 10 + number % 10 * 9 + _sum(text[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1))
    return total % 10 == 0


def oib(digits: str) -> bool:
    """Croatia: ISO 7064 MOD 11, 10."""
    rest = 10
    for char in digits[:10]:
        rest = ((int(char) + rest) % 10 or 10) * 2 % 11
    return (11 - rest) % 10 == int(digits[10])
