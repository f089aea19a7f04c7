"""Encoded, split and disguised secrets."""

EVASION = r"""
=== base64 user:password | en
{+the header is just basic auth, the encoded part is+} <<userpw|b64>> {+if you want to replay it+}
=== base64 user:password no padding | en
{+stored in the cookie "remember":+} <<userpw|b64nopad>> {+(it is only encoded, not encrypted)+}
=== base64 key=value | en
{+user-data of the instance decodes to one line:+}
<<kv:MYSQL_ROOT_PASSWORD|b64>>
{+and cloud-init sources it+}
=== base64 github token | en
kubectl get secret {+git-sync+} -o yaml
data:
  token: <<fmt:ghp_{A36}|b64>>
{+type: Opaque+}
=== base64 stripe key | en
{+The legacy plugin keeps its key encoded in wp_options:+} "<<fmt:sk_live_51{A97}|b64>>" {+autoload=yes+}
=== base64 lines | en
{+$ base64 -w32 cred.txt+}
<<kv:ADMIN_PASSWORD|b64lines>>
{+$ exit+}
=== base64 twice | en
{+They thought encoding it twice makes it safe:+} <<userpw|b64twice>>
=== base64 aws secret | en
echo <<fmt:aws_secret_access_key={B40}|b64>> | base64 -d {+>> ~/.aws/credentials+}
=== powershell encoded | en
{+[Text.Encoding]::UTF8.GetString+}([Convert]::FromBase64String("<<kv:password|b64>>"))
=== hex token | en
{+xxd -r -p <<<+} <<fmt:glpat-{b20}|hex>> {+> token.txt+}
=== hex key=value | en
{+The dongle config blob is hex:+} <<kv:password|hex>> {+(checksum ok)+}
=== hex escapes in code | en
char {+host+}[] = "db01";
char pass[] = "<<fmt:{A18}|hexescape>>";
=== unicode escapes in json | en
{"{+user+}": "robot", "password": "<<fmt:{A14}|uescape>>", "{+tls+}": true}
=== url-encoded key=value | en
{+beacon:+} /collect?v=1&cfg=<<fmt:password={A8}!{A6}#{d2}|url>>&{+sr=1920x1080+}
=== url-encoded all | en
GET {+/login.php+}?user=admin&pass=<<fmt:{A14}|urlall>> HTTP/1.1
=== url-encoded twice | en
{+redirect chain:+} /sso?next=<<fmt:https://app.example.com/cb?token={A32}|urltwice>>
=== url-encoded email | en
{+open rate:+} /px.gif?r=<<mail|url>>&{+campaign=spring+}
=== html entities token | en
<td>{+deploy token+}</td><td><<fmt:glpat-{b20}|ent>></td>
=== html entities hex | en
<p>{+Key for the map widget:+} <<fmt:AIza{b35}|enthex>></p>
=== html entities signs | en
<li>{+Password of the guest account:+} <<fmt:Wv{A5}&{A4}!%{A3}|entsome>></li>
=== html entities email | en
<a href="#">{+write to+} <<mail|entsome>></a> {+for the press kit+}
=== zero width token | en
{+The token from the PDF manual is+} <<fmt:ghp_{A36}|zwsp>> {+(copy it carefully)+}
=== zero width non-joiner | en
{+slack export, message 4412:+} xoxb is <<fmt:xoxb-{d12}-{d13}-{A24}|zwnj>> {+thanks!+}
=== word joiner | en
{+from the wiki page "Payments":+} <<fmt:sk_live_51{A40}|wordjoin>> {+live mode+}
=== byte order mark inside | en
{+CSV cell A7:+} <<fmt:AIza{b35}|bom>> {+(imported twice)+}
=== soft hyphen token | en
{+The newsletter tool hyphenated it:+} <<fmt:SG.{b22}.{b43}|shy>> {+but it still works+}
=== soft hyphen entity | en
<p>{+API key:+} <<fmt:sk-ant-api03-{b93}AA|shyent>></p>
=== zero width entity | en
<code>{+token+} <<fmt:npm_{A36}|zwspent>></code>
=== wbr tags | en
<dd>{+Personal access token+} <<fmt:github_pat_{A22}_{A59}|wbr>></dd>
=== zero width card | en
{+From the chat widget:+} card <<card:visa,none|zwone>> {+please charge it+}
=== zero width iban | de
{+Aus dem PDF kopiert:+} IBAN <<iban:DE,none|zwsp>> {+(Gehaltskonto)+}
=== full width token | ja
{+トークンは全角で貼られていました:+}<<fmt:ghp_{A36}|full>> {+半角に直してください。+}
=== full width password | ja
{+管理画面の+}パスワードは <<fmt:{A12}|full>> {+です。+}
=== full width card | ja
{+申込書の記載:+}カード番号 <<card:visa,dash|fulldigits>> {+名義 ヤマダ+}
=== full width phone | ja
{+緊急連絡先:+}<<tel:jp|fulldigits>>({+携帯+})
=== full width id | zh
{+扫描件识别结果:+}身份证号 <<cnid|full>>,{+请核对。+}
=== monospace letters | en
{+posted with fancy unicode:+} the key is <<fmt:sk_live_51{A32}|mono>> {+lol+}
=== markdown bold prefix | en
{+All our tokens start with the bold part:+} <<fmt:ghp_{A36}|boldfirst>> {+so grep for it+}
=== markdown bold inside | en
{+highlighted by the search:+} <<fmt:dop_v1_{h64}|bold>> {+3 results+}
=== markdown backtick inside | en
{+formatting slipped:+} `token <<fmt:hf_{a34}|tick>> {+sorry about that+}
=== markdown escapes | en
{+exported from the wiki:+} <<fmt:github_pat_{A22}_{A59}|mdescape>> {+(read only)+}
=== markdown table cell | en
| {+Name+} | Value |
|:--|--:|
| {+bot+} | `<<fmt:xapp-1-A0{u9}-{d13}-{h64}>>` |
| pin of the \| door | <<pin:8>> |
=== html bold half | en
<b><<fmt:glpat-{b20}|html>> {+expires in June+}
=== ansi colour | en
config.yml:14:  token: <<fmt:npm_{A36}|ansi>>
{+grep found 1 match+}
=== line break in token | en
{+The terminal wrapped it, so join both lines:+}
<<fmt:sk-proj-{b74}T3BlbkFJ{b74}|br>>
{+no space in between+}
=== line break indent | en
{+yaml folds long values:+}
  key: >-
    <<fmt:SG.{b22}.{b43}|brspace>>
=== line break quoted mail | en
> {+the new key is+}
> <<fmt:dp.st.prd.{A43}|brquote>>
{+received, thanks+}
=== line break crlf | en
{+fax-to-mail gateway:+}
<<fmt:xkeysib-{h64}-{A16}|brcrlf>>
{+end of page+}
=== shell continuation | en
export {+REGION=eu+}
export TOKEN=<<fmt:hvs.{b92}|brshell>>
=== quoted printable | en
Content-Transfer-Encoding: {+quoted-printable+}

Your API key is <<fmt:sk_live_51{A97}|qp>>
{+Keep it safe.=20+}
=== string concatenation | en
const t = "<<fmt:ghp_{A36}|concat>>"; // {+fool the scanner+}
=== implicit concatenation | en
TOKEN = (
    "<<fmt:xoxb-{d12}-{d13}-{A24}|concatpy>>"
)  # {+noqa: S105+}
=== shell quote inside | en
curl {+-s+} -H 'Private-Token: <<fmt:glpat-{b20}|concatsh>>' https://gitlab.example.com/api/v4/user
=== json in json | en
{"{+event+}":"cfg","payload":"{\"db\":{\"user\":\"app\",\"password\":\"<<fmt:{A18}>>\"},\"{+revision+}\":2}"}
=== json in json in log | en
msg="{\\\"{+action+}\\\":\\\"login\\\",\\\"password\\\":\\\"<<fmt:{A16}>>\\\"}" {+level=debug+}
=== docker inspect args | en
"{+Cmd+}": ["sh", "-c", "export API_TOKEN=\"<<fmt:{A40}>>\"; {+exec node app.js+}"]
=== non-breaking hyphen ssn | en
{+The Word form prints the SSN as+} <<ssn|hyphen>> {+with fancy hyphens.+}
=== en dash phone | en
{+Her direct line:+} mobile <<fmt:212-555-01{d2}|endash>> {+(pasted from Word)+}
=== space inside token | en
{+OCR of the screenshot:+} token: <<fmt:ghp_{A36}|space>> {+confidence 0.93+}
=== jwt in base64 | en
{+The state parameter decodes to another token:+} <<jwt:es|b64>>
=== connection string in base64 | en
ConnectionStrings__Main: <<fmt:Server=sql01;User Id=app;Password={A16};|b64>> {+# decoded at start+}
"""
