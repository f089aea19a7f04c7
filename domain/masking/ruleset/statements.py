"""Passwords in statements: calls, SQL, XML, configuration of services, connection strings."""

from collections.abc import Iterable

from domain.masking.ruleset.assigned_values import passphrase, strength_of_code
from domain.masking.ruleset.key_words import (
    HEADING,
    PASSWORD_WORDS,
    PASSWORDS_AT_HAND,
    QUOTE,
    TOKEN_WORDS,
    TOKENS_AT_HAND,
    VALUE,
)
from domain.masking.ruleset.rule import DIGITS, Rule, any_group, value
from domain.masking.ruleset.secret_strength import GOOD, WEAK, is_code, is_placeholder, is_random, is_slug, strength
from domain.patterns import LinearRegex, PatternMatch, Place


def _is_quoted_secret(held: str) -> bool:
    if is_placeholder(held) or (is_code(held) and not strength_of_code(held)):
        return False
    return strength(held) >= WEAK or passphrase(held)


_quoted = any_group(_is_quoted_secret)
"""The string that a method or a statement takes as a password."""

_LITERAL = LinearRegex(r"\"([^\"\n]{4,200})\"|'([^'\n]{4,200})'")


def _arguments(match: PatternMatch) -> Iterable[Place]:
    """Strings among the arguments of a call that takes a password: what looks like one, and the last before the end."""
    yield from _quoted(match)
    start = match.start()
    for literal in _LITERAL.finditer(match.group()):
        held = literal[1] or literal[2]
        if strength(held) >= GOOD and not is_code(held) and not is_placeholder(held) and " " not in held:
            first, end = literal.span(1 if literal[1] else 2)
            yield start + first, start + end


_bare = value(lambda held: bool(held) and strength(held) >= WEAK)


_LIST = LinearRegex(r"\s*(?:'((?:[^']|'')*)'|[^,]*)(?:,|\Z)")


def _inserted(match: PatternMatch) -> Iterable[Place]:
    """The values of an SQL statement that belong to columns for passwords."""
    columns = [name.strip(' "`\n') for name in match.group(1).split(",")]
    start = match.span(2)[0]
    values = list(_LIST.finditer(match.group(2)))
    for name, held in zip(columns, values, strict=False):
        if HEADING.fullmatch(name) and held[1] and not is_placeholder(held[1]) and strength(held[1]) >= WEAK:
            yield start + held.start(1), start + held.end(1)


_bare_any = any_group(lambda held: strength(held) >= WEAK and not is_code(held))

_strong = any_group(lambda held: not is_placeholder(held) and is_random(held))
"""What only counts when it is random."""

