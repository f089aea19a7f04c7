"""Tokens in addresses: query parameters, hooks and links."""

from tests.masking.operations.template import Row

URL_TOKEN: tuple[Row, ...] = (
    (
        "reset link",
        "en",
        """
Hi, I clicked https://app.example.com/password/reset?token={!us43}&lang=en and it says the link is no longer valid.""",
        "I clicked|the link is no longer valid",
    ),
    (
        "reset link, path",
        "de",
        "Der Kunde bekommt bei https://konto.example.de/passwort/neu/{!hex48} eine leere Seite.",
        "eine leere Seite",
    ),
    (
        "s3 signed url",
        "en",
        (
            "\n"
            "Dump is here for 24h: "
            "https://acme-dumps.s3.eu-central-1.amazonaws.com/ledger.sql.gz?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-"
            "Date=20240512T101500Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature={!hex64}"
        ),
        "Dump is here for 24h",
    ),
    (
        "s3 old style",
        "en",
        (
            "https://files.example.com.s3.amazonaws.com/img.png?AWSAccessKeyId={!akia}&Expires=1719830000&Signature"
            "={!an26}%3D works"
        ),
        "works",
    ),
    (
        "azure sas",
        "en",
        (
            "\n"
            "azcopy copy ./out "
            '"https://oakfordst.blob.core.windows.net/exports?sv=2022-11-02&ss=b&srt=co&sp=rwl&se=2025-01-01T00:00:'
            '00Z&sig={!an42}%3D" --recursive'
        ),
        "azcopy copy ./out|--recursive",
    ),
    (
        "gcs signed url",
        "en",
        """
signed: https://storage.googleapis.com/acme-exports/q2.csv?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Expires=900\
&X-Goog-Signature={!hex256} (15 minutes)""",
        "15 minutes",
    ),
    (
        "cloudfront",
        "en",
        (
            "https://cdn.example.com/v/intro.mp4?Expires=1719830000&Signature={!us170}&Key-Pair-Id=K2JCJ returns "
            "403 for me"
        ),
        "returns 403 for me",
    ),
    (
        "slack webhook",
        "fr",
        "Il suffit de poster un JSON sur {!slackhook} et le message arrive dans #alertes.",
        "le message arrive dans #alertes",
    ),
    (
        "discord webhook",
        "en",
        "curl -d content=test {!dischook} -> 204, so Discord is fine and the proxy is guilty",
        "the proxy is guilty",
    ),
    (
        "teams webhook in yaml",
        "en",
        """
notify:
  url: {!teams}
  on: [failure]""",
        "on: [failure]",
    ),
    (
        "google chat webhook",
        "en",
        (
            "\n"
            'curl -X POST "https://chat.googleapis.com/v1/spaces/AAAAK2/messages?key={!aiza}&token={!us43}" -d '
            '\'{"text":"deploy done"}\''
        ),
        "deploy done",
    ),
    (
        "zapier hook",
        "en",
        "Zap is triggered by https://hooks.zapier.com/hooks/catch/4412098/{!lo32}/ whenever a form is sent.",
        "Zap is triggered by|whenever a form is sent",
    ),
    (
        "api_key in access log",
        "en",
        """
{ip} - - [03/Jun/2024:07:12:09 +0000] "GET /v1/rates?base=EUR&api_key={!hex32} HTTP/1.1" 200 812""",
        "HTTP/1.1",
    ),
    (
        "access_token in referer",
        "en",
        """
nginx: "GET /favicon.ico" 404 "https://portal.example.com/cb#access_token={!us64}&token_type=bearer" "Mozilla/5.0\"""",
        "/favicon.ico|Mozilla/5.0",
    ),
    (
        "oauth code callback",
        "en",
        "redirected to https://app.example.com/oauth/callback?code={!us48}&state=xyz and then a 500",
        "and then a 500",
    ),
    (
        "invite link",
        "es",
        "Para entrar al espacio usa https://wiki.example.es/invitacion?invite_token={!us32} antes del lunes.",
        "Para entrar al espacio|antes del lunes",
    ),
    (
        "unsubscribe and confirm",
        "it",
        "Clicca su https://conto.example.it/conferma?email_token={!hex40}&utm_source=mail per attivare il profilo.",
        "per attivare il profilo",
    ),
    (
        "jenkins trigger",
        "en",
        "GitHub hook target: https://ci.example.com/generic-webhook-trigger/invoke?token={!an24}&branch=main",
        "GitHub hook target",
    ),
    (
        "sonar badge",
        "nl",
        "De badge: https://sonar.example.nl/api/project_badges/measure?project=ledger&metric=bugs&token={!squ}",
        "De badge",
    ),
    (
        "calendar feed",
        "de",
        "Bereitschaftskalender abonnieren: https://kalender.example.de/ical/oncall.ics?auth={!us40}",
        "Bereitschaftskalender abonnieren",
    ),
    (
        "zoom meeting",
        "en",
        "Bridge for the incident: https://example.zoom.us/j/9174402211?pwd={!us32} (recording on)",
        "Bridge for the incident|recording on",
    ),
    (
        "session id in url",
        "ru",
        "Открывается https://lk.example.ru/main;jsessionid={!heu32}?tab=2 и сразу выкидывает на вход.",
        "сразу выкидывает на вход",
    ),
    (
        "client_secret in query",
        "en",
        (
            "\n"
            "POST https://login.example.com/oauth2/token?grant_type=client_credentials&client_id=ledger&client_secr"
            "et={!us40} -> 400"
        ),
        "grant_type=client_credentials",
    ),
    (
        "password in query",
        "pt",
        "O legado chama http://{ip}/servico?usuario=integra&senha={!pws}&acao=lista a cada minuto.",
        "a cada minuto",
    ),
    (
        "signed preview link",
        "pl",
        "Podgląd faktury: https://faktury.example.pl/p/2024-118?sig={!hex64}&exp=1719830000 (ważny dobę)",
        "Podgląd faktury|ważny dobę",
    ),
    (
        "influx query",
        "en",
        "http://{ip}:8086/query?db=telegraf&u=grafana&p={!pws}&q=SHOW+MEASUREMENTS times out",
        "times out",
    ),
    (
        "korean reset",
        "ko",
        "메일의 링크 https://account.example.co.kr/reset?key={!us40} 를 눌러도 화면이 안 나옵니다.",
        "화면이 안 나옵니다",
    ),
    (
        "japanese confirm",
        "ja",
        "確認用URLは https://id.example.co.jp/verify?token={!us43} です。24時間で無効になります。",
        "24時間で無効になります",
    ),
    (
        "chinese callback",
        "zh",
        "回调地址 https://pay.example.cn/notify?access_token={!hex64} 一直超时，请帮忙排查。",
        "请帮忙排查",
    ),
    (
        "turkish reset",
        "tr",
        "Müşteri https://hesap.example.com.tr/sifre-sifirla?t={!us40} bağlantısını açamıyor.",
        "bağlantısını açamıyor",
    ),
)
