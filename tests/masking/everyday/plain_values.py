"""Makers of passwords, of keys in PEM form and of values hidden by an encoding."""

import base64
import html
import json
import re
import urllib.parse
from random import Random

from tests.masking.everyday.drawing import draw
from tests.masking.everyday.personal_values import PERSONAL, card
from tests.masking.everyday.template import Maker
from tests.masking.everyday.token_values import TOKENS, github, jwt

WORDS = {
    "en": "Autumn Biscuit Harbour Walrus Thunder Pepper Otter Lantern Monday Penguin Cricket Marble",
    "de": "Sommer Kaffeetasse Fruehling Gartenzaun Schnitzel Leberwurst Dackel Regenschirm Feierabend Kirsche",
    "fr": "Soleil Chouette Baguette Papillon Bretagne Croissant Montagne Tournesol Camembert Marseille",
    "es": "Verano Tortilla Mariposa Girasol Sevilla Gazpacho Montana Pajarito Cocodrilo Domingo",
    "pt": "Cachorro Saudade Lisboa Feijoada Abacaxi Borboleta Caipirinha Verao Pastel Girassol",
    "it": "Estate Cappuccino Farfalla Girasole Napoli Parmigiano Gattino Montagna Gelato Domenica",
    "nl": "Zomer Stroopwafel Fietsbel Pindakaas Utrecht Hagelslag Vlinder Molen Kikker Lente",
    "pl": "Wiosna Pierogi Krakow Biedronka Zubrowka Motyl Kotek Jesien Slonecznik Bocian",
    "ru": "Zima Matreshka Moskva Berezka Pelmeni Snegovik Kotik Podsolnuh Kalinka Vesna",
    "tr": "Bahar Simit Istanbul Karanfil Lahmacun Kelebek Yagmur Baklava Deniz Papatya",
    "zh": "Xiongmao Beijing Chuntian Longteng Mantou Taishan Xingfu Jiaozi Meihua Pingan",
    "ja": "Sakura Tanuki Fujisan Onigiri Hanabi Natsuyasumi Neko Ramune Momiji Takoyaki",
    "ko": "Kimchi Haneul Hallasan Mugunghwa Gangnam Baram Tteokbokki Saranghae Jeju Namsan",
}


def word(rng: Random, language: str) -> str:
    """A word with digits and a sign, as people make passwords."""
    base = rng.choice(WORDS[language].split())
    digits = rng.choice([str(rng.randint(2019, 2026)), draw("{D2}", rng), draw("{D3}", rng)])
    sign = rng.choice("!#$@*!?+")
    low = base.lower()
    return rng.choice([base + digits + sign, base + sign + digits, f"{base}_{digits}{sign}", low + digits + sign])


def plain(rng: Random, language: str) -> str:
    """A word with digits only."""
    base = rng.choice(WORDS[language].split())
    return rng.choice([base, base.lower()]) + draw("{N1}{D3}", rng)


def leet(rng: Random, language: str) -> str:
    """A word with letters turned to digits and signs."""
    base = rng.choice(WORDS[language].split())
    return base.translate(str.maketrans("aeios", "@3!0$")) + draw("{D2}", rng) + rng.choice("!#&")


def phrase(rng: Random, language: str, mark: str = "-") -> str:
    """A passphrase."""
    return mark.join([*(w.lower() for w in rng.sample(WORDS[language].split(), 4)), draw("{D2}", rng)])


def rnd(rng: Random, _language: str) -> str:
    """A random password as a password manager makes it."""
    signs = rng.choices("!#%*+=-_@$&", k=2)
    return f"{draw('{A5}', rng)}{signs[0]}{draw('{A4}', rng)}{signs[1]}{draw('{A3}{N1}', rng)}"


def conn(rng: Random, language: str) -> str:
    """A password that may stand in an address or a connection string."""
    return rng.choice([draw("{A16}", rng), plain(rng, language) + "!", draw("{A8}-{A7}_{D2}", rng)])


