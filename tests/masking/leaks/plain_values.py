"""Generators of tokens, passwords, people and hosts."""

import random
import re
import string
import uuid

from tests.masking.leaks.template import generator

CLASSES = {
    "A": string.ascii_letters + string.digits,
    "a": string.ascii_letters,
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "u": string.ascii_uppercase + string.digits,
    "U": string.ascii_uppercase,
    "l": string.ascii_lowercase + string.digits,
    "m": string.ascii_lowercase,
    "b": string.ascii_letters + string.digits + "_-",
    "B": string.ascii_letters + string.digits + "+/",
    "d": string.digits,
    "s": "abcdefghijklmnopqrstuvwxyz234567",
    "S": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "q": "qpzry9x8gf2tvdw0s3jn54khce6mua7l".upper(),
}
FIELD = re.compile(r"\{([A-Za-z])(\d*)(?:-(\d+))?\}")
WORDS = {
    "en": "Summer Winter Coffee Dragon Liverpool Sunshine Pumpkin Harley Ginger Phoenix Thunder Maple",
    "de": "Sommer Winter Herbst Kaffee Schalke Hamburg Sonnenschein Bratwurst Fussball Schatzi Kirsche",
    "fr": "Soleil Bonjour Marseille Chocolat Printemps Doudou Camille Vacances Croissant Lavande",
    "es": "Verano Madrid Sevilla Primavera Mariposa Estrella Tortilla Girasol Valencia Galleta",
    "pt": "Verao Benfica Lisboa Flamengo Saudade Carnaval Girassol Primavera Pipoca Coimbra",
    "it": "Estate Juventus Napoli Amore Firenze Primavera Gelato Farfalla Pistacchio Torino",
    "nl": "Zomer Welkom Feyenoord Amsterdam Fietsen Stroopwafel Voorjaar Tulpen Kaasbroodje",
    "pl": "Wiosna Warszawa Krakow Legia Pierogi Kochanie Jesien Gdansk Bocian Motylek",
    "ru": "Vesna Moskva Spartak Solnyshko Zvezda Kotenok Kazan Baikal Berezka Matreshka",
    "tr": "Galatasaray Istanbul Bahar Fenerbahce Kelebek Ankara Papatya Boncuk Sonbahar",
    "zh": "Woaini Beijing Shanghai Xiongmao Longnian Xiaolong Hangzhou Jiayou Kaixin",
    "ja": "Sakura Yokohama Natsuyasumi Hanabi Kawaii Osaka Fujisan Momiji Nekochan",
    "ko": "Saranghae Seoul Busan Hanguk Kimchi Haneul Jeju Byeolbit Gangnam",
}
NAMES = (
    "Marlene Vogt",
    "Tom Hargreaves",
    "Chloe Renard",
    "Inés Valverde",
    "Rui Tavares",
    "Giada Morelli",
    "Sanne de Wit",
    "Kasia Nowicka",
    "Oleg Sorokin",
    "Elif Aydin",
    "Priya Raman",
    "Daniel Okafor",
    "Hannah Lindqvist",
    "Marco Bellini",
    "Joana Pires",
    "Bram Kuipers",
    "Nadia Haddad",
    "Peter Szabo",
    "Lucy Ferreira",
    "Ben Whitcombe",
    "Aylin Demir",
    "Jonas Brandt",
    "Mia Castellan",
    "Owen Pritchard",
)
HOSTS = (
    "db-prod-02.corp.example",
    "pg-main.internal.example",
    "nas01.intern.example",
    "erp.example.net",
    "files.example.org",
    "mq.staging.example.com",
    "reports.example.com",
    "ldap1.corp.example",
    "build07.example.org",
    "backup.example.net",
)


def pick(rng: random.Random, kind: str, count: int) -> str:
    """Characters of a class; long mixed runs always have a digit and a letter."""
    alphabet = CLASSES[kind]
    while True:
        made = "".join(rng.choice(alphabet) for _ in range(count))
        if count < 8 or kind in "adUm" or (re.search(r"\d", made) and re.search(r"[A-Za-z]", made)):
            return made


def expand(rng: random.Random, pattern: str) -> str:
    """Fill a format such as ``abc_{A36}``."""

    def one(match: re.Match[str]) -> str:
        if match[1] == "g":
            return str(uuid.UUID(int=rng.getrandbits(128), version=4))
        low = int(match[2] or "1")
        return pick(rng, match[1], rng.randint(low, int(match[3] or low)))

    return FIELD.sub(one, pattern).replace("(AT)", "@")


@generator("fmt")
def fmt(rng: random.Random, arg: str, language: str) -> str:
    """A value of a written format."""
    return expand(rng, arg)


def word(rng: random.Random, language: str) -> str:
    """A capitalised word of a language as it occurs in passwords."""
    return rng.choice(WORDS.get(language, WORDS["en"]).split())


