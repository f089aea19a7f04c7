"""Vendor tokens: mail, model APIs, and others."""

from tests.masking.operations.template import Row

ROWS: tuple[Row, ...] = (
    (
        "stripe / env file",
        "en",
        """
STRIPE_SECRET_KEY={!sklive}
STRIPE_WEBHOOK_SECRET={!whsec}
STRIPE_CURRENCY=eur""",
        "STRIPE_CURRENCY=eur",
    ),
    (
        "stripe / curl -u",
        "en",
        """
to refund manually: curl https://api.stripe.com/v1/refunds -u {!rklive}: -d charge=ch_3Q -d amount=1200""",
        "to refund manually|-d amount=1200",
    ),
    (
        "stripe / test key in log",
        "en",
        """
stripe.error.AuthenticationError: Invalid API Key provided: {!sktest}
  at handle (/srv/app/billing.py:88)""",
        "stripe.error.AuthenticationError|/srv/app/billing.py",
    ),
    (
        "square / yaml",
        "en",
        """
square:
  environment: production
  access_token: {!sqat}
  application_secret: {!sqcs}
  location: L9F""",
        "environment: production|location: L9F",
    ),
    (
        "braintree / ruby",
        "en",
        """
gateway = Braintree::Gateway.new(:access_token => "{!braintree}")
gateway.transaction.find("4k2q9")""",
        "gateway.transaction.find",
    ),
    (
        "shopify / admin api",
        "en",
        """
X-Shopify-Access-Token: {!shpat}
GET /admin/api/2024-01/orders.json?status=any
app secret for HMAC is {!shpss}""",
        "orders.json?status=any|app secret for HMAC",
    ),
    (
        "plaid / json",
        "en",
        """
{"access_token": "{!plaid}", "item_id": "kq9", "request_id": "m8MDnv"}""",
        "m8MDnv",
    ),
    (
        "mollie / php",
        "nl",
        """
$mollie = new \\Mollie\\Api\\MollieApiClient();
$mollie->setApiKey("{!mollie}");
$payment = $mollie->payments->get("tr_7UhS");""",
        "MollieApiClient|tr_7UhS",
    ),
    (
        "flutterwave / node",
        "en",
        """
const flw = new Flutterwave(process.env.FLW_PUBLIC, "{!flw}");
flw.Transaction.fetch({ from: "2024-01-01", to: "2024-02-01" });""",
        "flw.Transaction.fetch",
    ),
    (
        "shippo / http dump",
        "en",
        """
> POST /shipments/ HTTP/1.1
> Host: api.goshippo.com
> Authorization: ShippoToken {!shippo}
< HTTP/1.1 401 Unauthorized""",
        "Host: api.goshippo.com|HTTP/1.1 401 Unauthorized",
    ),
    (
        "sendgrid / django settings",
        "en",
        """
EMAIL_HOST = "smtp.sendgrid.net"
EMAIL_HOST_USER = "apikey"
EMAIL_HOST_PASSWORD = "{!sg}"
EMAIL_PORT = 587""",
        "smtp.sendgrid.net|EMAIL_PORT = 587",
    ),
    (
        "mailgun / curl",
        "en",
        """
curl -s --user 'api:{!mgkey}' https://api.eu.mailgun.net/v3/mg.example.com/events?event=failed | jq '.items|length'""",
        "https://api.eu.mailgun.net/v3/mg.example.com/events",
    ),
    (
        "mailgun / new key in ini",
        "en",
        """
[mailgun]
domain = mg.example.org
api_key = {!mgnew}
region = eu""",
        "domain = mg.example.org|region = eu",
    ),
    (
        "mailchimp / wiki table",
        "en",
        """
|| Service || Owner || API key ||
| Mailchimp | Marketing | {!mchimp} |
| Survey tool | Support | in vault |""",
        "Marketing|Survey tool|in vault",
    ),
    (
        "brevo / json",
        "fr",
        '\n{"provider": "brevo", "api_key": "{!brevo}", "sender": "noreply@example.com", "smtp_key": "{!brevosmtp}"}',
        "provider",
    ),
    (
        "resend / ts",
        "en",
        """
const resend = new Resend("{!resend}");
await resend.emails.send({ from: "noreply@example.com", subject: "Maintenance tonight" });""",
        "Maintenance tonight",
    ),
    (
        "twilio / python",
        "en",
        """
client = Client("AC" + account, "{!twauth}")  # auth_token, twilio console
client.messages.create(body="disk full on {h}", from_="OPS")""",
        "twilio console|disk full on",
    ),
    (
        "twilio / api key",
        "en",
        """
TWILIO_API_KEY={!twsk}
TWILIO_API_SECRET={!an32}
TWILIO_REGION=ie1""",
        "TWILIO_REGION=ie1",
    ),
    (
        "firebase cm / server key",
        "tr",
        """
Push servisi için sunucu anahtarı (FCM): {!fcm}
Bunu sadece {svc} kullanıyor.""",
        "Push servisi için|Bunu sadece",
    ),
    (
        "openai / env",
        "en",
        """
OPENAI_API_KEY={!oaiproj}
OPENAI_MODEL=gpt-4o-mini
OPENAI_TIMEOUT=30""",
        "OPENAI_MODEL=gpt-4o-mini",
    ),
    (
        "openai / old key in traceback",
        "en",
        """
openai.AuthenticationError: Error code: 401 - {'error': {'message': 'Incorrect API key provided: {!oai}. You can find
your API key at https://platform.openai.com/account/api-keys.'}}""",
        "Error code: 401|You can find",
    ),
    (
        "openai / service account in yaml",
        "pl",
        """
llm:
  provider: openai
  key: {!oaisvc}
  limit: 20000  # tokenów na minutę""",
        "provider: openai|tokenów na minutę",
    ),
    (
        "anthropic / curl",
        "en",
        """
curl https://api.anthropic.com/v1/messages -H "x-api-key: {!ant}" -H "anthropic-version: 2023-06-01" -d @body.json""",
        "anthropic-version: 2023-06-01",
    ),
    (
        "anthropic / admin key in chat",
        "de",
        "\nDer Admin-Key für die Auswertung der Kosten ist {!antadm}, läuft Ende des Monats ab.",
        "für die Auswertung der Kosten|läuft Ende des Monats ab",
    ),
    (
        "hugging face / cli",
        "en",
        """
huggingface-cli login --token {!hf}
huggingface-cli download oakford/ticket-classifier --revision main""",
        "oakford/ticket-classifier",
    ),
    (
        "replicate / code",
        "en",
        """
os.environ["REPLICATE_API_TOKEN"] = "{!r8}"
output = replicate.run("oakford/upscale", input={"scale": 2})""",
        "replicate.run",
    ),
    (
        "groq / prose",
        "it",
        "\nPer le prove usa la chiave Groq {!gsk}, ha un limite di 30 richieste al minuto.",
        "Per le prove|30 richieste al minuto",
    ),
    (
        "perplexity / json",
        "en",
        """
{"headers": {"Authorization": "Bearer {!pplx}", "Accept": "application/json"}, "timeout": 20}""",
        "application/json",
    ),
    (
        "xai / env in compose",
        "en",
        """
    environment:
      - XAI_API_KEY={!xai}
      - LOG_LEVEL=info""",
        "LOG_LEVEL=info",
    ),
    (
        "openrouter / header",
        "zh",
        """
请求头里带上 Authorization: Bearer {!orv1} 就可以了，模型名不用改。""",
        "就可以了，模型名不用改",
    ),
    (
        "langsmith / env",
        "en",
        """
LANGCHAIN_TRACING_V2=true
LANGCHAIN_API_KEY={!lsv2}
LANGCHAIN_PROJECT=support-bot""",
        "LANGCHAIN_PROJECT=support-bot",
    ),
    (
        "nvidia / ngc",
        "en",
        "\nexport NGC_API_KEY={!nvapi} && docker run --gpus all -e NGC_API_KEY nvcr.io/nim/meta/llama3:latest",
        "nvcr.io/nim/meta/llama3",
    ),
    (
        "pinecone / python",
        "ko",
        """
pc = Pinecone(api_key="{!pcsk}")
index = pc.Index("faq-ko")  # 색인이 비어 있으면 알려 주세요""",
        "색인이 비어 있으면 알려 주세요",
    ),
)
