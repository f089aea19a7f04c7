"""Authorization headers, cookies and API keys in dumps, commands and code."""

from tests.masking.operations.template import Row

ROWS: tuple[Row, ...] = (
    (
        "basic in curl",
        "en",
        """
curl -v -H "Authorization: Basic {!b64pair}" https://nexus.example.com/service/rest/v1/status
< HTTP/1.1 200 OK""",
        "curl -v|200 OK",
    ),
    (
        "basic in http dump",
        "en",
        """
> GET /api/builds HTTP/1.1
> Host: ci.example.com
> Authorization: Basic {!b64pair}
> User-Agent: curl/8.4.0
< HTTP/1.1 403 Forbidden""",
        "Host: ci.example.com|User-Agent: curl/8.4.0|403 Forbidden",
    ),
    (
        "bearer opaque",
        "en",
        """
the call that works from my laptop:
Authorization: Bearer {!us48}
Accept: application/json""",
        "the call that works from my laptop|application/json",
    ),
    (
        "lower case header",
        "en",
        """
authorization: bearer {!hex64}
content-type: application/json
x-request-id: {uuid}""",
        "content-type: application/json",
    ),
    (
        "x-api-key",
        "de",
        """
Bitte beim Aufruf den Header mitgeben: X-Api-Key: {!an40}
Ohne den antwortet {svc} mit 401.""",
        "Bitte beim Aufruf den Header mitgeben|Ohne den antwortet",
    ),
    (
        "session cookie",
        "en",
        """
Cookie: PHPSESSID={!lo26}; lang=en; consent=1
-> page renders, without it I get the login form""",
        "page renders, without it I get the login form",
    ),
    (
        "set-cookie",
        "en",
        """
< HTTP/1.1 302 Found
< Set-Cookie: connect.sid=s%3A{!us32}.{!an43}; Path=/; HttpOnly; SameSite=Lax
< Location: /dashboard""",
        "HttpOnly|Location: /dashboard",
    ),
    (
        "cookie jar file",
        "en",
        """
# Netscape HTTP Cookie File
.app.example.com	TRUE	/	TRUE	1719830000	session_token	{!us64}
.app.example.com	TRUE	/	FALSE	1719830000	theme	dark""",
        "Netscape HTTP Cookie File|dark",
    ),
    (
        "python requests",
        "en",
        """
resp = requests.post(
    "https://api.example.com/v2/jobs",
    headers={"Authorization": "Token {!hex40}", "Accept": "application/json"},
    json={"queue": "nightly"},
)""",
        "requests.post|nightly",
    ),
    (
        "node fetch",
        "en",
        """
const res = await fetch(`${base}/tickets/${id}`, { headers: { 'x-api-key': '{!us40}', accept: 'application/json' } });
if (!res.ok) throw new Error(res.statusText);""",
        "throw new Error",
    ),
    (
        "java okhttp",
        "en",
        """
Request request = new Request.Builder()
    .url("https://billing.example.com/api/invoices")
    .header("Authorization", "Bearer {!us64}")
    .build();""",
        "billing.example.com|.build();",
    ),
    (
        "go code",
        "en",
        """
req, _ := http.NewRequest("GET", baseURL+"/status", nil)
req.Header.Set("X-Auth-Token", "{!hex32}")
resp, err := http.DefaultClient.Do(req)""",
        "http.NewRequest|http.DefaultClient.Do",
    ),
    (
        "php guzzle",
        "fr",
        """
$client->request('GET', '/commandes', [
    'headers' => ['Authorization' => 'Bearer {!an60}'],  // à sortir du code
]);""",
        "/commandes|à sortir du code",
    ),
    (
        "powershell",
        "en",
        """
$headers = @{ "X-API-Key" = "{!an48}"; "Accept" = "application/json" }
Invoke-RestMethod -Uri https://monitor.example.com/api/hosts -Headers $headers""",
        "Invoke-RestMethod",
    ),
    (
        "wget header",
        "it",
        """
wget --header='Authorization: Bearer {!us50}' https://repo.example.it/pacchetti/elenco.json
dura circa due minuti""",
        "dura circa due minuti",
    ),
    (
        "httpie",
        "en",
        """
http GET https://api.example.com/v1/me "X-Access-Token:{!an44}" | jq .plan
"enterprise\"""",
        "enterprise",
    ),
    (
        "nginx proxy_set_header",
        "en",
        """
location /reports/ {
    proxy_pass http://reports:8080;
    proxy_set_header Authorization "Basic {!b64pair}";
    proxy_read_timeout 90s;
}""",
        "proxy_pass http://reports:8080|proxy_read_timeout 90s",
    ),
    (
        "debug log dict",
        "en",
        "\n{ts} DEBUG http.client send: headers={'Host': '{fq}', 'X-Auth-Token': '{!us40}', 'Content-Length': '188'}",
        "Content-Length",
    ),
    (
        "apache error log",
        "es",
        (
            "\n"
            '[error] [client {ip}] cabecera recibida: Authorization: Digest username="reportes", nonce="{hex32}", '
            'response="{!hex32#1}"\n'
            "Se rechaza por reloj desfasado."
        ),
        "Se rechaza por reloj desfasado.",
    ),
    (
        "proxy-authorization",
        "en",
        """
CONNECT registry.example.com:443 HTTP/1.1
Proxy-Authorization: Basic {!b64pair}
HTTP/1.1 407 Proxy Authentication Required""",
        "CONNECT registry.example.com:443|407 Proxy Authentication Required",
    ),
    (
        "docker config.json",
        "en",
        """
{
  "auths": {
    "registry.example.com": { "auth": "{!dockauth}" }
  },
  "credsStore": ""
}""",
        "registry.example.com",
    ),
    (
        "har file",
        "en",
        """
{"name": "x-csrf-token", "value": "{!hex64}"},
{"name": "cookie", "value": "sid={!us43}; lang=de"},
{"name": "accept-encoding", "value": "gzip, br"}""",
        "accept-encoding",
    ),
    (
        "postman prose",
        "ja",
        """
ヘッダーに X-Api-Key: {!an40} を追加してから実行すると、一覧が返ってきます。""",
        "一覧が返ってきます",
    ),
    (
        "chinese chat",
        "zh",
        """
调用接口要在请求头加 Authorization: Bearer {!us48} ，不然会返回 401 未授权。""",
        "不然会返回",
    ),
    (
        "korean ticket",
        "ko",
        """
요청 헤더: x-api-key: {!an36}
응답: 429 Too Many Requests, 한도 상향을 부탁드립니다.""",
        "한도 상향을 부탁드립니다",
    ),
    (
        "russian ticket",
        "ru",
        """
Заголовок запроса: Authorization: OAuth {!us58}
Ответ сервера: 403, прав на очередь нет.""",
        "прав на очередь нет",
    ),
    (
        "turkish chat",
        "tr",
        """
İstek başlığı şöyle olmalı: X-Auth-Token: {!hex40}
Sonra yanıt kodu 200 dönüyor.""",
        "yanıt kodu 200 dönüyor",
    ),
    (
        "jmeter csv",
        "pl",
        """
Plik z nagłówkami do testu obciążenia:
header;value
X-Session-Id;{!hex48}
Accept-Language;pl-PL""",
        "Plik z nagłówkami do testu obciążenia|Accept-Language;pl-PL",
    ),
    (
        "stomp frame",
        "nl",
        """
CONNECT
accept-version:1.2
login:{u}
passcode:{!an20}

de verbinding valt na een minuut weg""",
        "accept-version:1.2|de verbinding valt na een minuut weg",
    ),
    (
        "curl cookie option",
        "pt",
        """
curl 'https://painel.example.com.br/api/pedidos' -b 'laravel_session={!us40}; XSRF-TOKEN={!us60}' --compressed
retorna lista vazia""",
        "retorna lista vazia",
    ),
    (
        "swift code",
        "en",
        """
request.setValue("Bearer {!us43}", forHTTPHeaderField: "Authorization")
request.timeoutInterval = 15""",
        "request.timeoutInterval = 15",
    ),
    (
        "signature header",
        "en",
        '\nX-Hub-Signature-256 did not match; configured webhook secret is "{!an32}", delivered by hook 4418',
        "did not match|delivered by hook 4418",
    ),
)
