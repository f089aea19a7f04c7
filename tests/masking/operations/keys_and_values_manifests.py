"""Keys and values in manifests and elsewhere."""

from tests.masking.operations.template import Row

ROWS: tuple[Row, ...] = (
    (
        "docker compose",
        "en",
        """
services:
  db:
    image: postgres:16
    environment:
      POSTGRES_USER: ledger
      POSTGRES_PASSWORD: {!pws}
    volumes: ["pg:/var/lib/postgresql/data"]""",
        "image: postgres:16|/var/lib/postgresql/data",
    ),
    (
        "docker compose list",
        "en",
        """
    environment:
      - MYSQL_DATABASE=wiki
      - MYSQL_ROOT_PASSWORD={!pws}
      - TZ=Europe/Berlin""",
        "MYSQL_DATABASE=wiki|TZ=Europe/Berlin",
    ),
    (
        "dockerfile",
        "en",
        """
FROM jetty:11
ENV ADMIN_PASSWORD={!pws}
ENV JAVA_OPTIONS=-Xmx512m
EXPOSE 8080""",
        "FROM jetty:11|EXPOSE 8080",
    ),
    (
        "k8s secret data",
        "en",
        """
apiVersion: v1
kind: Secret
metadata: { name: ledger-db }
data:
  username: bGVkZ2Vy
  password: {!b64pw}""",
        "kind: Secret|ledger-db",
    ),
    (
        "k8s stringData",
        "en",
        """
kind: Secret
metadata:
  name: smtp
stringData:
  SMTP_PASSWORD: {!pws}
type: Opaque""",
        "type: Opaque",
    ),
    (
        "kubectl describe",
        "en",
        """
    Environment:
      SPRING_PROFILES_ACTIVE:  prod
      SPRING_DATASOURCE_PASSWORD:  {!pws}
    Mounts:  /tmp from scratch (rw)""",
        "SPRING_PROFILES_ACTIVE|from scratch (rw)",
    ),
    (
        "helm values",
        "en",
        """
grafana:
  adminUser: admin
  adminPassword: {!pws}
  persistence: { enabled: true, size: 10Gi }""",
        "adminUser: admin|size: 10Gi",
    ),
    (
        "helm get values",
        "en",
        """
USER-SUPPLIED VALUES:
auth:
  rootPassword: {!pwr}
  replicationPassword: {!an16}
replicaCount: 3""",
        "USER-SUPPLIED VALUES|replicaCount: 3",
    ),
    (
        "terraform",
        "en",
        """
resource "aws_db_instance" "main" {
  instance_class = "db.t4g.medium"
  username       = "ledger"
  password       = "{!pws}"
}""",
        "db.t4g.medium",
    ),
    (
        "tfvars",
        "en",
        """
region            = "eu-central-1"
db_admin_password = "{!pwr}"
node_count        = 3""",
        "eu-central-1|node_count",
    ),
    (
        "tfstate",
        "en",
        """
"attributes": {"endpoint": "{fq}:5432", "engine": "postgres", "master_password": "{!an20}", "port": 5432}""",
        "engine",
    ),
    (
        "ansible inventory",
        "en",
        """
[switches]
sw-01 ansible_host={ip} ansible_user=admin ansible_password={!pws} ansible_become_pass={!pws#1}
sw-02 ansible_host={ip#1}""",
        "[switches]|sw-02",
    ),
    (
        "debug log",
        "en",
        """
{ts} DEBUG c.o.ledger.Config - loaded: {db.user={u}, db.password={!pws}, db.pool=10}""",
        "loaded:|db.pool=10",
    ),
    (
        "spring banner log",
        "en",
        """
Using generated security password: {!uuidx}

This generated password is for development use only.""",
        "This generated password is for development use only.",
    ),
    (
        "ps output",
        "en",
        "\nroot  4412  0.3  1.2  java -Xmx2g -Djavax.net.ssl.keyStorePassword={!pws} -Dserver.port=8443 -jar app.jar",
        "-Dserver.port=8443",
    ),
    (
        "snmp config",
        "en",
        """
rocommunity {!an14} 10.0.0.0/8
sysLocation Rack 7, row B
createUser monitor SHA {!an16} AES {!an16#1}""",
        "sysLocation Rack 7, row B",
    ),
    (
        "cisco config",
        "en",
        """
enable secret 0 {!pws}
username netops privilege 15 password 0 {!pws#1}
line vty 0 4""",
        "line vty 0 4",
    ),
    (
        "pgpass",
        "en",
        """
echo '{fq}:5432:{db}:{u}:{!pws}' >> ~/.pgpass && chmod 600 ~/.pgpass""",
        "chmod 600",
    ),
    (
        "htpasswd hash",
        "en",
        """
/etc/nginx/.htpasswd:
monitor:$apr1${an8}${!an22}
and reload nginx afterwards""",
        "and reload nginx afterwards",
    ),
    (
        "japanese ini",
        "ja",
        """
# 管理画面の設定
管理者ID = admin
パスワード = {!pw_ja}
ポート = 8443""",
        "管理画面の設定|ポート = 8443",
    ),
    (
        "chinese yaml",
        "zh",
        """
数据库:
  地址: {fq}
  用户名: {u}
  密码: {!pws}""",
        "数据库",
    ),
    (
        "korean list",
        "ko",
        """
- 서버: {h}
- 아이디: admin
- 비밀번호: {!pw_ko}
- 포트: 8443""",
        "포트: 8443",
    ),
    (
        "russian list",
        "ru",
        """
Сервер: {h}
Логин: admin
Пароль: {!pw_ru}
Порт: 3389""",
        "Сервер|Порт: 3389",
    ),
)
