"""Configuration that talks about secrets without holding one."""

NEG_CONFIGURATION = r"""
=== docker stdin | en
cat ~/token.txt | docker login images.example.com -u examplebot --password-stdin
=== aws profile | en
[profile prod]
role_arn = arn:aws:iam::123456789012:role/Deploy
source_profile = default
region = eu-west-1
=== 1password ref | en
DATABASE_PASSWORD="op://Production/crm-db/password"
=== url template | en
postgres://user:password@host:port/dbname
=== url variables | en
DATABASE_URL=postgres://${DB_USER}:${DB_PASSWORD}@db:5432/crm
=== url masked | en
connecting to amqp://events:***@mq.internal.example:5672/events
=== stars | en
username: robot
password: ********
=== redacted log | en
2026-01-12 08:00:01 INFO auth: login user=tom password=[REDACTED] result=ok
=== filtered rails | en
Parameters: {"user"=>{"login"=>"tom", "password"=>"[FILTERED]"}, "commit"=>"Sign in"}
=== hidden aws | en
access_key     ****************HQ2A shared-credentials-file
secret_key     ****************9fXc shared-credentials-file
=== dots in UI | en
Password: •••••••••• (Show)   Token: •••• 9c2f (Rotate)
=== html form | en
<input type="password" name="password" id="password" autocomplete="current-password" required minlength="12">
=== angular binding | en
<app-password-strength [password]="form.value.password" (strengthChange)="onStrength($event)"></app-password-strength>
=== css | en
.password-field--invalid:focus { border-color: #d93025; box-shadow: 0 0 0 3px rgba(217, 48, 37, .25); }
=== css colours | en
:root { --brand: #0b57d0; --brand-dark: #062e6f; --surface: #f8fafd; --token-color: #7c4dff80; }
=== i18n keys | en
"login.password.label": "Password",
"login.password.forgotten.link": "Forgot your password?",
"settings.tokens.revokeAllConfirmationMessage": "Revoke all tokens?"
=== regex | en
TOKEN_PATTERN = re.compile(r"^gh[pousr]_[A-Za-z0-9]{36,255}$")
=== regex alternatives | en
SECRET_RE = r"(?i)(api[_-]?key|secret|token|passwd)\s*[:=]\s*['\"]?([\w\-]{16,})"
=== decorator and handle | en
@property
def password_hash(self) -> str:  # reviewed by @alice and @bob-platform
    return self._password_hash
=== npm scopes | en
npm install @types/node@18.2.0 @angular/core@17.3.1 @babel/plugin-transform-runtime@7.23.9 --save-dev
=== git ssh url | en
git clone git@github.com:acme-corp/billing-service.git
git remote add mirror ssh://git@gitlab.example.com:2222/platform/infra.git
=== scp | en
scp report.pdf deploy@files.example.org:/srv/inbound/2026/
rsync -avz ./build/ www-data@10.20.8.8:/var/www/site/
=== pip vcs | en
pip install "git+ssh://git@github.com/acme-corp/toolbox.git@v2.4.1#egg=toolbox"
=== docker digest | en
FROM python:3.11-slim@sha256:<~fmt:{h64}~>
=== helm chart digest | en
digest: sha256:<~fmt:{h64}~>
generated: "2026-01-19T10:12:44.120Z"
=== package-lock | en
"node_modules/left-pad": {
  "version": "1.3.0",
  "resolved": "https://packages.example.com/left-pad/-/left-pad-1.3.0.tgz",
  "integrity": "<~integrity:sha512~>"
}
=== yarn lock | en
chalk@^4.1.0:
  version "4.1.2"
  resolved "https://registry.yarnpkg.com/chalk/-/chalk-4.1.2.tgz#<~fmt:{h40}~>"
  integrity <~integrity:sha512~>
=== cargo lock | en
[[package]]
name = "serde"
version = "1.0.196"
checksum = "<~fmt:{h64}~>"
=== go sum | en
github.com/google/uuid v1.6.0 h1:<~fmt:{B43}=~>
github.com/google/uuid v1.6.0/go.mod h1:<~fmt:{B43}=~>
=== pip hashes | en
requests==2.31.0 \
    --hash=sha256:<~fmt:{h64}~> \
    --hash=sha256:<~fmt:{h64}~>
=== sri | en
<script src="https://cdn.example.com/lib@4.2.1/dist/lib.min.js" integrity="<~integrity:sha384~>" ~+
crossorigin="anonymous"></script>
=== poetry lock | en
files = [
    {file = "click-8.1.7-py3-none-any.whl", hash = "sha256:<~fmt:{h64}~>"},
]
=== minified js | en
!function(e,t){"object"==typeof exports?module.exports=t():e.tokenParser=t()}(this,function(){var r=[0,1,2];~+
return r});
=== camel case | en
AbstractSingletonProxyFactoryBeanPasswordEncoderConfigurationInitializer.afterPropertiesSet()
=== snake case | en
calculate_weighted_average_token_bucket_refill_interval_for_tenant_in_milliseconds
=== enum | en
class TokenType(StrEnum):
    ACCESS = "access_token"
    REFRESH = "refresh_token"
    ID = "id_token"
=== openapi | en
components:
  securitySchemes:
    ApiKeyAuth: {type: apiKey, in: header, name: X-Api-Key}
    BearerAuth: {type: http, scheme: bearer, bearerFormat: JWT}
=== graphql | en
mutation SignIn($email: String!, $password: String!) { signIn(email: $email, password: $password) { accessToken } }
=== proto | en
message LoginRequest { string username = 1; string password = 2; bool remember_me = 3; }
=== docstring params | en
:param token: the personal access token, as shown on the profile page
:param password: the password of the key store, or None if it has none
=== javadoc | en
/** @param apiKey the key of the tenant; must not be null. @throws AuthenticationException if the key is revoked. */
=== man page | en
-p, --password-file FILE   read the password from FILE instead of the prompt
    --token-env NAME       name of the variable that holds the token (default: APP_TOKEN)
=== makefile | en
deploy: ; @test -n "$(API_TOKEN)" || (echo "API_TOKEN is not set" && exit 1)
=== nginx | en
auth_basic "Restricted";
auth_basic_user_file /etc/nginx/.htpasswd;
ssl_certificate_key /etc/nginx/tls/site.key;
=== sshd config | en
PasswordAuthentication no
PubkeyAuthentication yes
PermitRootLogin prohibit-password
AuthorizedKeysFile .ssh/authorized_keys
=== pam | en
password requisite pam_pwquality.so retry=3 minlen=12 dcredit=-1 ucredit=-1
=== postgresql hba | en
host    all    app    10.20.0.0/16    scram-sha-256
=== spring | en
spring.security.oauth2.client.registration.portal.client-secret=${PORTAL_CLIENT_SECRET}
=== azure key vault | en
"ClientSecret": "@Microsoft.KeyVault(SecretUri=https://kv-crm-prod.vault.azure.net/secrets/portal-client/)"
=== ssm | en
aws ssm get-parameter --name /prod/crm/db_password --with-decryption --query Parameter.Value --output text
=== gcloud | en
gcloud secrets versions access latest --secret=crm-db-password --project=example-prod
=== powershell credential | en
$cred = Get-Credential -Message "Domain account"
Invoke-Command -ComputerName SQL02 -Credential $cred -ScriptBlock { hostname }
=== lint output | en
src/auth/token_store.py:41:9: S105 Possible hardcoded password assigned to: "token_type"
=== null values | en
{"password": null, "token": "", "apiKey": false, "secret": {}}
=== type errors | en
TypeError: login() missing 1 required positional argument: 'password'
"""
