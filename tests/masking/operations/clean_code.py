"""Without secrets: code."""

from tests.masking.operations.template import NegRow

ROWS: tuple[NegRow, ...] = (
    ("env lookup py", "en", 'password = os.environ["DB_PASSWORD"]\nuser = os.environ.get("DB_USER", "ledger")'),
    (
        "env lookup js",
        "en",
        "const token = process.env.SLACK_BOT_TOKEN;\nif (!token) throw new Error('SLACK_BOT_TOKEN is not set');",
    ),
    (
        "env lookup go",
        "en",
        'apiKey := os.Getenv("PAYMENTS_API_KEY")\nif apiKey == "" { log.Fatal("PAYMENTS_API_KEY missing") }',
    ),
    ("env lookup ruby", "en", "Stripe.api_key = ENV.fetch('STRIPE_SECRET_KEY')\nStripe.max_network_retries = 2"),
    ("env lookup php", "en", "$password = getenv('DB_PASSWORD') ?: throw new RuntimeException('DB_PASSWORD missing');"),
    (
        "env lookup java",
        "en",
        'String secret = System.getenv("JWT_SECRET");\nObjects.requireNonNull(secret, "JWT_SECRET");',
    ),
    ("env lookup rust", "en", 'let token = std::env::var("GITHUB_TOKEN").expect("GITHUB_TOKEN not set");'),
    ("secret class", "en", 'secret = Secret.from_env("LEDGER_SIGNING_KEY")\nclient = Client(auth=secret, timeout=30)'),
    ("type hints", "en", "def login(user: str, password: str, *, token: str | None = None) -> Session:\n    ..."),
    (
        "ts interface",
        "en",
        (
            "interface Credentials {\n"
            "  username: string;\n"
            "  password: string;\n"
            "  apiKey?: string;\n"
            "  accessToken: string | null;\n"
            "}"
        ),
    ),
    (
        "java field",
        "en",
        (
            "private String password;\n"
            "private final TokenProvider tokenProvider;\n"
            "public void setPassword(String password) { this.password = password; }"
        ),
    ),
    (
        "go struct",
        "en",
        (
            "type Auth struct {\n"
            '\tUser     string `json:"user"`\n'
            '\tPassword string `json:"password,omitempty"`\n'
            '\tToken    string `yaml:"token"`\n'
            "}"
        ),
    ),
    (
        "rust struct",
        "en",
        "pub struct Login<'a> { pub user: &'a str, pub password: SecretString, pub otp: Option<String> }",
    ),
    (
        "docstring params",
        "en",
        (
            ":param password: the password of the user, hashed before it is stored\n"
            ":param token: bearer token, optional\n"
            ":returns: a session"
        ),
    ),
    (
        "jsdoc",
        "en",
        (
            "/**\n"
            " * @param {string} apiKey - API key from the developer console\n"
            " * @param {string} secret - shared secret\n"
            " */"
        ),
    ),
    (
        "argparse",
        "en",
        (
            'parser.add_argument("--password", help="password, read from stdin when omitted")\n'
            'parser.add_argument("--token-file")'
        ),
    ),
    ("getpass", "en", 'password = getpass.getpass("Password: ")\nassert len(password) >= MIN_PASSWORD_LENGTH'),
    (
        "function call",
        "en",
        "token = generate_token(user, expires_in=3600)\nsend_mail(user, reset_password_url(token))",
    ),
    (
        "attribute access",
        "en",
        "auth = (settings.smtp_user, settings.smtp_password)\nheaders = {'Authorization': f'Bearer {self._token}'}",
    ),
    (
        "password = password",
        "en",
        "self.password = password\nself.secret_key = secret_key\nself.api_token = api_token or self._fetch_token()",
    ),
    ("comparison", "en", "if password != password_confirmation:\n    raise ValidationError('passwords do not match')"),
    ("hash call", "en", "user.password_hash = bcrypt.hashpw(password.encode(), bcrypt.gensalt(rounds=12))"),
    (
        "react input",
        "en",
        (
            '<input type="password" name="password" autocomplete="current-password" value={password} '
            "onChange={onPassword} />"
        ),
    ),
    (
        "html form",
        "en",
        (
            '<label for="password">Password</label>\n'
            '<input id="password" type="password" minlength="12" placeholder="Your password">'
        ),
    ),
    (
        "react hook",
        "en",
        "const [password, setPassword] = useState('');\nconst { token, refreshToken } = useAuthContext();",
    ),
    (
        "django setting",
        "en",
        (
            "AUTH_PASSWORD_VALIDATORS = [\n"
            '    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},\n'
            "]"
        ),
    ),
    (
        "spring placeholder",
        "en",
        "spring.datasource.password=${DB_PASSWORD}\nspring.datasource.username=${DB_USER:ledger}",
    ),
    (
        "compose variable",
        "en",
        "environment:\n  POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?set it in .env}\n  REDIS_PASSWORD: $REDIS_PASSWORD",
    ),
    (
        "helm template",
        "en",
        (
            "password: {{ .Values.database.password | b64enc | quote }}\n"
            'token: {{ required "token is required" .Values.token }}'
        ),
    ),
    (
        "github secret ref",
        "en",
        "env:\n  NPM_TOKEN: ${{ secrets.NPM_TOKEN }}\n  GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}",
    ),
    (
        "gitlab variable",
        "en",
        "script:\n  - docker login -u $CI_REGISTRY_USER -p $CI_REGISTRY_PASSWORD $CI_REGISTRY\n  - make push",
    ),
    (
        "terraform variable",
        "en",
        'variable "db_password" {\n  type      = string\n  sensitive = true\n}\npassword = var.db_password',
    ),
    (
        "terraform data",
        "en",
        "password = data.aws_secretsmanager_secret_version.db.secret_string\ntoken    = module.vault.github_token",
    ),
    (
        "ansible vault var",
        "en",
        (
            'mysql_root_password: "{{ vault_mysql_root_password }}"\n'
            "become_password: \"{{ lookup('env', 'BECOME_PW') }}\""
        ),
    ),
    (
        "k8s secretKeyRef",
        "en",
        "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: ledger-db-credentials\n      key: password",
    ),
    (
        "k8s envFrom",
        "en",
        "envFrom:\n  - secretRef:\n      name: payments-api-secrets\nimagePullSecrets:\n  - name: registry-credentials",
    ),
    (
        "external secret",
        "en",
        (
            "spec:\n"
            "  secretStoreRef:\n"
            "    name: vault-backend\n"
            "  data:\n"
            "    - secretKey: password\n"
            "      remoteRef: { key: ledger/prod, property: db_password }"
        ),
    ),
    (
        "vault path",
        "en",
        "vault kv get -field=password secret/data/prod/ledger/database\nvault read database/creds/ledger-readonly",
    ),
    ("command substitution", "en", 'PGPASSWORD="$(cat /run/secrets/pg_password)" psql -h {fq} -U ledger -c "select 1"'),
)
