"""Without secrets: logs and tables."""

from tests.masking.operations.template import NegRow

ROWS: tuple[NegRow, ...] = (
    ("commit hashes", "en", "regression is between {sha} and {sha#1}, bisect says {sha7}"),
    ("uuid", "en", "request {uuid} was retried as {uuid#1}, tenant {uuid#2}"),
    ("checksums", "en", "{hex32}  ledger-{ver}.tar.gz\n{sha256}  ledger-{ver}.deb"),
    ("sha1sum", "en", "sha1sum backup.img -> {sha}, matches the one in the manifest"),
    ("etag", "en", 'ETag: "{hex32}"\nLast-Modified: Tue, 14 May 2024 09:12:44 GMT\nCache-Control: max-age=3600'),
    ("trace ids", "en", "{ts} INFO trace_id={hex32} span_id={hex16} GET /orders 200 12ms"),
    ("traceparent", "en", "traceparent: 00-{hex32}-{hex16}-01\ntracestate: vendor=1\nx-request-id: {uuid}"),
    ("ticket keys", "en", "{tk} is blocked by {tk#1}; see also {tk#2} and CVE-2024-31497 (PuTTY)"),
    ("versions", "en", "upgrade path: 15.11.13 -> 16.3.9 -> 16.7.10 -> 16.11.4, then PostgreSQL 14.11 to 16.2"),
    ("semver with build", "en", "ledger 2.14.0-rc.3+build.20240512.{sha7} (linux/amd64, go1.22.3)"),
    ("port map", "en", "ports:\n  - 5432:5432\n  - 127.0.0.1:8080:80\n  - 9090:9090/tcp"),
    ("private addresses", "en", "{ip} -> {ip#1}:5432 timeout, {ip#2}/24 is routed via 10.0.0.1"),
    ("public addresses", "en", "allow 203.0.113.17 and 198.51.100.0/24 on 443, drop 192.0.2.200"),
    ("ipv6", "en", "AAAA 2001:db8:85a3::8a2e:370:7334, link-local fe80::1ff:fe23:4567:890a%eth0"),
    ("mac addresses", "en", "eth0 00:1b:44:11:3a:b7, eth1 00-1B-44-11-3A-B8, switch port sees 001b.4411.3ab9"),
    (
        "dates",
        "en",
        "Maintenance window 2024-05-18 22:00 to 2024-05-19 02:00 UTC, freeze from 20/12/2024 until 06/01/2025",
    ),
    ("unix times", "en", "created=1715684400 updated=1715684400123 expires=1718276400 (unix, seconds and ms)"),
    (
        "log timestamps",
        "en",
        "20240514T091244Z 20240514-091244.118 [2024-05-14 09:12:44,118] 14/May/2024:09:12:44 +0200",
    ),
    ("order numbers", "en", "Orders 100482271, 100482272 and 100482275 are stuck in state PENDING_EXPORT."),
    ("invoice numbers", "de", "Rechnung RE-2024-004417 vom 12.05.2024 über 1.249,90 EUR, Kundennummer 884120."),
    ("order and tracking", "en", "Order 2024-1184-7731, parcel 1Z999AA10123456784, RMA 55-0911-A"),
    ("money", "en", "MRR 1,284,220.50 USD, churn 2.31 %, ARPA 412.70 USD, forecast 15 120 000 JPY"),
    ("isbn", "en", "Reading list: ISBN 978-1-4919-2912-4 (SRE book), ISBN-10 0-596-00712-4"),
    ("ean", "en", "EAN 4006381333931 is mapped to SKU 118-0042-BLK, GTIN-14 14006381333938"),
    ("coordinates", "en", "Depot at 52.520008, 13.404954; the antenna points to 48.8566 N 2.3522 E, 312 degrees"),
    ("card-like id", "en", "{ts} INFO msg_id={noluhn16} partition=3 offset={dig9} consumed"),
    ("card-like order", "en", "Order reference {noluhn16v} (not a card number, we checked) is missing in the export."),
    ("card-like barcode", "en", "Gift voucher batch barcode {noluhn19}, printed 2023, campaign spring"),
    ("bank test words", "en", "The field accepts 16 digits in groups of four; Luhn is checked on the server."),
    ("masked card", "en", "Visa ending 4417, **** **** **** 4417, XXXX-XXXX-XXXX-4417 exp **/**"),
    (
        "masked iban",
        "de",
        "IBAN DE** **** **** **** **** 17 ist hinterlegt, die volle Nummer sieht nur die Buchhaltung.",
    ),
    ("iban format", "en", "A German IBAN has 22 characters: DEkk bbbb bbbb cccc cccc cc; a British one also has 22."),
    ("iban-like codes", "en", "Part numbers GB12-PARTS-0045-7781 and DE44-XR-9001-22, shelf FR76-B-003"),
    ("vat ids", "en", "Company VAT IDs: DE123456789, ATU12345678, NL001234567B01 (public register)"),
    ("bic only", "de", "BIC DEUTDEFF und COBADEFFXXX sind jetzt im Formular hinterlegt."),
    ("ssn format", "en", "The column ssn must match NNN-NN-NNNN, leave it empty for contractors."),
    ("ssn-like part no", "en", "part no. 118-42-77310 rev B and lot 2024-05-0118 are on back order"),
    ("phone-like versions", "en", "firmware 10.0.19045.4412, build 20240514.3, driver 31.0.101.5333"),
    ("phone-like ids", "en", "case 05001234567, asset 0049-118-2, rack unit 01-02-03-04, line 555"),
    ("ranges", "en", "ids 100200-100299 and 4000000-4999999 are reserved, ports 30000-32767 for NodePort"),
    ("emergency numbers", "en", "In case of fire dial 112 (EU) or 911 (US) and leave the building by staircase B."),
    ("extension only", "en", "internal extension 4417 or 118, only from desk phones, weekdays 8-18"),
    ("phone format doc", "en", "Numbers are stored in E.164, i.e. a plus sign, country code and at most 15 digits."),
    ("pids and sizes", "en", "pid 4412, rss 1288490188 bytes, fd 1024/65536, uptime 8640000 s"),
    (
        "metric lines",
        "en",
        'http_requests_total{code="200",method="post"} 1027 1395066363000\nprocess_cpu_seconds_total 5412.118',
    ),
    (
        "prometheus token metric",
        "en",
        'vault_token_count 118\nvault_token_create_seconds{quantile="0.99"} 0.00412\npassword_reset_total 77',
    ),
    (
        "kubectl get secrets",
        "en",
        (
            "NAME                 TYPE                DATA   AGE\n"
            "ledger-db            Opaque              2      118d\n"
            "registry-creds       kubernetes.io/dockerconfigjson   1   1y"
        ),
    ),
    (
        "kubectl get pods",
        "en",
        (
            "ledger-api-7d9f8b6c5d-x2v4q   1/1   Running   0   3d\n"
            "token-refresher-28594440-k8z7m   0/1   Completed   0   11m"
        ),
    ),
    (
        "kubectl describe secret",
        "en",
        "Name:         ledger-db\nType:  Opaque\n\nData\n====\npassword:  24 bytes\nusername:  6 bytes",
    ),
    (
        "helm list",
        "en",
        (
            "NAME     NAMESPACE  REVISION  UPDATED               STATUS    CHART\n"
            "vault    vault      12        2024-05-14 09:12:44   deployed  vault-0.27.0"
        ),
    ),
    (
        "docker secret ls",
        "en",
        (
            "ID                          NAME                 CREATED       UPDATED\n"
            "{lo25}   ledger_db_password   3 weeks ago   3 weeks ago"
        ),
    ),
    (
        "systemd journal",
        "en",
        "May 14 09:12:44 {h} sshd[4412]: Failed password for invalid user admin from {ip} port 51884 ssh2",
    ),
    (
        "sshd accepted",
        "en",
        (
            "May 14 09:12:44 {h} sshd[4412]: Accepted publickey for deploy from {ip} port 51884 ssh2: ED25519 "
            "SHA256:{bs43}"
        ),
    ),
    ("pam", "en", "pam_unix(sudo:auth): conversation failed; password attempts exceeded; user=deploy tty=/dev/pts/0"),
    (
        "audit log",
        "en",
        'audit: type=token.create actor="svc-ci" target="deploy-token" scope="read_registry" ttl=720h result=success',
    ),
    (
        "vault audit",
        "en",
        (
            '{"type":"request","request":{"path":"secret/data/prod/ledger","operation":"read",'
            '"client_token":"hmac-sha256:{sha256}"}}'
        ),
    ),
    (
        "auth failure",
        "en",
        '{"level":"warn","msg":"invalid token","user":"svc-ci","reason":"expired","token":"***","ts":"{ts}"}',
    ),
    (
        "postgres log",
        "en",
        (
            'FATAL:  password authentication failed for user "ledger"\n'
            'DETAIL:  Connection matched pg_hba.conf line 97: "host all all 0.0.0.0/0 scram-sha-256"'
        ),
    ),
    (
        "pg_hba",
        "en",
        (
            "# TYPE  DATABASE  USER      ADDRESS         METHOD\n"
            "host    ledger    ledger    10.20.0.0/16    scram-sha-256\n"
            "local   all       postgres                  peer"
        ),
    ),
    (
        "nginx log",
        "en",
        (
            '{ip} - - [14/May/2024:09:12:44 +0200] "POST /password/reset HTTP/1.1" 302 0 "-" "Mozilla/5.0 (X11; '
            'Linux x86_64)"'
        ),
    ),
    (
        "harmless long url",
        "en",
        (
            "https://dash.example.com/d/k8s-cluster/overview?orgId=1&from=1715684400000&to=1715688000000&var-namesp"
            "ace=ledger&refresh=30s"
        ),
    ),
    (
        "url with hash id",
        "en",
        (
            "https://sentry.example.com/organizations/oakford/issues/4412098118/?project=7&query=is%3Aunresolved&st"
            "atsPeriod=14d"
        ),
    ),
    (
        "url utm",
        "en",
        (
            "https://www.example.com/blog/rotate-your-passwords?utm_source=newsletter&utm_campaign=2024_05_security"
            "&utm_id=118"
        ),
    ),
    ("git web url", "en", "https://git.example.com/platform/ledger/-/blob/{sha}/src/auth/token_store.py#L118-142"),
)
