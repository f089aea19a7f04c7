"""Vendor tokens: chat, payment, and others."""

from tests.masking.operations.template import Row

ROWS: tuple[Row, ...] = (
    (
        "clojars / lein",
        "en",
        """
lein deploy clojars asks twice, user is oakford-ci and the deploy token {!clojars} goes in as password prompt""",
        "lein deploy clojars asks twice",
    ),
    (
        "circleci / cli.yml",
        "en",
        """
host: https://circleci.com
endpoint: graphql-unstable
token: {!ccipat}
rest_endpoint: api/v2""",
        "graphql-unstable|api/v2",
    ),
    (
        "buildkite / graphql",
        "en",
        """
curl -sH "Authorization: Bearer {!bkua}" https://graphql.buildkite.com/v1 -d '{"query":"{ viewer { user { name } } }"}'
{"data":{"viewer":{"user":{"name":"Deploy Bot"}}}}""",
        "Deploy Bot",
    ),
    (
        "jenkins / build trigger",
        "en",
        """
Trigger it by hand: curl -X POST https://ci.example.com/job/nightly/build --user deploy:{!jenkins}
You should see a 201 Created.""",
        "Trigger it by hand|You should see a 201 Created.",
    ),
    (
        "sonarqube / maven",
        "en",
        """
mvn -B verify sonar:sonar -Dsonar.projectKey=ledger -Dsonar.host.url=https://sonar.example.com -Dsonar.token={!sqp}""",
        "mvn -B verify|-Dsonar.projectKey=ledger",
    ),
    (
        "sonarqube / user token in gradle.properties",
        "de",
        """
systemProp.sonar.host.url=https://sonar.example.com
systemProp.sonar.login={!squ}
org.gradle.parallel=true""",
        "org.gradle.parallel=true",
    ),
    (
        "harness / header",
        "en",
        """
x-api-key: {!harness}
POST /gateway/pipeline/api/pipeline/execute/nightly_rollout
got 403 "not authorized" after the RBAC change, ideas?""",
        "not authorized|ideas?",
    ),
    (
        "sourcegraph / src cli",
        "en",
        """
export SRC_ENDPOINT=https://sourcegraph.example.com SRC_ACCESS_TOKEN={!sgp}
src search 'repo:ledger TODO'""",
        "src search 'repo:ledger TODO'",
    ),
    (
        "prefect / profile toml",
        "en",
        """
active = "prod"
[profiles.prod]
PREFECT_API_URL = "https://api.prefect.cloud/api"
PREFECT_API_KEY = "{!prefect}\"""",
        "[profiles.prod]|https://api.prefect.cloud/api",
    ),
    (
        "pulumi / ci yaml",
        "en",
        """
- uses: pulumi/actions@v5
  with: { command: preview, stack-name: prod }
  env:
    PULUMI_ACCESS_TOKEN: {!pul}""",
        "pulumi/actions@v5|stack-name: prod",
    ),
    (
        "terraform cloud / terraformrc",
        "en",
        """
credentials "app.terraform.io" {
  token = "{!atlas}"
}
plugin_cache_dir = "$HOME/.terraform.d/plugin-cache\"""",
        "app.terraform.io|plugin_cache_dir",
    ),
    (
        "slack / bot token in compose",
        "en",
        """
services:
  alertbot:
    image: registry.example.com/alertbot:{ver}
    environment:
      SLACK_BOT_TOKEN: {!xoxb}
      CHANNEL: "#ops-alerts\"""",
        "services:|#ops-alerts",
    ),
    (
        "slack / user token in chat",
        "fr",
        """
Je te passe mon token Slack le temps du script : {!xoxp}. Pense à le révoquer après, merci !""",
        "le temps du script|Pense à le révoquer après",
    ),
    (
        "slack / socket mode",
        "en",
        """
app = App(token=os.environ["BOT"])
SocketModeHandler(app, "{!xapp}").start()
# TODO before review: move this out""",
        "SocketModeHandler|TODO before review",
    ),
    (
        "slack / rotated token response",
        "en",
        """
{"ok":true,"access_token":"{!xoxe}","expires_in":43200,"team":{"id":"T1","name":"Oakford"}}""",
        "Oakford",
    ),
    (
        "slack / webhook in alertmanager",
        "en",
        """
receivers:
- name: ops
  slack_configs:
  - api_url: {!slackhook}
    channel: '#ops'
    send_resolved: true""",
        "send_resolved: true",
    ),
    (
        "slack / browser cookie",
        "en",
        """
got the export working with the d cookie: -b "d={!xoxd}" against https://oakford.slack.com/api/client.boot""",
        "got the export working",
    ),
    (
        "discord / bot code",
        "en",
        """
client.login("{!discord}")
  .then(() => console.log("ready as on-call bot"));""",
        "ready as on-call bot",
    ),
    (
        "discord / webhook",
        "es",
        "\nEl aviso de despliegue va a {!dischook} , si queréis probad con un mensaje corto.",
        "El aviso de despliegue|probad con un mensaje corto",
    ),
    (
        "teams / incoming webhook",
        "de",
        """
Der Connector für den Kanal „Störungen“ lautet:
{!teams}
Bitte nur aus dem Monitoring benutzen.""",
        "Der Connector für den Kanal|Bitte nur aus dem Monitoring benutzen.",
    ),
    (
        "telegram / bot api url",
        "ru",
        """
Бот дежурных не отвечает, проверяю: curl https://api.telegram.org/bot{!telegram}/getMe
{"ok":true,"result":{"is_bot":true}}""",
        "Бот дежурных не отвечает",
    ),
    (
        "telegram / zabbix table",
        "ru",
        """
Media type: Telegram
Parameters: To={dig9}, ParseMode=HTML, Token={!telegram}
Сообщения приходят с задержкой 5 минут.""",
        "ParseMode=HTML|Сообщения приходят с задержкой",
    ),
    (
        "mattermost / curl",
        "en",
        """
curl -H "Authorization: Bearer {!mattermost}" https://chat.example.com/api/v4/users/me | jq .roles
"system_user system_post_all\"""",
        "system_user system_post_all",
    ),
    (
        "linear / graphql",
        "en",
        "\nHeader is just `Authorization: {!linear}` without Bearer - that was the whole bug, closing {tk}.",
        "that was the whole bug",
    ),
    (
        "notion / python",
        "en",
        """
notion = Client(auth="{!ntn}")
pages = notion.databases.query(database_id="runbooks")""",
        "notion.databases.query",
    ),
    (
        "notion / old integration",
        "ja",
        "\n連携用のトークンは {!notion} です。データベース「障害一覧」にだけ権限があります。",
        "連携用のトークンは|にだけ権限があります",
    ),
    (
        "figma / header",
        "en",
        "\ncurl -H 'X-Figma-Token: {!figd}' https://api.figma.com/v1/files/8hK2/images -o icons.json",
        "https://api.figma.com/v1/files/8hK2/images",
    ),
    (
        "airtable / n8n",
        "en",
        """
n8n credential "airtable-support" -> Access Token: {!airtable} (scopes data.records:read, schema.bases:read)""",
        "scopes data.records:read",
    ),
    (
        "asana / pat",
        "en",
        """
ASANA_PAT={!asana} python export_sprint.py --project 1200 --out sprint.csv
wrote 84 tasks""",
        "wrote 84 tasks",
    ),
    (
        "dropbox / rclone",
        "en",
        """
rclone config show dropbox-archive
[dropbox-archive]
type = dropbox
token = {"access_token":"{!dropbox}","token_type":"bearer","expiry":"{ts}"}""",
        "rclone config show|type = dropbox",
    ),
    (
        "postman / newman",
        "en",
        '\nnewman run "https://api.getpostman.com/collections/118?apikey={!pmak}" --reporters cli,junit',
        "--reporters cli,junit",
    ),
    (
        "contentful / js",
        "en",
        """
const cm = contentful.createClient({ accessToken: "{!contentful}" });
const space = await cm.getSpace("helpdesk");""",
        "helpdesk",
    ),
    (
        "hubspot / env",
        "en",
        """
HUBSPOT_PORTAL=144001
HUBSPOT_PRIVATE_APP={!hubspot}
SYNC_EVERY=15m""",
        "SYNC_EVERY=15m",
    ),
    (
        "make.com / webhook",
        "en",
        """
The form posts to {!airhook} and Make then opens the ticket in Zendesk.""",
        "opens the ticket in Zendesk",
    ),
)
