"""Longer pages full of look-alikes: runbooks and references."""

LONG_A = r"""
=== long runbook database restore | en
## Restore the billing database

1. Check the age of the last backup: `aws s3 ls s3://example-backups-prod/billing/2026/01/19/`.
2. Read the password from the vault, never from chat: `export PGPASSWORD=$(vault kv get -field=password ~+
secret/billing/db)`.
3. Compare the checksum with the manifest: `<~fmt:{h64}~>  billing-20260119T021500Z.dump`.
4. Restore into a scratch instance (`db-scratch-01`, port 5433 so that it does not clash with 5432:5432 of the ~+
compose file):

   pg_restore -h db-scratch-01 -p 5433 -U restore -d billing --jobs=4 billing-20260119T021500Z.dump

5. Smoke test: `select count(*) from invoices` should be above 1204330; the newest invoice id must start with ~+
RE-2026-.
6. If the restore user is locked, reset its password under Settings > Users. The new password needs 16 characters.

The whole procedure took 41 minutes in the last drill (ticket PLAT-10442, commit <~fmt:{h40}~>).
Contacts: #team-billing, or write to support@example.com.
=== long runbook certificate | en
### Renew the TLS certificate of the gateway

The private key never leaves the host; only the request and the certificate are copied.

- Key: `/etc/ssl/private/gw.key` (mode 0600), certificate: `/etc/ssl/certs/gw.pem`
- Subject: CN=gw.example.com, serial 04:9f:3c:22:81:d0:5e:77:aa:10:6b:19:f2:44:c8:0d
- SHA-256 fingerprint of the current certificate: <~fmt:{H64}~>

Steps: run `openssl req -new -key gw.key -out gw.csr`, upload the request, wait for the mail of the CA, then
`scp gw.pem deploy@10.20.0.5:/etc/ssl/certs/` and `systemctl reload nginx`. Verify with
`openssl s_client -connect gw.example.com:443 -servername gw.example.com </dev/null`. The output must show
"Verify return code: 0 (ok)" and a notAfter date of 2027-02-01. If the passphrase prompt appears, the key was exported
with encryption; get the passphrase from the vault (path `pki/gw`, field `passphrase`).
=== long api reference token endpoint | en
# POST /oauth/token

Exchanges client credentials for an access token.

| Parameter | Type | Required | Description |
|---|---|---|---|
| grant_type | string | yes | `client_credentials` or `refresh_token` |
| client_id | string | yes | the public identifier of the client |
| client_secret | string | yes | the secret shown once at registration |
| refresh_token | string | no | a token of an earlier response |
| scope | string | no | space-separated, e.g. `read:invoices write:invoices` |

Response fields: `access_token` (string, opaque), `token_type` (always `Bearer`), `expires_in` (seconds, ~+
default 3600).
Errors: 400 `invalid_grant`, 401 `invalid_client`, 429 with `Retry-After: 30`.

Example:

    curl -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials https://id.example.com/oauth/token

Every response has a header `X-Request-Id: <~uuid~>`; quote it when you write to support@example.com.
=== long config reference | en
## Settings of the token service

| Key | Default | Meaning |
|---|---|---|
| token_ttl | 3600 | life of an access token in seconds |
| refresh_token_ttl | 1209600 | life of a refresh token in seconds |
| password_min_length | 12 | shorter passwords are refused |
| password_history | 5 | how many old passwords may not be used again |
| secret_backend | vault | `vault`, `env` or `file` |
| api_key_header | X-Api-Key | header that carries the key |
| signing_key_path | /run/secrets/signing_key | file with the private key |
| max_failed_logins | 10 | then the account is locked |
| lock_minutes | 15 | how long it stays locked |
| session_cookie_name | sid | name of the cookie |
| bcrypt_rounds | 12 | cost factor |

All keys can be set as environment variables with the prefix `TOKENSVC_`, e.g. `TOKENSVC_TOKEN_TTL=900`.
Secrets are never read from the file itself; use `TOKENSVC_DB_PASSWORD_FILE=/run/secrets/db_password`.
=== long incident report | en
# Incident 2026-01-14: logins failed for 37 minutes

**Summary.** Between 06:22 and 06:59 UTC about 4 100 sign-ins failed with "invalid token". No personal data was ~+
exposed.

**Timeline (UTC)**
- 06:22:10 deploy of image sha256:<~fmt:{h64}~>
- 06:24:51 alert `auth_error_ratio > 0.2` (value 0.418) fired on 10.20.3.9
- 06:31 on-call engineer joins, trace id <~fmt:{h32}~>
- 06:44 root cause found: the signing key was read from the wrong path (`secret/auth/v1` instead of `secret/auth/v2`)
- 06:59 rollback to commit <~fmt:{h40}~>, error ratio back to 0.002

**Root cause.** A default in values.yaml pointed to the old vault path. The test used a fake key, so CI was green.

**Actions.** AUTH-771 add a start-up check, AUTH-772 remove the old path, SEC-2026-0041 rotate the key as a ~+
precaution.
=== long release notes | en
# Release 4.2.0 (2026-01-19)

### New
- Personal access tokens can be limited to a network (`10.0.0.0/8`, `2001:db8::/32`). #8817
- The password strength meter shows why a password is weak. #8790, thanks to @alice
- `--token-file` reads a token from a file; `--token` is deprecated. #8765

### Fixed
- Tokens with a life below 60 seconds no longer expire at once. #8802
- Reset links work when the mail client adds `&utm_source=mail`. #8799
- The export writes IBAN columns as text, so Excel does not turn them into 1.23E+21. #8771

### Upgrading
Run `./manage.py migrate accounts 0042_password_changed_at`. Image digest:
`registry.example.com/portal@sha256:<~fmt:{h64}~>`.
Checksums (SHA-256):
<~fmt:{h64}~>  portal-4.2.0.tar.gz
<~fmt:{h64}~>  portal-4.2.0.zip
=== long log excerpt | en
2026-01-14T06:22:10.481Z INFO  gateway start version=4.2.0 commit=<~fmt:{h12}~> pid=48213
2026-01-14T06:22:10.502Z INFO  config token_ttl=3600 password_min_length=12 secret_backend=vault
2026-01-14T06:22:10.733Z INFO  vault token renewed, ttl=2764800s, accessor hidden
2026-01-14T06:22:11.002Z DEBUG http request id=<~uuid~> GET /v1/orders?limit=50 200 41ms
2026-01-14T06:22:11.019Z DEBUG http request id=<~uuid~> POST /login 401 12ms reason="wrong password"
2026-01-14T06:22:11.250Z WARN  auth password=[REDACTED] user_id=10442 attempts=3 ip=203.0.113.17
2026-01-14T06:22:12.881Z INFO  kafka partition=3 offset=<~cardbad~> lag=0
2026-01-14T06:22:13.104Z INFO  s3 put s3://example-exports/2026/01/14/<~uuid~>.parquet 1048576 bytes
2026-01-14T06:22:14.777Z ERROR billing invoice RE-2026-004417 total=1475.60 currency=EUR: timeout after 30000 ms
=== long kubernetes manifest | en
apiVersion: apps/v1
kind: Deployment
metadata:
  name: crm-api
  annotations:
    checksum/config: <~fmt:{h64}~>
spec:
  replicas: 3
  template:
    spec:
      serviceAccountName: crm-api
      automountServiceAccountToken: false
      containers:
        - name: api
          image: registry.example.com/crm-api@sha256:<~fmt:{h64}~>
          ports: [{containerPort: 8080}]
          env:
            - name: DB_HOST
              value: db-prod-02.corp.example
            - name: DB_PASSWORD
              valueFrom: {secretKeyRef: {name: crm-db, key: password}}
            - name: JWT_SIGNING_KEY_FILE
              value: /run/secrets/jwt/tls.key
            - name: TOKEN_TTL
              value: "3600"
          volumeMounts:
            - {name: jwt, mountPath: /run/secrets/jwt, readOnly: true}
      volumes:
        - name: jwt
          secret: {secretName: crm-jwt, defaultMode: 0400}
=== long terraform module | en
module "database" {
  source  = "git::ssh://git@github.com/acme-corp/terraform-rds.git?ref=<~fmt:{h40}~>"
  name    = "crm-prod"
  engine  = "postgres"
  version = "16.1"

  username                    = "crm"
  manage_master_user_password = true
  password                    = null
  kms_key_id                  = "arn:aws:kms:eu-central-1:123456789012:key/<~uuid~>"

  subnet_ids         = ["subnet-<~fmt:{h17}~>", "subnet-<~fmt:{h17}~>"]
  security_group_ids = [aws_security_group.db.id]
  port               = 5432
}

output "password_secret_arn" {
  description = "where the generated password is stored"
  value       = module.database.master_user_secret_arn
}

resource "random_password" "webhook" {
  length  = 40
  special = false
}
=== long onboarding page | en
# Your first day

1. **Laptop.** Your start password comes by letter to your home. You must change it at the first sign-in. It ~+
needs at least
   14 characters and may not contain your name.
2. **Second factor.** Install the authenticator app and scan the QR code under Settings > Security. Keep the ~+
recovery codes
   in the password manager, not in your notes.
3. **Password manager.** You get an invitation by mail from noreply@example.com. The master password is known ~+
to nobody but you;
   IT cannot reset it.
4. **Git.** Create an SSH key with `ssh-keygen -t ed25519` and upload `id_ed25519.pub` (never the file without ~+
`.pub`).
   Clone with `git clone git@github.com:acme-corp/handbook.git`.
5. **VPN.** Log in with your usual user name; the password is the same as for the mail account.
6. **Payroll.** HR needs your tax id, your social security number and your IBAN. Enter them only in the HR portal,
   never in a chat or a ticket.
=== long python module | en
class TokenStore:
    # Keeps access tokens until they expire (see docs/tokens.md).

    def __init__(self, ttl: int = 3600, secret: SecretStr | None = None) -> None:
        self._ttl = ttl
        self._secret = secret or Secret.from_env("TOKEN_STORE_SECRET")
        self._tokens: dict[str, Token] = {}

    @property
    def password_required(self) -> bool:
        return self._secret is not None

    def issue(self, user_id: int, password: str) -> Token:
        if not verify_password(password, self.password_hash(user_id)):
            raise AuthenticationError("wrong password")
        token = Token(value=secrets.token_urlsafe(32), expires_at=time.time() + self._ttl)
        self._tokens[token.value] = token
        return token

    def revoke(self, token: str) -> None:
        self._tokens.pop(token, None)

    @classmethod
    def from_settings(cls, settings: Settings) -> "TokenStore":
        return cls(ttl=settings.token_ttl, secret=settings.token_secret)
=== long docker compose reference | en
services:
  gateway:
    image: registry.example.com/gateway:4.2.0@sha256:<~fmt:{h64}~>
    ports:
      - "8443:8443"
      - "127.0.0.1:9229:9229"
    environment:
      TOKEN_TTL: "3600"
      DB_PASSWORD_FILE: /run/secrets/db_password
      REDIS_URL: redis://cache:6379/0
      API_KEY: ${API_KEY:?set it in .env}
      SMTP_PASSWORD: ${SMTP_PASSWORD}
    secrets:
      - db_password
    healthcheck:
      test: ["CMD", "curl", "-fsS", "http://localhost:8443/healthz"]
      interval: 10s
  cache:
    image: redis:7.2.4
    command: ["redis-server", "--save", "60", "1", "--loglevel", "warning"]
    ports: ["6379:6379"]

secrets:
  db_password:
    file: ./secrets/db_password.txt
=== long helm values | en
auth:
  existingSecret: crm-auth
  secretKeys:
    adminPasswordKey: admin-password
    userPasswordKey: user-password
  username: crm
  password: ""        # leave empty, the chart generates one
  tokenTtl: 3600
image:
  repository: registry.example.com/crm
  digest: sha256:<~fmt:{h64}~>
  pullSecrets: [regcred]
ingress:
  hosts: [crm.example.com]
  tls:
    - secretName: crm-tls
      hosts: [crm.example.com]
metrics:
  serviceMonitor:
    bearerTokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token
    basicAuth:
      password: {name: prometheus-basic, key: password}
resources:
  limits: {cpu: 500m, memory: 512Mi}
nodeSelector:
  topology.kubernetes.io/zone: eu-west-1a
=== long sql migration | en
-- 0042_password_changed_at.sql
BEGIN;
ALTER TABLE accounts ADD COLUMN password_changed_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE accounts ADD COLUMN password_reset_token_hash char(64) NULL;
CREATE TABLE api_tokens (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    token_hash char(64) NOT NULL UNIQUE,
    last_four char(4) NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT token_not_too_long CHECK (expires_at < now() + interval '366 days')
);
CREATE INDEX api_tokens_account_idx ON api_tokens (account_id);
UPDATE accounts SET password_changed_at = created_at WHERE password_changed_at IS NULL;
COMMENT ON COLUMN api_tokens.token_hash IS 'SHA-256 of the token; the token itself is never stored';
INSERT INTO schema_migrations (version, checksum) VALUES (42, '<~fmt:{h32}~>');
COMMIT;
"""
