"""Negatives from code, part 2: repositories, keys, clouds, commands, schemas."""

from tests.masking.operations.template import NegRow

ROWS: tuple[NegRow, ...] = (
    (
        "git log",
        "en",
        (
            "* {sha7} (HEAD -> main, tag: v{ver}) fix: do not log the token\n"
            "* {sha7#1} chore: rotate signing keys quarterly"
        ),
    ),
    ("git show", "en", "commit {sha}\nMerge: {sha7} {sha7#1}\n\n    Merge branch 'feature/password-policy' into main"),
    (
        "git diff header",
        "en",
        (
            "diff --git a/src/token.py b/src/token.py\n"
            "index {sha7}..{sha7#1} 100644\n"
            "--- a/src/token.py\n"
            "+++ b/src/token.py"
        ),
    ),
    (
        "git ssh remote",
        "en",
        (
            "git clone git@github.com:oakford/ledger.git\n"
            "git remote add upstream git@gitlab.example.com:platform/ledger.git"
        ),
    ),
    ("scp", "en", "scp -P 2222 dump.sql.gz deploy@{fq}:/srv/backup/\nrsync -av ./dist/ www-data@{ip}:/var/www/html/"),
    ("ssh jump", "en", "ssh -J ops@bastion.example.com -i ~/.ssh/id_ed25519 root@{ip} uptime\nssh-copy-id deploy@{h}"),
    (
        "ssh config",
        "en",
        (
            "Host bastion\n"
            "  HostName bastion.example.com\n"
            "  User ops\n"
            "  IdentityFile ~/.ssh/id_ed25519\n"
            "  PasswordAuthentication no"
        ),
    ),
    (
        "sshd config",
        "en",
        (
            "PermitRootLogin prohibit-password\n"
            "PasswordAuthentication no\n"
            "PubkeyAuthentication yes\n"
            "KbdInteractiveAuthentication no"
        ),
    ),
    ("ssh public key", "en", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{bs43} deploy@bastion01"),
    ("ssh rsa public key", "en", "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ{bs340} jenkins@ci-runner-04"),
    ("known hosts", "en", "git.example.com,{ip} ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAI{bs114}="),
    (
        "key fingerprint",
        "en",
        "256 SHA256:{bs43} root@{h} (ED25519)\n3072 MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48 (RSA)",
    ),
    (
        "certificate",
        "en",
        "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIE{bs44}\n{bs64}\n{bs64#1}\n-----END CERTIFICATE-----",
    ),
    (
        "public key pem",
        "en",
        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE{bs28}\n{bs58}==\n-----END PUBLIC KEY-----",
    ),
    (
        "csr",
        "en",
        (
            "-----BEGIN CERTIFICATE REQUEST-----\n"
            "MIICijCCAXICAQAwRTELMAkGA1UEBhMC{bs32}\n"
            "{bs64}\n"
            "-----END CERTIFICATE REQUEST-----"
        ),
    ),
    (
        "pgp public",
        "en",
        "pub   ed25519 2023-04-11 [SC] [expires: 2026-04-10]\n      {heu40}\nuid   Oakford Release Signing",
    ),
    (
        "pgp signature",
        "en",
        "-----BEGIN PGP SIGNATURE-----\n\niQEzBAABCgAdFiEE{bs48}\n{bs64}\n=aB3d\n-----END PGP SIGNATURE-----",
    ),
    (
        "openssl x509",
        "en",
        (
            "notAfter=Nov  3 23:59:59 2025 GMT\n"
            "SHA256 Fingerprint=9A:4F:11:C0:7B:22:E1:5D:83:0C:6A:44:9E:F2:17:BB\n"
            "serial=0A1B2C3D4E5F"
        ),
    ),
    (
        "empty pem mention",
        "en",
        (
            "The file must start with -----BEGIN PRIVATE KEY----- and end with -----END PRIVATE KEY-----, "
            "otherwise nginx refuses it."
        ),
    ),
    (
        "wireguard public",
        "en",
        "[Peer]\nPublicKey = {bs42}A=\nAllowedIPs = 10.66.0.0/24\nEndpoint = vpn.example.net:51820",
    ),
    (
        "s3 and arn",
        "en",
        "aws s3 cp s3://acme-prod-logs/2024/05/12/app.log.gz .\narn:aws:iam::123456789012:role/ledger-prod-task",
    ),
    (
        "arn secret name",
        "en",
        "valueFrom: arn:aws:secretsmanager:eu-central-1:123456789012:secret:prod/ledger/db-AbCdEf",
    ),
    (
        "azure resource id",
        "en",
        "/subscriptions/{uuid}/resourceGroups/rg-led/providers/Microsoft.KeyVault/vaults/kv-led/secrets/db-password",
    ),
    ("gcp resource", "en", "projects/acme-field-app/secrets/ledger-db-password/versions/latest"),
    (
        "lambda env ref",
        "en",
        "Environment:\n  Variables:\n    DB_SECRET_ARN: !Ref DbSecret\n    TOKEN_PARAM: /prod/ledger/api_token",
    ),
    ("dynamic reference", "en", "MasterUserPassword: '{{resolve:secretsmanager:prod/ledger:SecretString:password}}'"),
    (
        "dockerfile arg",
        "en",
        "ARG NPM_TOKEN\nRUN --mount=type=secret,id=npm_token npm ci\nENV TOKEN_FILE=/run/secrets/token",
    ),
    (
        "docker ps",
        "en",
        '{hex12}   postgres:16   "docker-entrypoint.s…"   3 days ago   Up 3 days   0.0.0.0:5432->5432/tcp   pg',
    ),
    (
        "image digest",
        "en",
        "registry.example.com/ledger@sha256:{sha256}\nDigest: sha256:{sha256}\nStatus: Image is up to date",
    ),
    ("regex", "en", r'PASSWORD_RE = re.compile(r"(?=.*[A-Z])(?=.*\d)(?=.*[!@#$%^&*]).{12,}")'),
    ("grep command", "en", "grep -rniE 'password|secret|api[_-]?key|token' --include='*.yml' /srv/app/config | wc -l"),
    (
        "jq filter",
        "en",
        "jq -r '.data.password | @base64d' secret.json\nkubectl get secret ledger -o jsonpath='{.data.token}'",
    ),
    (
        "openssl rand",
        "en",
        "openssl rand -base64 32 > /run/secrets/session_key\npwgen -s 24 1 | vault kv put secret/ledger password=-",
    ),
    (
        "mysql prompt",
        "en",
        (
            "mysql -u root -p\n"
            "Enter password: \n"
            "ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: YES)"
        ),
    ),
    ("login prompt", "en", "{h} login: root\nPassword: \nLast login: Tue May 14 09:12:44 UTC 2024 from {ip} on pts/0"),
    ("sudo prompt", "en", "[sudo] password for deploy: \nSorry, try again.\nsudo: 3 incorrect password attempts"),
    ("graphql", "en", "mutation { login(input: {user: $user, password: $password}) { token expiresAt user { id } } }"),
    (
        "openapi",
        "en",
        (
            "securitySchemes:\n"
            "  ApiKeyAuth:\n"
            "    type: apiKey\n"
            "    in: header\n"
            "    name: X-API-Key\n"
            "  BearerAuth: { type: http, scheme: bearer }"
        ),
    ),
    ("json schema", "en", '"password": {"type": "string", "format": "password", "minLength": 12, "writeOnly": true}'),
    (
        "proto",
        "en",
        "message LoginRequest {\n  string username = 1;\n  string password = 2;\n  optional string totp_code = 3;\n}",
    ),
    (
        "makefile",
        "en",
        'deploy: guard-DEPLOY_TOKEN\n\tcurl -fsS -H "Authorization: Bearer $(DEPLOY_TOKEN)" $(URL)/deploy',
    ),
    (
        "powershell",
        "en",
        "$cred = Get-Credential -UserName 'OAKFORD\\svc-sql' -Message 'SQL password'\n$pw = Read-Host -AsSecureString",
    ),
)
