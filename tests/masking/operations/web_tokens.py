"""JSON web tokens as they are pasted into chats, wikis and files."""

from tests.masking.operations.template import Row

JWT: tuple[Row, ...] = (
    (
        "bearer header",
        "en",
        """
curl -i https://api.example.com/v1/orders -H "Authorization: Bearer {!jwt_user}"
HTTP/1.1 403 Forbidden""",
        "curl -i https://api.example.com/v1/orders|403 Forbidden",
    ),
    (
        "gateway log",
        "en",
        """
{ts} ERROR [gateway] jwt rejected: token={!jwt_es} reason="clock skew" host={h}""",
        "jwt rejected|clock skew",
    ),
    (
        "json login answer",
        "en",
        """
{"access_token":"{!jwt_short}","refresh_token":"{!jwt_512}","token_type":"Bearer","expires_in":3600}""",
        "token_type|expires_in",
    ),
    (
        "chat prose",
        "de",
        """
Kannst du mal schauen, warum {!jwt_user} bei dir nicht durchgeht? Laut Server ist die Signatur ungültig.""",
        "Kannst du mal schauen|die Signatur ungültig",
    ),
    (
        "browser cookie",
        "en",
        """
Cookie: locale=en-GB; theme=dark; id_token={!jwt_rs}; _ga=GA1.2.99""",
        "locale=en-GB; theme=dark",
    ),
    (
        "local storage",
        "fr",
        """
Dans la console j'ai tapé localStorage.getItem("auth") et j'obtiens
"{!jwt_es}"
alors que la session est censée être fermée.""",
        "Dans la console j'ai tapé|la session est censée être fermée",
    ),
    (
        "k8s service account",
        "en",
        """
$ kubectl -n ci create token builder
{!jwt_k8s}
$ kubectl auth can-i list pods --as system:serviceaccount:ci:builder
yes""",
        "kubectl -n ci create token builder|kubectl auth can-i list pods",
    ),
    (
        "kubeconfig",
        "en",
        """
users:
- name: ci
  user:
    token: {!jwt_k8s}
current-context: ci@stg""",
        "current-context: ci@stg",
    ),
    (
        "jwt.io advice",
        "en",
        """
Paste {!jwt_short} into the debugger on the staging box and you will see that "exp" is in the past.""",
        "into the debugger on the staging box|is in the past",
    ),
    (
        "supabase service role",
        "en",
        """
SUPABASE_URL=https://qwlxkzhtndyv.supabase.co
SUPABASE_SERVICE_ROLE_KEY={!jwt_anon}""",
        "https://qwlxkzhtndyv.supabase.co",
    ),
    (
        "python test",
        "en",
        """
def test_expired_token(client):
    token = "{!jwt_user}"
    assert client.get("/me", headers={"Authorization": f"Bearer {token}"}).status_code == 401""",
        "def test_expired_token|status_code == 401",
    ),
    (
        "websocket url",
        "en",
        """
WebSocket connection to 'wss://rt.example.com/socket?v=2&jwt={!jwt_es}' failed: Error during WebSocket handshake""",
        "Error during WebSocket handshake",
    ),
    (
        "yaml ci variable",
        "pl",
        """
variables:
  DEPLOY_JWT: "{!jwt_512}"
  STAGE: "test"  # na produkcji ustawiamy w panelu""",
        "na produkcji ustawiamy w panelu",
    ),
    (
        "stack trace",
        "en",
        """
io.jsonwebtoken.ExpiredJwtException: JWT expired at {ts}
    at com.oakford.auth.Filter.parse(Filter.java:71)
Caused by token: {!jwt_rs}""",
        "io.jsonwebtoken.ExpiredJwtException|Filter.java:71",
    ),
    (
        "magic link mail",
        "es",
        """
Aquí tienes el enlace: https://app.example.com/entrar?token={!jwt_user}
Caduca en quince minutos.""",
        "Aquí tienes el enlace|Caduca en quince minutos.",
    ),
    (
        "nginx access log",
        "en",
        (
            "\n"
            '10.4.1.9 - - [12/May/2024:10:01:44 +0000] "GET /files/report.pdf?access_token={!jwt_short} HTTP/1.1" '
            '200 48211 "-" "curl/8.1"'
        ),
        "HTTP/1.1|48211",
    ),
    (
        "postman variable",
        "ja",
        """
Postman の環境変数 authToken に {!jwt_es} を入れてから送信してください。""",
        "を入れてから送信してください",
    ),
    (
        "docker run",
        "en",
        """
docker run -d -e AGENT_JWT={!jwt_512} -e LOG_LEVEL=debug registry.example.com/agent:{ver}""",
        "LOG_LEVEL=debug",
    ),
    (
        "http dump folded",
        "en",
        """
GET /api/v2/tickets HTTP/2
host: support.example.com
x-amzn-oidc-data: {!jwt_es}
accept: */*""",
        "host: support.example.com|accept: */*",
    ),
    (
        "grpc metadata",
        "zh",
        """
grpcurl -H 'authorization: bearer {!jwt_rs}' ledger.example.com:443 ledger.v1.Orders/List
返回 Unauthenticated，麻烦看看网关配置。""",
        "麻烦看看网关配置",
    ),
    (
        "table cell",
        "en",
        """
| env | user | token |
|-----|------|-------|
| stg | loadtest | {!jwt_short} |
| dev | loadtest | ask in #dev |""",
        "loadtest|ask in #dev",
    ),
    (
        "ruby hash",
        "en",
        """
headers = { "Authorization" => "Bearer {!jwt_user}", "Accept" => "application/json" }
RestClient.get("https://api.example.com/me", headers)""",
        "RestClient.get",
    ),
)
