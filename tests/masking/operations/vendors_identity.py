"""Vendor tokens: identity, vaults, networks, shops."""

from tests.masking.operations.template import Row

ROWS: tuple[Row, ...] = (
    (
        "okta / ssws",
        "en",
        """
curl -s -H "Authorization: SSWS {!okta}" "https://oakford.okta.com/api/v1/users?limit=1" | jq '.[0].status'
"ACTIVE\"""",
        "https://oakford.okta.com/api/v1/users?limit=1|ACTIVE",
    ),
    (
        "auth0 / m2m json",
        "en",
        (
            "\n"
            '{"client_id":"k2Vx","client_secret":"{!auth0}","audience":"https://api.example.com",'
            '"grant_type":"client_credentials"}'
        ),
        "https://api.example.com|client_credentials",
    ),
    (
        "launchdarkly / helm values",
        "en",
        """
launchdarkly:
  sdkKey: {!ldsdk}
  streaming: true
  offline: false""",
        "streaming: true",
    ),
    (
        "tailscale / cloud-init",
        "en",
        """
runcmd:
  - curl -fsSL https://tailscale.com/install.sh | sh
  - tailscale up --authkey={!tskey} --hostname={h}""",
        "https://tailscale.com/install.sh",
    ),
    (
        "tailscale / api key",
        "en",
        "\ncurl -u \"{!tsapi}:\" https://api.tailscale.com/api/v2/tailnet/example.org/devices | jq '.devices[].name'",
        "jq '.devices[].name'",
    ),
    (
        "ngrok / config",
        "en",
        """
ngrok config add-authtoken {!ngrok}
Authtoken saved to configuration file: ~/.config/ngrok/ngrok.yml""",
        "saved to configuration file",
    ),
    (
        "docker swarm / join",
        "en",
        """
To add a worker to this swarm, run the following command:

    docker swarm join --token {!swmtkn} 10.20.0.4:2377""",
        "To add a worker to this swarm|docker swarm join",
    ),
    (
        "kubeadm / join",
        "en",
        """
kubeadm join 10.20.0.9:6443 --token {!kubeadm} \\
    --discovery-token-ca-cert-hash sha256:{sha256}
run that on the new node, then label it""",
        "kubeadm join|run that on the new node",
    ),
    (
        "openshift / oc login",
        "ko",
        """
콘솔에서 복사한 로그인 명령입니다: oc login --token={!sha256tok} --server=https://api.ocp.example.net:6443
이제 프로젝트 목록이 보일 거예요.""",
        "콘솔에서 복사한|이제 프로젝트 목록이 보일 거예요.",
    ),
    (
        "rancher / kubeconfig",
        "en",
        """
users:
- name: "prod"
  user:
    token: "{!rancher}"
contexts:
- name: "prod\"""",
        "users:|contexts:",
    ),
    (
        "wireguard / conf",
        "de",
        """
[Interface]
PrivateKey = {!wg}
Address = 10.66.0.7/32
[Peer]
Endpoint = vpn.example.net:51820""",
        "vpn.example.net:51820",
    ),
    (
        "age / sops key file",
        "en",
        """
# created: {ts}
# public key: age1ql3z7hjy
{!age}
put it into ~/.config/sops/age/keys.txt""",
        "put it into",
    ),
    (
        "mapbox / secret token",
        "en",
        "\ntippecanoe upload: MAPBOX_ACCESS_TOKEN={!mapbox} mapbox upload oakford.depots depots.mbtiles",
        "tippecanoe upload|depots.mbtiles",
    ),
    (
        "facebook / graph api",
        "en",
        """
GET https://graph.facebook.com/v19.0/me/accounts?access_token={!fbtok}
(#10) This endpoint requires the 'pages_read_engagement' permission""",
        "This endpoint requires",
    ),
    (
        "twitter / bearer",
        "en",
        """
bearer for the status-page poster: {!twbearer}
app id 2719, read/write""",
        "for the status-page poster|read/write",
    ),
    (
        "rapidapi / headers",
        "en",
        """
headers = {"X-RapidAPI-Key": "{!rapid}", "X-RapidAPI-Host": "currency9.p.rapidapi.com"}
r = requests.get(url, headers=headers, timeout=5)""",
        "requests.get",
    ),
    (
        "algolia / admin key",
        "en",
        """
ALGOLIA_APP_ID=K2Q9XT
ALGOLIA_ADMIN_API_KEY={!algolia}
ALGOLIA_INDEX=kb_articles""",
        "ALGOLIA_INDEX=kb_articles",
    ),
    (
        "adobe / oauth",
        "en",
        """
client_secret: {!adobe}
scopes: openid,AdobeID,read_organizations
technical account: fulfilment""",
        "technical account: fulfilment",
    ),
    (
        "lob / curl",
        "en",
        """
curl https://api.lob.com/v1/postcards -u {!lob}: -d "description=Reminder letter\"""",
        "Reminder letter",
    ),
    (
        "intercom / header",
        "en",
        """
export INTERCOM_TOKEN='{!intercom}'
curl -H "Authorization: Bearer $INTERCOM_TOKEN" https://api.intercom.io/me""",
        "https://api.intercom.io/me",
    ),
    (
        "zendesk / basic with token",
        "en",
        """
curl https://oakford.zendesk.com/api/v2/tickets/count.json -u 'bot@example.com/token:{!zendesk}'
{"count":{"value":10231}}""",
        "tickets/count.json|10231",
    ),
    (
        "maxmind / geoipupdate",
        "en",
        """
AccountID 118201
LicenseKey {!maxmind}
EditionIDs GeoLite2-City GeoLite2-Country""",
        "GeoLite2-City",
    ),
    (
        "paystack / php",
        "en",
        """
$paystack = new Yabacon\\Paystack('{!paystack}');
$tranx = $paystack->transaction->verify(['reference' => 'ord-7712']);""",
        "transaction->verify",
    ),
    (
        "typeform / header",
        "pt",
        """
curl --request GET --url https://api.typeform.com/forms --header 'Authorization: Bearer {!typeform}'
deve listar 12 formulários""",
        "deve listar 12 formulários",
    ),
)
