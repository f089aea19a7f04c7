"""Credentials on command lines."""

from tests.masking.operations.template import Row

ROWS: tuple[Row, ...] = (
    (
        "curl -u",
        "en",
        """
$ curl -s -u {u}:{!pws} https://nexus.example.com/service/rest/v1/repositories | jq length
14""",
        "https://nexus.example.com/service/rest/v1/repositories|jq length",
    ),
    (
        "curl --user quoted",
        "en",
        "curl --user 'admin:{!pwr}' -X POST https://{fq}:9200/_cluster/reroute?retry_failed=true",
        "-X POST",
    ),
    (
        "curl --proxy-user",
        "de",
        "Hinter dem Proxy geht es mit curl -x proxy.example.de:3128 --proxy-user {u}:{!pws} -I https://example.org",
        "Hinter dem Proxy geht es mit",
    ),
    (
        "curl -d form",
        "en",
        (
            "curl -X POST https://id.example.com/token -d grant_type=password -d username=loadtest -d "
            "password={!pws} -d scope=read"
        ),
        "grant_type=password|scope=read",
    ),
    (
        "curl json body",
        "en",
        (
            "\n"
            "curl -H 'Content-Type: application/json' https://app.example.com/api/login -d "
            '\'{"username":"smoketest","password":"{!pwr}"}\''
        ),
        "application/json|smoketest",
    ),
    ("mysql -p", "en", "mysql -h {fq} -u {u} -p{!pws} {db} < /srv/patches/2024-03.sql", "/srv/patches/2024-03.sql"),
    (
        "mysqldump --password",
        "en",
        "mysqldump --single-transaction --user={u} --password='{!pwr}' {db} | gzip > /backup/{db}.sql.gz",
        "--single-transaction|gzip",
    ),
    (
        "mysqladmin",
        "fr",
        "Pour vérifier la réplication : mysqladmin -uroot -p'{!pwr}' extended-status | grep Threads",
        "Pour vérifier la réplication|grep Threads",
    ),
    (
        "sshpass",
        "en",
        "sshpass -p {!pws} ssh -o StrictHostKeyChecking=no root@{ip} 'df -h /'",
        "StrictHostKeyChecking=no|df -h /",
    ),
    (
        "sshpass rsync",
        "pl",
        "sshpass -p '{!pwr}' rsync -avz /srv/www/ {u}@{ip}:/srv/www/  # potem restart nginx",
        "rsync -avz|potem restart nginx",
    ),
    ("SSHPASS env", "en", "SSHPASS={!pws} sshpass -e scp backup.tgz {u}@{fq}:/data/", "backup.tgz"),
    (
        "PGPASSWORD",
        "en",
        """
$ PGPASSWORD={!pws} psql -h {fq} -U {u} -d {db} -c 'select count(*) from orders'
 count
-------
 88121""",
        "select count(*) from orders|88121",
    ),
    (
        "PGPASSWORD quoted export",
        "es",
        "export PGPASSWORD='{!pwr}'; pg_dump -Fc -h {fq} -U {u} {db} > /respaldos/{db}.dump  # tarda 20 minutos",
        "tarda 20 minutos",
    ),
    ("psql uri", "en", 'psql "postgresql://{u}:{!pws}@{fq}/{db}" -f migrate.sql', "migrate.sql"),
    (
        "docker login",
        "en",
        "docker login registry.example.com -u ci-robot -p {!an32} && docker push registry.example.com/{svc}:{ver}",
        "docker push",
    ),
    (
        "docker login stdin",
        "en",
        "echo '{!pwr}' | docker login --username oakford --password-stdin registry.example.com",
        "registry.example.com",
    ),
    (
        "docker run -e",
        "en",
        "docker run -d --name pg -e POSTGRES_PASSWORD={!pws} -p 5432:5432 postgres:16-alpine",
        "-p 5432:5432 postgres:16-alpine",
    ),
    (
        "podman secret",
        "en",
        "printf '{!pws}' | podman secret create ledger_db_pass - && podman secret ls",
        "podman secret ls",
    ),
    (
        "ldapsearch -w",
        "en",
        (
            "\n"
            "ldapsearch -x -H ldaps://{fq} -D \"cn=svc-ldap,ou=service,dc=example,dc=com\" -w '{!pwr}' -b "
            '"dc=example,dc=com" "(uid=*)"'
        ),
        "ou=service,dc=example,dc=com",
    ),
    (
        "ldapmodify",
        "it",
        "ldapmodify -x -D cn=admin,dc=example,dc=it -w {!pws} -f gruppo.ldif  # aggiunge il gruppo reperibilità",
        "aggiunge il gruppo reperibilità",
    ),
    (
        "openssl pass:",
        "en",
        "openssl pkcs12 -export -in tls.crt -inkey tls.key -out store.p12 -passout pass:{!pws} -name app",
        "-name app",
    ),
    (
        "openssl enc -k",
        "en",
        "openssl enc -d -aes-256-cbc -pbkdf2 -in dump.enc -out dump.sql -k '{!pwr}'",
        "-out dump.sql",
    ),
    (
        "keytool",
        "en",
        (
            "keytool -importkeystore -srckeystore a.jks -destkeystore b.jks -srcstorepass {!pws} -deststorepass "
            "{!pws#1} -noprompt"
        ),
        "-noprompt",
    ),
    (
        "htpasswd -b",
        "en",
        "htpasswd -bB /etc/nginx/.htpasswd monitoring {!pws} && systemctl reload nginx",
        "systemctl reload nginx",
    ),
    (
        "redis-cli -a",
        "en",
        """
redis-cli -h {fq} -p 6379 -a {!an24} --no-auth-warning info replication
role:master""",
        "info replication|role:master",
    ),
    (
        "redis auth prompt",
        "en",
        """
127.0.0.1:6379> AUTH {!pws}
OK
127.0.0.1:6379> DBSIZE
(integer) 51880""",
        "(integer) 51880",
    ),
)
