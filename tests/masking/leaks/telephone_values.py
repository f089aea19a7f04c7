"""Telephone numbers of many countries, as people write them."""

import random

from tests.masking.leaks.plain_values import expand
from tests.masking.leaks.template import generator

# Each format leads with digits that exist in the country; the rest is made up.
PHONES: dict[str, str] = {
    "us": "(415) 555-01{d2}",
    "us dots": "212.555.01{d2}",
    "us e164": "+1206555{d1}1{d2}",
    "us ext": "+1 312-555-01{d2}",
    "ca": "+1 (604) 555-01{d2}",
    "uk mobile": "07700 900{d3}",
    "uk intl": "+44 7700 900{d3}",
    "uk london": "020 7946 0{d3}",
    "uk zero": "+44 (0)161 496 0{d3}",
    "ie": "+353 87 {d3} {d4}",
    "de mobile": "0151 2{d3} {d4}",
    "de slash": "030/2312 5{d3}",
    "de zero": "+49 (0) 89 4{d3} {d2}-{d2}",
    "de intl": "+49 176 4{d3}{d4}",
    "de compact": "0049171{d7}",
    "at": "+43 664 {d3} {d2} {d2}",
    "ch": "+41 79 {d3} {d2} {d2}",
    "ch local": "044 {d3} {d2} {d2}",
    "fr": "06 39 98 {d2} {d2}",
    "fr dots": "01.99.00.{d2}.{d2}",
    "fr intl": "+33 6 39 98 {d2} {d2}",
    "es": "+34 6{d2} {d2} {d2} {d2}",
    "es local": "6{d2} {d3} {d3}",
    "pt": "+351 91{d1} {d3} {d3}",
    "br": "(11) 9{d4}-{d4}",
    "br intl": "+55 21 9{d4}-{d4}",
    "it": "+39 34{d1} {d3} {d4}",
    "it land": "02 {d4} {d4}",
    "nl": "06-{d8}",
    "nl intl": "+31 6 {d8}",
    "be": "+32 47{d1} {d2} {d2} {d2}",
    "pl": "+48 5{d2} {d3} {d3}",
    "pl local": "60{d1}-{d3}-{d3}",
    "ru": "+7 (916) {d3}-{d2}-{d2}",
    "ru 8": "8 903 {d3} {d2} {d2}",
    "tr": "+90 532 {d3} {d2} {d2}",
    "tr local": "0(542) {d3} {d2} {d2}",
    "cn": "138{d8}",
    "cn intl": "+86 139 {d4} {d4}",
    "jp": "090-{d4}-{d4}",
    "jp intl": "+81 80-{d4}-{d4}",
    "jp tokyo": "03-{d4}-{d4}",
    "kr": "010-{d4}-{d4}",
    "kr intl": "+82 10-{d4}-{d4}",
    "in": "+91 98{d3} {d5}",
    "au": "0491 570 {d3}",
    "au intl": "+61 491 570 {d3}",
    "nz": "+64 21 {d3} {d4}",
    "za": "+27 82 {d3} {d4}",
    "mx": "+52 55 {d4} {d4}",
    "ar": "+54 9 11 {d4}-{d4}",
    "se": "070-174 06 {d2}",
    "no": "+47 9{d2} {d2} {d3}",
    "dk": "+45 2{d1} {d2} {d2} {d2}",
    "fi": "+358 40 {d3} {d4}",
    "gr": "+30 69{d1} {d3} {d4}",
    "cz": "+420 60{d1} {d3} {d3}",
    "il": "+972 52-{d3}-{d4}",
    "ae": "+971 50 {d3} {d4}",
    "sg": "+65 8{d3} {d4}",
    "hk": "+852 6{d3} {d4}",
    "ng": "+234 803 {d3} {d4}",
    "ua": "+380 67 {d3} {d2} {d2}",
}


@generator("tel")
def telephone(rng: random.Random, arg: str, language: str) -> str:
    """A telephone number of the named notation."""
    return expand(rng, PHONES[arg])
