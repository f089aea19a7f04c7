"""Tokens in URLs and secrets on command lines."""

URL_TOKEN = r"""
=== reset link | en
{+Hi Lucy, use this link within 24 hours:+} https://app.example.com/reset-password?token=<<fmt:{b43}>>
=== reset link path | en
{+Click here to choose a new password+} https://accounts.example.com/password/reset/<<fmt:{h64}>>?{+lang=en+}
=== invitation | en
{+You have been invited to the workspace:+} https://app.example.com/invite?code=<<fmt:{A32}>>&{+team=sales+}
=== magic link | en
{+One-click sign in:+} https://app.example.com/magic?{+next=%2Fhome+}&login_token=<<fmt:{b40}>>
=== slack webhook | en
curl -X POST {+-d '{"text":"deploy done"}'+} https://hooks.slack.com/services/<<fmt:T0{u9}/B0{u9}/{A24}>>
=== discord webhook | en
{+alerts go to+} https://discord.com/api/webhooks/<~fmt:11{d17}~>/<<fmt:{b68}>> {+since May+}
=== teams webhook | en
{+TEAMS_CHANNEL=ops+}
TEAMS_WEBHOOK=https://example.webhook.office.com/webhookb2/<<fmt:{g}(AT){g}/IncomingWebhook/{h32}/{g}>>
=== google chat webhook | en
https://chat.googleapis.com/v1/spaces/AAAAxY/messages?key=<<fmt:AIza{b35}>>&token=<<fmt:{b43}>> {+posts to the ~+
release room+}
=== maps key | en
<script {+async+} src="https://maps.googleapis.com/maps/api/js?key=<<fmt:AIza{b35}>>&{+libraries=places+}"></script>
=== s3 presigned | en
{+The export is here for one hour:+} ~+
https://exports.s3.eu-west-1.amazonaws.com/2026/01.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&~+
X-Amz-Date=20260120T101112Z&{+X-Amz-Expires=3600+}&X-Amz-Signature=<<fmt:{h64}>>
=== gcs signed | en
https://storage.googleapis.com/{+example-reports/q4.pdf+}?GoogleAccessId=robot&Expires=1769000000&~+
Signature=<<fmt:{A80}%2B{A60}%3D%3D>>
=== azure sas | en
{+azcopy copy ./dump+} "https://examplefiles.blob.core.windows.net/dumps?sv=2023-11-03&sr=c&sp=rwl&~+
se=2026-03-01T00:00:00Z&~+
sig=<<fmt:{A40}%2B{A2}%3D>>"
=== cloudfront signed | en
https://d111111abcdef8.cloudfront.net/{+video.m3u8+}?Expires=1769000000&Signature=<<fmt:{b120}~{b40}__>>&~+
Key-Pair-Id=K2JCJMDEHXQW5F
=== api_key query | en
GET /v2/weather?city=Porto&api_key=<<fmt:{h32}>>&{+units=metric+} 200 41ms
=== access_token fragment | en
{+The SPA leaks it in the referrer:+} https://app.example.com/#access_token=<<fmt:{b60}>>&{+expires_in=3600+}
=== oauth code and secret | en
POST https://id.example.com/token?{+grant_type=client_credentials+}&client_id=portal&client_secret=<<fmt:{A40}>>
=== private ical | en
{+Subscribe to the on-call calendar:+} https://calendar.example.com/ical/<<fmt:private-{h32}>>/basic.ics
=== gitlab rss | en
https://gitlab.example.com/{+dashboard/projects.atom+}?feed_token=<<fmt:glft-{b20}>>
=== jenkins trigger | en
{+Nightly is started by+} https://ci.example.com/job/nightly/build?token=<<fmt:{A24}>>&{+cause=cron+}
=== grafana share | en
https://grafana.example.com/d/abc/{+latency+}?orgId=1&auth_token=<<jwt:es>>
=== zapier hook | en
{+New leads are pushed to+} https://hooks.zapier.com/hooks/catch/<<fmt:1{d6}/{l7}>>/ {+by the web form+}
=== unsubscribe user key | en
{+log:+} 10.20.1.9 - - [21/Jan/2026:07:41:10 +0000] "GET /verify?uid=88&key=<<fmt:{h40}>> HTTP/1.1" {+302 0+}
=== password in query | en
{+seen in the proxy log+}: GET https://legacy.example.com/login?user=tom&password=<<pwsafe>>&{+submit=Login+}
=== sharepoint guest link | de
{+Die Gehaltsliste liegt hier, Link mit Zugriff:+} https://files.example.de/s/x?auth=<<fmt:{A40}>> {+(bis Freitag)+}
=== one-time secret link | fr
{+Lien d'activation du compte :+} https://portail.example.fr/activer?jeton=abc&token=<<fmt:{b40}>> {+valable 48 h+}
=== feishu bot | zh
{+机器人地址+} https://open.feishu.cn/open-apis/bot/v2/hook/<<uuid>> {+只发报警+}
=== reset link | ja
{+パスワード再設定はこちら:+} https://app.example.jp/reset?token=<<fmt:{b40}>> {+(24時間有効)+}
=== zoom meeting pwd | en
{+Board call:+} https://example.zoom.us/j/85512340077?pwd=<<fmt:{A32}.1>> {+(dial-in on request)+}
"""

