"""Passwords in command lines."""

from collections.abc import Iterable

from domain.masking.ruleset.rule import Rule, any_group
from domain.masking.ruleset.secret_strength import NONE, WEAK, is_code, is_placeholder, strength
from domain.patterns import LinearRegex, PatternMatch, Place

_ARGUMENT = r"(?:\"([^\"\n]+)\"|'([^'\n]+)'|([^\s\"'`|;&<>)]+))"
_LINE = r"(?:[^\n|;&]|\\\r?\n)*?"


_TOLD_OF = LinearRegex(r"(?i)passw|secret")
_PORT_OR_OPTION = LinearRegex(r"\d{1,5}(?::\d{1,5})?|-.*")
_PORT_OR_PATH = LinearRegex(r"//|\d{1,5}(?:/|$|:)")
_TAKES_PASS = LinearRegex(r"(?i)openssl|-pass(?:in|out)?\s$|keytool|jarsigner")


def _plausible(held: str) -> bool:
    if " " in held and _TOLD_OF.search(held):
        return False
    return len(held) >= 3 and not is_placeholder(held) and not is_code(held)


_argument = any_group(lambda held: _plausible(held) and not _PORT_OR_OPTION.fullmatch(held))
"""Whatever stands where only a password can."""

_after_colon = any_group(lambda held: _plausible(held) and not _PORT_OR_PATH.match(held))
"""The password of `user:password`."""

_likely = any_group(lambda held: _plausible(held) and strength(held) >= WEAK)
"""An argument that looks like a password: the option may mean something else."""

_LONG = (
    r"(?:[\w-]{0,30}-)?(?:password|passwd|passwort|pass|passphrase|pwd|secret|token|api-?key|access-?key|secret-?key|secret-?access-?key|client-?secret|auth-?token|account-?key|private-?key|key-?pass|store-?pass|keypass|storepass|srcstorepass|deststorepass"
    r"|credential|bindpw|bind-?password|admin-?password|sas-?token|connection-?string|community|preshared-?key|psk)(?:-[a-z]{1,12})?"
)
_NOT_VALUES = LinearRegex(
    r"(?i).*(?:-file|-path|-stdin|-env|-name|-id|-policy|-length|-ttl|-type|-cmd|-command|-helper|-store)$"
)


def _long_option(match: PatternMatch) -> Iterable[Place]:
    name = match.group(1)
    if _NOT_VALUES.match(name):
        return
    certain = "pass" in name.lower() or "pwd" in name.lower()
    for number in (2, 3, 4):
        held = match.group(number)
        if held and _plausible(held) and not held.startswith("-"):
            found = strength(held)
            if found >= WEAK or (certain and len(held) >= 6 and (found > NONE or number < 4)):
                yield match.span(number)


