"""Connection strings and authentication headers."""

CONNECTION = r"""
=== ADO.NET | en
"{+DefaultConnection+}": "Server=sql01.corp.example;Database=Billing;User Id=app;Password=<<pwsafe>>;~+
{+Encrypt=True+};"
=== ADO.NET pwd | en
<add {+name="Reports"+} connectionString="Data Source=SQL02;Initial Catalog=Reports;uid=reader;pwd=<<pwsafe>>;~+
{+MultipleActiveResultSets=true+}" />
=== JDBC properties | en
{+spring.datasource.hikari.maximum-pool-size=10+}
spring.datasource.url=jdbc:postgresql://db:5432/crm?user=crm&password=<<pwsafe>>&{+ssl=true+}
=== JDBC sqlserver | en
jdbc:sqlserver://sql01.corp.example:1433;databaseName=hr;user=hr_ro;password=<<pwsafe>>;~+
{+trustServerCertificate=true+}
=== JDBC oracle thin | en
{+# legacy warehouse+}
jdbc:oracle:thin:scott/<<pwsafe>>@//ora01.corp.example:1521/{+DWH+}
=== JDBC mysql log | en
{+Could not open connection+}: jdbc:mysql://10.20.8.4:3306/shop?user=shop&password=<<pwsafe>> {+Communications ~+
link failure+}
=== libpq keywords | en
psycopg2.connect("host=db.internal.example {+dbname=billing+} user=app password=<<pwsafe>> {+connect_timeout=5+}")
=== libpq quoted | en
conninfo: host=10.20.1.7 port=5432 user=etl password='<<pwword:en>>' {+sslmode=require+}
=== ODBC | en
Driver={{+ODBC Driver 18 for SQL Server+}};Server=tcp:sql.example.net,1433;Uid=etl;Pwd={<<pwrand>>};~+
{+Connection Timeout=30+};
=== ODBC dsn | en
pyodbc.connect("DSN={+Warehouse+};UID=loader;PWD=<<pwsafe>>")  # {+nightly only+}
=== odbc.ini | en
[{+Warehouse+}]
Driver = PostgreSQL
Username = loader
Password = <<pwsafe>>
{+ReadOnly = Yes+}
=== Azure storage | en
AZURE_STORAGE_CONNECTION_STRING=DefaultEndpointsProtocol=https;AccountName=examplefiles;AccountKey=<<fmt:{B86}==>>;~+
{+EndpointSuffix=core.windows.net+}
=== Azure service bus | en
Endpoint=sb://orders.servicebus.windows.net/;SharedAccessKeyName={+RootManageSharedAccessKey+};~+
SharedAccessKey=<<fmt:{B43}=>>
=== Azure IoT hub | en
{+device 17+}: HostName=plant.azure-devices.net;DeviceId=press-17;SharedAccessKey=<<fmt:{B43}=>>
=== Azure cosmos | en
{+Cosmos, dev account:+} AccountEndpoint=https://crm.documents.azure.com:443/;AccountKey=<<fmt:{B86}==>>;
=== Azure app configuration | en
{+builder.Configuration+}.AddAzureAppConfiguration("Endpoint=https://cfg.azconfig.io;Id=a1b2;Secret=<<fmt:{B43}=>>");
=== AMQP yaml | en
{+rabbit:+}
  dsn: amqp://events:<<pwsafe>>@mq.internal.example:5672/%2fevents
  {+prefetch: 20+}
=== MongoDB | en
mongoose.connect('mongodb://crm:<<pwsafe>>@mongo1.example.net:27017,mongo2.example.net:27017/crm?{+replicaSet=rs0+}');
=== Redis tls | en
{+CACHE_URL+}=rediss://default:<<fmt:{A64}>>@cache-12.example.net:6380/0
=== Redis StackExchange | en
"{+Redis+}": "cache.example.net:6380,password=<<fmt:{B43}=>>,ssl=True,{+abortConnect=False+}"
=== SMTP url | en
{+EMAIL_URL+}=smtp+tls://noreply-bot:<<pwsafe>>@mail.example.org:587
=== SMTP dsn symfony | en
{+framework:+}
  mailer:
    dsn: 'smtps://robot:<<pwsafe>>@smtp.example.org:465?{+verify_peer=1+}'
=== PHP PDO | en
$db = new PDO('mysql:host=localhost;{+dbname=wiki+}', 'wiki', '<<pwrand>>');
=== PHP mysqli | en
$link = mysqli_connect("10.20.4.4", "shop", "<<pwword:en>>", "{+shop_live+}");
=== Go DSN | en
db, err := {+sql.Open+}("mysql", "app:<<pwsafe>>@tcp(10.20.3.3:3306)/orders?{+parseTime=true+}")
=== Kafka JAAS | en
{+security.protocol=SASL_SSL+}
sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="etl" ~+
password="<<pwsafe>>";
=== Snowflake | en
snowflake://LOADER:<<pwsafe>>@xy12345.eu-central-1/{+ANALYTICS/PUBLIC+}?warehouse=WH_S
=== ClickHouse native | en
{+clickhouse+}://default:<<pwsafe>>@ch01.example.net:9440/{+metrics+}?secure=true
=== Exchange / IMAP | de
{+Postfach der Buchhaltung:+} imap://rechnung:<<pwsafe>>@imap.example.de:993/{+INBOX+}
=== SAP RFC | de
{+Testsystem:+} ASHOST=sap01 SYSNR=00 CLIENT=100 USER=RFC_BI PASSWD=<<pwsafe>> {+LANG=DE+}
=== Django dict | en
DATABASES = {"default": {"ENGINE": "{+django.db.backends.postgresql+}", "USER": "app", "PASSWORD": ~+
"<<pwrand>>", "PORT": 5432}}
=== Rails database.yml | en
{+production:+}
  adapter: postgresql
  username: rails
  password: <<pwsafe>>
  {+pool: 15+}
=== Elastic cloud logstash | en
output { elasticsearch { {+hosts => ["es01:9200"]+} user => "logstash" password => "<<pwrand>>" } }
=== Neo4j python | en
driver = GraphDatabase.driver("{+bolt://graph.example.net:7687+}", auth=("neo4j", "<<pwword:en>>"))
=== LDAP bind | fr
{+Annuaire de test :+} bindDN cn=lecture,dc=example,dc=fr bindPassword <<pwsafe>> {+port 636+}
=== FTP dict | es
{+Servidor del proveedor:+} ftp.example.es;usuario=pedidos;contraseña=<<pwsafe>>;{+modo=pasivo+}
"""

