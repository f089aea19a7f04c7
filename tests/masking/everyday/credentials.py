"""Tokens, keys, addresses with passwords, headers and connection strings."""

JWT = r"""
=== curl
curl -H "Authorization: Bearer <<jwt>>" https://api.kestrel.dev/v1/orders
[~HTTP 403 Forbidden~], why?
=== slack message
can someone decode this for me? <<jwt>> [~I think the role claim is wrong~]
=== json response
{"access_token": "<<jwt_rs>>", "expires_in": 3600, "token_type": "[~Bearer~]"}
=== browser storage | de
Im Local Storage steht unter `id_token` der Wert <<jwt_es>>, [~danach kommt die Fehlermeldung~].
=== cookie
Cookie: theme=dark; session=<<jwt>>; lang=en
[~Referer: https://shop.kestrel.dev/basket~]
=== log line
2025-05-19 07:44:02 WARN  AuthFilter - [~signature mismatch for token~] <<jwt_rs>>
=== url
The redirect goes to https://app.lumenhr.io/callback#id_token=<<jwt>>&state=start and then [~a blank page~].
=== env
# [~service role, do not commit~]
SUPABASE_SERVICE_KEY=<<jwt>>
=== truncated log
[~jwt expired, token was~] <<jwt_cut>>... (cut)
=== websocket | fr
[~Connexion au websocket~] : wss://rt.kestrel.dev/ws?auth=<<jwt>>
=== kubernetes | es
El [~token del service account~] es:
<<jwt_rs>>
=== python code
headers = {"[~Accept~]": "application/json", "x-auth": "<<jwt_es>>"}
=== jira comment | pl
[~Po zalogowaniu dostaję błąd 401~], nagłówek: `Bearer <<jwt>>`
"""

KEY = r"""
=== file paste
[~This is the key for the jump host~]:
<<pem_rsa>>
=== teams message | de
[~Anbei der Schlüssel für den SFTP-Zugang~]:

<<pem_ssh>>

Bitte in FileZilla importieren.
=== mail quote with >
On Tue Megan wrote:
> [~here it is again~]
> <<pem_ec>>
> regards
=== yaml indented
tls:
  [~cert: /etc/tls/tls.crt~]
  key: |
    <<pem_pkcs8>>
=== service account json
{"type": "service_account", "project_id": "[~field-sales-app~]",
 "private_key": "<<pem_esc>>\n"}
=== truncated
[~$ head -5 server.key~]
<<pem_cut>>
=== CRLF windows
[~Exported from the old IIS server~]
<<pem_pkcs8>>
done
=== encrypted key
[~openssl asked for a passphrase~], this is the file:
<<pem_enc>>
=== pgp block
[~Backup of the release signing key~]:
<<pgp>>
=== env one line
[~APP_ID=29177~]
GITHUB_APP_PRIVATE_KEY="<<pem_esc>>"
=== json in json
{"level":"info","msg":"loaded","cfg":"{\"[~alg~]\":\"ES256\",\"key\":\"<<pem_esc2>>\"}"}
=== dsa legacy | pt
[~Chave antiga do servidor de arquivos~]
<<pem_dsa>>
=== putty ppk
[~for those on Windows:~]
<<ppk>>
=== code comment
// [~test fixture, was production once~]
// <<pem_ec>>
=== heredoc
cat > ~/.ssh/id_ed25519 <<'KEY'
<<pem_ssh>>
KEY
[~chmod 600 ~/.ssh/id_ed25519~]
=== truncated openssh | fr
[~Voici le début de la clé~] (le reste a été coupé) :
<<pem_ssh_cut>>
=== pem in one line
[~form field "Key"~]: <<pem_space>>
"""

