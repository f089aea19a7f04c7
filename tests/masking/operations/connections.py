"""Connection strings of data bases, queues, mail servers and storage."""

from tests.masking.operations.template import Row

ROWS: tuple[Row, ...] = (
    (
        "ado.net sql server",
        "en",
        """
"ConnectionStrings": {
  "Default": "Server=tcp:{fq},1433;Database={db};User ID={u};Password={!pwr};Encrypt=True;Connection Timeout=30;"
},
"AllowedHosts": "*\"""",
        "AllowedHosts",
    ),
    (
        "ado.net short keys",
        "de",
        """
In der web.config steht noch: Data Source={h};Initial Catalog={db};uid={u};pwd={!pws};Max Pool Size=200
Das muss vor dem Umzug raus.""",
        "In der web.config steht noch|Das muss vor dem Umzug raus.",
    ),
    (
        "ado.net quoted value",
        "en",
        (
            "\n"
            "conn = \"Server={h};Database={db};User Id={u};Password='{!pwr};{!an6}';TrustServerCertificate=true\" "
            "<- note the semicolon"
        ),
        "note the semicolon",
    ),
    (
        "web.config xml",
        "en",
        """
<connectionStrings>
  <add name="Main" connectionString="Data Source={h}\\SQL2019;Initial Catalog={db};User ID={u};Password={!pws}"
       providerName="System.Data.SqlClient" />
</connectionStrings>""",
        "providerName=|</connectionStrings>",
    ),
    (
        "jdbc mysql params",
        "en",
        """
spring.datasource.url=jdbc:mysql://{fq}:3306/{db}?user={u}&password={!pws}&useSSL=true&serverTimezone=UTC
spring.jpa.hibernate.ddl-auto=validate""",
        "spring.jpa.hibernate.ddl-auto=validate",
    ),
    (
        "jdbc postgres",
        "en",
        """
HikariPool-1 - jdbcUrl=jdbc:postgresql://{fq}:5432/{db}?user={u}&password={!pws}&ssl=true
HikariPool-1 - Exception during pool initialization.""",
        "Exception during pool initialization.",
    ),
    (
        "jdbc oracle thin",
        "fr",
        """
La chaîne qui marche sous SQL Developer : jdbc:oracle:thin:{u}/{!pwn}@//{fq}:1521/ORCLPDB1
Sous Tomcat j'ai un ORA-01017.""",
        "La chaîne qui marche|Sous Tomcat",
    ),
    (
        "jdbc sqlserver",
        "en",
        "jdbc:sqlserver://{fq}:1433;databaseName={db};user={u};password={!pwr};encrypt=false (reporting only)",
        "reporting only",
    ),
    ("sqlplus easy connect", "en", "sqlplus {u}/{!pwn}@{fq}:1521/ORCL @/srv/scripts/nightly.sql", "nightly.sql"),
    (
        "postgres url",
        "en",
        """
DATABASE_URL=postgres://{u}:{!pwn}@{fq}:5432/{db}?sslmode=require
DB_POOL=20""",
        "DB_POOL=20",
    ),
    (
        "libpq dsn",
        "en",
        """
psycopg2.OperationalError with dsn "host={fq} port=5432 dbname={db} user={u} password={!pws} connect_timeout=5\"""",
        "psycopg2.OperationalError",
    ),
    (
        "sqlalchemy",
        "en",
        """
engine = create_engine("postgresql+psycopg://{u}:{!pwu}@{fq}/{db}", pool_pre_ping=True)
Session = sessionmaker(engine)""",
        "pool_pre_ping=True|sessionmaker(engine)",
    ),
    (
        "odbc driver",
        "en",
        """
pyodbc.connect("DRIVER={ODBC Driver 18 for SQL Server};SERVER={h};DATABASE={db};UID={u};PWD={!pws};Encrypt=yes")""",
        "pyodbc.connect",
    ),
    (
        "odbc.ini",
        "en",
        """
[ledger]
Driver = PostgreSQL Unicode
Servername = {fq}
UserName = {u}
Password = {!pws}
ReadOnly = Yes""",
        "Driver = PostgreSQL Unicode|ReadOnly = Yes",
    ),
    (
        "mongodb srv",
        "en",
        (
            "\n"
            'mongosh "mongodb+srv://{u}:{!pwn}@cluster0.ab1cd.mongodb.net/{db}?retryWrites=true&w=majority" --eval '
            "'db.stats()'"
        ),
        "db.stats()",
    ),
    (
        "mongodb replica set",
        "ru",
        """
Строка для сервиса {svc}: mongodb://{u}:{!pws}@db-01:27017,db-02:27017/{db}?replicaSet=rs0
После смены пароля перезапустить поды.""",
        "После смены пароля перезапустить поды.",
    ),
    (
        "redis url",
        "en",
        """
celery:
  broker: redis://:{!pwu}@{fq}:6379/0
  concurrency: 8""",
        "concurrency: 8",
    ),
    (
        "rediss with user",
        "en",
        "REDIS_TLS_URL=rediss://default:{!an32}@{fq}:6380 # heroku add-on, rotated monthly",
        "rotated monthly",
    ),
    (
        "stackexchange redis",
        "en",
        "{fq}:6380,password={!bs43}=,ssl=True,abortConnect=False  <- cache connection for {svc}",
        "cache connection for",
    ),
    (
        "amqp",
        "es",
        """
El consumidor se conecta a amqp://{u}:{!pwn}@{fq}:5672/pedidos y se queda colgado.
En local funciona.""",
        "El consumidor se conecta a|En local funciona.",
    ),
    (
        "amqps in helm",
        "en",
        """
rabbitmq:
  uri: "amqps://{u}:{!pwu}@{fq}:5671/prod?heartbeat=30"
  prefetch: 50""",
        "prefetch: 50",
    ),
    (
        "smtp url",
        "en",
        "MAILER_DSN=smtp://noreply%40example.com:{!pwn}@smtp.example.com:587?encryption=tls",
        "encryption=tls",
    ),
    (
        "azure storage",
        "en",
        """
DefaultEndpointsProtocol=https;AccountName=oakfordst;AccountKey={!azstor};EndpointSuffix=core.windows.net
paste that into Storage Explorer""",
        "paste that into Storage Explorer",
    ),
    (
        "azure service bus",
        "en",
        """
"ServiceBus": "Endpoint=sb://oakford.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;\
SharedAccessKey={!bs43}=",
"Queue": "invoices\"""",
        "invoices",
    ),
    (
        "azure event hub, prose",
        "pt",
        (
            "\n"
            "A string do hub é Endpoint=sb://oakford-eh.servicebus.windows.net/;SharedAccessKeyName=leitura;"
            "SharedAccessKey={!bs43}=;EntityPath=telemetria e o consumidor é o grupo $Default."
        ),
        "e o consumidor é o grupo",
    ),
    (
        "cosmos db",
        "en",
        "AccountEndpoint=https://oakford.documents.azure.com:443/;AccountKey={!bs86}==; works in the emulator",
        "works in the emulator",
    ),
    (
        "iot hub",
        "en",
        "HostName=oakford.azure-devices.net;DeviceId=gate-7;SharedAccessKey={!bs43}= is burnt into the firmware",
        "is burnt into the firmware",
    ),
    (
        "application insights",
        "en",
        "InstrumentationKey set; sql dependency failed: Server={h};Integrated Security=false;User={u};Pwd={!pwr}",
        "sql dependency failed",
    ),
    (
        "mysql go dsn",
        "en",
        """
db, err := sql.Open("mysql", "{u}:{!pwn}@tcp({fq}:3306)/{db}?parseTime=true")
defer db.Close()""",
        "parseTime=true|defer db.Close()",
    ),
    (
        "perl dbi",
        "en",
        """
my $dbh = DBI->connect("dbi:Pg:dbname={db};host={h}", "{u}", "{!pws}", { RaiseError => 1 });""",
        "RaiseError",
    ),
    (
        "ldap bind in yaml",
        "it",
        """
ldap:
  url: ldaps://{fq}:636
  bind_dn: cn={u},ou=servizi,dc=example,dc=it
  bind_password: {!pws}
  base: ou=persone,dc=example,dc=it""",
        "ou=persone,dc=example,dc=it",
    ),
    (
        "kafka jaas",
        "en",
        """
sasl.mechanism=SCRAM-SHA-512
sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="{u}" password="{!pwr}";
security.protocol=SASL_SSL""",
        "sasl.mechanism=SCRAM-SHA-512|security.protocol=SASL_SSL",
    ),
    (
        "clickhouse dsn",
        "zh",
        "报表库的地址是 clickhouse://{u}:{!pwn}@{fq}:9000/{db}?dial_timeout=200ms ，只读账号。",
        "只读账号",
    ),
    (
        "sftp camel uri",
        "en",
        'from("sftp://{fq}:22/in?username={u}&password={!pws}&delay=60000").to("file:/srv/in");',
        "file:/srv/in",
    ),
    (
        "snowflake",
        "en",
        "snowflake://{u}:{!pwn}@oakford-eu/{db}/PUBLIC?warehouse=COMPUTE_WH&role=REPORTER  (dbt profile)",
        "dbt profile",
    ),
    (
        "korean wiki",
        "ko",
        "운영 DB 접속 문자열: Server={h};Port=3306;Database={db};Uid={u};Pwd={!pws}; 조회 전용입니다.",
        "조회 전용입니다",
    ),
)
