"""Key and value pairs, tokens in addresses and command lines."""

KEYVALUE = r"""
=== env
SMTP_HOST=smtp.lumenhr.io
SMTP_PASSWORD=<<rnd>>
[~SMTP_TLS=true~]
=== env quoted
[~APP_ENV=production~]
APP_SECRET="<<p:{A16}#{A8}>>"
=== yaml
database:
  [~host: db-1~]
  user: portal
  password: <<w>>
=== yaml quoted
ldap:
  bindDn: "[~cn=reader,dc=nordwind,dc=lan~]"
  bindPassword: '<<rnd>>'
=== json
{"username": "svc_scan", "password": "<<rnd>>", "[~retries~]": 3}
=== json nested
{
  "erp": { "endpoint": "[~https://erp.kestrel.dev~]", "credentials": { "client_id": "shop", "client_secret": \+
"<<rand24>>" } }
}
=== ini
[mail]
server = mail.nordwind.lan
user = scanner
passwd = <<w>>
[~port = 465~]
=== toml
[registry]
[~url = "https://pkgs.kestrel.dev"~]
auth_token = "<<apikey>>"
=== xml
<server><id>[~nexus-releases~]</id><username>deployer</username><password><<w>></password></server>
=== xml attribute
<add key="SmsGatewayPassword" value="<<rnd>>" />
<add key="[~SmsGatewayTimeout~]" value="30" />
=== properties
[~spring.mail.username=hr-notify~]
spring.mail.password=<<leet>>
=== python
DB = {
    "NAME": "[~helpdesk~]",
    "PASSWORD": "<<rnd>>",
}
=== python constant
API_SECRET = "<<apikey>>"  [~# FIXME: rotate before go-live~]
=== java
[~private static final int RETRIES = 3;~]
private static final String KEYSTORE_PASSWORD = "<<leet>>";
=== csharp
var options = new SftpOptions { Host = "[~files.kestrel.dev~]", UserName = "edi", Password = "<<rnd>>" };
=== go struct
cfg := Config{Region: "[~eu-north-1~]", ClientSecret: "<<rand24>>"}
=== js object
const jira = { host: '[~jira.kestrel.dev~]', user: 'bot', apiToken: '<<rand24>>' };
=== wiki table
| System | User | Password |
|--------|------|----------|
| [~Label printer~] | admin | <<w>> |
| Time clock | admin | <<leet>> |
=== html table | de
<tr><th>Benutzer</th><th>Passwort</th></tr><tr><td>[~lager2~]</td><td><<w>></td></tr>
=== docker compose
services:
  db:
    [~image: postgres:16~]
    environment:
      POSTGRES_PASSWORD: <<w>>
=== docker compose list
    environment:
      - MYSQL_ROOT_PASSWORD=<<rnd>>
      - [~TZ=Europe/Madrid~]
=== k8s stringData
apiVersion: v1
kind: Secret
metadata: { [~name: quote-service~] }
stringData:
  encryption-key: <<p:{A32}>>
=== helm set
helm upgrade --install wiki bitnami/mediawiki --set mediawikiPassword=<<leet>> [~--set persistence.size=8Gi~]
=== terraform
resource "azurerm_mssql_server" "crm" {
  [~version~] = "12.0"
  administrator_login_password = "<<rnd>>"
}
=== terraform variable
variable "vpn_psk" {
  type    = string
  default = "<<p:{A28}>>"
  [~description = "site to site tunnel"~]
}
=== ansible vars
[~ansible_user: winadmin~]
ansible_password: "<<w>>"
=== powershell
$pw = ConvertTo-SecureString "<<w>>" -AsPlainText -Force
[~$cred = New-Object~] PSCredential("nordwind\svc_bkp", $pw)
=== form mail
[~New account created~]
Username: bkoster
Temporary password: <<rnd>>
=== form mail | fr
[~Votre compte a été créé~]
Identifiant : lmoreau
Mot de passe : <<w>>
=== form mail | es
[~Alta de usuario en el portal~]
Usuario: rcifuentes
Contraseña: <<w>>
=== settings | pl
[~Serwer: nas-2.nordwind.lan~]
Login: magazyn
Hasło: <<w>>
=== settings | ru
[~Сервер: 1c-app-02~]
Логин: buh3
Пароль: <<w>>
=== settings | ja
[~サーバー: files.kestrel.dev~]
ユーザーID: eigyo02
パスワード: <<w>>
=== settings | zh
[~地址:10.8.0.15~]
用户名:caiwu
密码:<<rnd>>
备注:财务共享盘
=== router config
wlan ssid Nordwind-Guest
 wpa2-psk <<pp>>
 [~vlan 40~]
=== wpa supplicant
network={
  [~ssid="Warehouse-IoT"~]
  psk="<<pps>>"
}
=== snmp config
snmp-server community <<p:{c6}{D2}{A4}>> RO [~10.20.0.0 255.255.0.0~]
=== rust
let client = Client::new("[~https://api.kestrel.dev~]").with_secret_key("<<p:{A36}>>");
"""

