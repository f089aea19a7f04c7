"""URLs with credentials, and US social security numbers."""

BASIC_URL = r"""
=== git remote | en
{+git clone+} https://<~login~>:<<pwsafe>>@git.example.com/{+tools/reporting.git+}
=== curl | en
curl -fsSL https://<~login~>:<<pwsafe>>@files.example.com/exports/2026-01.csv {+-o january.csv+}
=== pip index | en
pip install {+--no-deps+} https://reader:<<pwsafe>>@packages.example.com/{+example-billing.tar.gz+}
=== pip.conf | en
[{+global+}]
proxy = https://build:<<pwsafe>>@proxy.example.com:3128
{+timeout = 60+}
=== env proxy | en
export HTTPS_PROXY=http://<~login~>:<<pwsafe>>@proxy.corp.example:3128
export {+NO_PROXY=localhost,127.0.0.1+}
=== ftp | en
{+The supplier drops the price list at+} ftp://lieferant:<<pwsafe>>@ftp.example.com/{+outgoing/prices.xml+}
=== sftp | en
sftp://<~login~>:<<pwsafe>>@10.20.4.17:22/{+inbound+}
{+fingerprint accepted on first use+}
=== postgres url | en
DATABASE_URL=postgres://app:<<pwsafe>>@<~host~>:5432/billing?{+sslmode=require+}
=== postgresql percent | en
{+SQLALCHEMY_ECHO=false+}
SQLALCHEMY_DATABASE_URI=postgresql+psycopg2://app:<<fmt:p%40{A7}%23{A6}>>@db:5432/crm
=== mysql url | en
{+Doctrine DSN:+} mysql://shop:<<pwsafe>>@mysql.internal.example:3306/shop?{+serverVersion=8.0+}
=== redis no user | en
{+celery -A app worker+} -b redis://:<<pwsafe>>@cache.internal.example:6379/0 {+-l info+}
=== amqp | en
{+pika.exceptions.ProbableAuthenticationError+} while connecting to ~+
amqp://orders:<<pwsafe>>@mq.staging.example.com:5672/{+orders+}
=== mongodb srv | en
mongodb+srv://reporting:<<pwsafe>>@cluster0.example.net/{+analytics+}?retryWrites=true&w=majority
=== smtp | en
{+MAILER_DSN+}=smtp://newsletter:<<pwsafe>>@smtp.example.com:587
=== ldap | en
{+auth backend+}: ldap://reader:<<pwsafe>>@ldap1.corp.example:389/{+ou=people+}
=== elastic | en
curl -k "https://elastic:<<pwsafe>>@es01.example.net:9200/_cluster/health?{+pretty+}"
=== camera rtsp | en
{+Reception camera:+} rtsp://viewer:<<pwsafe>>@192.168.7.40:554/{+Streaming/Channels/101+}
=== webdav markdown | en
{+Upload area:+} [partner share](https://partner:<<pwsafe>>@dav.example.com/{+drop/+}) - {+ask before deleting files+}
=== log nginx | en
2026/01/22 04:11:08 [error] 71#71: *{+1882 upstream timed out+}, upstream: ~+
"http://svc:<<pwsafe>>@10.20.3.9:9000/{+rpc+}"
=== python exception | en
requests.exceptions.ConnectionError: {+Failed to establish a new connection+}: ~+
https://robot:<<pwsafe>>@wiki.example.com/{+rest/api+}
=== docker compose | en
environment:
  BROKER_URL: "amqps://worker:<<pwsafe>>@mq:5671/%2f"
  {+CONCURRENCY: "8"+}
=== npm registry | en
npm config set registry https://ci:<<pwsafe>>@npm.example.com/{+repository/internal/+}
=== svn | de
{+Zum Auschecken:+} svn co https://gast:<<pwsafe>>@svn.example.org/{+handbuch/trunk+} {+und danach bauen.+}
=== intranet | fr
{+Le tableau de bord est ici :+} http://direction:<<pwsafe>>@intranet.example.fr:8080/{+rapports+}
=== chat | es
{+Podéis bajar los informes de+} https://informes:<<pwsafe>>@datos.example.es/{+mensual/+} {+sin VPN.+}
=== chat | pl
{+Kamera w magazynie:+} http://podglad:<<pwsafe>>@192.168.20.31/{+video.cgi+}
=== chat | zh
{+报表下载地址+} https://report:<<pwsafe>>@bi.example.cn/{+export/daily+} {+每天八点更新+}
"""

SSN = r"""
=== hr form | en
{+Employee:+} <~name~>
SSN: <<ssn>>
{+Start date: 03/02/2026+}
=== prose | en
{+For the background check+} my social security number is <<ssn>>, {+let me know if you need anything else.+}
=== no separators | en
{+payroll import failed for row 18:+} Social Security Number <<ssn:none>> {+already exists+}
=== spaces | en
{+Per the I-9, the+} SSN of the new hire is <<ssn:space>> {+and he brought his passport.+}
=== table | en
| {+Name+} | SSN | {+Plan+} |
|---|---|---|
| <~name~> | <<ssn>> | {+PPO+} |
| <~name~> | <<ssn>> | {+HMO+} |
=== csv | en
{+employee_id,last_name,ssn,state+}
10442,Castellan,<<ssn>>,{+OR+}
10443,Pritchard,<<ssn>>,NV
=== json | en
{"{+plan+}": "401k", "participant": {"name": "<~name~>", "ssn": "<<ssn>>"}, "{+vested+}": true}
=== xml | en
<employee><{+hireDate+}>2026-01-05</hireDate><taxId type="SSN"><<ssn>></taxId></employee>
=== sql | en
UPDATE {+payroll.person+} SET ssn = '<<ssn>>' WHERE {+employee_no = 10442+};
=== log | en
[2026-01-30 17:20:05] {+WARN w2-export+} - mismatch for ssn=<<ssn>> {+year=2025 box=1+}
=== w-2 | en
{+a Employee's social security number+}  <<ssn>>
b Employer identification number  {+on file+}
1 Wages, tips, other compensation  {+71,240.00+}
=== support chat | en
Customer: {+I can't get into my benefits portal+}
Agent: could you confirm your SSN?
Customer: sure, <<ssn>>
=== mail | en
{+Hi payroll team,+}
there is a typo in my SSN on the paystub, it should read <<ssn>>.
{+Thanks, Lucy+}
=== soc sec abbreviation | en
{+Please add my wife to the dental plan.+} Soc. Sec. # <<ssn>>, {+DOB will follow.+}
=== url encoded form | en
POST /enroll {+step=2+}&first=Owen&ssn=<<ssn>>&{+state=TX+}
=== garnishment | en
{+Re: wage garnishment, case 26-1187.+} Debtor's SSN <<ssn>>. {+Withhold 15 percent.+}
=== yaml | en
{+dependents:+}
  - relation: child
    ssn: "<<ssn>>"
    {+covered: true+}
=== chat | es
{+Para la nómina de Texas+} su número de Seguro Social (SSN) es <<ssn>>, {+lo confirmo con ella mañana.+}
=== jira | en
h3. {+Actual result+}
The page prints the full SSN (<<ssn>>) {+instead of the last four digits.+}
=== ocr scan | en
{+NAME (Last, First)+}: Pritchard, Owen
SOCIAL SECURITY NO. <<ssn>>
{+SIGNATURE ON FILE+}
=== background check api | en
{+response 200+} candidate.ssn "<<ssn:none>>" {+status "clear"+}
"""