URL = r"""
=== git clone
git clone https://deploy:<<conn>>@git.kestrel.dev/infra/ansible.git
[~Cloning into 'ansible'...~]
=== postgres uri
DATABASE_URL=postgresql://shop:<<conn>>@db-1.kestrel.dev:5432/shop
[~DATABASE_POOL=20~]
=== proxy
export https_proxy=http://jholm:<<conn>>@proxy.nordwind.lan:3128
[~pip install pandas~]
=== ftp | de
[~Die Preislisten liegen auf~] ftp://haendler:<<pl>>@ftp.nordwind-freight.de/preise/2025/
=== mongodb srv
mongodb+srv://reporting:<<conn>>@cluster0.ab1cd.mongodb.net/?retryWrites=true
[~works from my laptop, not from the pod~]
=== redis no user
[~CELERY_RESULT_EXPIRES=600~]
CELERY_BROKER_URL=redis://:<<conn>>@cache.kestrel.dev:6379/0
=== amqp
amqp://orders:<<conn>>@mq.kestrel.dev:5671/%2Fprod [~(broker of the order service)~]
=== rtsp camera
[~Camera at the loading dock~]: rtsp://viewer:<<pl>>@10.20.4.31:554/stream1
=== jenkins url | es
Lanza el job con https://ci-bot:<<hex32>>@jenkins.altamira.dev/job/nightly/build [~y espera el correo~]
=== error log
sqlalchemy.exc.OperationalError: [~could not connect~] (mysql+pymysql://crm:<<conn>>@10.3.0.12/crm)
=== percent encoded
https://report:<<p:{A6}%23{A5}%40{D3}>>@bi.kestrel.dev/export.csv [~(user report, opens in Excel)~]
=== smtp url | fr
MAILER_DSN=smtp://notif:<<conn>>@smtp.lumenhr.io:587
[~# relais pour les convocations~]
=== browser link
just open https://guest:<<pl>>@staging.kestrel.dev - [~no VPN needed~]
=== pip requirement
https://build:<<p:{A24}>>@wheels.kestrel.dev/tally-4.1.tar.gz
[~requests==2.32.3~]
=== composer json | it
{"repositories":[{"type":"composer","url":"https://dev:<<conn>>@satis.kestrel.dev"}],"[~minimum-stability~]":"stable"}
=== sftp | nl
[~De bank levert de bestanden aan via~] sftp://nordwind:<<conn>>@sftp.bankpartner.nl:2222/in
"""

CONNECTION = r"""
=== ado.net
[~"ConnectionStrings"~]: { "Default": "Server=tcp:sql-7.kestrel.dev,1433;Database=crm;User \+
ID=crm_app;Password=<<rnd>>;Encrypt=True;" }
=== jdbc mysql
jdbc:mysql://10.0.8.14:3306/erp?user=erp&password=<<conn>>&[~useSSL=true~]
=== jdbc oracle
spring.datasource.url=jdbc:oracle:thin:payroll/<<conn>>@//ora1.kestrel.dev:1521/[~HRPROD~]
=== jdbc sqlserver | de
[~Im DBeaver folgende URL eintragen~]: jdbc:sqlserver://sql-7:1433;databaseName=lager;user=leser;password=<<w>>;encry\+
pt=false
=== libpq dsn
conn = psycopg2.connect("host=db-1 dbname=shop user=shop password=<<conn>> [~connect_timeout=5~]")
=== php pdo
$pdo = new PDO('mysql:host=localhost;dbname=intranet;[~charset=utf8mb4~]', 'intranet', '<<rnd>>');
=== azure storage
AZURE_STORAGE_CONNECTION_STRING=DefaultEndpointsProtocol=https;AccountName=kestrelinvoices;AccountKey=\+
<<azure_storage>>;[~EndpointSuffix=core.windows.net~]
=== service bus
Endpoint=sb://[~orders-prod~].servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=\+
<<b64_44>>
=== cosmos db
AccountEndpoint=https://[~kestrel-docs~].documents.azure.com:443/;AccountKey=<<azure_storage>>;
=== odbc excel | fr
[~Dans Excel, Données puis ODBC~] : Driver={ODBC Driver 18 for SQL Server};Server=sql-7;Database=ventes;Uid=lecture;P\+
wd=<<w>>;
=== redis stackexchange
"Redis": "cache.kestrel.dev:6380,password=<<b64_44>>,ssl=True,[~abortConnect=False~]"
=== event hub iot
HostName=[~plant-4~].azure-devices.net;DeviceId=press-12;SharedAccessKey=<<b64_44>>
=== mongodb options
spring.data.mongodb.uri=mongodb://audit:<<conn>>@m1.kestrel.dev:27017,m2.kestrel.dev:27017/audit?[~replicaSet=rs0~]
=== sqlalchemy
[~engine = create_engine~]("postgresql+asyncpg://etl:<<conn>>@10.3.0.9/dwh", pool_size=5)
=== go dsn
dsn := "crm:<<conn>>@tcp(10.3.0.12:3306)/crm?[~parseTime=true~]"
=== smtp settings | es
[~Servidor de correo saliente~]: host=smtp.altamira-seguros.es;port=587;username=avisos;password=<<rnd>>
=== rails database url
production:
  [~adapter: mysql2~]
  url: mysql2://rails:<<conn>>@db.kestrel.dev/portal
=== stack trace
System.Data.SqlClient.SqlException: [~Login failed for user 'wms'~].
   at Wms.Db.Open("Data Source=SQL3;Initial Catalog=WMS;User Id=wms;Password=<<rnd>>;Timeout=15")
=== snowflake | pt
[~Ligação do relatório~]: snowflake://ANALISTA:<<conn>>@xy12345.eu-west-1/VENDAS/PUBLIC?warehouse=BI_WH
"""