def pem(rng: Random, name: str, start: str, lines: int, cut: bool = False) -> tuple[list[str], tuple[str, ...]]:
    """The lines of a PEM block, and the secret lines."""
    width = 70 if "OPENSSH" in name else 64
    body = [draw(f"{{S{width}}}", rng) for _ in range(lines)]
    body[0] = (start + body[0])[:width]
    if cut:
        return [f"-----BEGIN {name}-----", *body], tuple(body)
    body.append(draw(f"{{S{rng.choice([22, 34, 46])}}}", rng) + "==")
    return [f"-----BEGIN {name}-----", *body, f"-----END {name}-----"], tuple(body)


def _pem(name: str, start: str, lines: int, joint: str = "\n", cut: bool = False) -> Maker:
    """A maker of PEM blocks."""

    def make(rng: Random, _language: str) -> tuple[str, tuple[str, ...]]:
        rows, pieces = pem(rng, name, start, lines, cut)
        return joint.join(rows), pieces

    return make


def pgp(rng: Random, _language: str) -> tuple[str, tuple[str, ...]]:
    """An armoured PGP private key."""
    rows, pieces = pem(rng, "PGP PRIVATE KEY BLOCK", "lQOYBGc", 9)
    return "\n".join([rows[0], "Version: GnuPG v2", "", *rows[1:-1], "=" + draw("{S4}", rng), rows[-1]]), pieces


def ppk(rng: Random, _language: str) -> tuple[str, tuple[str, ...]]:
    """A PuTTY key file."""
    public, private = [draw("{S64}", rng) for _ in range(2)], [draw("{S64}", rng) for _ in range(4)]
    head = ["PuTTY-User-Key-File-3: ssh-rsa", "Encryption: none", "Comment: rsa-key-20240612", "Public-Lines: 2"]
    tail = f"Private-MAC: {draw('{H64}', rng)}"
    return "\n".join([*head, *public, "Private-Lines: 4", *private, tail]), tuple(private)


def _split(text: str, mark: str) -> tuple[str, ...]:
    """The pieces of a broken secret of six or more characters."""
    return tuple(piece for piece in text.split(mark) if len(piece) >= 6)


def _broken(mark: str) -> Maker:
    """A GitHub token with a mark in its middle."""

    def make(rng: Random, _language: str) -> tuple[str, tuple[str, ...]]:
        token = github(rng)
        at = rng.randint(14, 26)
        text = token[:at] + mark + token[at:]
        return text, _split(text, mark)

    return make


def _b64(template: str, wrap: int = 0) -> Maker:
    """A maker of base64 of a filled text: `@` is a password, `~` a token."""

    def make(rng: Random, language: str) -> tuple[str, tuple[str, ...]]:
        inner = template.replace("@", rnd(rng, language)).replace("~", github(rng))
        text = base64.b64encode(inner.encode()).decode()
        if wrap:
            text = "\n".join(text[i : i + wrap] for i in range(0, len(text), wrap))
        return text, _split(text, "\n")

    return make


def _wide(text: str) -> str:
    """Full-width letters."""
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)


def _percent(text: str) -> str:
    """Percent-encode every sign that is no letter or digit."""
    return "".join(char if char.isalnum() else f"%{ord(char):02X}" for char in text)


def _card_marks(rng: Random, _language: str) -> tuple[str, tuple[str, ...]]:
    """A card number with zero-width spaces between its groups."""
    text = card(rng, "visa", "\u200b")
    return text, (text,)


def _dockerconfig(rng: Random, language: str) -> str:
    """A docker configuration in base64, as in a Kubernetes secret."""
    auth = base64.b64encode(f"ci-pull:{rnd(rng, language)}".encode()).decode()
    return base64.b64encode(json.dumps({"auths": {"registry.kestrel.dev": {"auth": auth}}}).encode()).decode()


