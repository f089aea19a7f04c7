"""Vendor tokens: source hosts and build servers."""

from tests.masking.operations.template import Row

ROWS: tuple[Row, ...] = (
    (
        "fly.io / ci variable",
        "en",
        """
Set FLY_API_TOKEN to {!fly} in the repo settings -> Actions -> Variables, then re-run the deploy job.""",
        "in the repo settings|then re-run the deploy job.",
    ),
    (
        "fly.io / macaroon",
        "en",
        """
$ fly tokens create deploy -x 999999h
FlyV1 {!fm2}
saved to the vault, closing {tk}""",
        "fly tokens create deploy|saved to the vault",
    ),
    (
        "netlify / cli",
        "es",
        """
Para publicar la landing: NETLIFY_AUTH_TOKEN={!netlify} npx netlify deploy --prod --dir=dist
El sitio es docs-interna.""",
        "Para publicar la landing|El sitio es docs-interna.",
    ),
    (
        "vercel / env",
        "en",
        """
BLOB_READ_WRITE_TOKEN="{!vercel}"
NEXT_PUBLIC_SITE_URL="https://status.example.com\"""",
        "https://status.example.com",
    ),
    (
        "supabase / cli",
        "en",
        """
supabase login --token {!sbp}
supabase link --project-ref qwlxkzhtndyv
Finished supabase link.""",
        "supabase link --project-ref|Finished supabase link.",
    ),
    (
        "supabase / js code",
        "en",
        """
const admin = createClient("https://qwlxkzhtndyv.supabase.co", "{!sbsec}", { auth: { persistSession: false } });
await admin.from("tickets").select("id").limit(1);""",
        "persistSession: false|await admin.from",
    ),
    (
        "planetscale / dotenv",
        "en",
        """
DATABASE_HOST=aws.connect.psdb.cloud
DATABASE_USERNAME=8x0qv1
DATABASE_PASSWORD={!pspw}
DATABASE_NAME=ledger""",
        "aws.connect.psdb.cloud|DATABASE_NAME=ledger",
    ),
    (
        "planetscale / service token",
        "en",
        """
pscale database list --service-token-id k2m9 --service-token {!pstkn} --org oakford
  NAME     CREATED AT
  ledger   2 years ago""",
        "--org oakford|2 years ago",
    ),
    (
        "databricks / databrickscfg",
        "en",
        """
cat ~/.databrickscfg
[DEFAULT]
host  = https://adb-4412.7.azuredatabricks.net
token = {!dapi}""",
        "cat ~/.databrickscfg|azuredatabricks.net",
    ),
    (
        "aiven / service uri parts",
        "en",
        """
Aiven console shows: host kafka-3ac.aivencloud.com, port 21702, user avnadmin, password {!avns}, SSL mode require.""",
        "Aiven console shows|SSL mode require.",
    ),
    (
        "hetzner / hcloud context",
        "de",
        """
HCLOUD_TOKEN={!hetzner} hcloud server list -o columns=name,status
Bei mir kommen 14 Server, bei dir auch?""",
        "hcloud server list|bei dir auch?",
    ),
    (
        "linode / ansible vars",
        "en",
        """
linode:
  api_token: {!linode}
  region: eu-central
  type: g6-standard-2""",
        "region: eu-central|g6-standard-2",
    ),
    (
        "vultr / curl",
        "en",
        """
curl "https://api.vultr.com/v2/instances" -H "Authorization: Bearer {!vultr}" | jq '.instances[].label'
-> "edge-ams-01\"""",
        "jq '.instances[].label'|edge-ams-01",
    ),
    (
        "ibm cloud / cli",
        "en",
        """
ibmcloud login --apikey {!ibm} -r eu-de -g default
API endpoint: https://cloud.ibm.com
OK""",
        "-r eu-de|https://cloud.ibm.com",
    ),
    (
        "cloudflare / ini for certbot",
        "en",
        """
# /etc/letsencrypt/cloudflare.ini, mode 600
dns_cloudflare_api_token = {!cfapi}
# used by: certbot certonly --dns-cloudflare -d '*.int.example.net'""",
        "used by: certbot certonly",
    ),
    (
        "cloudflare / origin ca",
        "en",
        """
wrangler printed the Origin CA key: {!cfca} - I have stored it, do not use for anything but *.example.org""",
        "wrangler printed|I have stored it",
    ),
    (
        "fastly / purge command",
        "ja",
        """
キャッシュのパージはこれでできます。
curl -X POST https://api.fastly.com/service/7a1b/purge_all -H "Fastly-Key: {!fastly}"
終わったら #ops に書いてください。""",
        "キャッシュのパージはこれでできます。|終わったら #ops に書いてください。",
    ),
    (
        "github / git remote",
        "en",
        """
$ git remote -v
origin  https://x-access-token:{!ghp}@github.com/oakford/ledger.git (fetch)
origin  https://x-access-token:{!ghp}@github.com/oakford/ledger.git (push)
weird that push still says 403""",
        "git remote -v|weird that push still says 403",
    ),
    (
        "github / chat",
        "en",
        """
hey, my PAT for the migration script is {!ghp} (repo + workflow scope, expires friday)""",
        "for the migration script|expires friday",
    ),
    (
        "github / fine-grained in yaml",
        "en",
        """
renovate:
  platform: github
  token: {!ghpat}
  autodiscover: false
  repositories: [oakford/ledger, oakford/catalog]""",
        "platform: github|autodiscover: false",
    ),
    (
        "github / gh hosts.yml",
        "ko",
        """
gh 로그인 파일을 그대로 복사하면 됩니다:
github.com:
    oauth_token: {!gho}
    user: oakford-bot
    git_protocol: https""",
        "그대로 복사하면 됩니다|git_protocol: https",
    ),
    (
        "github / actions log",
        "en",
        """
2024-03-02T09:14:51.2210Z ##[debug]Evaluating: format('x-access-token:{0}', github.token)
2024-03-02T09:14:51.2214Z ##[debug]=> 'x-access-token:{!ghs}'
2024-03-02T09:14:52.0031Z Fetching the repository""",
        "Evaluating: format|Fetching the repository",
    ),
)
