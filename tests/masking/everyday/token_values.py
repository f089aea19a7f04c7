"""Makers of vendor tokens, written as patterns: `{A36}` is 36 letters and digits."""

import base64
import json
import zlib
from random import Random

from tests.masking.everyday.drawing import DIGITS, LOWER, UPPER, draw
from tests.masking.everyday.template import Maker

UUID = "{H8}-{H4}-4{H3}-a{H3}-{H12}"

PATTERNS: dict[str, str] = {
    "aws_id": "AKIA{T16}",
    "aws_tmp": "ASIA{T16}",
    "aws_secret": "{A6}/{S33}",
    "aws_session": "IQoJb3JpZ2luX2Vj{S220}==",
    "gh_fine": "github_pat_11{U20}_{A59}",
    "gitlab": "glpat-{W20}",
    "gitlab_runner": "glrt-{W20}",
    "gitlab_deploy": "gldt-{W20}",
    "slack_bot": "xoxb-{N1}{D11}-{N1}{D12}-{A24}",
    "slack_user": "xoxp-{N1}{D11}-{N1}{D11}-{N1}{D12}-{H32}",
    "slack_app": "xapp-1-A0{U9}-{N1}{D12}-{H64}",
    "slack_hook_path": "T0{U9}/B0{U9}/{A24}",
    "stripe": "sk_live_51{A22}{A76}",
    "stripe_old": "sk_live_{A24}",
    "stripe_rk": "rk_live_51{A97}",
    "stripe_wh": "whsec_{A32}",
    "openai": "sk-proj-{W74}T3BlbkFJ{W74}",
    "openai_old": "sk-{A20}T3BlbkFJ{A20}",
    "anthropic": "sk-ant-api03-{W93}AA",
    "google_api": "AIzaSy{W33}",
    "google_oauth": "GOCSPX-{W28}",
    "google_access": "ya29.a0A{W160}",
    "sendgrid": "SG.{W22}.{W43}",
    "mailgun": "key-{H32}",
    "mailchimp": "{H32}-us1{D1}",
    "twilio_key": "SK{H32}",
    "twilio_auth": "{H32}",
    "npm": "npm_{A36}",
    "pypi": "pypi-AgEIcHlwaS5vcmcC{W140}",
    "rubygems": "rubygems_{H48}",
    "hf": "hf_{A34}",
    "replicate": "r8_{A37}",
    "dop": "dop_v1_{H64}",
    "cf_token": "{A10}-{A18}_{A10}",
    "heroku": "HRKU-AA{W58}",
    "hex32": "{H32}",
    "hex40": "{H40}",
    "hex64": "{H64}",
    "uuid": UUID,
    "newrelic": "NRAK-{U27}",
    "newrelic_lic": "eu01xx{H30}NRAL",
    "sentry_user": "sntryu_{H64}",
    "grafana": "glsa_{A32}_{H8}",
    "shopify": "shpat_{H32}",
    "square": "EAAA{W60}",
    "telegram": "{N1}{D9}:AA{W33}",
    "discord": "MT{A24}.G{A5}.{W38}",
    "discord_hook_path": "{N1}{D18}/{W68}",
    "docker": "dckr_pat_{W27}",
    "tfc": "{A14}.atlasv1.{A67}",
    "vault": "hvs.CAESI{W90}",
    "doppler": "dp.pt.{A43}",
    "linear": "lin_api_{A40}",
    "notion": "ntn_{D11}{A35}",
    "atlassian": "ATATT3xFfGF0{W172}={X8}",
    "bitbucket": "ATBB{A24}{X8}",
    "azure_secret": "{A3}8Q~{W34}",
    "azdo": "{L52}",
    "azure_storage": "{S86}==",
    "airtable": "pat{A14}.{H64}",
    "figma": "figd_{W40}",
    "postman": "PMAK-{H24}-{H34}",
    "databricks": "dapi{H32}-2",
    "groq": "gsk_{A52}",
    "pplx": "pplx-{A48}",
    "circleci": "CCIPAT_{A22}_{H40}",
    "buildkite": "bkua_{H40}",
    "sonar": "squ_{H40}",
    "okta": "00{W40}",
    "hubspot": "pat-eu1-" + UUID,
    "supabase": "sbp_{H40}",
    "netlify": "nfp_{A36}",
    "artifactory": "AKCp8{A68}",
    "flutterwave": "FLWSECK-{H32}-X",
    "tailscale": "tskey-auth-k{A11}CNTRL-{A32}",
    "pulumi": "pul-{H40}",
    "launchdarkly": "sdk-" + UUID,
    "brevo": "xkeysib-{H64}-{A16}",
    "contentful": "CFPAT-{W43}",
    "age": "AGE-SECRET-KEY-1{B58}",
    "xai": "xai-{A80}",
    "nuget": "oy2{L43}",
    "crates": "cio{A32}",
    "dynatrace": "dt0c01.{T24}.{T64}",
    "asana": "2/{N1}{D15}/{N1}{D15}:{H32}",
    "langsmith": "lsv2_pt_{H32}_{H10}",
    "nvidia": "nvapi-{W64}",
    "plaid": "access-production-" + UUID,
    "mollie": "live_{A30}",
    "alibaba": "LTAI5t{A18}",
    "alibaba_secret": "{A30}",
    "datadog_app": "{H40}",
    "pscale": "pscale_tkn_{W43}",
    "sha1": "{H40}",
    "sha7": "{H7}",
    "sha256": "{H64}",
    "sha512b": "{S86}==",
    "md5": "{H32}",
    "hex16": "{H16}",
    "dig6": "{N1}{D5}",
    "dig8": "{N1}{D7}",
    "dig10": "{N1}{D9}",
    "dig12": "{N1}{D11}",
    "apikey": "{A32}",
    "apikey_l": "{L40}",
    "rand24": "{W24}",
    "rand20": "{A20}",
    "sid": "{L26}",
    "b64_44": "{S43}=",
    "signature": "{W60}",
}


