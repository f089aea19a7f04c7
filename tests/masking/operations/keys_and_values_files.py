"""Keys and values in configuration files."""

from tests.masking.operations.template import Row

ROWS: tuple[Row, ...] = (
    (
        "env",
        "en",
        """
APP_ENV=staging
DB_HOST={fq}
DB_PASSWORD={!pws}
DB_PORT=5432""",
        "APP_ENV=staging|DB_PORT=5432",
    ),
    (
        "env quoted",
        "en",
        """
export SMTP_USER="noreply@example.com"
export SMTP_PASS='{!pwr}'
export SMTP_PORT=587""",
        "SMTP_PORT=587",
    ),
    (
        "env django",
        "en",
        """
DEBUG=0
SECRET_KEY={!us50}
ALLOWED_HOSTS=app.example.com""",
        "ALLOWED_HOSTS=app.example.com",
    ),
    (
        "env laravel",
        "en",
        """
APP_NAME=Helpdesk
APP_KEY=base64:{!bs43}=
APP_URL=https://helpdesk.example.com""",
        "APP_NAME=Helpdesk|https://helpdesk.example.com",
    ),
    (
        "env rails",
        "en",
        """
RAILS_ENV=production
SECRET_KEY_BASE={!hex128}
RAILS_MAX_THREADS=5""",
        "RAILS_ENV=production|RAILS_MAX_THREADS=5",
    ),
    (
        "env inline in chat",
        "en",
        "I started it with REDIS_PASSWORD={!pws} LOG_LEVEL=debug ./run.sh and it came up fine",
        "and it came up fine",
    ),
    (
        "yaml",
        "en",
        """
database:
  host: {fq}
  user: {u}
  password: {!pws}
  pool: 10""",
        "database:|pool: 10",
    ),
    (
        "yaml quoted",
        "de",
        """
mail:
  absender: noreply@example.com
  passwort: "{!pwr}"
  starttls: true""",
        "starttls: true",
    ),
    (
        "yaml list of env",
        "en",
        """
        env:
          - name: API_SECRET
            value: "{!an40}"
          - name: REGION
            value: eu-west-1""",
        "REGION|eu-west-1",
    ),
    (
        "yaml spring",
        "en",
        """
spring:
  security:
    oauth2:
      client:
        registration:
          sso: { client-id: ledger, client-secret: {!us40}, scope: openid }""",
        "scope: openid",
    ),
    (
        "yaml folded",
        "en",
        """
vault_grafana_admin_password: >-
  {!pwr}
grafana_port: 3000""",
        "grafana_port: 3000",
    ),
    (
        "json",
        "en",
        """
{
  "host": "{fq}",
  "username": "{u}",
  "password": "{!pws}",
  "timeout": 30
}""",
        "timeout",
    ),
    (
        "json one line",
        "en",
        '\n{"service":"{svc}","api_key":"{!hex32}","retries":3,"endpoint":"https://api.example.com"}',
        "https://api.example.com",
    ),
    (
        "json camel case",
        "en",
        '\n"smtp": { "host": "mail.example.com", "authUser": "alerts", "authPassword": "{!pwr}", "secure": false }',
        "mail.example.com",
    ),
    (
        "json appsettings",
        "en",
        """
"Jwt": {
  "Issuer": "https://id.example.com",
  "SigningKey": "{!an48}",
  "LifetimeMinutes": 30
}""",
        "LifetimeMinutes",
    ),
    (
        "ini",
        "en",
        """
[database]
user = {u}
password = {!pws}
; pool settings
max_overflow = 4""",
        "[database]|max_overflow = 4",
    ),
    (
        "ini my.cnf",
        "en",
        """
# ~/.my.cnf
[client]
user=backup
password="{!pwr}"
host={fq}""",
        "[client]",
    ),
    (
        "ini samba credentials",
        "de",
        """
/etc/cifs-{u}.cred:
username=scanner
password={!pws}
domain=OAKFORD""",
        "username=scanner|domain=OAKFORD",
    ),
    (
        "ini wifi",
        "en",
        """
network={
    ssid="Oakford-Ops"
    psk="{!pp}"
    key_mgmt=WPA-PSK
}""",
        "Oakford-Ops|key_mgmt=WPA-PSK",
    ),
    (
        "toml",
        "en",
        """
[redis]
url = "redis://{h}:6379"
password = "{!pwr}"
db = 2""",
        "[redis]|db = 2",
    ),
    (
        "toml poetry",
        "en",
        """
[http-basic.internal]
username = "ci"
password = "{!pws}\"""",
        "[http-basic.internal]",
    ),
    (
        "xml element",
        "en",
        """
<server>
  <id>nexus-releases</id>
  <username>deployer</username>
  <password>{!pws}</password>
</server>""",
        "nexus-releases|</server>",
    ),
    (
        "xml attribute",
        "en",
        '\n<Resource name="jdbc/{db}" type="javax.sql.DataSource" username="{u}" password="{!pws}" maxTotal="50"/>',
        "javax.sql.DataSource|maxTotal",
    ),
    (
        "xml soap",
        "en",
        """
<wsse:UsernameToken>
  <wsse:Username>partner</wsse:Username>
  <wsse:Password Type="PasswordText">{!pwr}</wsse:Password>
</wsse:UsernameToken>""",
        "partner|</wsse:UsernameToken>",
    ),
)