COMMAND = r"""
=== curl -u | en
curl -u <~login~>:<<pwsafe>> {+-O https://files.example.com/exports/latest.zip+}
=== curl --user quoted | en
curl {+--silent+} --user '<~login~>:<<pwrand>>' https://jira.example.com/rest/api/2/{+myself+}
=== curl -d form | en
curl {+-c jar.txt+} -d 'username=admin&password=<<pwsafe>>' https://wiki.example.com/{+dologin+}
=== curl json body | en
curl -XPOST https://id.example.com/{+sessions+} -d '{"login":"<~login~>","password":"<<pwrand>>"}'
=== mysql -p | en
mysql -h 10.20.3.3 -u root -p<<pwsafe>> {+-e 'SHOW PROCESSLIST'+}
=== mysqldump | en
mysqldump --user=backup --password=<<pwsafe>> {+--single-transaction shop+} | gzip > shop.sql.gz
=== mysql -p quoted | en
mysql -u shop -p'<<pwrand>>' {+shop < schema.sql+}
=== psql PGPASSWORD | en
PGPASSWORD=<<pwsafe>> psql -h db.internal.example -U app {+-c 'select count(*) from invoices'+}
=== psql url | en
psql "postgresql://etl:<<pwsafe>>@pg-main.internal.example/dwh" {+-f load.sql+}
=== sshpass | en
sshpass -p '<<pwrand>>' ssh {+-o StrictHostKeyChecking=no+} admin@10.20.9.2 {+uptime+}
=== sshpass no quotes | en
sshpass -p<<pwsafe>> scp {+report.pdf+} upload@files.example.net:{+/inbound/+}
=== docker login | en
docker login registry.example.com -u ci -p <<fmt:{A32}>>
{+Login Succeeded+}
=== docker login stdin | en
echo "<<fmt:dckr_pat_{b27}>>" | docker login -u examplebot {+--password-stdin+}
=== helm registry | en
helm registry login {+registry.example.com+} --username robot --password <<pwsafe>>
=== helm set | en
helm upgrade {+--install crm ./chart+} --set db.password=<<pwsafe>> --set {+replicas=3+}
=== kubectl create secret | en
kubectl create secret generic {+crm-db+} --from-literal=username=crm --from-literal=password='<<pwrand>>'
=== kubectl docker-registry | en
kubectl create secret docker-registry {+regcred+} --docker-username=ci --docker-password=<<pwsafe>> {+-n build+}
=== kubectl token | en
kubectl {+--server=https://10.20.0.5:6443+} --token=<<jwt:rs>> get pods
=== ldapsearch | en
ldapsearch -x -H ldap://ldap1.corp.example -D "cn=reader,dc=example,dc=com" -w <<pwsafe>> {+-b "ou=people" ~+
"(uid=tom)"+}
=== openssl pass | en
openssl pkcs12 -export {+-in site.crt -inkey site.key+} -out site.p12 -passout pass:<<pwsafe>>
=== openssl enc | en
openssl enc -d -aes-256-cbc -pbkdf2 -pass pass:'<<pwrand>>' {+-in dump.enc -out dump.sql+}
=== htpasswd | en
htpasswd -bc {+/etc/nginx/.htpasswd+} monitor <<pwsafe>>
=== redis-cli | en
redis-cli -h cache.internal.example -a <<fmt:{A32}>> {+--no-auth-warning info memory+}
=== redis AUTH | en
127.0.0.1:6379> AUTH default <<pwsafe>>
OK
127.0.0.1:6379> {+DBSIZE+}
=== mongosh | en
mongosh {+"mongodb://mongo1.example.net/crm"+} -u admin -p <<pwsafe>> {+--authenticationDatabase admin+}
=== sqlcmd | en
sqlcmd -S sql01.corp.example -U sa -P '<<pwrand>>' {+-Q "SELECT @@VERSION"+}
=== bcp | en
bcp hr.dbo.staff out {+staff.csv+} -S SQL02 -U reader -P <<pwsafe>> {+-c -t,+}
=== az login | en
az login --service-principal -u <~uuid~> -p <<fmt:{A3}8Q~{b34}>> {+--tenant example.onmicrosoft.com+}
=== aws configure set | en
aws configure set aws_secret_access_key <<fmt:{B40}>> {+--profile prod+}
=== gh auth | en
echo <<fmt:ghp_{A36}>> | gh auth login {+--with-token --hostname github.com+}
=== net use | en
net use Z: \\nas01\{+projects+} /user:CORP\scanner <<pwword>> {+/persistent:yes+}
=== net user | en
C:\> net user kiosk <<pwword>> /add
{+The command completed successfully.+}
=== smbclient | en
smbclient //nas01/{+scans+} -U 'scanner%<<pwsafe>>' {+-c 'ls'+}
=== mount cifs | en
mount -t cifs //nas01/backup {+/mnt/backup+} -o username=backup,password=<<pwsafe>>,{+vers=3.0+}
=== ftp lftp | en
lftp -u supplier,<<pwsafe>> ftp.example.com {+-e "mirror /outgoing; quit"+}
=== rsync password | en
RSYNC_PASSWORD=<<pwsafe>> rsync {+-avz+} backup@10.20.8.8::{+archive /srv/archive+}
=== zip password | en
7z a -p<<pwsafe>> {+-mhe=on+} payroll-2026-01.7z {+payroll/*.pdf+}
=== unzip | en
unzip -P <<pwsafe>> {+contracts.zip -d /tmp/contracts+}
=== ansible extra vars | en
ansible-playbook site.yml {+-i prod+} -e "ansible_become_pass=<<pwsafe>> {+serial=2+}"
=== chpasswd | en
echo 'deploy:<<pwrand>>' | sudo chpasswd {+&& echo done+}
=== useradd mkpasswd | en
$ {+sudo adduser scanner+}
$ echo "<<pwword>>" | sudo passwd --stdin scanner
{+passwd: all authentication tokens updated successfully.+}
=== xfreerdp | en
xfreerdp /v:10.20.5.5 /u:support /p:'<<pwword>>' {+/size:1600x900+}
=== keytool | en
keytool -importkeystore {+-srckeystore old.jks+} -srcstorepass <<pwsafe>> -deststorepass <<pwsafe>>
=== vault kv put | en
vault kv put {+secret/crm/db+} username=crm password=<<pwsafe>>
=== rabbitmqctl | en
rabbitmqctl change_password events <<pwsafe>>
{+Changing password for user "events" ...+}
=== snowsql | en
SNOWSQL_PWD='<<pwrand>>' snowsql -a xy12345 -u LOADER {+-q "select current_date"+}
=== wget | en
wget --user=press --password='<<pwrand>>' https://media.example.com/{+logo-pack.zip+}
=== git config | en
git config {+--global+} http.https://git.example.com.extraheader "PRIVATE-TOKEN: <<fmt:glpat-{b20}>>"
=== terraform var | en
terraform apply {+-auto-approve+} -var 'db_password=<<pwrand>>' -var {+'region=eu-west-1'+}
=== powershell securestring | en
$p = ConvertTo-SecureString "<<pwword>>" -AsPlainText -Force
{+New-LocalUser -Name "kiosk"+} -Password $p
=== cmdkey | de
{+Auf dem Terminalserver einmal ausführen:+}
cmdkey /add:files.example.de /user:CORP\lager /pass:<<pwword>>
{+danach neu anmelden+}
=== chat | ru
{+Бэкап запускается так:+} mysqldump -u backup -p<<pwsafe>> crm > crm.sql {+каждую ночь в три+}
=== runbook | fr
{+En cas de panne :+} redis-cli -a '<<pwsafe>>' FLUSHDB {+puis relancer le service+}
"""