AUTH = r"""
=== basic curl | en
curl -X GET https://wiki.example.com/rest/api/content -H "Authorization: Basic <<userpw|b64>>" {+-H "Accept: ~+
application/json"+}
=== basic http dump | en
GET /private/report.csv HTTP/1.1
Host: {+files.example.com+}
Authorization: Basic <<userpw|b64>>
{+User-Agent: curl/8.5.0+}
=== bearer opaque | en
POST /graphql HTTP/1.1
authorization: Bearer <<fmt:{A43}>>
{+content-type: application/json+}
=== bearer python | en
headers = {
    "{+Accept+}": "application/json",
    "Authorization": "Bearer <<fmt:{b48}>>",
}
=== bearer lower case log | en
{+upstream request+} headers={authorization=[bearer <<fmt:{b40}>>], {+accept-encoding=[gzip]+}}
=== x-api-key curl | en
curl https://api.example.com/v1/rates{+?base=EUR+} -H 'X-Api-Key: <<fmt:{A32}>>'
=== x-api-key js | en
fetch('/api/{+orders+}', { headers: { 'x-api-key': '<<fmt:{l40}>>', '{+x-request-id+}': id } })
=== x-auth-token | en
X-Auth-Token: <<fmt:{h32}>>
{+X-Request-Id: 7f2c+}
Date: Tue, 20 Jan 2026 08:00:01 GMT
=== session cookie | en
GET /admin HTTP/1.1
Host: {+shop.example.com+}
Cookie: lang=en; sessionid=<<fmt:{l32}>>; {+theme=dark+}
=== php session | en
curl 'https://intranet.example.com/{+leave/list+}' -b 'PHPSESSID=<<fmt:{l26}>>'
=== jsessionid | en
{+ticket export+}: Cookie: JSESSIONID=<<fmt:{H32}>>; {+Path=/portal+}
=== set-cookie | en
< HTTP/1.1 200 OK
< set-cookie: connect.sid=s%3A<<fmt:{b32}>>.<<fmt:{A43}>>; Path=/; {+HttpOnly+}
=== remember me | en
Set-Cookie: remember_token=<<fmt:{A60}>>; {+expires=Wed, 25 Mar 2026 10:00:00 GMT+}
=== csrf and session har | en
{"{+name+}": "cookie", "value": "auth_session=<<fmt:{h64}>>; {+locale=de+}"}
=== impersonated session | en
{+Impersonating the customer worked with+} `Cookie: laravel_session=<<fmt:eyJpdiI6I{A180}%3D>>` {+for about an hour.+}
=== hmac | en
X-Signature: {+sha256+}
Authorization: HMAC partner-7:<<fmt:{B43}=>>
{+X-Date: 20260118T101500Z+}
=== apikey header | en
Authorization: ApiKey <<fmt:{B58}==>>
{+Host: es01.example.net:9200+}
GET /_cat/indices?v
=== token header | en
{+http https://docs.example.com/api/documents/+} "Authorization: Token <<fmt:{h40}>>"
=== digest-like custom | en
Proxy-Authorization: Basic <<userpw|b64>>
{+Via: 1.1 proxy02+}
=== powershell invoke | en
$h = @{ Authorization = "Bearer <<fmt:{b44}>>" }
{+Invoke-RestMethod -Uri https://api.example.com/v2/me+} -Headers $h
=== postman collection | en
{"key": "Authorization", "value": "Bearer <<fmt:{A48}>>", "{+type+}": "text"}
=== java okhttp | en
Request r = new Request.Builder().url({+BASE + "/jobs"+}).header("X-Api-Token", "<<fmt:{A36}>>").build();
=== axios defaults | en
axios.defaults.headers.common['Authorization'] = 'Bearer <<fmt:{b43}>>';
{+axios.defaults.timeout = 4000;+}
=== nginx proxy | en
location /{+metrics+} {
    proxy_set_header Authorization "Basic <<userpw|b64>>";
    {+proxy_pass http://10.20.0.9:9100;+}
}
=== openapi try it out | en
curl -X 'POST' 'https://api.example.com/{+imports+}' -H 'accept: */*' -H 'X-Access-Token: <<fmt:{l48}>>'
=== wget | en
wget {+--quiet+} --header="Authorization: Bearer <<fmt:{A40}>>" https://repo.example.com/{+pkg.tar.gz+}
=== ticket | de
{+Der Aufruf mit folgendem Header klappt nicht:+} Authorization: Bearer <<fmt:{b40}>> {+- Antwort ist 403.+}
=== ticket | fr
{+J'envoie bien l'en-tête+} X-API-KEY: <<fmt:{A32}>> {+mais j'obtiens une erreur 401.+}
=== ticket | es
{+Cabecera usada en la prueba:+} Authorization: Basic <<userpw|b64>>
{+Respuesta: 500+}
=== chat | pl
{+Działa, gdy wyślę+} nagłówek X-Api-Key: <<fmt:{A32}>> {+razem z żądaniem.+}
=== chat | ja
{+ヘッダーは次のとおりです:+}
X-Api-Key: <<fmt:{A32}>>
{+Content-Type: application/json+}
=== grpc metadata | en
grpcurl -H 'authorization: Bearer <<fmt:{b40}>>' {+-d '{"page": 1}'+} api.example.com:443 {+inventory.Items/List+}
=== cookie jar netscape | en
{+# Netscape HTTP Cookie File+}
.example.com	TRUE	/	TRUE	1799999999	session_token	<<fmt:{A48}>>
"""
