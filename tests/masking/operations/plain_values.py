"""Ordinary values: names, logins, hosts, dates, addresses, passwords as people choose them."""

import unicodedata
from random import Random

from tests.masking.operations.template import Gen, chars

FIRST: dict[str, tuple[str, ...]] = {
    "en": ("Harriet", "Callum", "Priya", "Dylan", "Maeve", "Tobias", "Imogen"),
    "de": ("Annika", "Torsten", "Heike", "Jonas", "Ulrike", "Bernd", "Lena"),
    "fr": ("Camille", "Thibault", "Solène", "Bastien", "Maud", "Yannick"),
    "es": ("Lucía", "Álvaro", "Marisol", "Iker", "Nuria", "Rubén"),
    "pt": ("Beatriz", "Tiago", "Inês", "Rafael", "Joana", "Duarte"),
    "it": ("Giulia", "Davide", "Chiara", "Matteo", "Elisa", "Fabio"),
    "nl": ("Sanne", "Joris", "Femke", "Bram", "Lotte", "Thijs"),
    "pl": ("Agnieszka", "Paweł", "Zofia", "Krzysztof", "Magda", "Tomasz"),
    "tr": ("Elif", "Emre", "Zeynep", "Burak", "Selin", "Kerem"),
}
LAST: dict[str, tuple[str, ...]] = {
    "en": ("Ashcombe", "Pemberley", "Hartnoll", "Quillfeather", "Brandreth", "Oakenshaw"),
    "de": ("Kesselring", "Wolfshagen", "Brückmeier", "Tannhoff", "Lindenau", "Grünewasser"),
    "fr": ("Delacourtois", "Vermandel", "Beaurivage", "Montclairet", "Tréhoux"),
    "es": ("Villaseca", "Montalbo", "Carrasquero", "Ibarluzea", "Peñaranda"),
    "pt": ("Valadeiro", "Monteverde", "Sobreiral", "Quintanilho", "Fragoeiro"),
    "it": ("Montesarchi", "Bellandrini", "Rocchigiana", "Valdoro", "Castelfidi"),
    "nl": ("van Oosterdam", "Hoevenaar", "de Graafland", "Brinkhorst", "Zandkamp"),
    "pl": ("Wierzbowiecki", "Jasnogórski", "Malinowiak", "Brzozowiecka", "Sosnowiak"),
    "tr": ("Karadereli", "Yıldızhan", "Akpınarlı", "Demirsoylu"),
}
_DOMAINS: dict[str, tuple[str, ...]] = {
    "en": ("brightmere.co.uk", "kestrel-labs.io", "oakfordgroup.com"),
    "de": ("halvorsen-logistik.de", "tannhoff-it.de", "nordkante.com"),
    "fr": ("atelier-vermandel.fr", "beaurivage-sante.fr"),
    "es": ("talleresmontalbo.es", "ibarluzea-grupo.es"),
    "pt": ("sobreiral.pt", "valadeiro.com.br"),
    "it": ("montesarchi.it", "valdoro-srl.it"),
    "nl": ("brinkhorst-zorg.nl", "hoevenaar.nl"),
    "pl": ("jasnogora-soft.pl", "malinowiak.com.pl"),
    "tr": ("karadereli.com.tr", "akpinarlojistik.com.tr"),
}
_STEMS: dict[str, tuple[str, ...]] = {
    "en": ("Summer", "Liverpool", "monkey", "Sunshine", "Winter", "dragon", "Football", "Pumpkin", "Whiskers"),
    "de": ("Sommer", "Fussball", "Schatzi", "Hamburg", "Herbst", "Kaffee", "Passau", "Drache", "Urlaub"),
    "fr": ("Soleil", "doudou", "Marseille", "Bonjour", "chaton", "Vacances", "loulou", "Bretagne"),
    "es": ("Verano", "Mariposa", "barcelona", "tequiero", "Estrella", "Sevilla", "corazon"),
    "pt": ("Benfica", "saudade", "Verao", "gatinho", "Brasil", "Flamengo", "cachorro"),
    "it": ("Juventus", "amore", "Ciaobella", "Estate", "napoli", "Ferrari", "stellina"),
    "nl": ("Welkom", "Zomer", "Ajax", "kaasbroodje", "Fiets", "Amsterdam", "Voetbal"),
    "pl": ("Wiosna", "kochanie", "Polska", "misiek", "Lato", "Zakopane", "Kasia"),
    "ru": ("Moskva", "privet", "Zenit", "lubimaya", "Natasha", "gfhjkm", "Kotenok", "Vesna"),
    "tr": ("Galatasaray", "canim", "Istanbul", "Bahar", "fenerli", "yildiz", "Ankara"),
    "zh": ("Woaini", "woniu", "Beijing", "longlong", "xiaoming", "Huawei", "Qwer"),
    "ja": ("Sakura", "arigato", "Doraemon", "tokyo", "Natsu", "fujisan", "Nekochan"),
    "ko": ("Saranghae", "dkssud", "Seoul", "gksrnr", "Minji", "Hanguk", "qwer"),
}
_PHRASE = (
    "copper",
    "lantern",
    "otter",
    "biscuit",
    "harbor",
    "velvet",
    "thunder",
    "pickle",
    "marble",
    "saddle",
    "cactus",
    "ribbon",
    "glacier",
    "mustard",
    "pebble",
    "falcon",
    "tulip",
    "anchor",
    "walnut",
    "comet",
)


