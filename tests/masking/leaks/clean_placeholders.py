"""Placeholders in the places where secrets stand, made from two lists."""

import random

from tests.masking.case import Negative

PLACEHOLDERS: tuple[tuple[str, str], ...] = (
    ("angle brackets", "<your-token>"),
    ("angle upper", "<API_KEY>"),
    ("your upper", "YOUR_API_KEY_HERE"),
    ("crosses", "xxxxxxxxxxxxxxxxxxxx"),
    ("crosses upper", "XXXX-XXXX-XXXX-XXXX"),
    ("stars", "********"),
    ("shell variable", "${API_TOKEN}"),
    ("shell plain variable", "$API_TOKEN"),
    ("windows variable", "%API_TOKEN%"),
    ("helm value", "{{ .Values.auth.token }}"),
    ("jinja value", "{{ api_token }}"),
    ("command", "$(cat /run/secrets/api_token)"),
    ("github secret", "${{ secrets.API_TOKEN }}"),
    ("dots", "..."),
    ("redacted", "[REDACTED]"),
    ("masked", "<redacted>"),
    ("vault path", "vault:secret/data/crm#token"),
    ("1password", "op://Production/crm/token"),
)
PLACES: tuple[tuple[str, str], ...] = (
    ("env", "LOG_LEVEL=info\nAPI_TOKEN={value}\nAPI_TIMEOUT=30"),
    ("yaml", "api:\n  url: https://api.example.com\n  token: {value}\n  retries: 3"),
    ("json", '{{"url": "https://api.example.com", "token": "{value}", "retries": 3}}'),
    ("header", 'curl -H "Authorization: Bearer {value}" https://api.example.com/v1/me'),
    ("toml", '[api]\ntoken = "{value}"\nretries = 3'),
    ("flag", "portalctl --token {value} tokens list --limit 20"),
)


def placeholder_negatives(seed: int) -> list[Negative]:
    """Every placeholder in three places."""
    rng = random.Random(f"{seed}/placeholders")
    made: list[Negative] = []
    for label, value in PLACEHOLDERS:
        for shape, template in rng.sample(PLACES, 3):
            made.append(Negative(f"placeholder {label} / {shape}", "en", template.format(value=value)))
    return made