def _maker(pattern: str) -> Maker:
    """Make a maker of a pattern."""
    return lambda rng, _language: draw(pattern, rng)


def github(rng: Random, prefix: str = "ghp_") -> str:
    """A GitHub token with its check sum."""
    body = draw("{A30}", rng)
    number, tail = zlib.crc32(body.encode()), ""
    alphabet = DIGITS + UPPER + LOWER
    for _ in range(6):
        number, rest = divmod(number, 62)
        tail = alphabet[rest] + tail
    return prefix + body + tail


def b64url(data: bytes) -> str:
    """URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def jwt(rng: Random, algorithm: str = "HS256", signature: int = 43) -> str:
    """A JSON web token."""
    head = {"alg": algorithm, "typ": "JWT"}
    if algorithm != "HS256":
        head["kid"] = draw("{W20}", rng)
    start = rng.randint(1_690_000_000, 1_760_000_000)
    role = rng.choice(["user", "admin", "editor"])
    claims = {"sub": draw("{D6}", rng), "role": role, "iat": start, "exp": start + 3600}
    parts = [b64url(json.dumps(part, separators=(",", ":")).encode()) for part in (head, claims)]
    return ".".join([*parts, draw(f"{{W{signature}}}", rng)])


def mapbox(rng: Random) -> str:
    """A Mapbox secret token."""
    claims = json.dumps({"u": "fleetmaps", "a": draw("{L25}", rng)}, separators=(",", ":"))
    return f"sk.{b64url(claims.encode())}.{draw('{W22}', rng)}"


def sentry_org(rng: Random) -> str:
    """A Sentry organisation token."""
    claims = {"iat": rng.randint(1_690_000_000, 1_760_000_000), "url": "https://sentry.io", "org": "nordwind"}
    body = base64.b64encode(json.dumps(claims).encode()).decode()
    return f"sntrys_{body}_{draw('{S43}', rng)}"


TOKENS: dict[str, Maker] = {
    **{name: _maker(pattern) for name, pattern in PATTERNS.items()},
    "ghp": lambda rng, _: github(rng),
    "gho": lambda rng, _: github(rng, "gho_"),
    "ghs": lambda rng, _: github(rng, "ghs_"),
    "jwt": lambda rng, _: jwt(rng),
    "jwt_rs": lambda rng, _: jwt(rng, "RS256", 342),
    "jwt_es": lambda rng, _: jwt(rng, "ES256", 86),
    "jwt_cut": lambda rng, _: jwt(rng, "RS256", 342)[:180],
    "mapbox": lambda rng, _: mapbox(rng),
    "sentry_org": lambda rng, _: sentry_org(rng),
}