HEADER = r"""
=== curl header
curl -H 'Authorization: Bearer <<apikey_l>>' https://api.kestrel.dev/v2/[~shipments~]
=== basic header
GET /rest/api/2/myself HTTP/1.1
Authorization: Basic <<h_b64_userpw>>
[~Host: jira.kestrel.dev~]
=== x-api-key
I call it with header `X-Api-Key: <<apikey>>` and still get [~429 Too Many Requests~]
=== http dump
> POST /api/session HTTP/2
> host: portal.kestrel.dev
> cookie: JSESSIONID=<<p:{X32}>>; consent=yes
> [~content-length: 48~]
=== set-cookie
< HTTP/1.1 302 Found
< Set-Cookie: session_id=<<p:{W48}>>; Path=/; HttpOnly; [~SameSite=Lax~]
=== python requests
r = requests.get(url, headers={"Authorization": "Token <<hex40>>"}, [~timeout=30~])
=== js fetch
await fetch("[~/api/quotes~]", { headers: { "x-access-token": "<<rand24>>", Accept: "application/json" } });
=== powershell | de
$headers = @{ "Authorization" = "Bearer <<apikey>>" }
[~Invoke-RestMethod -Uri $uri -Headers $headers~]
=== proxy authorization
Proxy-Authorization: Basic <<h_b64_userpw>>
[~Proxy-Connection: keep-alive~]
=== php cookie | nl
[~Inloggen lukt met deze cookie uit de browser~]: PHPSESSID=<<sid>>
=== vault header
curl -H "X-Vault-Token: <<vault>>" https://vault.kestrel.dev/v1/[~sys/health~]
=== java okhttp
Request request = new Request.Builder().[~url(base)~].addHeader("apikey", "<<apikey>>").build();
=== gitlab header
curl --request POST --header "PRIVATE-TOKEN: <<rand20>>" "https://git.kestrel.dev/api/v4/projects/7/[~pipeline~]"
=== nginx config
location /search/ {
    [~proxy_pass http://10.4.0.7:9200~];
    proxy_set_header Authorization "Basic <<h_b64_userpw>>";
}
=== har export
{"name": "Cookie", "value": "_ga=GA1.2; connect.sid=s%3A<<p:{W32}.{A42}>>"}, {"name": "[~Accept-Language~]", \+
"value": "fr"}
=== postman | fr
[~Dans Postman, onglet Headers~], mets `X-Auth-Token` = `<<p:{L32}>>`
=== axios log
AxiosError: [~Request failed with status code 401~] config: { headers: { Authorization: 'Bearer <<p:{W64}>>' } }
=== elastic apikey
curl -H "Authorization: ApiKey <<p:{A58}==>>" [~https://es.kestrel.dev/_cat/indices~]
=== http headers | it
X-Requested-With: XMLHttpRequest
Cookie: sessionid=<<p:{L32}>>
[~Origin: https://gestionale.kestrel.dev~]
"""
