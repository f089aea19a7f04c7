"""Keys and values in code and tables."""

from tests.masking.operations.template import Row

ROWS: tuple[Row, ...] = (
    (
        "xml appsettings",
        "en",
        """
<appSettings>
  <add key="PaymentApiSecret" value="{!an32}" />
  <add key="PageSize" value="50" />
</appSettings>""",
        "PageSize",
    ),
    (
        "properties",
        "en",
        """
server.port=8443
server.ssl.key-store-password={!pws}
server.ssl.key-store=classpath:keystore.p12""",
        "server.port=8443|classpath:keystore.p12",
    ),
    (
        "properties colon",
        "en",
        """
ldap.manager.dn: cn=admin,dc=example,dc=com
ldap.manager.password: {!pws}
ldap.page.size: 500""",
        "ldap.page.size: 500",
    ),
    (
        "properties android",
        "en",
        """
storeFile=../release.jks
storePassword={!pws}
keyAlias=upload
keyPassword={!pws#1}""",
        "storeFile=../release.jks|keyAlias=upload",
    ),
    (
        "python code",
        "en",
        """
DB_USER = "{u}"
DB_PASS = "{!pws}"
conn = connect(user=DB_USER, password=DB_PASS)""",
        "conn = connect(user=DB_USER, password=DB_PASS)",
    ),
    (
        "python kwargs",
        "en",
        """
conn = pymysql.connect(host="{h}", user="{u}", password="{!pwr}", database="{db}")
cur = conn.cursor()""",
        "cur = conn.cursor()",
    ),
    (
        "python dict",
        "en",
        """
CREDS = {
    "stg": {"login": "qa", "secret": "{!an24}"},  # FIXME
}
def test_login(): ...""",
        "FIXME|def test_login(): ...",
    ),
    (
        "java code",
        "en",
        """
private static final String API_SECRET = "{!an40}";
private static final int RETRIES = 3;""",
        "private static final int RETRIES = 3;",
    ),
    (
        "java builder",
        "en",
        """
MongoCredential.createCredential("{u}", "admin", "{!pws}".toCharArray());""",
        "toCharArray",
    ),
    (
        "c# code",
        "en",
        """
var creds = new NetworkCredential("svc-report", "{!pwr}", "OAKFORD");
client.Credentials = creds;""",
        "client.Credentials = creds;",
    ),
    (
        "go code",
        "en",
        """
cfg := Config{
	User:     "{u}",
	Password: "{!pws}",
	Addr:     "{fq}:5432",
}""",
        "cfg := Config",
    ),
    (
        "ruby code",
        "en",
        """
Aws.config.update(region: "eu-west-1")
ActionMailer::Base.smtp_settings = { user_name: "alerts", password: "{!pwr}", port: 587 }""",
        "eu-west-1",
    ),
    (
        "php define",
        "fr",
        """
define( 'DB_NAME', 'wordpress' );
define( 'DB_PASSWORD', '{!pwr}' );
define( 'DB_CHARSET', 'utf8mb4' );""",
        "utf8mb4",
    ),
    (
        "php array",
        "en",
        """
'connections' => ['main' => ['username' => '{u}', 'password' => '{!pws}', 'charset' => 'utf8']],""",
        "connections",
    ),
    (
        "javascript code",
        "en",
        """
module.exports = {
  sessionSecret: '{!us40}',
  sessionTtl: 3600,
};""",
        "sessionTtl: 3600",
    ),
    (
        "typescript nodemailer",
        "en",
        '\nconst transport = createTransport({ host: "mail.example.com", auth: { user: "alerts", pass: "{!pwr}" } });',
        "createTransport",
    ),
    (
        "kotlin code",
        "en",
        """
val apiKey = "{!an40}"
val client = LedgerClient(baseUrl = "https://api.example.com", key = apiKey)""",
        "val client = LedgerClient",
    ),
    (
        "rust code",
        "en",
        """
let secret_key: &str = "{!an40}";
let signer = Signer::new(secret_key);""",
        "let signer = Signer::new(secret_key);",
    ),
    (
        "powershell securestring",
        "en",
        """
$pw = ConvertTo-SecureString "{!pws}" -AsPlainText -Force
$cred = New-Object PSCredential("OAKFORD\\svc-sql", $pw)""",
        "-AsPlainText -Force",
    ),
    (
        "bash variable",
        "en",
        """
#!/usr/bin/env bash
set -euo pipefail
BACKUP_PASSPHRASE='{!pp}'
tar cz /srv | gpg --batch -c --passphrase "$BACKUP_PASSPHRASE" > b.gpg""",
        "set -euo pipefail|gpg --batch",
    ),
    (
        "sql statement",
        "en",
        """
CREATE USER '{u}'@'10.%' IDENTIFIED BY '{!pws}';
GRANT SELECT ON {db}.* TO '{u}'@'10.%';""",
        "GRANT SELECT ON",
    ),
    (
        "sql alter role",
        "en",
        """
ALTER ROLE reporting WITH LOGIN PASSWORD '{!pwr}' VALID UNTIL '2026-01-01';""",
        "ALTER ROLE reporting|2026-01-01",
    ),
    (
        "markdown table",
        "en",
        """
| System | User | Password |
|--------|------|----------|
| iDRAC {h} | root | {!pws} |
| UPS | apc | {!pws#1} |""",
        "System|iDRAC",
    ),
    (
        "wiki table",
        "de",
        """
|| Gerät || Benutzer || Kennwort ||
| Switch Keller | admin | {!pw_de} |
| NAS | backup | {!pws} |""",
        "Switch Keller",
    ),
    (
        "html table",
        "en",
        """
<tr><td>Router login</td><td>admin</td><td>Password:</td><td>{!pw}</td></tr>""",
        "Router login",
    ),
    (
        "tab separated",
        "pt",
        """
servidor	usuário	senha
{h}	root	{!pw_pt}
backup-09	admin	{!pws}""",
        "servidor",
    ),
    (
        "csv",
        "es",
        """
equipo,usuario,contraseña,nota
impresora-2,admin,{!pw_es},planta baja
{h},root,{!pws},sala fría""",
        "planta baja|sala fría",
    ),
)
