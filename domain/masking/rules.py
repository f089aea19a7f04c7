"""The rule table: one row a kind of secret, each with its own examples and counter-examples.

Token formats are those that the issuers publish. Patterns are in RE2's syntax: linear in the text whatever it holds.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of secret.

    kind: named in the mask. pattern: what is masked is group 1 where there is one, else the whole match.
    keywords: the text must hold one of them, in any case, before the pattern is tried; none: it is always tried.
    examples: are masked. not_examples: are left alone.
    """

    kind: str
    pattern: str
    keywords: tuple[str, ...]
    examples: tuple[str, ...]
    not_examples: tuple[str, ...] = ()


RULES = (
    Rule(
        "private key",
        r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?s:.)*?"
        r"(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|\z)",
        ("private key",),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\n-----END RSA PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\nMIIE",
        ),
        ("-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----", "keep the private key secret"),
    ),
    Rule(
        "aws access key",
        r"\b((?:AKIA|ASIA)[A-Z2-7]{16})\b",
        ("akia", "asia"),
        ("AKIAIOSFODNN7EXAMPLE",),
        ("AKIA is a prefix", "ASIA PACIFIC"),
    ),
    Rule(
        "github token",
        r"\b((?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{50,255})\b",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        ("ghp_" + "a1B2" * 9, "github_pat_" + "x" * 60),
        ("ghp_short", "the ghp_ prefix"),
    ),
    Rule("gitlab token", r"\b(glpat-[\w-]{20,64})", ("glpat-",), ("glpat-" + "aB3_" * 5,), ("glpat-short",)),
    Rule(
        "slack token",
        r"\b(xox[abeprs]-[A-Za-z0-9-]{20,255}|xapp-\d-[A-Za-z0-9-]{20,255})",
        ("xox", "xapp-"),
        ("xoxb-123456789012-abcdefABCDEF123456", "xapp-1-A012345-6789-abcdef0123456789"),
        ("xoxb-", "xoxo hugs"),
    ),
    Rule(
        "model api key",
        r"\b(sk-(?:proj-|ant-|or-)?[A-Za-z0-9_-]{32,200})\b",
        ("sk-",),
        ("sk-" + "aB3d" * 10, "sk-proj-" + "aB3d" * 12),
        ("sk-learn", "risk-averse-people-are-in-the-minority"),
    ),
    Rule("google api key", r"\b(AIza[\w-]{35})", ("aiza",), ("AIza" + "b" * 35,), ("AIza is a prefix",)),
    Rule(
        "stripe key",
        r"\b((?:sk|rk)_(?:live|test)_[A-Za-z0-9]{20,200})\b",
        ("_live_", "_test_"),
        ("sk_live_" + "4eC3" * 6,),
        ("sk_test_mode", "my_test_case_name_is_rather_long_here"),
    ),
    Rule(
        "json web token",
        r"\b(eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})",
        ("eyj",),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLWJ5dGVz",),
        ("eyJ is how they begin",),
    ),
    Rule(
        "password in url",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,100}:([^\s/@\"'<>{}$*]{3,200})@",
        ("://",),
        ("postgresql://app:hunter22@db.example.com/app",),
        ("https://example.com/a:b@c", "postgresql://user:${PASSWORD}@host"),
    ),
    Rule(
        "authorization header",
        r"(?i)\bauthorization:\s*(?:bearer|basic|token)\s+([A-Za-z0-9+/=._~-]{16,1000})",
        ("authorization",),
        ("Authorization: Bearer abcdef0123456789ABCDEF",),
        ("Authorization: Bearer <token>",),
    ),
    Rule(
        "password",
        r"(?i)\b[\w-]{0,40}(?:password|passwd|passphrase|secret[_-]?key|api[_-]?key|access[_-]?token|client[_-]?secret)"
        r"[\"']?\s{0,3}(?:=|:)\s{0,3}[\"']?([^\s\"'`,;<>{}()\[\]$*]{6,200})",
        ("password", "passwd", "passphrase", "secret", "key", "token"),
        ("DB_PASSWORD=tr0ub4dor&3", 'password: "correct-horse-battery"', "api_key = 9f8e7d6c5b4a"),
        ("password: <your-password>", "password = $DB_PASSWORD", "The password: ask IT"),
    ),
)