@generator("pwword")
def pw_word(rng: random.Random, arg: str, language: str) -> str:
    """Dictionary word with digits and signs, as people choose it."""
    base = word(rng, arg or language)
    year = str(rng.choice((1987, 1994, 2019, 2022, 2023, 2024, 2025, 2026)))
    number = str(rng.randint(12, 998))
    sign = rng.choice("!!!#?$")
    leet = base.translate(str.maketrans("aeio", "@310", ""))
    return rng.choice(
        (
            f"{base}{year}{sign}",
            f"{base}{sign}{year}",
            f"{base.lower()}{year}",
            f"{leet}{number}{sign}",
            f"{base}_{number}{sign}",
            f"{base}-{word(rng, arg or language)}-{number}",
            f"!{base}{number}{sign}",
            f"{base.lower()}{word(rng, arg or language)}{number}",
            f"My{base}#{number}",
        )
    )


@generator("pwrand")
def pw_rand(rng: random.Random, arg: str, language: str) -> str:
    """A random password as a password manager makes it."""
    signs = "!#%&+-=?_$^"
    while True:
        body = "".join(rng.choice(CLASSES["A"] + signs) for _ in range(rng.randint(9, 17)))
        made = rng.choice(string.ascii_letters) + body + rng.choice(CLASSES["A"])
        if re.search(r"\d", made) and any(sign in made for sign in signs) and re.search(r"[a-z].*[A-Z]", made):
            return made


@generator("pwsafe")
def pw_safe(rng: random.Random, arg: str, language: str) -> str:
    """A password of letters and digits only (fits URLs, YAML, shells)."""
    base, number = word(rng, arg or language), rng.randint(10, 9999)
    words = f"{base}{number}{rng.choice(CLASSES['a'])}{rng.randint(2, 9)}x"
    return rng.choice((pick(rng, "A", rng.randint(12, 24)), words, pick(rng, "l", 16)))


@generator("pw")
def pw(rng: random.Random, arg: str, language: str) -> str:
    """Any password."""
    return (pw_word if rng.random() < 0.65 else pw_rand)(rng, arg, language)


PHRASE = (
    "copper",
    "lantern",
    "otter",
    "velvet",
    "harbour",
    "pickle",
    "marble",
    "tundra",
    "saddle",
    "walnut",
    "ribbon",
    "glacier",
    "puffin",
    "mustard",
    "anchor",
    "violet",
    "thimble",
    "meadow",
    "cactus",
    "barrel",
    "falcon",
    "ginger",
    "pebble",
    "quartz",
)


@generator("phrase")
def phrase(rng: random.Random, arg: str, language: str) -> str:
    """A passphrase of four words."""
    glue = {"dash": "-", "dot": ".", "space": " "}[arg or "dash"]
    made = glue.join(rng.sample(PHRASE, 4))
    return made if arg == "space" else made + glue + str(rng.randint(3, 96))


@generator("pin")
def pin(rng: random.Random, arg: str, language: str) -> str:
    """A PIN of the given length."""
    return str(rng.randint(1, 9)) + pick(rng, "d", int(arg or "6") - 1)


@generator("name")
def name(rng: random.Random, arg: str, language: str) -> str:
    """A fictitious person's name."""
    return rng.choice(NAMES)


@generator("login")
def login(rng: random.Random, arg: str, language: str) -> str:
    """A login name."""
    first, _, last = rng.choice(NAMES).lower().replace("é", "e").replace("de ", "").partition(" ")
    return rng.choice((f"{first}.{last}", f"{first[0]}{last}", f"{last}{rng.randint(1, 9)}", f"svc_{last}", first))


@generator("host")
def host(rng: random.Random, arg: str, language: str) -> str:
    """A host name under an example domain."""
    return rng.choice(HOSTS)


@generator("mail")
def mail(rng: random.Random, arg: str, language: str) -> str:
    """A personal mail address of a fictitious person."""
    first, _, last = rng.choice(NAMES).lower().replace("é", "e").replace("de ", "").partition(" ")
    domain = arg or rng.choice(("example.com", "example.org", "example.net", "mail.example.com"))
    styles = (f"{first}.{last}", f"{first[0]}.{last}", f"{first}_{last}{rng.randint(70, 99)}", f"{last}.{first}")
    local = rng.choice(styles)
    return f"{local}@{domain}"


@generator("uuid")
def new_uuid(rng: random.Random, arg: str, language: str) -> str:
    """A random UUID."""
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


@generator("userpw")
def user_and_password(rng: random.Random, arg: str, language: str) -> str:
    """``user:password``, long enough to be 24 characters when encoded."""
    return f"{login(rng, '', language)}:{word(rng, language)}-{pick(rng, 'A', 12)}"


@generator("kv")
def key_and_value(rng: random.Random, arg: str, language: str) -> str:
    """``KEY=value`` with a password as the value."""
    return f"{arg or 'DB_PASSWORD'}={pw_safe(rng, '', language)}{pick(rng, 'A', 6)}"
