"""Short texts that look like secrets and are none."""

SHORT = r"""
=== commit hash
The regression came in with <<sha1>>, reverted in <<sha7>>.
=== git log
commit <<sha1>>
Merge: <<sha7>> <<sha7>>
    Merge branch 'feature/token-refresh' into main
=== uuid
The request id was <<uuid>>, correlation id <<uuid>>.
=== image digest
image: registry.kestrel.dev/shop/web@sha256:<<sha256>>
=== checksum
SHA256 (kestrel-cli_2.4.1_linux_amd64.tar.gz) = <<sha256>>
=== md5 list
<<md5>>  catalog-2025.zip
<<md5>>  prices.xlsx
=== npm lock
"node_modules/lodash": { "version": "4.17.21", "integrity": "sha512-<<sha512b>>" }
=== pip hash
requests==2.32.3 --hash=sha256:<<sha256>>
=== go sum
golang.org/x/net v0.30.0 h1:<<b64_44>>
=== ticket keys
Blocked by PAY-11872 and OPS-4410, duplicate of HELP-90213 (see also INC0098217).
=== versions
Upgrade from 10.0.19045.3803 to 10.0.22631.4602, agent 7.58.1-1, driver 535.183.01.
=== port map
ports: ["5432:5432", "8080:80", "127.0.0.1:6379:6379"]
=== python environ
password = os.environ["DB_PASSWORD"]
token = os.getenv("API_TOKEN", "")
=== python type
def connect(user: str, password: str, token: str | None = None, timeout: float = 30.0) -> Session: ...
=== from env
client = Client(api_key=Secret.from_env("CRM_API_KEY"), base_url=settings.base_url)
=== typescript type
interface LoginRequest { username: string; password: string; rememberMe?: boolean; token: string | null }
=== java annotation
@Value("${spring.mail.password}") private String mailPassword;
=== csharp configuration
var secret = builder.Configuration["Auth:ClientSecret"] ?? throw new InvalidOperationException("missing");
=== go env
apiKey := os.Getenv("SHIPPING_API_KEY") // set by the deployment
=== placeholder angle
curl -H "Authorization: Bearer <your-token>" https://api.example.com/v1/orders
=== placeholder upper
export OPENAI_API_KEY=YOUR_API_KEY
=== placeholder xxxx
STRIPE_SECRET_KEY=sk_live_xxxxxxxxxxxxxxxxxxxxxxxx
=== placeholder env
DATABASE_URL=postgres://${DB_USER}:${DB_PASSWORD}@${DB_HOST}:5432/shop
=== placeholder helm
value: {{ .Values.database.password | quote }}
=== placeholder jinja
ansible_password: "{{ vault_win_password }}"
=== placeholder stars
Password: ********  (last changed 14 days ago)
=== placeholder cat
docker login -u ci -p "$(cat /run/secrets/registry)" registry.example.com
=== placeholder github actions
NPM_TOKEN: ${{ secrets.NPM_TOKEN }}
=== placeholder dots
AWS_SECRET_ACCESS_KEY=...   # ask the platform team
=== placeholder redacted
password=[REDACTED] user=scan retries=3
=== placeholder replace me
client_secret = "<replace-with-client-secret>"
=== secret ref
env: [{ name: DB_PASSWORD, valueFrom: { secretKeyRef: { name: shop-db, key: password } } }]
=== vault path
vault kv get -field=password secret/data/payroll/prod/db
=== op reference
password: op://Infrastructure/jenkins-admin/password
=== aws secret arn
secret_arn = "arn:aws:secretsmanager:eu-west-1:<<dig12>>:secret:prod/crm/db-AbCdEf"
=== key vault reference
@Microsoft.KeyVault(SecretUri=https://kestrel-kv.vault.azure.net/secrets/sql-password/)
=== policy
Your password must have at least 12 characters, one digit and one special character.
=== stored in vault
The password is stored in the vault under infra/printers, not in the wiki.
=== reset
You can reset your password under Settings > Security > Password.
=== ask it
For the wifi password please ask reception, it changes every Monday.
=== token expiry
The access token expires after 30 minutes, the refresh token after 14 days.
=== see manager
password: see 1Password, entry "Label printer"
=== lost password
I forgot my password again and the reset mail never arrives, can somebody help?
=== password same
My password works in Teams but not in Jira since the migration.
=== never share
IT will never ask you for your password, PIN or one-time code.
=== private ips
db-1 10.3.0.12, db-2 10.3.0.13, gateway 192.168.178.1, mask 255.255.255.0
=== public ip
Please allow 203.0.113.45 and 198.51.100.0/24 on the firewall.
=== ipv6
listening on [2001:db8:85a3::8a2e:370:7334]:443 and fe80::1ff:fe23:4567:890a%eth0
=== mac
Printer on the 3rd floor: MAC 00:1B:44:11:3A:B7, switch port Gi1/0/24
=== dates
Freeze from 2025-12-19 18:00 to 2026-01-07 08:00, review on 15.01.2026 at 10:30.
=== order number
Order 4500<<dig6>> and delivery note 80<<dig8>> are still open in SAP.
=== invoice
Invoice RE-2025-004417 over 1,249.90 EUR is due on 30 June 2025.
=== money
Budget 2026: 1 250 000 EUR for licences, 340,500.00 EUR for hardware.
=== isbn
The book is ISBN 978-0-13-235088-4, second edition.
=== ean
EAN 4006381333931, article 88-1204, box of 12.
=== coordinates
The depot is at 48.137154, 11.576124, entrance from the north.
=== unix time
exp=1735689600 iat=1735686000 nbf=1735686000
=== log timestamps
20250304091244123 [worker-12] INFO batch 20250304-000118 done in 00:14:22.871
=== ranges
pages 1024-2048, rows 100000-250000, shards 0-127
=== tracking id
DHL shipment 00340434<<dig12>> has left the parcel centre.
=== luhn fail
trace=4539148803436461 span=7120000000000003 sampled=1
=== long id log
event_id=<<p:9{D17}>> partition=12 offset=<<dig10>>
=== iban like
Part number DE99-TEST-0000-1111, drawing CH12A-4471-B.
=== ssh
ssh -i ~/.ssh/id_ed25519 deploy@web-3.kestrel.dev -p 2222
=== scp
scp report.pdf ops@files.kestrel.dev:/srv/share/reports/
=== git ssh
git clone git@github.com:nordwind/billing.git
=== ssh url
git remote add backup ssh://git@git.kestrel.dev:2222/infra/backup.git
=== decorators
@property, @staticmethod and @pytest.fixture(scope="session") in one class
=== handles
@alice can you look at the thread of @bob-ops in #release-train?
=== npm scope
npm i -D @types/node@18.2.0 @babel/core@7.26.0
=== email-like
The sprite is icon@2x.png, the module is router@v2.1 and the job cron@daily.
=== role mailboxes
Write to support@example.com or security@example.com, mails from noreply@example.com are automatic.
=== info mailbox
Imprint: Example GmbH, info@example.com
=== picture base64
<img alt="dot" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
=== text base64
The encoded greeting is SGVsbG8gV29ybGQsIHRoaXMgaXMgYSB0ZXN0IG1lc3NhZ2U= (just hello world).
=== camel case
AbstractAuthenticationTokenProcessingFilterFactoryBean is not registered.
=== snake case
test_user_cannot_reset_password_with_expired_token_returns_400
=== s3 path
s3://kestrel-exports/year=2025/month=03/part-00017-<<uuid>>.snappy.parquet
=== arn
arn:aws:iam::<<dig12>>:role/github-actions-deploy
=== ssh public key
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI<<p:{A43}>> deploy key web
=== fingerprint
SHA256:<<p:{A43}>> is the fingerprint of the host key (ED25519).
=== certificate
-----BEGIN CERTIFICATE-----
MIIDdzCCAl+gAwIBAgIE<<p:{A44}>>
<<p:{A64}>>
-----END CERTIFICATE-----
=== public key
-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE<<p:{A28}>>
<<p:{A58}>>==
-----END PUBLIC KEY-----
=== minified
!function(e,t){"object"==typeof exports?module.exports=t():e.tokenize=t()}(this,function(){return n(17)});
=== translation keys
login.password.label=Password
login.password.hint=At least 12 characters
login.token.expired=Your session has expired
=== css
.password-field::placeholder { color: #6b7280; background: #f9fafb; }
=== hex colours
Brand colours: #1A2B3C, #FFAA00, #0f172a and rgba(15,23,42,.6)
=== paths
C:\Users\Public\Documents\passwords-policy-2025.docx
=== linux paths
/etc/ssl/private/portal.key must be 0600, /run/secrets/db_password is mounted by Swarm
=== sql column
ALTER TABLE users ADD COLUMN password_hash varchar(255) NOT NULL, DROP COLUMN password;
=== sql query
SELECT id, token, expires_at FROM reset_tokens WHERE expires_at < now() LIMIT 100;
=== settings table
| token_ttl | 3600 |
| password_min_length | 12 |
| secret_rotation_days | 90 |
=== harmless url
https://shop.example.com/list?category=office-chairs&sort=price_asc&page=12&utm_campaign=spring_sale_2025
=== confluence url
https://wiki.example.com/spaces/HR/pages/<<dig10>>/Password+policy+for+employees
=== names
Attendees: Megan Holloway, Tobias Wachtel, Nerea Zubiaurre (minutes)
=== jira url
See https://jira.example.com/browse/PAY-11872?focusedCommentId=<<dig6>>#comment-<<dig6>>
=== cron
0 */6 * * 1-5 /usr/local/bin/rotate-secrets --dry-run
=== docker id
Container <<p:{H12}>> exited with 137, pod web-7d9f8b6c5-x2kqp was evicted.
=== etag
ETag: "<<md5>>"  Cache-Control: max-age=31536000
=== trace header
traceparent: 00-<<hex32>>-<<hex16>>-01
=== build number
Build 20250304.17 of pipeline 4412 took 14m 22s (attempt 2).
=== python getpass
password = getpass.getpass("Password: ")
if not password: raise SystemExit("no password given")
=== js form
const password = document.querySelector("#password").value.trim();
=== spring yaml
password: ${MAIL_PASSWORD:}
username: ${MAIL_USER:notify}
=== psql prompt
psql -h db-1 -U shop -W shop   # asks for the password
=== mysql prompt
mysql -u root -p crm < schema.sql
=== curl netrc
curl --netrc-file ~/.netrc -fsS https://nexus.example.com/service/rest/v1/status
=== az keyvault
az keyvault secret show --vault-name kestrel-kv --name sql-password --query value -o tsv
=== kubectl
kubectl create secret generic smtp --from-file=password=./smtp-password.txt
=== enum
enum TokenType { Identifier, StringLiteral, Keyword, Punctuation, EndOfFile }
=== tokenizer
The prompt had 1824 tokens and the answer 412 tokens, max_tokens=4096.
=== function call
auth.set_password(new_password, confirm=password_confirmation)
=== assertion
assert response.json()["detail"] == "Invalid token"
=== null values
{"password": null, "token": "", "secret": false, "apiKey": "undefined"}
=== openapi
password: { type: string, format: password, minLength: 12, writeOnly: true }
=== regex
PASSWORD_RE = re.compile(r"^(?=.*\d)(?=.*[a-z]).{12,}$")
=== extension numbers
Room 4.112, desk 17, extension 4410, emergency 112.
=== vat id
VAT ID DE136695976, registered at the local court HRB 48210.
=== bank code
BIC COBADEFFXXX, SWIFT field 57A, bank code 370 400 44
=== article numbers
Spare parts 0160-7745-120, 0160-7745-121 and 9311-0020-45.
=== temperature log
sensor 17: 21.5 C 44 % 1013.25 hPa 2025-03-04T09:12:44.120Z
=== s/mime word
Bearer tokens and basic auth are both accepted; the API key header is optional.
=== terraform var
variable "db_password" {
  type      = string
  sensitive = true
}
=== terraform reference
password = random_password.db.result
=== github noreply doc
Set user.email to <id>+<username>@users.noreply.github.com in git config.
=== bcrypt cost
Passwords are hashed with bcrypt (cost 12) and a per-user salt; old rows use PBKDF2.
=== pin word
Please pin the message and pin numpy to 1.26.4 until the release.
=== passphrase doc
A passphrase of four random words is easier to remember than a short password.
=== key as noun
The key question is whether the secret sauce is the price: 12.99 or 14.99 per user.
=== license text
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
