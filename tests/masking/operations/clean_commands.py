"""Without secrets: commands and files of infrastructure."""

from tests.masking.operations.template import NegRow

ROWS: tuple[NegRow, ...] = (
    (
        "op reference",
        "en",
        "export DB_PASSWORD=$(op read op://Infra/ledger-db/password)\nop run --env-file=.env.tpl -- ./start.sh",
    ),
    (
        "curl with variable",
        "en",
        (
            'curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/orders\n'
            'curl -u "$USER:$PASS" https://{fq}/health'
        ),
    ),
    (
        "curl placeholder",
        "en",
        (
            'curl -H "Authorization: Bearer <your-token>" https://api.example.com/v1/me\n'
            "curl -u <user>:<password> https://api.example.com"
        ),
    ),
    (
        "placeholder caps",
        "en",
        "OPENAI_API_KEY=YOUR_API_KEY\nSTRIPE_SECRET_KEY=YOUR_STRIPE_SECRET_KEY\nSMTP_PASSWORD=YOUR_PASSWORD_HERE",
    ),
    (
        "placeholder xxxx",
        "en",
        (
            "SLACK_TOKEN=xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx-xxxxxxxxxxxxxxxxxxxxxxxx\n"
            "GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        ),
    ),
    ("placeholder stars", "en", "password: ********\ntoken: ****************\napi_key: [REDACTED]\nsecret: <redacted>"),
    (
        "placeholder dots",
        "en",
        'export ANTHROPIC_API_KEY="sk-ant-..."\nexport OPENAI_API_KEY="sk-..."\nexport GITHUB_TOKEN=ghp_...',
    ),
    ("placeholder insert", "en", "db.password=<insert password here>\napi.key=TODO\nmail.password=REPLACE_ME"),
    (
        "placeholder mustache",
        "en",
        '"password": "{{password}}",\n"token": "{{access_token}}",\n"url": "{{base_url}}/login"',
    ),
    (
        "url placeholder",
        "en",
        "DATABASE_URL=postgres://user:password@localhost:5432/dbname\nREDIS_URL=redis://:<password>@localhost:6379/0",
    ),
    (
        "url variables",
        "en",
        "amqp://${RABBIT_USER}:${RABBIT_PASS}@{fq}:5672/%2f\nmongodb+srv://<user>:<password>@cluster.example.com/test",
    ),
    (
        "azure placeholder",
        "en",
        "DefaultEndpointsProtocol=https;AccountName=<account>;AccountKey=<key>;EndpointSuffix=core.windows.net",
    ),
    ("empty values", "en", 'password=\ntoken: ""\napi_key = null\nsecret: ~\nPGPASSWORD= psql -l'),
    ("boolean values", "en", "password_required: true\nshow_password: false\ntoken_auth = on\nrotate_secrets: daily"),
    (
        "numeric settings",
        "en",
        "token_ttl: 3600\npassword_min_length: 12\nmax_password_age_days = 90\nsession_timeout=1800",
    ),
    (
        "file references",
        "en",
        (
            "ssl_key_file = /etc/ssl/private/app.key\n"
            "password_file: /run/secrets/db_password\n"
            "tokenPath: /var/run/secrets/kubernetes.io"
        ),
    ),
    (
        "enum values",
        "en",
        "auth_type: password\ngrant_type: client_credentials\ntoken_type: Bearer\npassword_encryption = scram-sha-256",
    ),
    (
        "sql ddl",
        "en",
        (
            "ALTER TABLE users ADD COLUMN password_hash VARCHAR(255) NOT NULL;\n"
            "CREATE INDEX idx_tokens_user ON api_tokens (user_id);"
        ),
    ),
    (
        "sql select",
        "en",
        "SELECT id, password_changed_at FROM users WHERE password IS NULL AND token_expires_at < now();",
    ),
    ("sql parameters", "en", "UPDATE users SET password = $1, reset_token = NULL WHERE id = $2 RETURNING id;"),
    (
        "sql create role var",
        "en",
        (
            "CREATE ROLE reporting LOGIN PASSWORD :'reporting_password';\n"
            "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reporting;"
        ),
    ),
    (
        "test names",
        "en",
        "test_password_reset_token_expires_after_one_hour PASSED\ntest_login_with_wrong_password_returns_401 PASSED",
    ),
    ("junit names", "en", "PasswordResetControllerTest.shouldRejectExpiredTokenWithUnauthorizedStatus() - 14 ms - OK"),
    (
        "long camel case",
        "en",
        "AbstractAuthenticationTokenProcessingFilterConfigurerAdapterFactoryBean could not be created",
    ),
    (
        "long snake case",
        "en",
        "def _refresh_oauth_access_token_for_service_account_if_expired_or_revoked(self) -> None: ...",
    ),
    (
        "translation keys",
        "en",
        (
            "auth.password.reset.confirmation_mail_sent=Mail sent\n"
            "auth.token.expired_or_already_used=This link has expired"
        ),
    ),
    (
        "i18n json",
        "de",
        (
            '{"login.password.label": "Passwort", "login.password.forgot": "Passwort vergessen?", '
            '"login.token.hint": "Code eingeben"}'
        ),
    ),
    (
        "css",
        "en",
        ".password-strength__meter--weak{background:#d9534f;width:33%}.token-input:focus{border-color:#80bdff}",
    ),
    (
        "hex colours",
        "en",
        "primary: #1a73e8, danger: #d93025, surface: #f8f9fa, shadow: rgba(60,64,67,.3), accent: #ff6d00ff",
    ),
    (
        "minified js",
        "en",
        (
            '!function(e,t){"object"==typeof exports?module.exports=t():e.Auth=t()}(this,'
            "function(){var n=function(e){return e.token||null};return n});"
        ),
    ),
    (
        "webpack chunks",
        "en",
        "dist/assets/index-{hex8}.js   412.18 kB | gzip: 131.02 kB\ndist/assets/vendor-{hex8#1}.css  88.40 kB",
    ),
    ("source map line", "en", "at t.fetchToken (https://app.example.com/static/js/main.{hex8}.chunk.js:2:184412)"),
    (
        "decorators",
        "en",
        (
            "@dataclass(frozen=True)\n"
            "class Token:\n"
            "    @property\n"
            "    def expired(self) -> bool: ...\n"
            "    @staticmethod\n"
            "    def parse(raw: str): ..."
        ),
    ),
    (
        "java annotations",
        "en",
        (
            '@RestController @RequestMapping("/api/tokens") @PreAuthorize("hasRole(\'ADMIN\')") public class '
            "TokenController"
        ),
    ),
    ("npm scopes", "en", "npm i -D @types/node@18.2.0 @typescript-eslint/parser@7.1.1 @babel/core@^7.24.0"),
    (
        "npm ls",
        "en",
        "ledger-web@{ver} /srv/app\n+-- @angular/core@17.3.2\n+-- jsonwebtoken@9.0.2\n`-- password-validator@5.3.0",
    ),
    ("package lock", "en", '"node_modules/lodash": {"version": "4.17.21", "integrity": "sha512-{bs86}=="}'),
    (
        "yarn lock",
        "en",
        (
            "debug@^4.3.1:\n"
            '  version "4.3.4"\n'
            '  resolved "https://registry.yarnpkg.com/debug/-/debug-4.3.4.tgz#{sha}"\n'
            "  integrity sha512-{bs86}=="
        ),
    ),
    ("pip hashes", "en", "requests==2.31.0 \\\n    --hash=sha256:{sha256} \\\n    --hash=sha256:{sha256#1}"),
    ("go.sum", "en", "github.com/spf13/cobra v1.8.0 h1:{bs43}=\ngithub.com/spf13/cobra v1.8.0/go.mod h1:{bs43#1}="),
    ("cargo lock", "en", '[[package]]\nname = "serde"\nversion = "1.0.197"\nchecksum = "{sha256}"'),
    ("gemfile lock", "en", "GEM\n  specs:\n    rack (3.0.9)\n    jwt (2.8.1)\nBUNDLED WITH\n   2.5.6"),
    (
        "sri",
        "en",
        '<script src="https://cdn.example.com/app.js" integrity="sha384-{bs64}" crossorigin="anonymous"></script>',
    ),
    ("nix hash", "en", 'src = fetchurl { url = "https://example.org/x-{ver}.tar.gz"; hash = "sha256-{bs43}="; };'),
)
