"""Vendor tokens: clouds."""

from tests.masking.operations.template import Row

ROWS: tuple[Row, ...] = (
    (
        "aws / credentials file",
        "en",
        """
Found this in ~deploy/.aws/credentials on {h}, looks like a long-lived key:

[prod-backup]
aws_access_key_id = {!akia}
aws_secret_access_key = {!awssec}
region = eu-central-1

Please rotate.""",
        "Found this in|eu-central-1|Please rotate.",
    ),
    (
        "aws / env export",
        "en",
        """
ok try these, they are valid for 1h (assumed role):
export AWS_ACCESS_KEY_ID={!asia}
export AWS_SECRET_ACCESS_KEY={!awssec}
export AWS_SESSION_TOKEN={!awssess}
aws s3 ls s3://acme-prod-logs/ --recursive | tail""",
        "ok try these|aws s3 ls s3://acme-prod-logs/",
    ),
    (
        "aws / csv download",
        "de",
        """
Anbei die Datei aus der Konsole, bitte danach löschen:
User name,Access key ID,Secret access key
svc-export,{!akia},{!awssec}
Region ist Frankfurt.""",
        "Anbei die Datei aus der Konsole|Region ist Frankfurt.",
    ),
    (
        "aws / boto3 code",
        "en",
        """
```python
s3 = boto3.client(
    "s3",
    aws_access_key_id="{!akia}",
    aws_secret_access_key="{!awssec}",
)
s3.upload_file("dump.sql.gz", "acme-backups", "2024/dump.sql.gz")
```
why do I get AccessDenied here?""",
        "s3.upload_file|why do I get AccessDenied here?",
    ),
    (
        "aws / terraform provider",
        "fr",
        """
Dans `main.tf` il reste encore les clés en dur :
provider "aws" {
  region     = "eu-west-3"
  access_key = "{!akia}"
  secret_key = "{!awssec}"
}
À déplacer dans le coffre avant vendredi.""",
        "il reste encore|À déplacer dans le coffre avant vendredi.",
    ),
    (
        "aws / chat prose",
        "pt",
        """
Bom dia! A chave do bucket de relatórios é {!akia} e o segredo é {!awssec} , testa aí e me fala se deu certo.""",
        "Bom dia!|testa aí e me fala",
    ),
    (
        "google api key / url in log",
        "en",
        """
{ts} WARN geocoder - GET https://maps.googleapis.com/maps/api/geocode/json?address=Oak+Street+12&key={!aiza} -> 403
{ts} WARN geocoder - REQUEST_DENIED, falling back to cache""",
        "WARN geocoder|REQUEST_DENIED, falling back to cache",
    ),
    (
        "google api key / node code",
        "en",
        """
const { Translate } = require("@google-cloud/translate").v2;
const client = new Translate({ projectId: "acme-field-app", key: "{!aiza}" });
const [out] = await client.translate(subject, "de");""",
        "acme-field-app|await client.translate",
    ),
    (
        "google oauth / client_secret.json",
        "en",
        """
{"installed":{"client_id":"1084-abc.apps.googleusercontent.com","project_id":"sheets-sync","client_secret":"{!gocspx}",
"redirect_uris":["http://localhost"]}}""",
        "sheets-sync|redirect_uris",
    ),
    (
        "google oauth / gcloud output",
        "pl",
        """
$ gcloud auth print-access-token
{!ya29}
Token działa u mnie, ale z runnera dostaję 401. Ktoś pomoże?""",
        "gcloud auth print-access-token|Ktoś pomoże?",
    ),
    (
        "azure ad / app registration table",
        "en",
        """
| Setting | Value |
|---|---|
| Tenant | {uuid} |
| Client ID | {uuid#1} |
| Client secret | {!azsec} |
| Expires | 2026-01-31 |""",
        "Setting|Expires|2026-01-31",
    ),
    (
        "azure ad / az login",
        "en",
        """
Pipeline step that fails:
az login --service-principal -u {uuid} -p {!azsec} --tenant {uuid#1}
ERROR: AADSTS7000215: Invalid client secret provided.""",
        "Pipeline step that fails|AADSTS7000215",
    ),
    (
        "azure devops / git clone",
        "en",
        """
you can clone w/o the credential helper:
git clone https://build:{!azdo}@dev.azure.com/oakford/platform/_git/ledger
then `make bootstrap`""",
        "you can clone w/o the credential helper|make bootstrap",
    ),
    (
        "azure functions / curl",
        "nl",
        """
Even testen met: curl -s "https://oakford-fn.azurewebsites.net/api/ReprocessOrders" -H "x-functions-key: {!azfn}"
Geeft bij mij een 202 terug.""",
        "Even testen met|Geeft bij mij een 202 terug.",
    ),
    (
        "digitalocean / doctl",
        "en",
        """
doctl auth init --context staging -t {!dop}
Validating token... OK
Then: doctl kubernetes cluster kubeconfig save k8s-stg""",
        "doctl auth init|kubeconfig save k8s-stg",
    ),
    (
        "digitalocean / oauth log",
        "en",
        (
            "\n"
            '[{ts}] level=debug msg="oauth exchange" provider=digitalocean access_token={!doo} expires_in=2592000 '
            'scope="read write"'
        ),
        "oauth exchange|expires_in=2592000",
    ),
    (
        "alibaba / properties",
        "zh",
        """
测试环境的 OSS 配置如下，不要提交到 git：
aliyun.oss.endpoint=oss-cn-hangzhou.aliyuncs.com
aliyun.oss.accessKeyId={!ltai}
aliyun.oss.accessKeySecret={!alisec}""",
        "测试环境的|oss-cn-hangzhou.aliyuncs.com",
    ),
    (
        "tencent cloud / go code",
        "zh",
        """
credential := common.NewCredential("{!akid}", "{!an32}")
client, _ := cvm.NewClient(credential, "ap-guangzhou", profile.NewClientProfile())
// 报错 AuthFailure.SignatureFailure，谁能看一下？""",
        "ap-guangzhou|谁能看一下？",
    ),
    (
        "yandex cloud / header",
        "ru",
        """
Проверил руками, ответ 200:
curl -H "Authorization: Api-Key {!ycapi}" https://stt.api.cloud.yandex.net/speech/v1/stt:recognize --data-binary @a.ogg
В подах тот же ключ не работает.""",
        "Проверил руками|В подах тот же ключ не работает.",
    ),
    (
        "scaleway / env file",
        "fr",
        """
# .env.local
SCW_DEFAULT_PROJECT_ID={uuid}
SCW_SECRET_KEY={!scwsec}
SCW_DEFAULT_REGION=fr-par""",
        "SCW_DEFAULT_REGION=fr-par",
    ),
    (
        "heroku / netrc",
        "en",
        """
My ~/.netrc, in case someone wonders what the CLI writes:
machine api.heroku.com
  login ops
  password {!heroku}
machine git.heroku.com
  login ops
  password {!heroku}""",
        "in case someone wonders|machine api.heroku.com",
    ),
)