def ascii_of(text: str) -> str:
    """A name without accents, lower case, as used in a login."""
    table = str.maketrans({"ł": "l", "ı": "i", "ß": "s", "ø": "o"})
    flat = unicodedata.normalize("NFKD", text.lower().translate(table))
    return "".join(c for c in flat if c.isascii() and c.isalpha())


def name_in(language: str) -> Gen:
    """Generator of a person's name."""
    return lambda r: f"{r.choice(FIRST[language])} {r.choice(LAST[language])}"


def mail_in(language: str) -> Gen:
    """Generator of a personal mail address at a company."""

    def make(rng: Random) -> str:
        first, last = ascii_of(rng.choice(FIRST[language])), ascii_of(rng.choice(LAST[language]))
        local = rng.choice(
            (
                f"{first}.{last}",
                f"{first[0]}.{last}",
                f"{first}_{last}",
                f"{first[0]}{last}",
                f"{first}.{last}{rng.randrange(70, 99)}",
                f"{last}.{first}",
            )
        )
        return f"{local}@{rng.choice(_DOMAINS[language])}"

    return make


def password_in(language: str) -> Gen:
    """Generator of a password as people of a language choose them."""

    def make(rng: Random) -> str:
        stem, year = rng.choice(_STEMS[language]), rng.randrange(1979, 2026)
        sign = rng.choice("!?#$@*%")
        return rng.choice(
            (
                f"{stem}{year}{sign}",
                f"{stem}{sign}{rng.randrange(10, 999)}",
                f"{stem.lower()}{rng.randrange(1000, 9999)}",
                f"{stem}_{year}",
                f"{stem.capitalize()}-{rng.randrange(100, 9999)}{sign}",
                leet(stem) + f"{rng.randrange(10, 99)}{sign}",
            )
        )

    return make


def leet(word: str) -> str:
    """A word with signs for some of its letters."""
    return word.replace("a", "@", 1).replace("o", "0").replace("i", "1", 1).replace("e", "3", 1)


def random_password(rng: Random) -> str:
    """A password out of a password manager."""
    body = [rng.choice("abcdefghjkmnpqrstuvwxyz") for _ in range(5)] + [
        rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(4)
    ]
    body += [rng.choice("23456789") for _ in range(3)] + [rng.choice("!#%^*-_=+?~") for _ in range(2)]
    rng.shuffle(body)
    return rng.choice("abcdefghkmnpqrstuvwxyz") + "".join(body) + rng.choice("2345679")


def url_password(rng: Random) -> str:
    """A manager's password without signs that break an address."""
    body = [*chars(rng, "an", 13), rng.choice("-_~.!"), rng.choice("-_~+")]
    rng.shuffle(body)
    return rng.choice("abcdefghkmnpqrstuvwxyz") + "".join(body) + rng.choice("2345679")


def shell_password(rng: Random) -> str:
    """A password that stands unquoted in a shell command."""
    stem = rng.choice(_PHRASE)
    return rng.choice(
        (
            stem.capitalize() + f"{rng.randrange(10, 9999)}" + rng.choice(("", "_x", "-ops", "!")),
            chars(rng, "an", rng.randrange(12, 18)),
            leet(stem) + f"{rng.randrange(2018, 2026)}",
        )
    )


