"""Code that talks about secrets without holding one."""

NEG_CODE = r"""
=== os.environ | en
password = os.environ["DB_PASSWORD"]
=== os.getenv default none | en
api_key: str | None = os.getenv("OPENAI_API_KEY")
=== os.getenv empty | en
TOKEN = os.environ.get("SLACK_BOT_TOKEN", "")
=== from_env | en
client = Client(secret=Secret.from_env("STRIPE_SECRET_KEY"), timeout=10)
=== pydantic field | en
class Settings(BaseSettings):
    db_password: SecretStr
    token: str | None = None
    secret_key: str = Field(..., min_length=32)
=== dataclass | en
@dataclass(frozen=True)
class Credentials:
    username: str
    password: str = field(repr=False)
=== function signature | en
def login(username: str, password: str, otp: str | None = None) -> Session: ...
=== typescript interface | en
interface AuthState { accessToken: string | null; refreshToken?: string; expiresAt: number }
=== go struct tags | en
type Config struct {
	Password string `yaml:"password" env:"DB_PASSWORD,required"`
	Token    string `json:"token,omitempty"`
}
=== java annotation | en
@Value("${spring.datasource.password}")
private String password;
=== rust env | en
let token = std::env::var("GITHUB_TOKEN").expect("GITHUB_TOKEN is not set");
=== node env | en
const secret = process.env.JWT_SECRET ?? fail('JWT_SECRET missing');
=== ruby fetch | en
config.password = ENV.fetch("REDIS_PASSWORD") { Rails.application.credentials.redis[:password] }
=== php env | en
'password' => env('DB_PASSWORD', ''),
=== C# configuration | en
var key = builder.Configuration["Jwt:SigningKey"] ?? throw new InvalidOperationException("no signing key");
=== getpass | en
password = getpass.getpass(prompt="Password for the archive: ")
=== click option | en
@click.option("--password", prompt=True, hide_input=True, confirmation_prompt=True)
=== argparse | en
parser.add_argument("--token", required=True, help="personal access token with the read_api scope")
=== keyring | en
pw = keyring.get_password("system", username)
=== boto3 secrets manager | en
secret = boto3.client("secretsmanager").get_secret_value(SecretId="prod/billing/db")["SecretString"]
=== vault hvac | en
password = client.secrets.kv.v2.read_secret_version(path="crm/db")["data"]["data"]["password"]
=== compare | en
if not hmac.compare_digest(token, expected_token):
    raise PermissionError("token mismatch")
=== hash check | en
assert pwd_context.verify(plain_password, user.hashed_password)
=== generate token | en
token = secrets.token_urlsafe(32)
session["csrf_token"] = token
=== test names | en
def test_login_rejects_wrong_password(client): ...
def test_token_expires_after_thirty_minutes(freezer): ...
def test_password_reset_mail_is_sent_once(mailbox): ...
=== mock | en
monkeypatch.setenv("API_TOKEN", "dummy")
monkeypatch.delenv("DB_PASSWORD", raising=False)
=== sql column | en
SELECT id, password_hash, password_changed_at FROM users WHERE password_changed_at < now() - interval '90 days';
=== sql ddl | en
ALTER TABLE users ADD COLUMN password_reset_token varchar(64) NULL, ADD COLUMN token_ttl integer NOT NULL ~+
DEFAULT 3600;
=== sql placeholder | en
UPDATE users SET password = :password, updated_at = CURRENT_TIMESTAMP WHERE id = :id
=== sql drop | en
ALTER TABLE accounts DROP COLUMN legacy_password;
=== github actions secrets | en
env:
  NPM_TOKEN: ${{ secrets.NPM_TOKEN }}
  GITHUB_TOKEN: ${{ github.token }}
=== gitlab ci | en
script:
  - docker login -u "$CI_REGISTRY_USER" -p "$CI_REGISTRY_PASSWORD" "$CI_REGISTRY"
=== helm template | en
password: {{ .Values.postgresql.auth.password | b64enc | quote }}
=== helm existing secret | en
postgresql:
  auth:
    existingSecret: crm-postgresql
    secretKeys:
      adminPasswordKey: postgres-password
=== k8s secretKeyRef | en
- name: DB_PASSWORD
  valueFrom:
    secretKeyRef:
      name: crm-db
      key: password
=== external secret | en
spec:
  secretStoreRef: {name: vault-backend, kind: ClusterSecretStore}
  data:
    - secretKey: password
      remoteRef: {key: crm/db, property: password}
=== ansible vault | en
db_password: "{{ vault_db_password }}"
become_password: "{{ lookup('env', 'BECOME_PASS') }}"
=== terraform var | en
password = var.db_password
token    = data.vault_generic_secret.ci.data["token"]
=== terraform sensitive | en
variable "db_password" {
  type      = string
  sensitive = true
}
=== terraform random | en
resource "random_password" "db" {
  length           = 32
  special          = true
  override_special = "!#%+"
}
=== compose secrets | en
services:
  db:
    environment:
      POSTGRES_PASSWORD_FILE: /run/secrets/db_password
    secrets: [db_password]
=== compose variable | en
MYSQL_ROOT_PASSWORD: ${MYSQL_ROOT_PASSWORD:?set it in .env}
=== env example | en
DB_HOST=localhost
DB_USER=app
DB_PASSWORD=
API_TOKEN=
=== env placeholder | en
STRIPE_SECRET_KEY=sk_live_xxxxxxxxxxxxxxxxxxxxxxxx
SENDGRID_API_KEY=SG.xxxxxxxx.xxxxxxxx
=== env your key | en
OPENAI_API_KEY=YOUR_API_KEY
ANTHROPIC_API_KEY=<your-anthropic-key>
=== env replace me | en
SECRET_KEY=replace-me-with-a-long-random-string
SESSION_SECRET=<generate with: openssl rand -hex 32>
=== curl placeholder | en
curl -H "Authorization: Bearer <token>" https://api.example.com/v1/me
=== curl variable | en
curl -u "$USER:$PASS" -H "X-Api-Key: ${API_KEY}" https://api.example.com/v1/me
=== curl cat | en
curl -H "Authorization: Bearer $(cat /var/run/secrets/kubernetes.io/serviceaccount/token)" ~+
https://kubernetes.default.svc/api
=== psql variable | en
PGPASSWORD="$DB_PASSWORD" psql -h "$DB_HOST" -U app -c 'select 1'
=== mysql prompt | en
mysql -u root -p shop < schema.sql
=== sshpass env | en
SSHPASS=$(pass show backup/nas01) sshpass -e ssh admin@10.20.9.2 uptime
"""