URLTOKEN = r"""
=== access_token query
https://api.kestrel.dev/v1/reports?[~format=csv~]&access_token=<<apikey>>
=== api key query
why does https://maps.kestrel.dev/geocode?api_key=<<apikey>>&q=Lyon [~return nothing~]?
=== s3 signed url
https://kestrel-hr.s3.eu-west-1.amazonaws.com/[~handbook.pdf~]?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=3600\+
&X-Amz-Signature=<<hex64>>
=== azure sas
[~Exported files~]: https://kestrelinvoices.blob.core.windows.net/2025/q1.zip?sv=2023-11-03&sr=b&sp=r&sig=<<p:{A42}%3D>>
=== gcs signed
https://storage.googleapis.com/nordwind-exports/[~stock.csv~]?X-Goog-Expires=900&X-Goog-Signature=<<p:{H256}>>
=== reset link
[~You asked to reset your password.~] Open https://portal.lumenhr.io/reset-password?token=<<apikey>> within 30 minutes.
=== reset link | de
[~Zum Zurücksetzen bitte klicken~]: https://portal.nordwind-freight.de/passwort/reset?token=<<p:{H48}>>
=== magic link | es
[~Entra sin contraseña~]: https://app.altamira-seguros.es/login/magic?code=<<p:{W43}>>
=== invite link
join [~the retro board~] here https://boards.kestrel.dev/invite?invite_token=<<rand24>>
=== teams webhook
https://nordwind.webhook.office.com/webhookb2/<<=uuid>>@<<=uuid>>/IncomingWebhook/<<hex32>>/<<=uuid>>
[~for the facility alerts channel~]
=== logic app
https://prod-21.westeurope.logic.azure.com/workflows/<<=hex32>>/triggers/manual/paths/invoke?[~api-version=2016-10-01\+
~]\+
&sp=%2Ftriggers&sig=<<p:{W43}>>
=== oauth redirect
Redirected to https://crm.kestrel.dev/oauth/cb?code=<<p:4/0A{W60}>>&scope=[~openid~]
=== calendar feed | fr
[~Agenda de l'équipe~] : https://cal.lumenhr.io/ical/feed.ics?secret=<<p:{H40}>>
=== jenkins trigger
wget "https://jenkins.kestrel.dev/job/docs/build?token=<<rand20>>&cause=nightly" [~# starts the docs build~]
=== unsubscribe session | it
https://gestionale.kestrel.dev/home;jsessionid=<<p:{X32}>>?menu=ferie [~non si apre più~]
=== access log
10.1.4.22 - - [12/Mar/2025:08:01:19 +0100] "GET /feed?[~lang=nl~]&auth_token=<<p:{H40}>> HTTP/1.1" 200 512
"""

COMMAND = r"""
=== curl -u
curl -u jholm:<<rnd>> -X PUT https://nexus.kestrel.dev/repository/raw/[~notes.txt~] -T notes.txt
=== curl --user
[~# check the printer queue~]
curl --user 'print:<<w>>' http://10.20.4.7/status
=== mysql -p
mysql -h db-1 -u crm -p<<conn>> [~-e 'show processlist'~]
=== mysqldump
mysqldump --user=backup --password=<<conn>> --single-transaction [~erp~] > erp.sql
=== sshpass
sshpass -p '<<w>>' ssh -o [~StrictHostKeyChecking=no~] root@10.20.1.9
=== pgpassword
PGPASSWORD=<<conn>> psql -h db-1.kestrel.dev -U shop -c '[~select count(*) from orders~]'
=== docker login | de
[~Vor dem Pull einmal anmelden~]: docker login registry.nordwind.lan -u lager -p <<w>>
=== ldapsearch
ldapsearch -x -D "cn=reader,dc=nordwind,dc=lan" -w <<conn>> -b "dc=nordwind,dc=lan" [~"(uid=mholl)"~]
=== openssl pass
openssl pkcs12 -export -inkey k.pem -in c.pem -out [~portal.p12~] -passout pass:<<rnd>>
=== htpasswd
htpasswd -b /etc/nginx/.htpasswd preview <<w>>
[~Adding password for user preview~]
=== redis-cli
redis-cli -h cache.kestrel.dev -a <<p:{A20}>> [~--scan --pattern 'cart:*'~]
=== az login
az login --service-principal -u [~http://deploy-sp~] -p <<azure_secret>> --tenant kestrel.onmicrosoft.com
=== aws configure
aws configure set aws_secret_access_key <<aws_secret>> [~--profile billing~]
=== net use | fr
[~Pour monter le lecteur réseau~] : net use Z: \\nas-2\compta /user:NORDWIND\compta <<w>>
=== rdp cmdkey
cmdkey /generic:TERMSRV/[~ts-04~] /user:nordwind\helpdesk /pass:<<rnd>>
=== sqlcmd
sqlcmd -S sql-7 -U sa -P "<<rnd>>" -Q "[~SELECT @@VERSION~]"
=== smbclient
smbclient //nas-2/scans -U 'scanner%<<w>>' -c '[~ls~]'
=== mongosh
mongosh "mongodb://m1:27017" --username audit --password <<conn>> [~--authenticationDatabase admin~]
=== kubectl secret
kubectl create secret generic smtp --from-literal=username=notify --from-literal=password='<<rnd>>' [~-n mail~]
=== wget
wget --user=dealer --password=<<pl>> [~https://downloads.kestrel.dev/catalog.zip~]
=== echo sudo
echo '<<w>>' | sudo -S [~apt-get upgrade -y~]
=== chpasswd
echo "trainee07:<<w>>" | sudo chpasswd && [~sudo passwd -e trainee07~]
=== keytool
keytool -importkeystore -srckeystore old.jks -srcstorepass <<pl>> -destkeystore [~new.p12~] -deststorepass <<rnd>>
=== rabbitmqctl
sudo rabbitmqctl add_user shop <<rnd>> && [~rabbitmqctl set_user_tags shop monitoring~]
=== zip | es
7z a -p<<pl>> [~nominas_marzo.7z~] nominas/*.pdf
=== psql alter role
psql -c "ALTER ROLE [~reporting~] WITH PASSWORD '<<rnd>>';"
=== ftp session
ftp> open ftp.kestrel.dev
ftp> user edi <<w>>
[~230 Login successful.~]
"""
