"""Vendor tokens as colleagues paste them."""

VENDOR = r"""
=== aws / credentials file
Here is what I have in ~/.aws/credentials, [~still AccessDenied~]:
[default]
aws_access_key_id = <<aws_id>>
aws_secret_access_key = <<aws_secret>>
region = [~eu-central-1~]
=== aws / export
[~For the migration weekend~] just run
export AWS_ACCESS_KEY_ID=<<aws_tmp>>
export AWS_SECRET_ACCESS_KEY=<<aws_secret>>
export AWS_SESSION_TOKEN=<<aws_session>>
aws s3 ls
=== aws / chat answer | de
Klar, der [~Zugriff auf den Bucket~] läuft über <<aws_id>> und den Secret Key <<aws_secret>> - bitte nicht weitergeben.
=== aws / table
| Account | Access key ID | Secret access key |
|---|---|---|
| [~staging~] | <<aws_id>> | <<aws_secret>> |
| [~backup~] | <<aws_id>> | <<aws_secret>> |
=== aws / python code
s3 = boto3.client(
    "s3",
    aws_access_key_id="<<aws_id>>",
    aws_secret_access_key="<<aws_secret>>",
    [~region_name~]="us-west-2",
)
=== github / git remote
git remote set-url origin https://<<ghp>>@github.com/nordwind/billing.git
[~after that the push worked~], so my SSO was the problem
=== github / gh login
echo <<ghp>> | gh auth login --with-token
[~and then re-run the release job~]
=== github / jira comment | fr
Bonjour, [~le pipeline échoue depuis hier~]. J'ai régénéré le token : <<gh_fine>> (expire le 30/11).
=== github / CI log
2025-03-04T09:12:44Z ##[debug]Evaluating: secrets.DEPLOY
2025-03-04T09:12:44Z [~fetching submodules~] with x-access-token:<<ghs>>
2025-03-04T09:12:46Z fatal: could not read Username
=== github / oauth json
{"access_token":"<<gho>>","token_type":"[~bearer~]","scope":"repo,read:org"}
=== gitlab / pipfile
[[source]]
url = "https://__token__:<<gitlab>>@git.kestrel.dev/api/v4/projects/318/packages/simple"
[~verify_ssl = true~]
=== gitlab / slack dm | pl
hej, [~na czas wdrożenia~] możesz użyć mojego tokena <<gitlab>>, ale skasuj go potem
=== gitlab / runner register
sudo gitlab-runner register --url https://git.kestrel.dev --token <<gitlab_runner>> --executor docker
[~Registering runner... succeeded~]
=== gitlab / docker login
docker login registry.kestrel.dev -u gitlab+deploy-token-12 -p <<gitlab_deploy>>
[~Login Succeeded~]
=== slack / bot config
# bot settings, [~see wiki page Chatops~]
SLACK_BOT_TOKEN=<<slack_bot>>
SLACK_APP_TOKEN=<<slack_app>>
=== slack / support mail
Hi team, [~the reminder bot stopped posting~]. The user token we configured is <<slack_user>> - can you check \+
whether it \+
was revoked?
=== slack / webhook curl
curl -X POST -H 'Content-type: application/json' --data '{"text":"[~Deploy finished~]"}' \
  https://hooks.slack.com/services/<<slack_hook_path>>
=== slack / webhook in chat | es
El [~webhook del canal de ventas~] es https://hooks.slack.com/services/<<slack_hook_path>>, ponlo en Zapier.
=== stripe / env file
[~STRIPE_MODE=live~]
STRIPE_SECRET_KEY=<<stripe>>
STRIPE_WEBHOOK_SECRET=<<stripe_wh>>
=== stripe / node code
const stripe = require("stripe")("<<stripe_old>>"); [~// TODO move to config~]
const session = await stripe.checkout.sessions.create({ mode: "payment" });
=== stripe / ticket | nl
De [~terugbetaling lukt niet~] met de restricted key <<stripe_rk>>; kan iemand de rechten nakijken?
=== openai / python code
from openai import OpenAI
client = OpenAI(api_key="<<openai>>")
[~print(client.models.list())~]
=== openai / teams message | de
Für die [~Demo beim Kunden~] nehmt ihr einfach den alten OpenAI-Key <<openai_old>>, da ist noch Guthaben drauf.
=== openai / error log
openai.AuthenticationError: Error code: 401 - {'error': {'message': '[~Incorrect API key provided~]: <<openai>>. \+
You can find your API key in your account.'}}
=== anthropic / shell profile
# ~/.zshrc
export ANTHROPIC_API_KEY="<<anthropic>>"
[~alias k=kubectl~]
=== anthropic / chat | ja
検証用のキーはこちらです:
<<anthropic>>
[~今週末に無効化します~]。
=== google / js config
const firebaseConfig = {
  apiKey: "<<google_api>>",
  [~projectId~]: "field-sales-app",
};
=== google / oauth client json
{"web":{"client_id":"[~482910-apps~]","client_secret":"<<google_oauth>>","auth_uri":"https://accounts.google.com/o/oa\+
uth2/auth"}}
=== google / access token log | pt
[~A sincronização do Drive falhou~] às 08h14. Token usado: <<google_access>>
=== google / maps url
<script async src="https://maps.googleapis.com/maps/api/js?key=<<google_api>>&callback=initMap"></script> [~<!-- \+
store finder -->~]
=== sendgrid / yaml
mail:
  [~provider: sendgrid~]
  api_key: <<sendgrid>>
=== sendgrid / confluence | it
Per [~l'invio delle newsletter~] usiamo la chiave `<<sendgrid>>`, valida per tutti gli ambienti.
=== mailgun / curl
curl -s --user 'api:<<mailgun>>' https://api.eu.mailgun.net/v3/mg.kestrelfoods.co.uk/messages -F subject='[~Invoice \+
reminder~]'
=== mailchimp / ini
[newsletter]
[~list = customers-eu~]
mailchimp_key = <<mailchimp>>
=== twilio / env file
TWILIO_API_KEY=<<twilio_key>>
TWILIO_AUTH_TOKEN=<<twilio_auth>>
[~TWILIO_REGION=ie1~]
=== npm / npmrc
//packages.example.com/npm/:_authToken=<<npm>>
[~save-exact=true~]
=== npm / slack | en
who published 4.2.0 yesterday? [~the automation token~] is <<npm>> btw, use that one next time
=== pypi / pypirc
[pypi]
[~username = __token__~]
password = <<pypi>>
=== rubygems / credentials
---
:rubygems_api_key: <<rubygems>>
[~# gem push needs MFA~]
=== hugging face / notebook
from huggingface_hub import login
login(token="<<hf>>")
[~model = AutoModel.from_pretrained~]("nordwind/ocr-base")
=== hugging face / chat | zh
[~下载模型的时候~]要先登录,token 用 <<hf>> 就行。
=== replicate / env
[~# image upscaler~]
REPLICATE_API_TOKEN=<<replicate>>
=== digitalocean / doctl
doctl auth init --access-token <<dop>>
[~Validating token... OK~]
=== digitalocean / terraform tfvars
do_token = "<<dop>>"
[~droplet_size = "s-2vcpu-4gb"~]
=== cloudflare / curl
curl "https://api.cloudflare.com/client/v4/user/tokens/verify" \
  -H "Authorization: Bearer <<cf_token>>"
[~"This API Token is valid and active"~]
=== heroku / netrc
machine api.heroku.com
  login ops
  password <<heroku>>
[~# regenerated in spring~]
=== datadog / helm values
datadog:
  apiKey: <<hex32>>
  appKey: <<datadog_app>>
  [~site: datadoghq.eu~]
=== datadog / docker run
docker run -d --name dd-agent -e DD_API_KEY=<<hex32>> -e DD_SITE="[~datadoghq.eu~]" images.kestrel.dev/datadoghq/agent:7
=== new relic / chat
for [~the dashboard export~] Priya made a user key: <<newrelic>>. License key for the agents is <<newrelic_lic>>
=== sentry / sentryclirc
[auth]
token=<<sentry_user>>
[defaults]
[~org=nordwind~]
=== sentry / gitlab ci
variables:
  SENTRY_AUTH_TOKEN: <<sentry_org>>
  [~SENTRY_PROJECT: web-shop~]
=== grafana / curl
curl -H "Authorization: Bearer <<grafana>>" https://grafana.kestrel.dev/api/dashboards/uid/[~k8s-nodes~]
=== shopify / ticket | fr
[~Application privée de la boutique B2B~] - jeton d'accès Admin API : <<shopify>>
=== square / java code
SquareClient client = new SquareClient.Builder()
    .accessToken("<<square>>")
    [~.environment(Environment.PRODUCTION)~]
    .build();
=== telegram / bot father | ru
[~Создал бота для дежурных~], токен от BotFather: <<telegram>>. Добавьте его в канал.
=== telegram / url
https://api.telegram.org/bot<<telegram>>/getUpdates [~returns an empty list for me~], what about you?
=== discord / js
[~// community bot~]
client.login("<<discord>>");
=== discord / webhook
[~The build channel webhook~]: https://discord.com/api/webhooks/<<discord_hook_path>>
=== docker hub / login
echo "<<docker>>" | docker login -u nordwindci --password-stdin
[~WARNING! Your credentials are stored unencrypted~]
=== terraform cloud / terraformrc
credentials "app.terraform.io" {
  token = "<<tfc>>"
}
[~plugin_cache_dir~] = "$HOME/.terraform.d/plugin-cache"
=== vault / cli output
Key                  Value
---                  -----
token                <<vault>>
[~token_renewable      true~]
token_policies       ["default" "payroll-read"]
=== doppler / dockerfile
FROM node:22-alpine
ENV DOPPLER_TOKEN=<<doppler>>
[~RUN npm ci --omit=dev~]
=== linear / script
LINEAR_KEY='<<linear>>'
# [~close stale issues every friday~]
curl -H "Authorization: $LINEAR_KEY" https://api.linear.app/graphql
=== notion / zapier note | es
Para [~sincronizar la base de candidatos~] pega en Zapier este secreto de integración: <<notion>>
=== atlassian / jira script
[~# export all open bugs~]
JIRA_USER = "reporting"
JIRA_TOKEN = "<<atlassian>>"
=== bitbucket / clone url
git clone https://ci-reader:<<bitbucket>>@bitbucket.org/nordwind/price-engine.git
[~Cloning into~] ...
=== azure / client secret
AZURE_TENANT_ID=[~common~]
AZURE_CLIENT_SECRET=<<azure_secret>>
=== azure / teams message | de
Das neue [~Client Secret der App-Registrierung~] lautet <<azure_secret>> und läuft in 24 Monaten ab.
=== azure devops / nuget config
<packageSourceCredentials><corp><add key="Username" value="any" />
<add key="ClearTextPassword" value="<<azdo>>" /></corp></packageSourceCredentials>
[~restore works locally~], fails in the agent
=== airtable / apps script
var AIRTABLE_PAT = "<<airtable>>";
var table = "[~Leads 2025~]";
=== figma / curl
curl -H 'X-Figma-Token: <<figma>>' 'https://api.figma.com/v1/files/[~me~]'
=== postman / newman
[~newman run smoke.json~] --postman-api-key <<postman>> --reporters cli
=== databricks / databrickscfg
[DEFAULT]
host = [~https://adb-5510.azuredatabricks.net~]
token = <<databricks>>
=== groq / chat | pt
pessoal, [~a chave do Groq para os testes~] é <<groq>> (limite baixo, não abusem)
=== perplexity / env
PPLX_API_KEY=<<pplx>>
[~RESEARCH_DEPTH=3~]
=== circleci / curl
curl -X POST -H "Circle-Token: <<circleci>>" https://circleci.com/api/v2/project/gh/nordwind/web/pipeline -d \+
'{"branch":"[~main~]"}'
=== buildkite / ticket
[~Agents in Frankfurt are offline.~] I used <<buildkite>> for the API call, 403.
=== sonarqube / mvn
mvn sonar:sonar -Dsonar.host.url=https://sonar.kestrel.dev -Dsonar.token=<<sonar>> [~-DskipTests~]
=== okta / header
GET /api/v1/users?limit=25 HTTP/1.1
Authorization: SSWS <<okta>>
[~Accept: application/json~]
=== hubspot / sales chat
sales ops: [~the private app for lead import~] has the token <<hubspot>>
=== supabase / cli | tr
[~Yerelde test için~] `supabase login --token <<supabase>>` komutunu çalıştırın.
=== netlify / github action
      - run: npx netlify deploy --prod
        env:
          NETLIFY_AUTH_TOKEN: <<netlify>>
          [~NODE_VERSION: 22~]
=== artifactory / gradle properties
[~artifactory_user=ci-gradle~]
artifactory_password=<<artifactory>>
=== flutterwave / php
[~$currency = 'NGN';~]
$secretKey = '<<flutterwave>>';
=== tailscale / cloud-init
runcmd:
  - tailscale up --authkey=<<tailscale>> --ssh
  - [~systemctl restart nginx~]
=== pulumi / export
export PULUMI_ACCESS_TOKEN=<<pulumi>> && pulumi up --stack [~prod-eu~]
=== launchdarkly / spring yaml
launchdarkly:
  sdk-key: <<launchdarkly>>
  [~offline: false~]
=== brevo / php | fr
[~// envoi des convocations~]
$config->setApiKey('api-key', '<<brevo>>');
=== contentful / chat | ko
[~번역 업로드 스크립트~]에는 <<contentful>> 토큰을 쓰세요.
=== age / key file
# created: 2025-02-11T10:01:44+01:00
[~# sops key for the staging cluster~]
<<age>>
=== xai / env
XAI_API_KEY=<<xai>>
[~XAI_MODEL=grok~]
=== nuget / push
dotnet nuget push [~Kestrel.Pricing.2.8.1.nupkg~] --api-key <<nuget>> --source https://api.nuget.org/v3/index.json
=== crates.io / cargo
cargo login <<crates>>
[~cargo publish --dry-run~]
=== dynatrace / operator secret
kubectl -n dynatrace create secret generic [~dynakube~] --from-literal="apiToken=<<dynatrace>>"
=== asana / python
client = asana.Client.access_token("<<asana>>")
[~for task in client.tasks.find_all(project)~]:
=== langsmith / env
LANGSMITH_TRACING=true
LANGSMITH_API_KEY=<<langsmith>>
[~LANGSMITH_PROJECT=helpdesk~]
=== nvidia / curl
curl https://integrate.api.nvidia.com/v1/chat/completions -H "Authorization: Bearer <<nvidia>>" -d \+
'{"[~max_tokens~]":64}'
=== plaid / log
INFO  [~exchange public token ok~] item=checking access_token=<<plaid>>
=== mollie / woocommerce | nl
[~In de webshop staat nu~] de live API-sleutel <<mollie>> ingevuld, testbetaling is gelukt.
=== alibaba / ini | zh
[~[oss]~]
accessKeyId = <<alibaba>>
accessKeySecret = <<alibaba_secret>>
=== planetscale / env
[~PLANETSCALE_ORG=nordwind~]
PLANETSCALE_SERVICE_TOKEN=<<pscale>>
=== mapbox / gradle
maven { url '[~https://api.mapbox.com/downloads/v2/releases/maven~]'
  credentials { username = 'mapbox'; password = '<<mapbox>>' } }
"""