STATEMENTS = (
    Rule(
        "password",
        rf"(?i)(?:name|key){QUOTE}?\s{{0,3}}[:=]\s{{0,3}}{QUOTE}?[\w.-]{{0,60}}(?:{PASSWORD_WORDS}|{TOKEN_WORDS})[\w.-]{{0,10}}{QUOTE}?,?\s{{0,20}}-?\s?{QUOTE}?value{QUOTE}?\s{{0,3}}[:=]\s{{0,3}}{VALUE}",
        ("value",),
        _quoted,
        ("- name: DB_PASSWORD\n  value: s3cr3t-77", '{"name": "api_key", "value": "a7Bk2Zq9Rm4T"}'),
        ("- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:", "- name: password\n  value: required"),
        group="key value",
    ),
    Rule(
        "password",
        rf"(?i)<(?:\w+:)?[\w.-]{{0,40}}(?:{PASSWORD_WORDS}|secret|token|api-?key)(?:\s[^<>]*)?>\s{{0,20}}([^<>\s]{{4,}})\s{{0,20}}</"
        rf"|<[^<>]*(?:{PASSWORD_WORDS}|secret|token|api-?key)[\"'][^<>]{{0,60}}>([^<>\s]{{4,}})</",
        ("</",),
        _quoted,
        ("<password>tr0ub4dor&amp;3</password>", '<entry key="password">hunter22</entry>'),
        ("<password></password>", "<password>${db.password}</password>"),
        group="key value",
    ),
    Rule(
        "password",
        r"(?i)\b(?:identified\s(?:with\s\w{1,40}\s)?by(?:\spassword|\svalues)?|(?:encrypted\s)?password|set\spassword(?:\s\w{1,20}){0,4}\s?=?|pwd|passphrase)\s{1,3}(?:'([^'\n]{4,})'|\"([^\"\n]{4,})\")",
        ("identified", "password", "pwd", "passphrase"),
        _quoted,
        ("CREATE USER app IDENTIFIED BY 'Zq9-plum'", "ALTER ROLE app WITH PASSWORD 'hunter22';"),
        ("ALTER ROLE app WITH PASSWORD 'password'", 'the column password "is not null"'),
        group="key value",
    ),
    Rule(
        "password",
        r"(?i)\b(?:create|alter|grant|set|administer)\s(?:[^;\n]{0,60}\s)?(?:user|role|session|link|connect\sto)\s[^;\n]{1,120}?\sidentified\s{1,3}by\s{1,3}([^\s\"'`;,()]{4,})(?:\s{1,3}replace\s{1,3}([^\s\"'`;,()]{4,}))?",
        ("identified",),
        any_group(lambda held: strength(held) >= WEAK and not is_slug(held)),
        ("CREATE USER app IDENTIFIED BY Zq9plum7;", "alter user app identified by Zq9plum7 replace Plum7zq9;"),
        (
            "CREATE USER app IDENTIFIED BY password;",
            "Create an order that is identified by order-number-77",
            "Grant access to each customer identified by CUST00042.",
        ),
        group="key value",
    ),
    Rule(
        "recovery key",
        r"(?:^|[^\w-])(\d{6}(?:-\d{6}){7})(?:[^\w-]|$)",
        (DIGITS,),
        value(lambda held: len(set(held)) >= 6),
        ("BitLocker recovery key: 419265-302104-552178-083600-611523-440198-327712-160831",),
        ("000000-000000-000000-000000-000000-000000-000000-000000",),
        group="key value",
    ),
    Rule(
        "password",
        r"(?i)(?:set|with|get|add|put|use|encode|make|new|default)?_?(?:password|passphrase|passwd|secret|api_?key|secret_?key|access_?key|private_?key|auth_?token|bearer_?token|token|credentials?|networkcredential|basicauth|basic_auth|httpbasicauth|usernamepassword\w{0,20}|createcredential|client|pdo|mysqli|mysqli_connect|mysql_connect|pg_connect|createconnection|auth|login|authenticate|signin|sign_in|connect)\s?(?:=\s?)?\(\s{0,8}"
        r"(?:(?:[\"'][^\"'\n]*[\"']|[$\w.+\"' ]{1,40})\s{0,3},\s{0,8}){0,3}(?:\"([^\"\n]{4,})\"|'([^'\n]{4,})')\s{0,8}(?:[,)]|\.to)",
        ("pass", "pwd", "secret", "key", "token", "cred", "auth", "login", "connect", "client", "pdo", "mysqli"),
        _arguments,
        ('builder.setPassword("tr0ub4dor&3")', "auth=('svc', 'Zq9-plum!')", 'ftp.login("bob", "hunter22")'),
        ('getenv("DB_PASSWORD")', 'password("Enter your password")', "login('user', 'password')"),
        group="key value",
    ),
    Rule(
        "password",
        r"(?im)(?:^[ \t>]*|\slogin\s\S+\s|^[\s>]{0,8}(?:ENV|ARG|export|set|setx)\s[\w.-]{0,40})(?:[\w.-]{0,40}[_.-])?(?:password|passwd|pass|pwd|passphrase|requirepass|masterauth|bindpw|secret|token|api_?key|_authToken|psk|pre-shared-key)[ \t]{1,8}(?:\d\s)?([^\s\"'`<>|=:]{5,})\s{0,4}$",
        ("pass", "pwd", "secret", "token", "key", "bindpw", "masterauth"),
        _bare,
        ("requirepass Zq9-plum!7", "machine example.com login bob password hunter22", "ENV DB_PASSWORD tr0ub4dor3"),
        ("password authentication", "token expires\n", "secret handshakes"),
        group="key value",
    ),
    Rule(
        "password",
        rf"(?i){QUOTE}[\w.-]*(?:{PASSWORD_WORDS}|{TOKEN_WORDS}){QUOTE}\s?,\s?(?:'([^'\n]{{4,}})'|\"([^\"\n]{{4,}})\")",
        (*PASSWORDS_AT_HAND, *TOKENS_AT_HAND),
        _quoted,
        ("define( 'DB_PASSWORD', 'Zq9-plum7' );",),
        ("define('DB_PASSWORD', 'password')", "['password', 'username', 'e-mail']"),
        group="key value",
    ),
    Rule(
        "password",
        r"(?:^|[\s\"'(`>=])[\w.*-]+:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w.*@-]{1,60}:([^\s\"':]{4,})",
        (":5432:", ":5433:", ":6432:", ":3306:", ":*:", "pgpass"),
        _bare_any,
        ("db.example.com:5432:shop:app:hunter22",),
        ("12:30:15:22:44", "a:1:b:c:d"),
        group="connection string",
    ),
    Rule(
        "password",
        r"[\w.-]{2,60}:([^\s@:/\"'(]{4,})@(?:tcp|unix)\(",
        ("@tcp(", "@unix("),
        _bare_any,
        ('sql.Open("mysql", "app:Zq9plum7@tcp(db:3306)/shop")',),
        ("user:password@tcp(db:3306)",),
        group="connection string",
    ),
    Rule(
        "password",
        r"(?i)(?:\bjdbc:oracle:\w+:[^/\s:]{1,60}/([^\s\"']{3,})@(?:/|[\w(])|\bdbi:[^\n]{1,200}?[\"'],\s?[\"'][^\"'\n]{1,60}[\"'],\s?[\"']([^\"'\n]{4,})[\"'])",
        ("jdbc:oracle", "dbi:"),
        _bare_any,
        ("jdbc:oracle:thin:app/Zq9plum7@//db:1521/X", "DBI->connect('dbi:Pg:dbname=x', 'app', 'Zq9plum7')"),
        ("jdbc:oracle:thin:@//db:1521/X",),
        group="connection string",
    ),
    Rule(
        "password",
        r"(?im)\b(?:rocommunity|rwcommunity|snmp-server\scommunity|createuser\s\S+\s\w+|(?:password|secret|key)\s[0-9])\s(?:[\"']?([^\s\"']{6,})[\"']?)(?:\s(?:aes|des)\s([^\s\"']{6,}))?",
        ("community", "createuser", "password ", "secret ", "key "),
        _bare_any,
        ("rocommunity Zq9plum7 10.0.0.0/8", "username ops privilege 15 password 0 Zq9plum7"),
        ("the community edition", "password 7 characters"),
        group="key value",
    ),
    Rule(
        "aws secret key",
        r"(?:AKIA|ASIA)[A-Z0-9]{16}[^A-Za-z0-9](?s:.){0,200}?[^A-Za-z0-9/+=]([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)",
        ("akia", "asia"),
        _strong,
        ("AKIAK3F9A1Z7Q2M8W4X6 and a7Bk2Zq9Rm4Tx6Yw8Lp3Vn5Jd1Gh0FsQcUeXa7Bk",),
        (),
        group="vendor token",
    ),
    Rule(
        "password hash",
        r"(?:^|[^\w$])(\$(?:apr1|1|2[abxy]|5|6|7|y|gy|argon2\w{0,3}|pbkdf2\S{0,10}|scrypt)\$[A-Za-z0-9./$=,+-]{20,})",
        (
            "$1$",
            "$2a$",
            "$2b$",
            "$2x$",
            "$2y$",
            "$5$",
            "$6$",
            "$7$",
            "$y$",
            "$gy$",
            "$apr1$",
            "$argon2",
            "$pbkdf2",
            "$scrypt",
        ),
        any_group(lambda held: len(set(held)) >= 12),
        ("ops:$apr1$TZgeV7g2$KVMm9zhKNj6wVFr1w6mQy1",),
        ("$1$ is MD5", "$2b$12$xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
        group="key value",
    ),
    Rule(
        "password",
        rf"(?i)(?:variable\s\"[\w-]*(?:{PASSWORD_WORDS}|secret|token|key|psk)[\w-]*\"\s\{{[^{{}}]*?\bdefault\s*=\s*\"([^\"\n]{{4,}})\"|<(?:\w+:)?password>\s*<value>([^<]{{4,}})</value>"
        rf"|\b(?:pwd|password)=\{{([^{{}}\n]{{4,}})\}})",
        ("variable", "<value>", "pwd={", "password={"),
        _quoted,
        (
            'variable "admin_password" {\n  default = "Zq9plum7"\n}',
            "<Password><Value>Zq9plum7!</Value></Password>",
            "Uid=etl;Pwd={Zq9plum7!};",
        ),
        ('variable "admin_password" {\n  default = ""\n}', "Pwd={password};"),
        group="key value",
    ),
    Rule(
        "password",
        r"(?i)\binsert\s+into\s+[\w.\"`]{1,60}\s*\(([^()]{1,600})\)\s*values\s*\(([^()]{1,800})\)",
        ("insert",),
        _inserted,
        ("INSERT INTO users (login, password) VALUES ('bob', 'coffee2025')",),
        ("INSERT INTO users (login, password) VALUES (?, ?)",),
        group="key value",
    ),
)
