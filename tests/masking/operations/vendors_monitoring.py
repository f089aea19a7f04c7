"""Vendor tokens: monitoring, on-call, and others."""

from tests.masking.operations.template import Row

ROWS: tuple[Row, ...] = (
    (
        "wandb / netrc",
        "en",
        """
machine api.wandb.ai
  login user
  password {!wandb}
# written by `wandb login` on the GPU box""",
        "machine api.wandb.ai|on the GPU box",
    ),
    (
        "cohere / env",
        "en",
        """
COHERE_API_KEY={!cohere}
RERANK_MODEL=rerank-multilingual-v3.0""",
        "RERANK_MODEL=rerank-multilingual-v3.0",
    ),
    (
        "datadog / agent yaml",
        "en",
        """
## @param api_key - string - required
api_key: {!ddapi}
app_key: {!ddapp}
site: datadoghq.eu
logs_enabled: true""",
        "site: datadoghq.eu|logs_enabled: true",
    ),
    (
        "datadog / curl",
        "en",
        """
curl -X POST "https://api.datadoghq.eu/api/v1/events" -H "DD-API-KEY: {!ddapi}" -d '{"title":"deploy {ver}"}'
{"status":"ok"}""",
        "deploy|status",
    ),
    (
        "new relic / user key",
        "en",
        """
$ NEW_RELIC_API_KEY={!nrak} newrelic entity search --name ledger
[{"name": "ledger", "alertSeverity": "NOT_ALERTING"}]""",
        "newrelic entity search|NOT_ALERTING",
    ),
    (
        "new relic / license in ini",
        "en",
        """
[newrelic]
license_key = {!nral}
app_name = Ledger (Production)
monitor_mode = true""",
        "app_name = Ledger|monitor_mode = true",
    ),
    (
        "new relic / insert key",
        "pt",
        (
            "\n"
            'Para mandar o evento: gzip -c evt.json | curl -H "Api-Key: {!nrii}" '
            "https://insights-collector.newrelic.com/v1/accounts/1/events"
        ),
        "Para mandar o evento|gzip -c evt.json",
    ),
    (
        "grafana / service account",
        "en",
        """
datasource sync broke after upgrade to 11.x; token in use: {!glsa} (role Editor, org 1)""",
        "datasource sync broke after upgrade|role Editor",
    ),
    (
        "grafana cloud / alloy",
        "en",
        """
prometheus.remote_write "cloud" {
  endpoint {
    url = "https://prometheus-prod-24.grafana.net/api/prom/push"
    basic_auth { username = "118822"  password = "{!glc}" }
  }
}""",
        "prometheus.remote_write",
    ),
    (
        "sentry / auth token",
        "en",
        """
sentry-cli --auth-token {!sntrys} releases new ledger@{ver}
sentry-cli releases finalize ledger@{ver}""",
        "releases finalize",
    ),
    (
        "sentry / user token in properties",
        "en",
        """
defaults.url=https://sentry.example.com/
defaults.org=oakford
auth.token={!sntryu}""",
        "defaults.org=oakford",
    ),
    (
        "honeycomb / otel yaml",
        "en",
        """
exporters:
  otlp/honeycomb:
    endpoint: api.eu1.honeycomb.io:443
    headers:
      x-honeycomb-team: {!hcaik}""",
        "api.eu1.honeycomb.io:443",
    ),
    (
        "dynatrace / oneagent",
        "de",
        """
wget -O oa.sh "https://abc123.live.dynatrace.com/api/v1/deployment/installer/agent/unix/default/latest" \\
  --header="Authorization: Api-Token {!dt0c}"
Danach als root ausführen und den Host neu starten.""",
        "Danach als root ausführen",
    ),
    (
        "pagerduty / http request",
        "en",
        """
GET https://api.pagerduty.com/schedules/PQ2
Authorization: Token token={!pagerduty}
Accept: application/vnd.pagerduty+json;version=2""",
        "https://api.pagerduty.com/schedules/PQ2|version=2",
    ),
    (
        "opsgenie / genie key",
        "en",
        (
            "\n"
            "opsgenie heartbeat: curl -X GET 'https://api.eu.opsgenie.com/v2/heartbeats/nightly/ping' --header "
            "'Authorization: GenieKey {!genie}'"
        ),
        "opsgenie heartbeat",
    ),
    (
        "splunk / hec",
        "en",
        """
curl -k https://splunk.example.com:8088/services/collector -H "Authorization: Splunk {!splunk}" -d '{"event":"hello"}'
{"text":"Success","code":0}""",
        "Success",
    ),
    (
        "sumo logic / json",
        "en",
        '\n{"api.version": "v1", "sources": [], "accessid": "su9Kq2", "accesskey": "{!sumo}", "name": "{h}"}',
        "api.version|accessid",
    ),
    (
        "elastic / api key header",
        "en",
        """
curl -H "Authorization: ApiKey {!elastic}" "https://es.example.com:9243/_cat/indices?v"
health status index
green  open   logs-2024.05""",
        "health status index|logs-2024.05",
    ),
    (
        "vault / export",
        "en",
        """
export VAULT_ADDR=https://vault.int.example.net:8200
export VAULT_TOKEN={!hvs}
vault kv get -mount=secret ledger/prod""",
        "https://vault.int.example.net:8200|vault kv get",
    ),
    (
        "vault / batch token in log",
        "en",
        '\n{"time":"{ts}","type":"response","auth":{"client_token":"{!hvb}","policies":["default","ci"]},"lease":0}',
        "policies|lease",
    ),
    (
        "vault / legacy root token",
        "en",
        """
Unseal Key 1: {!bs44}
Unseal Key 2: {!bs44#1}
Initial Root Token: {!vs}

Vault initialized with 5 key shares and a key threshold of 3.""",
        "Vault initialized with 5 key shares",
    ),
    (
        "doppler / personal",
        "en",
        """
doppler configure set token {!dppt} --scope /srv/app
doppler run -- npm start""",
        "doppler run -- npm start",
    ),
    (
        "doppler / service token in k8s",
        "en",
        """
kubectl create secret generic doppler-token -n ops --from-literal=serviceToken={!dpst}
secret/doppler-token created""",
        "secret/doppler-token created",
    ),
    (
        "1password / service account",
        "en",
        """
OP_SERVICE_ACCOUNT_TOKEN={!ops1p} op read "op://Infra/ledger-db/username"
> ledger_rw""",
        "op://Infra/ledger-db/username|ledger_rw",
    ),
    (
        "1password / emergency kit",
        "es",
        """
Kit de emergencia del equipo
Dirección de inicio: oakford.1password.eu
Secret Key: {!a3key}
Guardar impreso en la caja fuerte.""",
        "Kit de emergencia del equipo|Guardar impreso en la caja fuerte.",
    ),
)
