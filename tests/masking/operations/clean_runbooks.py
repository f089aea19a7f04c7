"""Without secrets: longer runbooks."""

from tests.masking.operations.template import NegRow

ROWS: tuple[NegRow, ...] = (
    (
        "runbook",
        "en",
        """
## Rotate the ledger database password
1. Announce the rotation in #ops and open a change ({tk}).
2. Generate a new value: `openssl rand -base64 24 | vault kv put secret/ledger/prod password=-`
3. Apply it: `ALTER ROLE ledger WITH PASSWORD :'new_password';` (psql reads it from `--set`).
4. Restart the deployment: `kubectl -n prod rollout restart deploy/ledger-api`
5. Check `SELECT rolname, rolvaliduntil FROM pg_roles WHERE rolname = 'ledger';`

The old password stays valid until the pods are gone (about 90 s). Never paste the password into the ticket;
the secret is named `ledger-db-credentials`, key `password`. Contact support@example.com when the rollout
hangs for more than 10 minutes. Last run: 2024-05-14 09:12 UTC by the platform team, revision 4412.""",
    ),
    (
        "api reference",
        "en",
        """
### POST /v2/tokens
Creates an access token for a service account.

| Field | Type | Required | Description |
|-------|------|----------|-------------|
| `name` | string | yes | display name, 3 to 64 characters |
| `scopes` | string[] | yes | e.g. `orders:read`, `orders:write` |
| `expires_in` | integer | no | seconds, default 3600, maximum 2592000 |

Request header: `Authorization: Bearer <admin-token>`. The answer holds the token **once**:

    {"id": "{uuid}", "token": "<shown once>", "expires_at": "{ts}"}

Errors: 401 `invalid_token`, 403 `insufficient_scope`, 409 `name_taken`, 429 with `Retry-After: 30`.
Tokens start with the prefix `led_` and have 40 characters. Rate limit: 60 requests per minute and address.""",
    ),
    (
        "config reference",
        "en",
        """
# Configuration reference, auth section
auth.token_ttl               integer   3600        life of an access token in seconds
auth.refresh_token_ttl       integer   1209600     life of a refresh token
auth.password_min_length     integer   12          see the password policy
auth.password_history        integer   5           number of old passwords that may not be used again
auth.secret_key_file         path      /run/secrets/secret_key   read at start, mode 0400
auth.cookie_name             string    session_id  name of the session cookie
auth.cookie_secure           boolean   true
auth.oidc.client_id          string    ledger-web
auth.oidc.client_secret_env  string    OIDC_CLIENT_SECRET        name of the variable, not the value
auth.lockout.attempts        integer   5
auth.lockout.window          duration  15m
Unknown keys stop the start with exit code 78. Values can be overridden by LEDGER_AUTH__TOKEN_TTL and the like.""",
    ),
    (
        "incident report",
        "en",
        """
Incident {tk}: logins failing with "invalid password", 2024-05-14

Summary: between 09:12 and 10:47 UTC about 3,118 of 48,220 logins (6.5 %) failed although the password was right.
Cause: commit {sha7} changed the bcrypt cost from 10 to 14; the pods hit their CPU limit (500m) and the token
service answered after the 2 s timeout of the gateway.
Timeline:
- 09:12 deploy of ledger-auth 4.18.0 (image sha256:{sha256})
- 09:19 alert PasswordVerifyLatencyHigh on {h}, {ip}
- 09:41 rollback attempted, blocked by the frozen pipeline 118844
- 10:47 rollback to 4.17.3, error rate below 0.1 %
No password, token or personal data was exposed. Follow-ups: load test in CI, alert on p99 > 800 ms.""",
    ),
    (
        "release notes",
        "en",
        """
# Ledger 4.18.0 (2024-05-14)
**Security**
- Passwords are now checked against a list of breached passwords (k-anonymity, first 5 hex digits of SHA-1).
- API tokens can be limited to CIDR ranges, e.g. `10.20.0.0/16`.
- `secret_key` is no longer read from `settings.py`; set `SECRET_KEY_FILE` instead.
**Fixes**
- #4412 reset link opened twice gave 500 instead of 410
- #4418 `password_changed_at` was not updated by the LDAP sync
- #4420 trace ids such as {hex32} were cut at 16 characters
**Upgrade**: run `ledger migrate 0118_token_hash`, about 3 minutes for 12 million rows. Checksum of the archive:
`{sha256}  ledger-4.18.0.tar.gz`. Docker: `registry.example.com/ledger:4.18.0@sha256:{sha256#1}`.""",
    ),
    (
        "onboarding wiki",
        "en",
        """
Welcome to the platform team! On your first day:
* You get your user name by letter and choose a password on the self-service page. It must have at least 12
  characters, two of the groups letters, digits and signs, and must not contain your name.
* Set up the authenticator app; the six digit code changes every 30 seconds.
* Install the VPN client. The profile is in the software centre, log in with your normal account.
* Create an SSH key with `ssh-keygen -t ed25519 -C laptop` and upload the *.pub file* to git.example.com.
* Passwords of shared systems are in 1Password, vault "Infra". Never write them into the wiki or into chats.
* Guests get the wifi password at the reception; it is valid for one day.
Questions go to support@example.com or to #platform-help; for lost badges see the facility page (building B,
room 118). Your buddy will show you the on-call calendar in week 2.""",
    ),
    (
        "terraform module readme",
        "en",
        """
## Inputs
| Name | Description | Type | Default |
|------|-------------|------|---------|
| `db_password` | Password of the master user, use a variable of the workspace | `string` | n/a |
| `password_length` | Length of the generated password | `number` | `32` |
| `secret_name` | Name in Secrets Manager | `string` | `"prod/ledger/db"` |
| `kms_key_arn` | Key for encryption | `string` | `arn:aws:kms:eu-central-1:123456789012:key/{uuid}` |
| `rotation_days` | Rotation of the secret | `number` | `30` |

## Example
```hcl
module "db" {
  source      = "git::ssh://git@git.example.com/platform/tf-rds.git?ref=v3.4.1"
  db_password = random_password.db.result
  subnet_ids  = ["subnet-0fedcba9876543210", "subnet-0a1b2c3d4e5f67890"]
}
```
Outputs: `endpoint`, `port` (5432), `secret_arn`. The password is never written to the outputs.""",
    ),
    (
        "k8s manifest",
        "en",
        """
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ledger-api
  labels: { app.kubernetes.io/name: ledger, app.kubernetes.io/version: "4.18.0" }
spec:
  replicas: 3
  template:
    spec:
      serviceAccountName: ledger
      automountServiceAccountToken: false
      containers:
        - name: api
          image: registry.example.com/ledger@sha256:{sha256}
          ports: [{ containerPort: 8080 }]
          env:
            - name: DB_PASSWORD
              valueFrom: { secretKeyRef: { name: ledger-db, key: password } }
            - name: JWT_PUBLIC_KEY_PATH
              value: /etc/keys/jwt.pub
            - name: TOKEN_TTL_SECONDS
              value: "3600"
          volumeMounts:
            - { name: tokens, mountPath: /var/run/secrets/tokens, readOnly: true }""",
    ),
    (
        "compose file",
        "en",
        """
services:
  db:
    image: postgres:16.2
    environment:
      POSTGRES_DB: ledger
      POSTGRES_USER: ledger
      POSTGRES_PASSWORD_FILE: /run/secrets/db_password
    ports: ["127.0.0.1:5432:5432"]
    secrets: [db_password]
  api:
    image: registry.example.com/ledger:4.18.0
    environment:
      DATABASE_URL: postgres://ledger@db:5432/ledger
      DB_PASSWORD_FILE: /run/secrets/db_password
      OIDC_CLIENT_SECRET: ${OIDC_CLIENT_SECRET:?missing}
      SMTP_PASSWORD: ${SMTP_PASSWORD}
      LOG_LEVEL: info
    depends_on: { db: { condition: service_healthy } }
    ports: ["8080:8080", "9464:9464"]
secrets:
  db_password:
    file: ./secrets/db_password.txt   # not in git, see README""",
    ),
)
