"""Without secrets: tickets and chats, with numbers, ids and names."""

from tests.masking.operations.template import NegRow

ROWS: tuple[NegRow, ...] = (
    ("ci url", "en", "https://ci.example.com/job/ledger/job/main/4412/artifact/reports/password-policy-check.html"),
    (
        "drive link",
        "en",
        "https://wiki.example.com/spaces/OPS/pages/118882211/Password+rotation+runbook?focusedCommentId=119200",
    ),
    (
        "base64 image",
        "en",
        (
            '<img alt="dot" src="data:image/png;base64,'
            'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==">'
        ),
    ),
    ("base64 font", "en", "src:url(data:font/woff2;base64,d09GMgABAAAAA{bs120}) format('woff2')"),
    (
        "base64 plain text",
        "en",
        "echo aGVsbG8gd29ybGQsIHRoaXMgaXMgYSB0ZXN0IG1lc3NhZ2U= | base64 -d\nhello world, this is a test message",
    ),
    (
        "role mailboxes",
        "en",
        (
            "Write to support@example.com for tickets, security@example.org for reports; mails come from "
            "noreply@example.com."
        ),
    ),
    (
        "role mailboxes",
        "de",
        "Bitte an info@example.de oder support@example.de schreiben, Antworten kommen von noreply@example.de.",
    ),
    (
        "role mailboxes",
        "fr",
        "Écrivez à support@example.fr ; pour les failles, security@example.fr répond sous deux jours.",
    ),
    ("handles", "en", "@alice can you review? cc @bob @platform-oncall, thread in #incident-4412"),
    ("mastodon-like", "en", "follow @status@social.example.com for outages, or the #oakford-status tag"),
    ("mail-like things", "en", "ledger@2.14.0 depends on auth@workspace:*; image busybox@sha256:{sha256}"),
    ("systemd instances", "en", "systemctl restart ledger@8081.service openvpn@client.service getty@tty1.service"),
    (
        "message id-like",
        "en",
        "actions/checkout@v4, actions/setup-node@v4.0.2 and hashicorp/setup-terraform@v3 are pinned",
    ),
    ("jdbc without password", "en", "jdbc:postgresql://{fq}:5432/ledger?sslmode=verify-full&targetServerType=primary"),
    ("url user only", "en", "postgres://ledger@{fq}:5432/ledger?sslmode=require uses the password from ~/.pgpass"),
    ("ado integrated", "en", "Server={h};Database=ledger;Integrated Security=True;TrustServerCertificate=True"),
    ("redis without password", "en", "REDIS_URL=redis://{fq}:6379/0\nCELERY_BROKER=amqp://{fq}:5672//"),
    ("person names", "en", "Harriet Ashcombe and Dylan Oakenshaw are on call this week, Maeve Hartnoll reviews."),
    ("person names", "de", "Annika Lindenau übernimmt von Torsten Wolfshagen, Stand-up um 9:15 Uhr."),
    ("host names", "en", "{fq}, {fq#1} and ip-10-20-118-42.eu-central-1.compute.internal do not resolve"),
    (
        "file paths",
        "en",
        "/etc/pki/tls/private/ledger.key is owned by root:ledger 0640; C:\\ProgramData\\Oakford\\secrets\\README.txt",
    ),
    (
        "ls output",
        "en",
        (
            "-rw------- 1 root root 1704 May 14 09:12 /etc/ssl/private/wildcard.key\n"
            "-rw-r--r-- 1 root root 2118 May 14 09:12 fullchain.pem"
        ),
    ),
    (
        "settings table",
        "en",
        (
            "| Setting | Default |\n"
            "|---|---|\n"
            "| token_ttl | 3600 |\n"
            "| password_min_length | 12 |\n"
            "| max_login_attempts | 5 |"
        ),
    ),
    (
        "status table",
        "en",
        (
            "| System | Password rotated | Owner |\n"
            "|---|---|---|\n"
            "| NAS | 2024-05-12 | Platform |\n"
            "| VPN | 2024-04-30 | Network |"
        ),
    ),
    (
        "vault column",
        "en",
        "| System | User | Password |\n|---|---|---|\n| iDRAC | root | in vault |\n| UPS | apc | see 1Password |",
    ),
    ("see the vault", "en", "password: see 1Password (vault Infra, item ledger-db)\nuser: ledger_rw"),
    ("ask someone", "en", "Password: ask the on-call engineer. User: your normal login."),
    ("n/a values", "en", "Password: none\nPassphrase: n/a\nToken: not required\nPIN: unchanged"),
    (
        "aws account",
        "en",
        "Account 123456789012, VPC vpc-0a1b2c3d4e5f67890, subnet subnet-0fedcba9876543210, sg-0123456789abcdef0",
    ),
    ("aws ids", "en", "ami-0c55b159cbfafe1f0, i-0abcd1234ef567890, snap-066877671789bd71b, eipalloc-64d5890a"),
    ("stripe object ids", "en", "charge ch_{an24} belongs to customer cus_{an14}, invoice in_{an24}"),
    ("slack ids", "en", "channel C0{up9}, user U0{up9#1}, thread ts 1715684400.118200"),
    ("google client id", "en", "client_id=1084-{lo32}.apps.googleusercontent.com is public, only the secret is not"),
    (
        "oauth public params",
        "en",
        (
            "response_type=code&client_id=ledger-web&scope=openid+profile&code_challenge_method=S256&redirect_uri=h"
            "ttps%3A%2F%2Fapp.example.com%2Fcb"
        ),
    ),
    ("kafka ids", "en", "cluster.id={us22} node 3, topic password-events-v2, lag 118, group token-audit"),
    ("mongo objectid", "en", 'db.tickets.find({ _id: ObjectId("{hex24}") }) // 14 ms, IXSCAN'),
    ("ulid", "en", "job 01HXV6Q2K8Z4N7M3P5R9S1T0WB finished, next is 01HXV6R0A1B2C3D4E5F6G7H8J9"),
    (
        "snowflake ids",
        "en",
        "tweet-like id 1790312845517062144 and message 1239871029384756102 are in the dead letter queue",
    ),
    ("serial numbers", "en", "chassis S/N CZJ1180F4K, disk WD-WCC4N1184417, licence dongle 0x4F2A-118C"),
    ("flight and seat", "en", "Travel for the DC visit: flight LH 1184, seat 14C, terminal 2, 06:45, room 118"),
    (
        "timezone list",
        "en",
        "Stand-ups: 09:15 CEST, 08:15 BST, 12:45 IST, 16:15 JST; retro every 2nd Tuesday 14:00-15:00",
    ),
    (
        "exit codes",
        "en",
        "exit status 137 (OOMKilled), errno 111, HTTP 429, SQLSTATE 28P01, ORA-28001: the password has expired",
    ),
    (
        "windows event",
        "en",
        (
            "Event 4625: An account failed to log on. Sub Status 0xC000006A (bad password), Logon Type 3, "
            "S-1-5-21-1004336348-1177238915-682003330-512"
        ),
    ),
    (
        "memory addresses",
        "en",
        "segfault at 7f3a1c0de018 ip 00007f3a1bfe2a3c sp 00007ffd5e1a9c10 error 4 in libcrypto.so.3",
    ),
    ("hexdump", "en", "00000000  89 50 4e 47 0d 0a 1a 0a  00 00 00 0d 49 48 44 52  |.PNG........IHDR|"),
    ("numbers series", "en", "0 1 1 2 3 5 8 13 21 34 55 89 144 233 377 610 987 1597 2584 4181 6765 10946"),
    ("sla table", "en", "P1 15 min / 4 h, P2 1 h / 8 h, P3 8 h / 5 d, availability 99.95 % (21.9 min per month)"),
    (
        "licence text",
        "en",
        "SPDX-License-Identifier: Apache-2.0 AND (MIT OR BSD-3-Clause), see LICENSES/ for 118 third-party components",
    ),
    (
        "public keys in json",
        "en",
        '{"keys":[{"kty":"EC","crv":"P-256","use":"sig","kid":"{us20}","x":"{us43}","y":"{us43#1}"}]}',
    ),
    (
        "dkim record",
        "en",
        's1._domainkey.example.com. TXT "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC{bs160}IDAQAB"',
    ),
    (
        "spf and dmarc",
        "en",
        '"v=spf1 include:_spf.example.com ip4:203.0.113.0/24 -all"\n"v=DMARC1; p=reject; adkim=s; pct=100"',
    ),
    (
        "caa and acme",
        "en",
        '_acme-challenge.app.example.com. 60 IN TXT "{us43}" (public DNS record, removed after issue)',
    ),
    (
        "stripe publishable doc",
        "en",
        "The publishable key starts with pk_live_ and may be shipped to browsers; the secret key starts with sk_live_.",
    ),
    (
        "token prefixes doc",
        "en",
        "GitHub prefixes: ghp_ personal, gho_ OAuth, ghs_ server; GitLab: glpat-, gldt-, glrt-; Slack: xoxb-, xoxp-.",
    ),
    ("password joke", "en", "no, `password` is not a good password, and neither is the name of the dog"),
)
