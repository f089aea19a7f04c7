"""Without secrets: longer references and pages of configuration."""

from tests.masking.operations.template import NegRow

ROWS: tuple[NegRow, ...] = (
    (
        "ci pipeline",
        "en",
        """
stages: [lint, test, build, deploy]
variables:
  DOCKER_TLS_CERTDIR: "/certs"
  GIT_DEPTH: "20"
build:
  stage: build
  image: docker:25.0.5@sha256:{sha256}
  before_script:
    - echo "$CI_REGISTRY_PASSWORD" | docker login -u "$CI_REGISTRY_USER" --password-stdin "$CI_REGISTRY"
  script:
    - docker build --secret id=npm_token,env=NPM_TOKEN -t "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHORT_SHA" .
    - docker push "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHORT_SHA"
deploy:
  stage: deploy
  id_tokens:
    VAULT_ID_TOKEN: { aud: https://vault.example.com }
  secrets:
    DB_PASSWORD: { vault: ledger/prod/db/password@secret, file: false }
  script:
    - helm upgrade --install ledger ./chart --set image.tag="$CI_COMMIT_SHORT_SHA" --set-file ca=ca.pem
  rules: [{ if: '$CI_COMMIT_TAG =~ /^v\\d+\\.\\d+\\.\\d+$/' }]""",
    ),
    (
        "python module",
        "en",
        """
class TokenStore:
    \"\"\"Keeps access tokens; only hashes are written to the data base.\"\"\"

    def __init__(self, dsn: str, *, secret: SecretStr, ttl: timedelta = timedelta(hours=1)) -> None:
        self._dsn = dsn
        self._secret = secret
        self._ttl = ttl

    def issue(self, user_id: UUID, scopes: frozenset[str]) -> str:
        token = secrets.token_urlsafe(32)
        digest = hmac.new(self._secret.get_secret_value().encode(), token.encode(), "sha256").hexdigest()
        self._insert(user_id, digest, scopes, expires_at=utcnow() + self._ttl)
        return token

    def verify(self, token: str | None) -> Principal:
        if not token:
            raise AuthenticationError("token is missing")
        password_changed_at = self._password_changed_at(token)
        return self._load(token, not_before=password_changed_at)""",
    ),
    (
        "java stack trace",
        "en",
        (
            "\n"
            "{ts} ERROR o.e.ledger.auth.LoginController - login failed\n"
            "org.springframework.security.authentication.BadCredentialsException: Bad credentials\n"
            "    at o.s.s.authentication.dao.DaoAuthenticationProvider.additionalAuthenticationChecks(DaoAuthentica"
            "tionProvider.java:79)\n"
            "    at o.s.s.authentication.AbstractUserDetailsAuthenticationProvider.authenticate(AbstractUserDetails"
            ".java:147)\n"
            "    at com.oakford.ledger.auth.PasswordTokenAuthenticationFilterChainConfigurer.doFilter(PasswordToken"
            ".java:118)\n"
            "    at com.oakford.ledger.auth.LoginController.login(LoginController.java:44)\n"
            "Caused by: org.postgresql.util.PSQLException: FATAL: password authentication failed for user "
            '"ledger"\n'
            "    at org.postgresql.core.v3.ConnectionFactoryImpl.doAuthentication(ConnectionFactoryImpl.java:693)\n"
            "    ... 44 common frames omitted\n"
            "requestId={uuid} node={h} ip={ip} durationMs=118 thread=http-nio-8080-exec-7 sampled=true"
        ),
    ),
    (
        "kernel and boot log",
        "en",
        """
May 14 09:12:40 {h} kernel: Linux version 6.1.0-21-amd64 (gcc-12 12.2.0) #1 SMP Debian 6.1.90-1 (2024-05-03)
May 14 09:12:40 {h} kernel: BIOS-e820: [mem 0x0000000000100000-0x00000000bffd9fff] usable
May 14 09:12:41 {h} systemd[1]: systemd-ask-password-console.path: Forward Password Requests to Console.
May 14 09:12:41 {h} kernel: eth0: 00:50:56:a1:4f:2b, 10000 Mb/s, full duplex
May 14 09:12:43 {h} sshd[881]: Server listening on 0.0.0.0 port 22.
May 14 09:12:44 {h} sshd[912]: Failed password for root from 203.0.113.77 port 51884 ssh2
May 14 09:12:44 {h} sshd[912]: Connection closed by authenticating user root 203.0.113.77 port 51884 [preauth]
May 14 09:12:51 {h} dhclient[640]: bound to {ip} -- renewal in 41118 seconds.
May 14 09:13:02 {h} chronyd[702]: Selected source 192.0.2.123 (2.debian.pool.ntp.org), offset -0.000118 s""",
    ),
    (
        "faq",
        "en",
        """
**How do I change my password?** Open Settings > Security > Password, type the old one and twice the new one.
**I forgot my password.** Click "Forgot password?" on the login page. We send a link from noreply@example.com
which works once and for 30 minutes.
**Why is my password refused?** It must have 12 to 128 characters and must not be on the list of leaked passwords.
**What is the PIN for?** The PIN unlocks the app on your phone; it has 6 digits and never leaves the device.
**Can support see my password?** No. We store a hash only, and nobody at support@example.com will ask for it.
**Where is my API token?** Under Settings > Developer. It is shown once; create a new one when you lost it.
**Which card data do you store?** The last four digits and the expiry date; the card number stays with the
payment provider. **Do you store my IBAN?** Only when you pay by direct debit, in masked form.""",
    ),
    (
        "changelog with hashes",
        "en",
        """
* {sha7} auth: compare tokens in constant time (#4412)
* {sha7#1} auth: hash reset tokens before storing (#4413)
* {sha7#2} deps: bump jsonwebtoken from 9.0.1 to 9.0.2, @types/node from 18.2.0 to 20.12.7
* {sha7#3} ci: use OIDC instead of the AWS_ACCESS_KEY_ID / AWS_SECRET_ACCESS_KEY pair
* {sha7#4} docs: explain DB_PASSWORD_FILE and the order of look-up (file, variable, default)
* {sha7#5} test: test_password_policy_rejects_common_passwords, test_token_is_not_logged
* {sha7#6} chart: imagePullSecrets: [registry-credentials], resources.limits.memory 512Mi -> 768Mi
* {sha7#7} revert "auth: accept tokens in the query string" ({sha})
Full diff: https://git.example.com/platform/ledger/-/compare/v4.17.3...v4.18.0?straight=false
Artifacts: ledger-4.18.0-py3-none-any.whl sha256:{sha256}""",
    ),
    (
        "sql migration",
        "en",
        """
-- 0118_token_hash.sql
BEGIN;
ALTER TABLE api_tokens ADD COLUMN token_hash BYTEA;
UPDATE api_tokens SET token_hash = digest(token, 'sha256') WHERE token IS NOT NULL;
ALTER TABLE api_tokens ALTER COLUMN token_hash SET NOT NULL;
ALTER TABLE api_tokens DROP COLUMN token;
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS ux_api_tokens_hash ON api_tokens (token_hash);
COMMENT ON COLUMN users.password_hash IS 'bcrypt, cost 12; NULL for SSO users';
CREATE OR REPLACE FUNCTION check_password(p_user text, p_password text) RETURNS boolean AS $$
  SELECT password_hash = crypt(p_password, password_hash) FROM users WHERE login = p_user;
$$ LANGUAGE sql STABLE;
GRANT EXECUTE ON FUNCTION check_password(text, text) TO ledger_app;
COMMIT;
-- 12,118,204 rows, 184 s on {h}""",
    ),
    (
        "nginx config",
        "en",
        """
server {
    listen 443 ssl http2;
    server_name app.example.com;
    ssl_certificate     /etc/nginx/tls/app.example.com.fullchain.pem;
    ssl_certificate_key /etc/nginx/tls/app.example.com.key;
    ssl_password_file   /etc/nginx/tls/passphrase;
    ssl_session_tickets off;
    auth_basic           "Restricted";
    auth_basic_user_file /etc/nginx/.htpasswd;
    location /api/ {
        proxy_set_header Authorization $http_authorization;
        proxy_set_header X-Api-Key     $http_x_api_key;
        proxy_set_header X-Request-Id  $request_id;
        proxy_hide_header Set-Cookie;
        proxy_pass http://{ip}:8080;
    }
    location ~ ^/(password|token)/reset$ { limit_req zone=reset burst=5 nodelay; proxy_pass http://auth:8081; }
    add_header Strict-Transport-Security "max-age=63072000; includeSubDomains" always;
}""",
    ),
)
