"""Credentials on command lines, of further programs."""

from tests.masking.operations.template import Row

ROWS: tuple[Row, ...] = (
    (
        "az login",
        "nl",
        "az login -u beheer@example.com -p '{!pwr}' --tenant {uuid} en dan de abonnementen tonen",
        "en dan de abonnementen tonen",
    ),
    (
        "az sql",
        "en",
        "az sql server create -n sql-led -g rg-led -l westeurope --admin-user dba --admin-password {!pws}",
        "-l westeurope",
    ),
    (
        "aws configure set",
        "en",
        """
aws configure set aws_secret_access_key {!awssec} --profile audit
aws sts get-caller-identity --profile audit""",
        "aws sts get-caller-identity",
    ),
    (
        "aws ssm put-parameter",
        "en",
        "aws ssm put-parameter --name /prod/ledger/db_password --type SecureString --value '{!pwr}' --overwrite",
        "--type SecureString|--overwrite",
    ),
    ("gh secret set", "en", "gh secret set DEPLOY_TOKEN --repo oakford/ledger --body {!an40}", "--repo oakford/ledger"),
    (
        "gh auth login",
        "en",
        "echo {!ghp} | gh auth login --with-token && gh repo list oakford --limit 5",
        "gh repo list oakford",
    ),
    (
        "kubectl create secret",
        "en",
        "kubectl -n prod create secret generic smtp --from-literal=user=alerts --from-literal=password={!pws}",
        "--from-literal=user=alerts",
    ),
    (
        "kubectl docker-registry",
        "en",
        """
kubectl create secret docker-registry regcred --docker-server=registry.example.com --docker-username=ci \\
  --docker-password={!an28}""",
        "--docker-server=registry.example.com",
    ),
    (
        "helm --set",
        "tr",
        "helm upgrade --install ledger ./chart --set db.password={!pws} --set replicaCount=2  # önce yedek alın",
        "önce yedek alın",
    ),
    (
        "ansible extra vars",
        "en",
        'ansible-playbook site.yml -e "mysql_root_password={!pws} env=stg" --limit {h}',
        "--limit",
    ),
    (
        "mongo -p",
        "ru",
        "mongosh --host {fq} -u {u} -p {!pws} --authenticationDatabase admin --quiet  # проверил, пускает",
        "проверил, пускает",
    ),
    ("sqlcmd -P", "en", 'sqlcmd -S {h} -U sa -P {!pws} -Q "SELECT @@VERSION"', "SELECT @@VERSION"),
    (
        "net use",
        "de",
        "net use Z: \\\\nas\\archiv {!pw_de} /user:OAKFORD\\scanner /persistent:yes und dann neu anmelden",
        "und dann neu anmelden",
    ),
    (
        "mount cifs",
        "en",
        "mount -t cifs //nas/backup /mnt/backup -o username=backup,password={!pws},vers=3.0,uid=1000",
        "vers=3.0,uid=1000",
    ),
    ("smbclient %", "en", "smbclient //fs01/drop -U scanner%{!pws} -c 'ls'", "//fs01/drop"),
    ("ipmitool -P", "en", "ipmitool -I lanplus -H {ip} -U ADMIN -P {!pws} chassis power cycle", "chassis power cycle"),
    ("xfreerdp", "en", "xfreerdp /v:{ip} /u:Administrator /p:{!pws} /dynamic-resolution", "/dynamic-resolution"),
    (
        "lftp",
        "pt",
        "lftp -u {u},{!pws} -e 'mirror -R ./dist /www; quit' ftp.example.com.br e aguardar o fim",
        "e aguardar o fim",
    ),
    (
        "ftp session",
        "en",
        """
220 FTP server ready
USER partner7
331 Password required for partner7
PASS {!pws}
230 User logged in""",
        "220 FTP server ready|230 User logged in",
    ),
    ("restic", "en", "RESTIC_PASSWORD={!pp} restic -r sftp:{u}@{h}:/backup snapshots --latest 3", "--latest 3"),
    (
        "borg passphrase",
        "zh",
        "BORG_PASSPHRASE='{!pp}' borg list /mnt/backup::daily  # 每天凌晨两点运行",
        "每天凌晨两点运行",
    ),
    ("zip -P", "en", "zip -P {!pws} -r payroll-q2.zip exports/ && mv payroll-q2.zip /srv/outbox", "/srv/outbox"),
    (
        "7z -p",
        "ja",
        "7z x -p{!pws} hokoku.7z -o/tmp/hokoku を実行して、中のCSVを確認してください。",
        "中のCSVを確認してください",
    ),
    ("chpasswd", "en", "echo 'deploy:{!pws}' | sudo chpasswd && passwd -S deploy", "passwd -S deploy"),
    (
        "useradd windows",
        "ko",
        "net user svc-print {!pw_ko} /add 실행 후 프린터 그룹에 넣어 주세요.",
        "실행 후 프린터 그룹에 넣어 주세요",
    ),
    ("vault kv put", "en", "vault kv put secret/ledger/prod db_user=ledger db_password={!pws} ttl=24h", "ttl=24h"),
    (
        "rabbitmqctl",
        "en",
        "rabbitmqctl add_user reporting '{!pwr}' && rabbitmqctl set_permissions -p / reporting '' '' '.*'",
        "set_permissions",
    ),
    (
        "influx token",
        "en",
        "influx write --org oakford --bucket metrics --token {!us86}== -f points.lp",
        "-f points.lp",
    ),
    ("cassandra cqlsh", "en", "cqlsh {fq} 9042 -u cassandra -p {!pws} -e 'DESCRIBE KEYSPACES'", "DESCRIBE KEYSPACES"),
    (
        "snmpwalk v3",
        "en",
        "snmpwalk -v3 -l authPriv -u monitor -a SHA -A {!pws} -x AES -X {!pws#1} {ip} sysUpTime",
        "sysUpTime",
    ),
    ("sudo -S", "en", "echo {!pws} | sudo -S systemctl restart keepalived   # on {h}", "systemctl restart keepalived"),
    (
        "svn --password",
        "en",
        "svn export --non-interactive --username build --password {!pws} https://svn.example.com/trunk/conf",
        "--non-interactive",
    ),
    ("mvn -D", "en", "mvn -B deploy -Dnexus.user=ci -Dnexus.password={!pws} -DskipTests", "-DskipTests"),
    (
        "twine env",
        "en",
        "TWINE_USERNAME=ci TWINE_PASSWORD={!pws} twine upload --repository-url https://pypi.example.com dist/*",
        "twine upload",
    ),
)