COMMANDS = (
    Rule(
        "password",
        rf"\b(?:(?:redis|keydb|valkey)-cli{_LINE}\s(?:-a|--pass)\s{{1,2}}{_ARGUMENT}|ldap(?:search|add|modify|delete|passwd|whoami|compare|modrdn){_LINE}\s-w\s{{0,2}}{_ARGUMENT}"
        rf"|(?:sqlcmd|bcp|isql|tsql|osql|fisql|ipmitool|mosquitto_(?:pub|sub|rr)|zip|unzip){_LINE}\s-P\s{{0,2}}{_ARGUMENT}|(?:openssl\senc|gpg|pdftk|qpdf){_LINE}\s(?:-k|-pass|--passphrase|user_pw|owner_pw)\s{{1,2}}{_ARGUMENT})",
        ("-cli", "ldap", "sqlcmd", "bcp", "sql", "ipmitool", "mosquitto", "zip", "openssl", "gpg", "pdf"),
        _argument,
        (
            "redis-cli -h cache -p 6379 -a hunter22 ping",
            "ldapsearch -x -D cn=admin -w Zq9plum",
            "sqlcmd -S db -U sa -P 'Zq9plum!'",
            "openssl enc -d -in a -k Zq9plum",
        ),
        ("redis-cli -p 6379 ping", "unzip -P $PW a.zip", "ldapsearch -x -W"),
        group="command line",
    ),
    Rule(
        "password",
        rf"(?i)(?:\brabbitmqctl\s(?:-\S+\s\S+\s)?(?:add_user|change_password)\s\S{{1,60}}\s{_ARGUMENT}|\bput-parameter\s{_LINE}(?:pass|secret|token|key|securestring){_LINE}--value[\s=]{_ARGUMENT}|\bnet\suse\s\S{{1,60}}(?:\s\S{{3,60}})??\s{_ARGUMENT}\s/user"
        rf"|\blftp\s(?:{_LINE}\s)?-u\s\S{{1,60}},{_ARGUMENT}|(?:^|[>\n]\s?)AUTH\s(?:\w{{1,30}}\s)?{_ARGUMENT}(?:\r?\n|$)|\bsecurity\sadd-\w+-password\s{_LINE}-w\s{_ARGUMENT}|\bpasswd\s{_LINE}<<<\s?{_ARGUMENT}|\bsudo\s-S\s{_LINE}<<<\s?{_ARGUMENT})",
        ("rabbitmqctl", "put-parameter", "net use", "lftp", "auth ", "security add", "<<<"),
        _argument,
        (
            "rabbitmqctl add_user app 'Zq9plum!'",
            "aws ssm put-parameter --name /x/password --type SecureString --value 'Zq9plum!'",
            "lftp -u bob,hunter22 ftp.example.com",
            "> AUTH Zq9-plum7",
        ),
        ("rabbitmqctl list_users", "lftp -u bob ftp.example.com", "net use Z: /delete"),
        group="command line",
    ),
    Rule(
        "password",
        rf"\s-[AX]\s{{1,2}}{_ARGUMENT}",
        ("snmp",),
        lambda match: _argument(match) if "snmp" in match.string[max(0, match.start() - 300) : match.start()] else [],
        ("snmpwalk -v3 -u monitor -a SHA -A Zq9plum77 -x AES -X hunter2222 10.0.0.1",),
        ("snmpwalk -v2c -c <community> 10.0.0.1",),
        group="command line",
    ),
    Rule(
        "password",
        rf"(?i)(?:^|[\s\"'`])(?:-{{1,2}}|/)({_LONG})(?:=|:|\s{{1,4}}|\s?\\\r?\n\s{{0,20}}){_ARGUMENT}",
        ("pass", "pwd", "secret", "token", "key", "credential", "bindpw", "connection", "community", "psk"),
        _long_option,
        ("deploy --password hunter22", "tool --secret-key 9f8e7d6c5b4a3f2e", "keytool -storepass Zq9plum"),
        (
            "--password-stdin",
            "--token-ttl 3600",
            "--password <password>",
            "tool --password $PW",
            "--password-file /run/pw",
        ),
        group="command line",
    ),
    Rule(
        "password",
        rf"\b(?:curl|http|https|wget|aria2c|httpie|lynx|siege){_LINE}\s(?:-u|-U|-a|-A|--user|--proxy-user|--auth|--auth-basic)[ =]{{0,2}}[\"']?(?:[^\s:\"']*):(?:([^\s\"'|;&<>]{{3,}}))",
        ("curl", "http -", "https -", "httpie", "wget", "aria2c", "lynx", "siege"),
        _after_colon,
        ("curl -u admin:hunter22 https://example.com", "curl -sS --user 'svc:Zq9plum' https://example.com"),
        ("curl -u admin:$PW https://example.com", "curl -u admin https://example.com:8443"),
        group="command line",
    ),
    Rule(
        "password",
        rf"\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlshow|mysqlpump|mysqlsh|mariadb|mariadb-dump|mycli|xtrabackup|percona-\w{{1,20}}|pt-[\w-]{{1,30}}|7z|7za|rar|unrar){_LINE}\s-p{_ARGUMENT}",
        ("mysql", "mariadb", "mycli", "xtrabackup", "percona", "pt-", "7z", "rar "),
        _argument,
        ("mysql -uroot -phunter22 shop", "mysqldump -u app -p'Zq9 plum' shop"),
        ("mysql -u root -p shop", "mysql -u root -p$PW shop"),
        group="command line",
    ),
    Rule(
        "password",
        rf"\b(?:sshpass|(?:docker|podman|nerdctl|buildah|skopeo|oras|argocd|cf|ibmcloud|oc|az|cloudctl|harbor|regctl|quay)\s(?:[\w-]+\s){{0,2}}login|helm\s(?:registry\slogin|repo\sadd)|crane\sauth\slogin"
        rf"|mongo(?:sh|dump|restore|import|export|stat|top)?|cqlsh|psexec|ipmitool|rdesktop|evil-winrm|nxc|crackmapexec|netexec|clickhouse-client|influx|rabbitmqadmin|couchbase-cli|splunk|vpnc|plink|pscp|psftp|memcstat)"
        rf"{_LINE}\s(?:-p\s{{0,2}}|-pw\s|--pass[\s=]){_ARGUMENT}",
        (
            "sshpass",
            "login",
            "helm",
            "mongo",
            "cqlsh",
            "psexec",
            "ipmitool",
            "desktop",
            "winrm",
            "nxc",
            "psexec",
            "mapexec",
            "netexec",
            "clickhouse",
            "influx",
            "rabbitmqadmin",
            "couchbase",
            "splunk",
            "vpnc",
            "plink",
            "pscp",
            "psftp",
            "memcstat",
        ),
        _argument,
        ("sshpass -p hunter22 ssh bob@host", "docker login -u ci -p Zq9plum registry.example.com"),
        (
            "sshpass -p $PW ssh host",
            "mongo --port 27017",
            "docker login -u ci -p <token>",
            "docker run -p 8080:80 -p 5432:5432 login-service",
        ),
        group="command line",
    ),
    Rule(
        "password",
        r"(?i)\b(?:pass|password):(?:([^\s\"'|;&<>]{3,}))",
        ("pass:", "password:"),
        lambda match: [match.span(1)] if _openssl(match) else [],
        ("openssl pkcs12 -in a.p12 -passin pass:hunter22", "-passout pass:Zq9plum"),
        ("openssl rsa -passin env:PW", "pass:", "-passin pass:$PW"),
        group="command line",
    ),
    Rule(
        "password",
        rf"\bhtpasswd\b{_LINE}\s-\w*[bn]\w*(?:\s-\S+)*(?:\s(?:/|\.|\w)[^\s]*){{0,1}}\s[^\s-][^\s]{{0,60}}\s{_ARGUMENT}",
        ("htpasswd",),
        _argument,
        ("htpasswd -b /etc/nginx/.htpasswd bob hunter22", "htpasswd -nbB bob 'Zq9plum!'"),
        ("htpasswd -c /etc/nginx/.htpasswd bob", "run htpasswd first"),
        group="command line",
    ),
    Rule(
        "password",
        r"(?:echo|printf)\s(?:-\w+\s)?(?:\"(?:[^\"\n:]{1,60}:)?([^\"\n]{3,}?)(?:\\n)?\"|'(?:[^'\n:]{1,60}:)?([^'\n]{3,}?)(?:\\n)?'|(?:[^\s:|\"']{1,60}:)?([^\s\"'|;&]{3,}))\s?\|\s?(?:sudo\s)?"
        r"(?:sudo\s-S|podman\ssecret|docker\ssecret|kubectl\screate|vault\skv|vault\swrite|pass\sinsert|chpasswd|passwd\s|cryptsetup|gpg\s|docker\slogin|podman\slogin|helm\sregistry|gh\sauth|smbpasswd|saslpasswd2|vncpasswd|kinit|ansible-vault|openssl|su\s|ssh-add|mysql_config_editor)",
        ("echo", "printf"),
        _argument,
        ("echo 'bob:hunter22' | sudo chpasswd", "echo Zq9plum | sudo -S apt update"),
        ('echo "$PW" | sudo -S apt update', "echo hello | passwd-strength"),
        group="command line",
    ),
    Rule(
        "password",
        rf"(?i)(?:\bnet\suser\s\S{{1,60}}\s{_ARGUMENT}\s/add|\bnet\suse\s{_LINE}/user:\S+\s{_ARGUMENT}|/user:\S+\s/pass:{_ARGUMENT}|\bconvertto-securestring\s(?:-string\s)?(?:-asplaintext\s)?{_ARGUMENT}|/p:{_ARGUMENT}|\bwpa_passphrase\s(?:\"[^\"\n]{{1,60}}\"|\S{{1,60}})\s{_ARGUMENT}|\bnmcli\s{_LINE}\spassword\s{_ARGUMENT}|\bsqlplus\s(?:-\S\s)?\S{{1,60}}/([^\s@\"']{{3,}})@|\s-U\s[\"']?[^\s%\"']{{1,60}}%([^\s\"']{{3,}})|\bvault\slogin\s(?:-\S+\s)*([^\s=-]{{8,}})|\bbw\s(?:login\s\S+|unlock)\s{_ARGUMENT})",
        (
            "net us",
            "/pass:",
            "securestring",
            "/p:",
            "passphrase",
            "nmcli",
            "sqlplus",
            "rclone",
            "ftp",
            "-u ",
            "vault login",
            "snmp",
            "bw ",
        ),
        _argument,
        (
            "net user bob hunter22 /add",
            "ConvertTo-SecureString 'Zq9plum!' -AsPlainText -Force",
            "smbclient //fs/share -U bob%hunter22",
            "sqlplus app/hunter22@orcl",
        ),
        ("net use Z: /user:bob *", "ConvertTo-SecureString $pw -AsPlainText", "sqlplus /nolog"),
        group="command line",
    ),
    Rule(
        "password",
        rf"(?i)\b(?:configure\sset|config\sset|configure|set-env|secret\sput|secrets?\sset|secrets?\screate|auth\slogin\s--with-token\s<<<|kv\sput|put-parameter|setx?|ssm\sput-parameter\s{_LINE}--value|config\sset\srequirepass|auth)\s[^\s|;&=]*(?:pass(?:word|phrase|wd)?|secret|token|key|requirepass|auth)[^\s|;&=]{{0,30}}[\s=]{{1,3}}{_ARGUMENT}",
        ("configure", "config", "secret", "with-token", "kv put", "parameter", "set ", "setx", "auth"),
        _likely,
        (
            "aws configure set aws_secret_access_key a7Bk2Zq9Rm4Tx6Yw8Lp3",
            "npm config set //registry.example.com/:_authToken a7Bk2Zq9Rm4T",
            "CONFIG SET requirepass Zq9plum7",
        ),
        ("npm config set token-policy strict", "config set password policy"),
        group="command line",
    ),
)


def _openssl(match: PatternMatch) -> bool:
    before = match.string[max(0, match.start() - 200) : match.start()]
    command = _TAKES_PASS.search(before)
    held = match.group(1)
    return command is not None and match.group(0)[:5].lower() == "pass:" and _plausible(held)
