"""Personal numbers of many countries with valid check digits, by name."""

from random import Random

from tests.masking.operations.national_id_values_europe import (
    ahv,
    china,
    codice_fiscale,
    cpf,
    dni,
    german_pension,
    german_tax,
    korea,
    nie,
    nino,
    nir,
    pesel,
    tckn,
    until,
)
from tests.masking.operations.national_id_values_world import (
    aadhaar,
    belgium,
    cnp,
    danish_cpr,
    finland,
    inn12,
    my_number,
    norway,
    nric,
    pan_india,
    pps,
    rodne,
    sin,
    snils,
    sweden,
    za_id,
)
from tests.masking.operations.template import Gen

_TENS = {n: str(n) for n in range(10)}
_REV = {0: "0", 1: "0"} | {n: str(11 - n) for n in range(2, 11)}
_NHS = {0: "0"} | {n: str(11 - n) for n in range(2, 11)}
_DOWN = (9, 8, 7, 6, 5, 4, 3, 2)


def _cut(gen: Gen, sizes: tuple[int, ...], marks: str) -> Gen:
    """A generator's value cut into parts of the given sizes with a mark after each but the last."""

    def make(rng: Random) -> str:
        text, out, at = gen(rng), "", 0
        for size, mark in zip(sizes, marks, strict=True):
            out += text[at : at + size] + mark
            at += size
        return out + text[at:]

    return make


def _nhs(rng: Random) -> str:
    return until(rng, 9, (10, *_DOWN), _NHS)


NATIONAL: dict[str, Gen] = {
    "nino": nino,
    "nino_s": _cut(nino, (2, 2, 2, 2), "    "),
    "dni": dni,
    "dni_d": _cut(dni, (8,), "-"),
    "nie": nie,
    "nir": nir,
    "nir_s": _cut(nir, (1, 2, 2, 2, 3, 3), "      "),
    "cf": codice_fiscale,
    "pesel": pesel,
    "bsn": lambda r: until(r, 8, _DOWN, _TENS),
    "cpf_n": cpf,
    "cpf": _cut(cpf, (3, 3, 3), "..-"),
    "tckn": tckn,
    "china": china,
    "korea": korea,
    "ahv": ahv,
    "steuer": german_tax,
    "steuer_s": _cut(german_tax, (2, 3, 3), "   "),
    "rente": german_pension,
    "aadhaar": aadhaar,
    "panin": pan_india,
    "mynum": my_number,
    "mynum_d": _cut(my_number, (4, 4), "--"),
    "sin_n": sin,
    "sin": _cut(sin, (3, 3), "  "),
    "se_pnr": sweden,
    "fi_hetu": finland,
    "no_fnr": norway,
    "be_nn": belgium,
    "snils": snils,
    "inn": inn12,
    "rodne": rodne,
    "nif": lambda r: until(r, 8, _DOWN, _REV, "2"),
    "nric": nric,
    "zaid": za_id,
    "cnp": cnp,
    "pps": pps,
    "nhs": _cut(_nhs, (3, 3), "  "),
    "dk_cpr": danish_cpr,
}