HIDDEN: dict[str, Maker] = {
    "h_b64_userpw": _b64("svc-report:@"),
    "h_b64_kv": _b64("DB_PASSWORD=@"),
    "h_b64_token": _b64("~"),
    "h_b64_json": _b64('{"username":"etl","password":"@"}'),
    "h_b64_wrap": _b64("GITHUB_TOKEN=~\nSMTP_PASSWORD=@\n", 44),
    "h_b64_pw": _b64("@-@"),
    "h_b64_docker": _dockerconfig,
    "h_b64url_kv": lambda rng, language: base64.urlsafe_b64encode(f"token={github(rng)}".encode()).decode().rstrip("="),
    "h_url_pw": lambda rng, language: _percent(f"{phrase(rng, language, ' ')}!#"),
    "h_url_auth": lambda rng, language: _percent(f"Bearer {jwt(rng)}"),
    "h_url_kv": lambda rng, language: _percent(f"password={rnd(rng, language)}&x=#"),
    "h_url_twice": lambda rng, language: _percent(f"%{ord('#'):02X}{rnd(rng, language)}%21%26{rnd(rng, language)}"),
    "h_html_dec": lambda rng, _: "".join(f"&#{ord(char)};" for char in github(rng)),
    "h_html_hex": lambda rng, language: "".join(f"&#x{ord(char):x};" for char in rnd(rng, language)),
    "h_html_named": lambda rng, language: html.escape(f'{word(rng, language)}<&"{draw("{A14}", rng)}'),
    "h_hex": lambda rng, _: github(rng).encode().hex(),
    "h_hex_kv": lambda rng, language: f"password={rnd(rng, language)}".encode().hex(),
    "h_hex_0x": lambda rng, language: "0x" + f"sa:{rnd(rng, language)}".encode().hex().upper(),
    "h_js": lambda rng, _: "".join(f"\\u{ord(char):04x}" for char in github(rng)[:12]) + draw("{A28}", rng),
    "h_zw": _broken("\u200b"),
    "h_zwj": _broken("\u2060"),
    "h_shy": _broken("\u00ad"),
    "h_nl": _broken("\n"),
    "h_concat": _broken('" + "'),
    "h_concat_py": _broken('"\n    "'),
    "h_backslash": _broken("\\\n"),
    "h_star": _broken("**"),
    "h_tick": _broken("`"),
    "h_card": _card_marks,
    "h_wide": lambda rng, _: _wide(github(rng)),
    "h_wide_pw": lambda rng, language: _wide(draw("{A8}", rng) + "-" + plain(rng, language) + draw("{A8}", rng)),
    "h_wide_iban": lambda rng, _: _wide(str(PERSONAL["iban_de"](rng, "de"))),
    "h_json_pw": lambda rng, language: json.dumps(rnd(rng, language) + '"\\' + draw("{A10}", rng))[1:-1],
    "h_math": lambda rng, _: re.sub(
        "[A-Za-z]", lambda m: chr(ord(m[0]) + (0x1D670 - 65 if m[0] < "a" else 0x1D68A - 97)), github(rng)
    ),
    "h_quoted": lambda rng, language: urllib.parse.quote_plus(f"ünter {rnd(rng, language)}/{draw('{A6}', rng)}"),
}

RSA, PKCS8, EC, SSH = "RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY"
VALUES: dict[str, Maker] = {
    **TOKENS,
    **PERSONAL,
    **HIDDEN,
    "w": word,
    "pl": plain,
    "leet": leet,
    "pp": phrase,
    "pps": lambda rng, language: phrase(rng, language, " "),
    "ppd": lambda rng, language: phrase(rng, language, "."),
    "rnd": rnd,
    "conn": conn,
    "pin": lambda rng, _: draw(rng.choice(["{N1}{D5}", "{N1}{D7}"]), rng),
    "pem_rsa": _pem(RSA, "MIIEpAIBAAKCAQEA", 13),
    "pem_pkcs8": _pem(PKCS8, "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", 12),
    "pem_ec": _pem(EC, "MHcCAQEEI", 2),
    "pem_enc": _pem("ENCRYPTED PRIVATE KEY", "MIIFLTBXBgkqhkiG9w0BBQ0w", 10),
    "pem_dsa": _pem("DSA PRIVATE KEY", "MIIBuwIBAAKBgQD", 6),
    "pem_ssh": _pem(SSH, "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ", 4),
    "pem_cut": _pem(RSA, "MIIEowIBAAKCAQEA", 4, cut=True),
    "pem_ssh_cut": _pem(SSH, "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ", 3, cut=True),
    "pem_esc": _pem(PKCS8, "MIIEvAIBADANBgkqhkiG9w0BAQEFAASC", 8, "\\n"),
    "pem_esc2": _pem(EC, "MHcCAQEEI", 2, "\\\\n"),
    "pem_space": _pem(PKCS8, "MIIEvgIBADANBgkqhkiG9w0BAQEFAASC", 6, " "),
    "pgp": pgp,
    "ppk": ppk,
}
