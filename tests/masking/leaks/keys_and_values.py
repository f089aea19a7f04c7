"""Keys and values in the configuration formats of many stacks."""

KEY_VALUE = r"""
=== env | en
POSTGRES_USER=app
POSTGRES_PASSWORD=<<pwrand>>
{+POSTGRES_DB=billing+}
=== env single quotes | en
{+MAIL_PORT=587+}
MAIL_PASSWORD='<<pwword>>'
MAIL_FROM_NAME="Example Shop"
=== env export | en
export {+TF_VAR_region+}=eu-west-1
export TF_VAR_db_password=<<pwsafe>>
=== env django secret | en
{+DEBUG=False+}
DJANGO_SECRET_KEY='<<fmt:django-insecure-{l20}#{l12}&{l16}>>'
=== env laravel | en
{+APP_NAME=Portal+}
APP_KEY=base64:<<fmt:{B43}=>>
{+APP_URL=https://portal.example.com+}
=== env rails | en
{+RAILS_ENV=production+}
SECRET_KEY_BASE=<<fmt:{h128}>>
=== env windows set | en
@echo off
set DB_PASS=<<pwsafe>>
{+set PATH=%PATH%;C:\tools+}
=== env setx | en
{+> setx JAVA_HOME "C:\jdk21"+}
> setx ERP_PASSWORD "<<pwword>>" /M
{+SUCCESS: Specified value was saved.+}
=== yaml | en
database:
  {+host: db.internal.example+}
  username: app
  password: <<pwsafe>>
=== yaml double quotes | en
smtp:
  user: mailer
  pass: "<<pwrand>>"
  {+starttls: true+}
=== yaml camel case | en
{+grafana:+}
  adminUser: admin
  adminPassword: <<pwsafe>>
  {+persistence:+}
    enabled: true
=== yaml list of users | en
users:
  - {name: viewer, password: <<pwsafe>>, {+roles: [read]+}}
  - {name: editor, password: <<pwsafe>>, {+roles: [read, write]+}}
=== yaml comment | en
{+auth:+}
  # password: <<pwsafe>>   {+(old one, until the migration is done)+}
  mode: ldap
=== json | en
{"host": "{+mail.example.org+}", "user": "robot", "password": "<<pwrand>>", "{+port+}": 993}
=== json camel | en
{
  "{+clientId+}": "portal-web",
  "clientSecret": "<<fmt:{b40}>>",
  "{+issuer+}": "https://id.example.com"
}
=== json nested log | en
INFO {+effective config+}: {"ldap":{"bindDn":"cn=svc","bindPassword":"<<pwsafe>>","{+timeout+}":5},"debug":false}
=== ini | en
[client]
user = backup
password = <<pwrand>>
{+socket = /run/mysqld/mysqld.sock+}
=== my.cnf quoted | en
[{+mysqldump+}]
user=dump
password="<<pwword>>"
=== odoo conf | en
[options]
admin_passwd = <<pwsafe>>
{+workers = 4+}
db_host = False
=== toml | en
[{+registry.internal+}]
token = "<<fmt:{A40}>>"
{+index = "https://crates.example.com/index"+}
=== toml inline table | en
{+title = "sync"+}
source = { user = "etl", password = "<<pwsafe>>", {+tls = true+} }
=== xml attribute | en
<connection {+name="erp"+} user="sync" password="<<pwsafe>>" {+retries="3"+}/>
=== xml element | en
<datasource>
  <{+jndi-name+}>java:/hrDS</jndi-name>
  <user-name>hr</user-name>
  <password><<pwsafe>></password>
</datasource>
=== tomcat users | en
<tomcat-users>
  <user username="deployer" password="<<pwword>>" roles="{+manager-script+}"/>
</tomcat-users>
=== web.config appSettings | en
<add key="{+PageSize+}" value="50" />
<add key="SmtpPassword" value="<<pwrand>>" />
=== properties | en
{+ldap.url=ldaps://ldap1.corp.example+}
ldap.bind.password=<<pwsafe>>
{+ldap.page.size=500+}
=== properties spaces | en
keystore.path = {+/etc/app/keystore.jks+}
keystore.password = <<pwword>>
=== python | en
{+SMTP_HOST = "mail.example.org"+}
SMTP_PASSWORD = "<<pwrand>>"
{+SMTP_TIMEOUT = 20+}
=== python kwargs | en
conn = {+ftplib.FTP_TLS+}("files.example.net", user="report", passwd="<<pwword>>")
=== python dict | en
LOGIN = {'username': 'bot', 'password': '<<pwsafe>>', '{+remember+}': 'on'}
=== python fallback | en
PASSWORD = os.getenv("CRM_PASSWORD", "<<pwsafe>>")  # {+works on my laptop+}
=== javascript | en
module.exports = { {+port: 3000+}, jwtSecret: '<<fmt:{A48}>>', {+logLevel: 'info'+} };
=== typescript | en
const dbPassword: string = "<<pwrand>>"; // {+remove before merge+}
=== java | en
private static final String {+DB_USER+} = "hr";
private static final String DB_PASSWORD = "<<pwword>>";
=== java setter | en
{+ds.setUrl(url);+}
ds.setUsername("reports");
ds.setPassword("<<pwsafe>>");
=== kotlin gradle | en
credentials {
    username = "ci"
    password = "<<pwsafe>>"
}
{+mavenCentral()+}
=== C# | en
var credential = new NetworkCredential("svc-print", "<<pwword>>", "{+CORP+}");
=== go struct | en
cfg := Config{ {+Addr: "cache:6379"+}, Password: "<<pwsafe>>", {+DB: 2+} }
=== ruby | en
Aws.config.update({+region: 'eu-west-1'+}, credentials: Creds.new(user: 'ses', password: '<<pwsafe>>'))
=== php define | en
define( '{+DB_NAME+}', 'wordpress' );
define( 'DB_PASSWORD', '<<pwrand>>' );
define( 'AUTH_KEY', '<<fmt:{A20}#{A22}!{A20}>>' );
=== rust | en
let {+pool_size+} = 8;
let password = "<<pwsafe>>";
=== perl | en
my $dbh = DBI->connect($dsn, 'stats', '<<pwword>>', { {+RaiseError => 1+} });
=== vba | en
{+Const cServer = "SQL02"+}
strPwd = "<<pwword>>"
conn.Open
"""