def passphrase(rng: Random) -> str:
    """Four words and a digit."""
    words = rng.sample(_PHRASE, 4)
    return rng.choice("-._").join(words) + rng.choice(("", str(rng.randrange(2, 99)), "!"))


def pin(size: int) -> Gen:
    """Generator of a PIN that is no plain series."""
    return lambda r: "".join(
        [r.choice("3456789"), *(r.choice("0123456789") for _ in range(size - 2)), r.choice("13579")]
    )


def _uuid(rng: Random) -> str:
    raw = "".join(rng.choice("0123456789abcdef") for _ in range(30))
    return f"{raw[:8]}-{raw[8:12]}-4{raw[12:15]}-{rng.choice('89ab')}{raw[15:18]}-{raw[18:30]}"


def _ip(rng: Random) -> str:
    return rng.choice(
        (
            f"10.{rng.randrange(2, 250)}.{rng.randrange(2, 250)}.{rng.randrange(2, 250)}",
            f"192.168.{rng.randrange(1, 250)}.{rng.randrange(2, 250)}",
            f"172.{rng.randrange(16, 31)}.{rng.randrange(2, 250)}.{rng.randrange(2, 250)}",
        )
    )


def _date(rng: Random) -> str:
    return f"202{rng.randrange(2, 6)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}"


def _time(rng: Random) -> str:
    return f"{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}"


def _host(rng: Random) -> str:
    role = rng.choice(("db", "web", "app", "cache", "mq", "build", "edge", "bastion"))
    return f"{role}-{rng.choice(('fra1', 'ams2', 'dub', 'use1', 'prd', 'stg'))}-{rng.randrange(1, 30):02}"


def _login(rng: Random) -> str:
    return rng.choice(
        (
            "svc-billing",
            "deploy",
            "reporting",
            "app_rw",
            "jenkins",
            "backup",
            "readonly",
            "grafana",
            "etl_user",
            "root",
            "monitoring",
            "webapp",
        )
    )


def _mail_form(number: int) -> Gen:
    """Mail addresses in less common writing: plus part, "[at]", capitals, accented domain."""

    def make(rng: Random) -> str:
        first, last = ascii_of(rng.choice(FIRST["en"])), ascii_of(rng.choice(LAST["en"]))
        return (
            f"{first}+{last}@kestrel-labs.io",
            f"{first}.{last} [at] brightmere.co.uk",
            f"{first}.{last}@OAKFORDGROUP.COM".upper(),
            f"{first}.{last}@brückmeier-söhne.de",
        )[number]

    return make


VALUES: dict[str, Gen] = {
    "plusmail": _mail_form(0),
    "mail_at": _mail_form(1),
    "mail_up": _mail_form(2),
    "mail_idn": _mail_form(3),
    "uuid": _uuid,
    "ip": _ip,
    "dt": _date,
    "tm": _time,
    "ts": lambda r: f"{_date(r)}T{_time(r)}Z",
    "h": _host,
    "fq": lambda r: _host(r) + r.choice((".corp.example.com", ".int.example.net", ".prod.example.org")),
    "u": _login,
    "sha": lambda r: chars(r, "hex", 40),
    "sha7": lambda r: chars(r, "hex", 6) + r.choice("abcdef"),
    "sha256": lambda r: chars(r, "hex", 64),
    "tk": lambda r: f"{r.choice(('OPS', 'INC', 'SUP', 'PLAT', 'SRE'))}-{r.randrange(100, 19999)}",
    "ver": lambda r: f"{r.randrange(1, 19)}.{r.randrange(0, 30)}.{r.randrange(0, 20)}",
    "db": lambda r: r.choice(("orders", "billing", "inventory", "crm", "analytics", "payments_stg")),
    "svc": lambda r: r.choice(("checkout", "ledger", "catalog", "notifier", "gateway", "invoice-api")),
    "pw": password_in("en"),
    "pwr": random_password,
    "pws": shell_password,
    "pwu": url_password,
    "pwn": lambda r: shell_password(r).replace("@", "4"),
    "pp": passphrase,
    "pin6": pin(6),
    "pin8": pin(8),
    **{f"pw_{lang}": password_in(lang) for lang in _STEMS},
    **{f"nm_{lang}": name_in(lang) for lang in FIRST},
    **{f"mail_{lang}": mail_in(lang) for lang in FIRST},
}
