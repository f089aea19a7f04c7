"""Names and passwords in addresses."""

from tests.masking.operations.template import Row

BASIC_URL: tuple[Row, ...] = (
    (
        "git clone",
        "en",
        "git clone https://deploy:{!pws}@git.example.com/infra/puppet.git /opt/puppet && cd /opt/puppet",
        "cd /opt/puppet",
    ),
    (
        "grafana datasource",
        "en",
        """
Prometheus datasource is set to http://grafana:{!pwn}@{ip}:9090 (server access), hence the 401 after the rotation.""",
        "Prometheus datasource is set to|after the rotation",
    ),
    (
        "proxy env",
        "de",
        """
Auf den Buildknoten muss noch export https_proxy=http://svc-proxy:{!pwn}@proxy.example.net:3128 in die Umgebung,
sonst läuft apt in den Timeout.""",
        "Auf den Buildknoten|sonst läuft apt in den Timeout.",
    ),
    (
        "ftp link",
        "fr",
        "Les relevés sont déposés chaque nuit sur ftp://releves:{!pwn}@ftp.example.org/entrants/ avant 6 h.",
        "Les relevés sont déposés|avant 6 h.",
    ),
    (
        "pip extra index",
        "en",
        "pip install https://ci:{!pwu}@packages.example.com/ledger-client-{ver}.tar.gz",
        "pip install",
    ),
    (
        "elasticsearch hosts",
        "en",
        """
output.elasticsearch:
  hosts: ["https://elastic:{!pwn}@es-01.example.com:9200"]
  index: "filebeat-%{+yyyy.MM.dd}\"""",
        "output.elasticsearch|filebeat-",
    ),
    (
        "wget in cron",
        "en",
        "15 3 * * * wget -q -O /dev/null https://cron:{!pwn}@intranet.example.com/tasks/nightly",
        "15 3 * * * wget -q",
    ),
    (
        "python requests",
        "en",
        """
r = requests.get("https://admin:{!pwu}@{ip}/api/v1/alerts", verify=False)
print(r.status_code, len(r.json()))""",
        "verify=False",
    ),
    (
        "traceback",
        "en",
        """
urllib3.exceptions.MaxRetryError: HTTPSConnectionPool: url https://scraper:{!pwn}@portal.example.org/export (Caused by
ConnectTimeoutError)""",
        "urllib3.exceptions.MaxRetryError|ConnectTimeoutError",
    ),
    (
        "webdav mount",
        "it",
        (
            "Per montare la cartella: davs://ufficio:{!pwn}@cloud.example.it/remote.php/dav/files/ufficio , poi "
            "confermare."
        ),
        "Per montare la cartella|poi confermare",
    ),
    (
        "rtsp camera",
        "es",
        "La cámara del almacén se ve en rtsp://operador:{!pwn}@{ip}:554/Streaming/Channels/101 con VLC.",
        "La cámara del almacén|con VLC",
    ),
    (
        "markdown link",
        "en",
        "See the [legacy dashboard](https://viewer:{!pwn}@dash.example.com/d/1) until SSO is rolled out.",
        "legacy dashboard|until SSO is rolled out",
    ),
    (
        "percent-encoded",
        "en",
        "artifact URL: https://ci-bot:{!an8}%40{an4}%21@nexus.example.com/repository/raw/app.tgz (the @ is escaped)",
        "the @ is escaped",
    ),
    (
        "npm registry",
        "en",
        """
npm config set registry https://robot:{!pwu}@npm.example.com/
npm ping""",
        "npm ping",
    ),
    (
        "helm repo",
        "en",
        "helm repo add internal https://helm:{!pwn}@charts.example.com && helm repo update",
        "helm repo update",
    ),
    (
        "svn checkout",
        "pl",
        "Repozytorium jest pod svn+https://build:{!pwn}@svn.example.pl/trunk, hasło zmieniamy co kwartał.",
        "Repozytorium jest pod|zmieniamy co kwartał",
    ),
    (
        "smb link",
        "nl",
        "De scans staan op smb://scanner:{!pwn}@nas.example.nl/scans en worden na 30 dagen gewist.",
        "De scans staan op|worden na 30 dagen gewist",
    ),
    (
        "composer.json",
        "en",
        """
"repositories": [
  {"type": "composer", "url": "https://ci:{!pwn}@satis.example.com"}
],
"minimum-stability": "stable\"""",
        "minimum-stability",
    ),
    (
        "curl with token user",
        "en",
        "curl -fsS https://oauth2:{!pwu}@gitlab.example.com/api/v4/version # 401, why?",
        "# 401, why?",
    ),
    (
        "sftp in runbook",
        "tr",
        "Yedekler sftp://yedek:{!pwn}@yedek.example.com.tr:2222/gunluk adresine gidiyor, her gece 02:00.",
        "Yedekler|her gece 02:00",
    ),
    (
        "angle brackets",
        "en",
        "Health check goes to <http://probe:{!pwn}@{ip}:8080/actuator/health> every ten seconds.",
        "Health check goes to|every ten seconds",
    ),
    (
        "chinese wiki",
        "zh",
        "监控入口：http://ops:{!pwn}@{ip}:3000/d/main ，外网访问需要先连接VPN。",
        "监控入口|外网访问需要先连接VPN",
    ),
    (
        "japanese chat",
        "ja",
        "検証環境は https://demo:{!pwn}@stg.example.co.jp/ で見られます。夜間は停止しています。",
        "検証環境は|夜間は停止しています",
    ),
    (
        "korean chat",
        "ko",
        "테스트 서버 주소는 https://tester:{!pwn}@qa.example.co.kr/login 입니다. VPN 연결 후 접속하세요.",
        "VPN 연결 후 접속하세요",
    ),
    (
        "russian wiki",
        "ru",
        "Зеркало: https://mirror:{!pws}@repo.example.ru/apt/ — ключ GPG лежит рядом в каталоге keys.",
        "ключ GPG лежит рядом",
    ),
    (
        "docker build arg",
        "en",
        "docker build --build-arg INDEX=https://build:{!pwu}@pypi.example.com/simple -t ledger:{ver} .",
        "docker build",
    ),
    (
        "user only token",
        "en",
        "git remote set-url origin https://{!an40}@git.example.com/platform/ledger.git && git push",
        "git push",
    ),
    (
        "portuguese ticket",
        "pt",
        "O cliente abre ftp://cliente7:{!pwn}@ftp.example.com.br/saida e recebe erro 530.",
        "recebe erro 530",
    ),
)
