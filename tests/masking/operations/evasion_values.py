"""Encoded and disturbed secrets."""

import base64
import html
from random import Random
from urllib.parse import quote

from tests.masking.operations.cryptography import CRYPTO
from tests.masking.operations.numbers_of_persons import IDS
from tests.masking.operations.plain_values import VALUES
from tests.masking.operations.template import Gen, chars
from tests.masking.operations.token_values import TOKENS


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _inside(text: str, mark: str, every: int) -> str:
    return mark.join(text[at : at + every] for at in range(0, len(text), every))


def full_width(text: str) -> str:
    """Letters, digits and signs in their full-width forms."""
    return "".join(chr(ord(c) + 0xFEE0) if 33 <= ord(c) <= 126 else c for c in text)


def _split(gen: Gen, mark: str, parts: int = 2) -> Gen:
    def make(rng: Random) -> str:
        text = gen(rng)
        step = -(-len(text) // parts)
        return _inside(text, mark, step)

    return make


def _after(gen: Gen, change: str) -> Gen:
    """A generator whose value is encoded in the named way."""

    def make(rng: Random) -> str:
        text = gen(rng)
        return {
            "b64": lambda: _b64(text),
            "hex": lambda: text.encode().hex(),
            "url": lambda: "".join(f"%{b:02X}" for b in text.encode()),
            "entity": lambda: "".join(f"&#{ord(c)};" for c in text),
            "xentity": lambda: "".join(f"&#x{ord(c):x};" for c in text),
            "wide": lambda: full_width(text),
            "b64url": lambda: _b64(text).rstrip("=").replace("+", "-").replace("/", "_"),
            "hexsp": lambda: " ".join(f"{b:02x}" for b in text.encode()),
            "uesc": lambda: "".join(f"\\u{ord(c):04x}" for c in text),
            "xesc": lambda: "".join(f"\\x{b:02x}" for b in text.encode()),
            "b64b64": lambda: _b64(_b64(text)),
            "quote": lambda: quote(text, safe=""),
            "html": lambda: html.escape(text).replace("_", "&#95;"),
        }[change]()

    return make


def _text(template: str, gen: Gen) -> Gen:
    return lambda rng: template.replace("§", gen(rng))


_PW = VALUES["pws"]


def _long(rng: Random) -> str:
    return VALUES["pwr"](rng) + chars(rng, "an", 6)


EVADE: dict[str, Gen] = {
    "e_b64_pair": _after(_text("svc-deploy:§", _long), "b64"),
    "e_b64_kv": _after(_text("DB_PASSWORD=§", _long), "b64"),
    "e_b64_ghp": _after(TOKENS["ghp"], "b64"),
    "e_b64_aws": _after(_text("aws_secret_access_key=§", TOKENS["awssec"]), "b64"),
    "e_b64_json": _after(_text('{"user":"ops","password":"§"}', _long), "b64"),
    "e_b64_xoxb": _after(TOKENS["xoxb"], "b64"),
    "e_b64_url": _after(_text("postgres://app:§@db-01:5432/orders", _PW), "b64"),
    "e_b64u": _after(TOKENS["glpat"], "b64url"),
    "e_b64_b64": _after(_text("admin:§", _long), "b64b64"),
    "e_b64_pem": _after(CRYPTO["pem_ed"], "b64"),
    "e_b64_sg": _after(TOKENS["sg"], "b64"),
    "e_hex_pair": _after(_text("root:§", _long), "hex"),
    "e_hex_ghp": _after(TOKENS["ghp"], "hex"),
    "e_hex_sp": _after(_text("password=§", _PW), "hexsp"),
    "e_hex_kv": _after(_text("api_key=§", TOKENS["mistral"]), "hex"),
    "e_url_kv": _after(_text("password=§", _long), "url"),
    "e_url_ghp": _after(TOKENS["ghp"], "url"),
    "e_url_mail": lambda r: quote(VALUES["mail_en"](r), safe=""),
    "e_url_dsn": lambda r: quote(f"postgres://app:{_PW(r)}@db-01.example.com:5432/orders", safe=""),
    "e_ent_ghp": _after(TOKENS["ghp"], "entity"),
    "e_ent_pw": _after(_long, "xentity"),
    "e_ent_mail": _after(VALUES["mail_de"], "entity"),
    "e_html_sk": _after(TOKENS["sktest"], "html"),
    "e_wide_akia": _after(TOKENS["akia"], "wide"),
    "e_wide_pw": _after(_long, "wide"),
    "e_wide_card": _after(IDS["visa"], "wide"),
    "e_wide_ssn": _after(IDS["ssn"], "wide"),
    "e_wide_ghp": _after(TOKENS["ghp"], "wide"),
    "e_uesc": _after(TOKENS["npm"], "uesc"),
    "e_xesc": _after(TOKENS["glpat"], "xesc"),
    "e_zw_ghp": _split(TOKENS["ghp"], "\u200b", 4),
    "e_zw_akia": _split(TOKENS["akia"], "\u200d", 2),
    "e_zw_card": _split(IDS["mc"], "\u200b", 2),
    "e_shy_glpat": _split(TOKENS["glpat"], "\u00ad", 3),
    "e_shy_iban": _split(IDS["iban_de"], "\u00ad", 2),
    "e_bom_hf": _split(TOKENS["hf"], "\ufeff", 3),
    "e_wj_jwt": _split(CRYPTO["jwt_short"], "\u2060", 5),
    "e_zw_mail": _split(VALUES["mail_en"], "\u200b", 2),
    "e_zw_pw": _split(_long, "\u200c", 2),
    "e_nl_ghp": _split(TOKENS["ghp"], "\n", 2),
    "e_nl_jwt": _split(CRYPTO["jwt_user"], "\n", 4),
    "e_nl_ant": _split(TOKENS["ant"], "\n  ", 2),
    "e_nl_quote": _split(TOKENS["ghpat"], "\n> ", 3),
    "e_nl_sk": _split(TOKENS["sklive"], "\\\n", 2),
    "e_cat_xoxb": _split(TOKENS["xoxb"], '" + "', 2),
    "e_cat_akia": _split(TOKENS["akia"], "' + '", 2),
    "e_cat_sg": _split(TOKENS["sg"], '"\n    "', 3),
    "e_q_glpat": _split(TOKENS["glpat"], "'", 2),
    "e_b_npm": _split(TOKENS["npm"], "**", 2),
    "e_us_hf": lambda r: "**hf_**" + TOKENS["hf"](r)[3:],
    "e_b_ghp": lambda r: "**ghp_**" + TOKENS["ghp"](r)[4:],
    "e_tick_glpat": lambda r: "`glpat-`" + TOKENS["glpat"](r)[6:],
    "e_esc_ghp": lambda r: TOKENS["ghp"](r).replace("_", "\\_"),
    "e_esc_sk": lambda r: TOKENS["sktest"](r).replace("_", "\\_"),
    "e_sp_akia": _split(TOKENS["akia"], " ", 5),
    "lng": _long,
}
