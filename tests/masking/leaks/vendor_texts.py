"""Texts that belong to one vendor."""

BESPOKE = r"""
=== aws / credentials file | en
[{+default+}]
aws_access_key_id = <~fmt:AKIA{S16}~>
aws_secret_access_key = <<fmt:{B40}>>
{+region = eu-west-1+}
=== aws sts / json | en
{
  "Credentials": {
    "AccessKeyId": "<~fmt:ASIA{S16}~>",
    "SecretAccessKey": "<<fmt:{B40}>>",
    "SessionToken": "<<fmt:FwoGZXIvYXdzE{B220}==>>",
    "{+Expiration+}": "2026-02-03T18:20:11Z"
  }
}
=== aws / cli configure | en
$ {+aws configure+}
AWS Access Key ID [None]: <~fmt:AKIA{S16}~>
AWS Secret Access Key [None]: <<fmt:{B40}>>
{+Default region name+} [None]: eu-central-1
=== npm / npmrc | en
{+registry=https://packages.example.com/npm/+}
//packages.example.com/npm/:_authToken=<<fmt:npm_{A36}>>
{+save-exact=true+}
=== npm legacy / npmrc | en
//npm.example.com/repository/internal/:_authToken=<<fmt:NpmToken.{g}>>
{+strict-ssl=true+}
=== pypi / pypirc | en
[distutils]
{+index-servers+} = pypi

[pypi]
username = __token__
password = <<fmt:pypi-AgEIcHlwaS5vcmc{b150}>>
=== docker / config.json | en
{
  "auths": {
    "{+registry.example.com+}": {"auth": "<<userpw|b64>>"}
  },
  "{+credsStore+}": ""
}
=== github / git remote | en
$ git remote -v
origin  https://<<fmt:ghp_{A36}@a>>@github.com/{+acme/billing.git+} (fetch)
origin  https://<<fmt:ghp_{A36}@a>>@github.com/{+acme/billing.git+} (push)
=== github / x-access-token | en
fatal: unable to access 'https://x-access-token:<<fmt:ghs_{A36}>>@github.com/{+acme/site/+}': ~+
{+The requested URL returned error: 403+}
=== gitlab / oauth2 clone | en
{+Cloning into 'infra'...+}
remote: HTTP Basic: Access denied
git clone https://oauth2:<<fmt:glpat-{b20}>>@gitlab.example.com/{+platform/infra.git+}
=== gitlab / routable pat | en
{+The new tokens are longer now+}, e.g. mine is <<fmt:glpat-{b27}.01.{l9}>> and {+the script still accepted it+}
=== gitlab / private-token header | en
curl --header "PRIVATE-TOKEN: <<fmt:glpat-{b20}>>" "https://gitlab.example.com/api/v4/projects/{+42/pipelines+}"
=== telegram / api url | en
{+Alert delivery failed:+} POST https://api.telegram.org/bot<<fmt:6{d9}:AA{b33}>>/sendMessage returned 429, ~+
{+retry after 31+}
=== discord / bot login | en
client.{+once('ready'+}, () => console.log('up'));
client.login('<<fmt:MT{b24}.G{b5}.{b38}>>');
=== slack / rtm log | en
[DEBUG] {+slack_sdk.web+}: Sending a request - url: https://slack.com/api/auth.test, ~+
headers: {'Authorization': 'Bearer <<fmt:xoxb-{d12}-{d13}-{A24}>>', {+'Content-Type'+}: ~+
'application/x-www-form-urlencoded'}
=== slack rotate / json | en
{"ok":true,"access_token":"<<fmt:xoxe.xoxp-1-{A160}>>","refresh_token":"<<fmt:xoxe-1-{A146}>>","{+expires_in+}":43200}
=== stripe / cli login | en
> Your pairing code is: enjoy-enough-outwit-win
> Done! {+The Stripe CLI is configured+} for Example Ltd with key <<fmt:sk_test_51{A97}>>
> {+Please note: this key will expire after 90 days+}
=== stripe / support chat | en
{+Customer says the checkout is broken.+} They pasted their key into the form: <<fmt:sk_live_{A24}>> - ~+
{+please tell them to roll it.+}
=== openai / python client | en
from openai import OpenAI
client = OpenAI(api_key="<<fmt:sk-proj-{b74}T3BlbkFJ{b74}>>")
{+print(client.models.list())+}
=== anthropic / x-api-key | en
curl https://api.anthropic.com/v1/messages \
  -H "x-api-key: <<fmt:sk-ant-api03-{b93}AA>>" \
  -H "{+anthropic-version: 2023-06-01+}"
=== openai / error message | en
openai.AuthenticationError: Error code: 401 - {'error': {'message': '{+Incorrect API key provided+}: ~+
<<fmt:sk-{A20}T3BlbkFJ{A20}>>.', 'type': '{+invalid_request_error+}'}}
=== hugging face / cli | en
!{+huggingface-cli login+} --token <<fmt:hf_{a34}>> --add-to-git-credential
{+Login successful+}
=== twilio / rest url | en
curl -X POST https://api.twilio.com/2010-04-01/Accounts/<~fmt:AC{h32}@a~>/Messages.json \
  -u <~fmt:AC{h32}@a~>:<<fmt:{h32}>> --data-urlencode "{+Body=hello+}"
=== azure storage / key list | en
$ az storage account keys list -n {+examplebackups+} -o table
{+CreationTime+}                      KeyName  Permissions  Value
2025-09-02T08:11:24.100000+00:00  key1     FULL         <<fmt:{B86}==>>
=== azure function / key | en
{+Trigger it manually:+} https://fn-billing.azurewebsites.net/api/close-month?code=<<fmt:{b44}AzFu{b6}==>> ~+
({+takes about four minutes+})
=== gcp / service account json | en
{
  "type": "service_account",
  "{+project_id+}": "example-prod",
  "private_key_id": "<~fmt:{h40}~>",
  "private_key": "<<pem:pkcs8|pemjson>>\n",
  "{+token_uri+}": "https://oauth2.googleapis.com/token"
}
=== datadog / agent yaml | en
api_key: <<fmt:{h32}>>
{+site: datadoghq.eu+}
logs_enabled: true
=== datadog / two headers | en
curl -X POST "https://api.datadoghq.com/api/v1/events" -H "DD-API-KEY: <<fmt:{h32}>>" ~+
-H "DD-APPLICATION-KEY: <<fmt:{h40}>>" -d '{"{+title+}": "deploy finished"}'
=== new relic / php ini | en
{+newrelic.appname = "Shop"+}
newrelic.license = "<<fmt:{h36}NRAL>>"
{+newrelic.loglevel = "info"+}
=== okta / ssws | en
GET /api/v1/users?{+limit=200+} HTTP/1.1
Host: example.okta.com
Authorization: SSWS <<fmt:00{b40}>>
{+Accept: application/json+}
=== pagerduty / token header | en
requests.get("https://api.pagerduty.com/{+incidents+}", headers={"Authorization": "Token token=<<fmt:u+{b18}>>"})
=== opsgenie / geniekey | en
curl -XPOST 'https://api.opsgenie.com/v2/alerts' -H "Authorization: GenieKey <<uuid>>" -d '{"{+message+}": ~+
"disk full"}'
=== vault / cli login | en
$ vault login <<fmt:hvs.{b92}>>
Success! {+You are now authenticated.+}
=== vault / unseal keys | en
{+Vault was initialised with 2 key shares.+}
Unseal Key 1: <<fmt:{B43}=>>
Unseal Key 2: <<fmt:{B43}=>>
Initial Root Token: <<fmt:hvs.{A24}>>
{+Please store them in two places.+}
=== kubernetes / kubeadm join | en
{+Then you can join any number of worker nodes+} by running:
kubeadm join 10.20.0.5:6443 --token <<fmt:{l6}.{l16}>> --discovery-token-ca-cert-hash sha256:<~fmt:{h64}~>
=== kubernetes / service account | en
users:
- name: {+ci-deployer+}
  user:
    token: <<jwt:rs>>
=== terraform cloud / credentials | en
{
  "credentials": {
    "{+app.terraform.io+}": {
      "token": "<<fmt:{A14}.atlasv1.{b64}>>"
    }
  }
}
=== 1password / service account | en
export OP_SERVICE_ACCOUNT_TOKEN=<<fmt:ops_eyJzaWduSW5BZGRyZXNz{A230}>>
op read {+op://prod/db/host+}
=== tailscale / up | en
sudo tailscale up --authkey <<fmt:tskey-auth-k{A12}CNTRL-{A32}>> --hostname {+edge-17+}
=== dingtalk / robot | zh
{+告警机器人配置：+}access_token 为 <<fmt:{h64}>>，加签密钥 <<fmt:SEC{h64}>>，{+请勿外传。+}
=== wechat / appsecret | zh
{+公众号后台参数+}：AppID=wx2b7c0f51ae39d408,AppSecret=<<fmt:{h32}>>，{+服务器地址见文档。+}
=== kakao / rest key | ko
{+카카오 로그인 설정 공유드립니다.+}
KAKAO_CLIENT_SECRET=<<fmt:{A32}>>
{+리다이렉트 주소는 그대로입니다.+}
=== firebase / fcm server key | en
{+Push still goes over the legacy API+}, key: <<fmt:AAAA{b7}:APA91b{b134}>> ({+the sender id is in the console+})
=== twitter / bearer | en
TWITTER_BEARER_TOKEN=<<fmt:AAAAAAAAAAAAAAAAAAAAA{A12}%3D{A50}>>
{+TWITTER_TIMEOUT=15+}
=== zendesk / curl api token | en
curl https://example.zendesk.com/api/v2/{+tickets+}.json -u <<mail>>/token:<<fmt:{A40}>>
=== ngrok / authtoken | en
$ ngrok config add-authtoken <<fmt:2{A26}_{A21}>>
{+Authtoken saved to configuration file+}
=== sonarqube / maven | en
mvn -B verify {+sonar:sonar+} -Dsonar.host.url=https://sonar.example.com -Dsonar.token=<<fmt:squ_{h40}>>
=== cargo / login | en
$ cargo login <<fmt:cio{A32}>>
{+Login token for `crates-io` saved+}
=== nuget / push | en
dotnet nuget push bin/Release/{+Example.Core.4.2.0.nupkg+} --api-key <<fmt:oy2{l43}>> -s ~+
https://api.nuget.org/v3/index.json
=== maven / settings.xml | en
<server>
  <id>{+internal-releases+}</id>
  <username>deployer</username>
  <password><<fmt:AKCp8{A68}>></password>
</server>
=== composer / auth.json | en
{"github-oauth": {"{+github.com+}": "<<fmt:ghp_{A36}>>"}, "{+http-basic+}": {}}
=== sentry / sentryclirc | en
[auth]
token=<<fmt:sntryu_{h64}>>
[defaults]
{+org=example+}
=== woocommerce / rest | en
{+The plugin asks for both values:+}
Consumer key: <<fmt:ck_{h40}>>
Consumer secret: <<fmt:cs_{h40}>>
=== jenkins / crumb | en
curl -X POST https://ci.example.com/job/{+nightly/build+} --user jbrandt:<<fmt:11{h32}>>
"""
