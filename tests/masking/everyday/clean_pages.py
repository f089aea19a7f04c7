"""Longer harmless texts: runbooks, references, reports, release notes."""

LONG = r"""
=== runbook
## Rotate the database password

Owner: platform team, last review 2025-02-14, ticket OPS-4410.

1. Announce the change in #ops-changes at least 30 minutes ahead.
2. Create the new value: `vault write -f database/rotate-role/crm-app`. Do not type a password by hand.
3. Restart the pods: `kubectl -n crm rollout restart deploy/crm-api` and watch `kubectl get pods -w`.
4. Check that `select usename, client_addr from pg_stat_activity` shows only the new sessions from 10.3.0.0/16.
5. If the API logs `password authentication failed for user "crm_app"`, the secret was not synced: delete the
   ExternalSecret `crm-db` and wait for the operator (it polls every 60 seconds).

Rollback: `vault lease revoke -prefix database/creds/crm-app`. The old password stays valid for 24 hours.
Image used: registry.kestrel.dev/crm/api@sha256:<<sha256>>
=== api reference
# POST /v1/tokens

Creates an access token. Authentication: Basic with client id and client secret.

| Field | Type | Required | Description |
|-------|------|----------|-------------|
| `grant_type` | string | yes | `client_credentials` or `password` |
| `username` | string | no | Only with `grant_type=password` |
| `password` | string | no | The password of the user, 12 to 128 characters |
| `scope` | string | no | Space separated, default `read` |

Example:

    curl -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials https://api.example.com/v1/tokens

Response: `{"access_token": "<token>", "token_type": "Bearer", "expires_in": 3600}`

Errors: 400 `invalid_request`, 401 `invalid_client`, 429 after 60 requests per minute. The request id, for example
<<=uuid>>, is returned in `X-Request-Id` and should be given to support@example.com.
=== config reference
| Setting | Default | Meaning |
|---------|---------|---------|
| `auth.token_ttl` | 3600 | Seconds until an access token expires |
| `auth.refresh_token_ttl` | 1209600 | Seconds until a refresh token expires |
| `auth.password_min_length` | 12 | Shortest password that is accepted |
| `auth.password_history` | 5 | Number of old passwords that may not be used again |
| `auth.secret_key_file` | /run/secrets/secret_key | File with the signing key |
| `auth.session_cookie_name` | portal_session | Name of the cookie |
| `smtp.password_env` | SMTP_PASSWORD | Environment variable that holds the password |
| `db.url` | postgresql://localhost:5432/portal | Address without user and password |
| `log.format` | %(asctime)s %(levelname)s %(message)s | Python format |
| `http.bind` | 0.0.0.0:8080 | Address and port |
=== incident report
Incident INC0098217 - Login not possible, 2025-03-04 08:12 to 09:47 CET

Summary: about 1,340 users got "invalid token" after the deployment of build 20250304.17 (commit <<sha1>>).
The identity provider signed tokens with a new key while portal pods still cached the old JWKS for 3600 seconds.

Timeline
08:12 first alert "401 rate above 5 %" on 10.4.0.21
08:20 Tobias Wachtel takes over as incident lead
08:41 password resets do not help, users are told to wait
09:05 cache cleared on portal-7d9f8b6c5-x2kqp, error rate falls
09:47 all clear

Root cause: `jwks_cache_ttl` was raised in PAY-11872 without a look at the key rotation.
Actions: lower the value to 300, add an alert, document the key rotation in the runbook. No passwords, secrets or \+
personal
data were exposed.
=== release notes
# Kestrel Portal 4.12.0 (2025-05-19)

- Passwords: the strength meter now counts passphrases (PAY-11901)
- API tokens can be limited to an IP range such as 203.0.113.0/24 (PAY-11872)
- `password` is no longer accepted as a query parameter of `/login`; use the request body (OPS-4410)
- Updated @types/node to 22.5.4, lodash to 4.17.21 and openssl to 3.0.15
- Fixed: the secret rotation job stopped when `rotation_days` was 0
- Fixed: `token_expired` was not translated into Polish and Korean
- Removed: support of SHA-1 signatures and of TLS 1.0 and 1.1

Checksums
portal-4.12.0.tar.gz sha256 <<sha256>>
portal-4.12.0.zip sha256 <<sha256>>

Migration: run `portal migrate --to 20250519_0412` (takes about 4 minutes for 2.5 million rows).
=== lock file
  /@babel/core@7.26.0:
    resolution: {integrity: sha512-<<sha512b>>}
    engines: {node: '>=6.9.0'}
    dependencies:
      '@babel/code-frame': 7.26.2
      '@babel/generator': 7.26.3
      js-tokens: 4.0.0
  /@types/node@22.5.4:
    resolution: {integrity: sha512-<<sha512b>>}
    dependencies:
      undici-types: 6.19.8
  /passport-http-bearer@1.0.1:
    resolution: {integrity: sha512-<<sha512b>>}
    engines: {node: '>= 0.4.0'}
=== onboarding page
# Your first day

Welcome! Reception hands you the laptop and a sealed letter with your initial password. Change it at the first \+
login; it must
have at least 12 characters, and the last five passwords cannot be used again.

* VPN: install the client, server vpn.example.com, then sign in with your company account and the one-time code
* Wifi: the network is "Nordwind-Staff"; it uses your certificate, there is no password
* Guest wifi: the password is printed on the card in every meeting room and changes on Mondays
* Password manager: you get an invitation; choose a long passphrase and do not write it down
* Phone: dial 0 for an outside line, 4410 for the service desk

Questions? Ask @service-desk in Teams or write to support@example.com. HR needs your tax number and your bank details:
please enter them in the portal, never send them by mail or chat.
=== code review
Some remarks on the merge request !4417:

```python
class TokenStore:
    def __init__(self, secret: str, ttl: int = 3600) -> None:
        self._secret = secret
        self._ttl = ttl

    def issue(self, user_id: int, password: str | None = None) -> str:
        if password is not None and not verify_password(password, self._hash_of(user_id)):
            raise InvalidPasswordError(user_id)
        return sign({"sub": user_id, "exp": now() + self._ttl}, key=self._secret)
```

`secret` should come from `settings.secret_key.get_secret_value()`; `password=None` is a trap, split the method in two.
In `test_issue_token_with_wrong_password_is_refused` use `pytest.raises`. Otherwise fine at <<sha7>>.
=== log excerpt
2025-03-04T09:12:44.120Z INFO  [http-nio-8080-exec-7] AuthFilter token valid sub=10442 exp=1741082400
2025-03-04T09:12:44.188Z INFO  [http-nio-8080-exec-7] trace=<<hex32>> span=<<hex16>> GET /orders 200 41ms
2025-03-04T09:12:45.002Z WARN  [scheduler-1] password of service account svc_scan expires in 9 days
2025-03-04T09:12:45.411Z DEBUG [http-nio-8080-exec-2] cache miss key=orders:page:3:size:50
2025-03-04T09:12:46.090Z ERROR [http-nio-8080-exec-4] Invalid credentials for user scan from 10.20.4.7:51544
2025-03-04T09:12:46.091Z INFO  [http-nio-8080-exec-4] request <<uuid>> finished with 401 in 12ms
2025-03-04T09:12:47.733Z INFO  [kafka-3] committed offset 1048577301 of topic invoices-v2 partition 11
2025-03-04T09:12:48.000Z INFO  [main] heap 412/1024 MB, threads 87, uptime 1209614 s
=== helm values
image:
  repository: registry.kestrel.dev/shop/web
  tag: "4.12.0"
  digest: sha256:<<sha256>>
auth:
  existingSecret: shop-auth
  passwordKey: admin-password
  tokenTTL: 3600
  password: ""          # leave empty, a random one is created
database:
  host: db-1.kestrel.dev
  port: 5432
  user: shop
  passwordSecretRef:
    name: shop-db
    key: password
env:
  - name: API_KEY
    valueFrom:
      secretKeyRef: { name: shop-api, key: api-key }
  - name: JWT_PUBLIC_KEY_FILE
    value: /etc/keys/jwt.pub
resources: { requests: { cpu: 250m, memory: 512Mi } }
=== github workflow
name: release
on: { push: { tags: ["v*"] } }
permissions: { contents: write, id-token: write }
jobs:
  publish:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@<<sha1>> # v4.2.2
      - uses: docker/login-action@<<sha1>> # v3.3.0
        with:
          registry: images.kestrel.dev
          username: ${{ github.actor }}
          password: ${{ secrets.GITHUB_TOKEN }}
      - uses: aws-actions/configure-aws-credentials@v4
        with: { role-to-assume: "arn:aws:iam::<<dig12>>:role/release", aws-region: eu-west-1 }
      - run: npm publish --provenance
        env:
          NODE_AUTH_TOKEN: ${{ secrets.NPM_TOKEN }}
=== compose reference
services:
  db:
    image: postgres:16.4-alpine
    ports: ["5432:5432"]
    environment:
      POSTGRES_USER: ${POSTGRES_USER:-shop}
      POSTGRES_PASSWORD_FILE: /run/secrets/db_password
    secrets: [db_password]
  mail:
    image: axllent/mailpit:v1.20
    ports: ["1025:1025", "8025:8025"]
  web:
    image: registry.kestrel.dev/shop/web:4.12.0
    environment:
      DATABASE_URL: postgresql://${POSTGRES_USER}:${POSTGRES_PASSWORD}@db:5432/shop
      SECRET_KEY: ${SECRET_KEY:?set it in .env}
      MAIL_HOST: mail
secrets:
  db_password:
    file: ./secrets/db_password.txt
# start with: docker compose up -d --wait
=== terraform plan
Terraform will perform the following actions:

  # aws_db_instance.crm will be updated in-place
  ~ resource "aws_db_instance" "crm" {
        id                = "db-ABCDEFGHIJKL01234MNOPQRSTU"
        arn               = "arn:aws:rds:eu-west-1:<<dig12>>:db:crm"
      ~ password          = (sensitive value)
      ~ engine_version    = "16.3" -> "16.4"
        kms_key_id        = "arn:aws:kms:eu-west-1:<<dig12>>:key/<<uuid>>"
    }

  # random_password.crm will be replaced
-/+ resource "random_password" "crm" {
      ~ bcrypt_hash = (sensitive value)
      ~ result      = (sensitive value)
        length      = 32
    }

Plan: 1 to add, 1 to change, 1 to destroy.
=== faq hr
**When do I get my payslip?** On the 28th of each month, in the portal under Documents > Payroll.

**Which password opens the PDF?** None since January 2025; the files are no longer protected by a password because \+
the portal
asks for a second factor.

**How do I change my bank account?** Portal > Personal data > Bank. Enter the IBAN there; we do not accept changes \+
by mail.

**I have lost my access card.** Tell reception (extension 4410). The PIN is blocked at once, and a new card costs \+
15.00 EUR.

**Do I need my social security number?** Yes, on the first day. It is on the letter from your health insurance.

**Who sees my data?** The HR team only (4 people). Write to privacy@example.com for a copy, reference HR-2025-0118.
=== sql migration
-- 20250519_0412: move reset tokens into their own table
CREATE TABLE reset_tokens (
    id          bigserial PRIMARY KEY,
    user_id     bigint NOT NULL REFERENCES users (id),
    token_hash  char(64) NOT NULL UNIQUE,
    expires_at  timestamptz NOT NULL DEFAULT now() + interval '30 minutes'
);
INSERT INTO reset_tokens (user_id, token_hash, expires_at)
SELECT id, encode(digest(reset_token, 'sha256'), 'hex'), reset_expires
FROM users WHERE reset_token IS NOT NULL;
ALTER TABLE users DROP COLUMN reset_token, DROP COLUMN password_plain;
UPDATE settings SET value = '12' WHERE key = 'password_min_length';
COMMENT ON COLUMN users.password_hash IS 'argon2id, see SecurityConfig.passwordEncoder()';
=== stack trace
org.springframework.security.authentication.BadCredentialsException: Bad credentials
    at org.springframework.security.authentication.dao.AbstractUserDetailsAuthenticationProvider.authenticate(\+
AbstractUserDetailsAuthenticationProvider.java:141)
    at com.kestrel.portal.auth.PasswordTokenGranter.grant(PasswordTokenGranter.java:88)
    at com.kestrel.portal.auth.TokenEndpoint.postAccessToken(TokenEndpoint.java:132)
    at java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)
    at org.apache.tomcat.util.net.NioEndpoint$SocketProcessor.doRun(NioEndpoint.java:1740)
Caused by: java.lang.IllegalStateException: secret key must be at least 256 bits, see property auth.secret-key-file
    at io.jsonwebtoken.security.Keys.hmacShaKeyFor(Keys.java:83)
    ... 52 common frames omitted
=== ssh guide
## Access to the jump host

Create a key pair with `ssh-keygen -t ed25519 -C "laptop"`, choose a passphrase, and upload only the file ending in \+
`.pub`:

    ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI<<p:{A43}>> laptop

Host key fingerprints, compare them at the first connection:

| Host | Fingerprint |
|------|-------------|
| jump-1 | SHA256:<<p:{A43}>> |
| jump-2 | SHA256:<<p:{A43}>> |

Then `ssh -J deploy@jump-1.kestrel.dev ops@10.3.0.12`, or copy a file with `scp report.csv ops@10.3.0.12:/tmp/`. \+
Password logins
are switched off (`PasswordAuthentication no`). If you see `Permission denied (publickey)`, look at `ssh -v` and ask \+
in #ops.
=== meeting notes
# Retro 2025-06-02

Present: Megan Holloway, Femke Dijkhuis, Owen Castellane. Room 4.112, 14:00-15:00.

- The token refresh bug (PAY-11872) cost us two days. Megan: the library returns 401 and 403 mixed up.
- Nobody knew where the password of the label printer is. It is in the vault now, folder "Warehouse".
- Budget: 18,400 of 25,000 EUR spent, order 4500118273 is still open.
- Owen wants a passphrase policy instead of "12 characters and a digit"; security will decide until 30.06.
- The secret scanner found 14 false alarms: mostly commit hashes such as <<sha1>>.
- Next time: @femke takes the notes, @owen brings the cake.

Actions: document the key rotation (Femke), close HELP-90213 (Owen), invite the auditors for the 12th (Megan).
=== dataset page
The export has one file per day: `s3://kestrel-exports/orders/dt=2025-03-04/part-00017-<<uuid>>.snappy.parquet`.

| Column | Type | Example |
|--------|------|---------|
| order_id | bigint | 4500118273 |
| customer_key | string | <<md5>> |
| ean | string | 4006381333931 |
| amount | decimal(12,2) | 1249.90 |
| created_at | bigint | 1741079564120 |
| geo | string | 48.137154,11.576124 |
| session_token_present | boolean | true |
| password_changed_days | int | 42 |

`customer_key` is a salted hash and cannot be traced back. Rows: 12,480,331; size: 1.8 GB; checksum <<sha256>>.
=== javascript bundle
/*! portal-ui 4.12.0 | build 20250304.17 | <<sha7>> */
!function(e,t){"object"==typeof exports?module.exports=t():e.portal=t()}(this,function(){"use strict";
var n={password:"login.password.label",token:"login.token.expired",secret:"settings.secret.title"};
function r(e){return e.password&&e.password.length>=12?null:"password_too_short"}
function o(e){var t=document.querySelector("input[type=password]");return t?t.value:void 0}
function i(e,t){return fetch(e,{headers:{Authorization:"Bearer "+t.token,"X-Request-Id":crypto.randomUUID()}})}
return{validatePassword:r,readPassword:o,callWithToken:i,icon:"data:image/gif;base64,\+
R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",colors:["#1a2b3c","#ffaa00"],keys:n}});
//# sourceMappingURL=portal-ui.<<p:{H20}>>.js.map
=== env example
# Copy to .env and fill in. Never commit .env.
APP_ENV=development
APP_PORT=8080
APP_SECRET=<generate with: openssl rand -hex 32>
DB_HOST=localhost
DB_PORT=5432
DB_USER=shop
DB_PASSWORD=
REDIS_URL=redis://localhost:6379/0
SMTP_HOST=localhost
SMTP_PORT=1025
SMTP_PASSWORD=${SMTP_PASSWORD}
STRIPE_SECRET_KEY=sk_test_xxxxxxxxxxxxxxxxxxxxxxxx
SENTRY_DSN=
AWS_ACCESS_KEY_ID=YOUR_ACCESS_KEY_ID
AWS_SECRET_ACCESS_KEY=YOUR_SECRET_ACCESS_KEY
JWT_TTL=3600
SESSION_COOKIE=portal_session
MAIL_FROM=noreply@example.com
FEATURE_PASSWORDLESS_LOGIN=false
PASSWORD_MIN_LENGTH=12
TOKEN_LEEWAY_SECONDS=30
RATE_LIMIT=60/minute
"""
