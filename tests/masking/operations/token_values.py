"""Published token formats, written as templates over sized random fields."""

import base64
import json
from random import Random

from tests.masking.operations.template import Gen, chars, fill

FORMATS: dict[str, str] = {
    # clouds
    "akia": "AKIA{bu16}",
    "asia": "ASIA{bu16}",
    "awssec": "{bs40}",
    "awssess": "IQoJb3JpZ2luX2Vj{bs240}==",
    "aiza": "AIza{us35}",
    "gocspx": "GOCSPX-{us28}",
    "ya29": "ya29.a0{us160}",
    "azsec": "{an3}8Q~{us34}",
    "azstor": "{bs76}+ASt{bs5}A==",
    "azdo": "{an76}AZDO{an4}",
    "azfn": "{us42}AzFu{an6}==",
    "dop": "dop_v1_{hex64}",
    "doo": "doo_v1_{hex64}",
    "ltai": "LTAI{an20}",
    "alisec": "{an30}",
    "akid": "AKID{an32}",
    "ycapi": "AQVN{us35}",
    "scwsec": "{hex8}-{hex4}-4{hex3}-a{hex3#1}-{hex12}",
    "heroku": "HRKU-AA{us58}",
    "fly": "fo1_{us43}",
    "fm2": "fm2_lJPECAAAAAAA{bs120}",
    "netlify": "nfp_{an36}",
    "vercel": "vercel_blob_rw_{an16}_{an30}",
    "sbp": "sbp_{hex40}",
    "sbsec": "sb_secret_{us22}_{us8}",
    "pstkn": "pscale_tkn_{us43}",
    "pspw": "pscale_pw_{us43}",
    "dapi": "dapi{hex32}-2",
    "avns": "AVNS_{us19}",
    "hetzner": "{an64}",
    "linode": "{hex64}",
    "ibm": "{us44}",
    "vultr": "{up36}",
    "cfapi": "{us40}",
    "cfca": "v1.0-{hex24}-{hex146}",
    "fastly": "{us32}",
    # source hosts, registries, CI
    "ghp": "ghp_{an36}",
    "gho": "gho_{an36}",
    "ghs": "ghs_{an36}",
    "ghr": "ghr_{an76}",
    "ghu": "ghu_{an36}",
    "ghpat": "github_pat_11{up20}_{an59}",
    "glpat": "glpat-{us20}",
    "glpat2": "glpat-{us38}.01.{lo9}",
    "glrt": "glrt-{us20}",
    "gldt": "gldt-{us20}",
    "glcbt": "glcbt-64_{us20}",
    "glptt": "glptt-{hex40}",
    "gr13": "GR1348941{us20}",
    "glagent": "glagent-{us50}",
    "atbb": "ATBB{an24}{heu8}",
    "atatt": "ATATT3xFfGF0{us172}={heu8}",
    "npm": "npm_{an36}",
    "pypi": "pypi-AgEIcHlwaS5vcmc{us140}",
    "gems": "rubygems_{hex48}",
    "cio": "cio{an32}",
    "nuget": "oy2{lo43}",
    "dckr": "dckr_pat_{us27}",
    "dckroat": "dckr_oat_{us32}",
    "akcp": "AKCp8{an68}",
    "clojars": "CLOJARS_{hex60}",
    "ccipat": "CCIPAT_{an22}_{hex40}",
    "bkua": "bkua_{hex40}",
    "jenkins": "11{hex32}",
    "sqp": "sqp_{hex40}",
    "squ": "squ_{hex40}",
    "travis": "{us22}",
    "harness": "pat.{an22}.{hex24}.{an20}",
    "sgp": "sgp_{hex16}_{hex40}",
    "snyk": "{uuidx}",
    "prefect": "pnu_{an36}",
    "pul": "pul-{hex40}",
    "atlas": "{an14}.atlasv1.{us67}",
    "argo": "{an16}",
    # chat and work tools
    "xoxb": "xoxb-{dig12}-{dig13}-{an24}",
    "xoxp": "xoxp-{dig12}-{dig12#1}-{dig13}-{hex32}",
    "xapp": "xapp-1-A0{up9}-{dig13}-{hex64}",
    "xoxe": "xoxe.xoxp-1-{an160}",
    "xoxd": "xoxd-{an96}%2F{an40}%3D",
    "slackhook": "https://hooks.slack.com/services/T0{up9}/B0{up9#1}/{an24}",
    "slackpath": "T0{up9}/B0{up9#1}/{an24}",
    "discord": "MT{an24}.G{an5}.{us38}",
    "dischook": "https://discord.com/api/webhooks/1{dig18}/{us68}",
    "teams": "https://oakford.webhook.office.com/webhookb2/{uuidx}@{uuidx#1}/IncomingWebhook/{hex32}/{uuidx#2}",
    "telegram": "{dig10}:AA{us33}",
    "mattermost": "{lo26}",
    "linear": "lin_api_{an40}",
    "ntn": "ntn_{dig11}{an35}",
    "notion": "secret_{an43}",
    "figd": "figd_{us40}",
    "airtable": "pat{an14}.{hex64}",
    "asana": "2/12{dig14}/12{dig14#1}:{hex32}",
    "dropbox": "sl.B{us137}",
    "zendesk": "{an40}",
    "typeform": "tfp_{an44}_3p{an12}",
    "pmak": "PMAK-{hex24}-{hex34}",
    "contentful": "CFPAT-{us43}",
    "hubspot": "pat-eu1-{uuidx}",
    "airhook": "https://hook.eu1.make.com/{lo32}",
    # payment and shops
    "sklive": "sk_live_51{an97}",
    "sktest": "sk_test_{an24}",
    "rklive": "rk_live_51{an97}",
    "whsec": "whsec_{an32}",
    "sqat": "EAAA{us60}",
    "sqcs": "sq0csp-{us43}",
    "braintree": "access_token$production${lo16}${hex32}",
    "shpat": "shpat_{hex32}",
    "shpss": "shpss_{hex32}",
    "plaid": "access-production-{uuidx}",
    "mollie": "live_{an30}",
    "flw": "FLWSECK-{hex32}-X",
    "paystack": "sk_live_{hex40}",
    "rzpsec": "{an24}",
    "duffel": "duffel_live_{us43}",
    "shippo": "shippo_live_{hex40}",
    "easypost": "EZAK{an54}",
    "adyen": "AQE{an60}.{an90}",
    "gocardless": "live_{us40}",
    # mail and messaging
    "sg": "SG.{us22}.{us43}",
    "mgkey": "key-{hex32}",
    "mgnew": "{hex32}-{hex8}-{hex8#1}",
    "mchimp": "{hex32}-us12",
    "brevo": "xkeysib-{hex64}-{an16}",
    "brevosmtp": "xsmtpsib-{hex64}-{an16}",
    "postmark": "{uuidx}",
    "resend": "re_{an8}_{an24}",
    "twsk": "SK{hex32}",
    "twauth": "{hex32}",
    "fcm": "AAAA{us7}:APA91b{us134}",
    "mailjet": "{hex32}",
    "vonage": "{an16}",
    # model APIs
    "oai": "sk-{an20}T3BlbkFJ{an20#1}",
    "oaiproj": "sk-proj-{us74}T3BlbkFJ{us74#1}",
    "oaisvc": "sk-svcacct-{us58}T3BlbkFJ{us58#1}",
    "ant": "sk-ant-api03-{us93}AA",
    "antadm": "sk-ant-admin01-{us93}AA",
    "hf": "hf_{al34}",
    "r8": "r8_{an37}",
    "gsk": "gsk_{an52}",
    "pplx": "pplx-{an48}",
    "xai": "xai-{an80}",
    "orv1": "sk-or-v1-{hex64}",
    "lsv2": "lsv2_pt_{hex32}_{hex10}",
    "nvapi": "nvapi-{us64}",
    "pcsk": "pcsk_5{an5}_{an57}",
    "wandb": "{hex40}",
    "cohere": "{an40}",
    "mistral": "{an32}",
    # monitoring and on-call
    "ddapi": "{hex32}",
    "ddapp": "{hex40}",
    "nrak": "NRAK-{up27}",
    "nral": "{hex36}NRAL",
    "nrii": "NRII-{us32}",
    "glsa": "glsa_{an32}_{hex8}",
    "sntryu": "sntryu_{hex64}",
    "hcaik": "hcaik_01{lo56}",
    "dt0c": "dt0c01.{bu24}.{bu64}",
    "pagerduty": "u+{us18}",
    "genie": "{uuidx}",
    "splunk": "{uuidx}",
    "sumo": "{an64}",
    "rollbar": "{hex32}",
    "essu": "essu_{bs88}==",
    "k6": "{hex64}",
    # identity, vaults, networks
    "hvs": "hvs.CAESI{us95}",
    "hvb": "hvb.AAAAAQ{us140}",
    "vs": "s.{an24}",
    "dppt": "dp.pt.{an43}",
    "dpst": "dp.st.prd.{an43}",
    "ops1p": "ops_eyJ{bs260}",
    "a3key": "A3-{up6}-{up6#1}-{up5}-{up5#1}-{up5#2}-{up5#3}",
    "okta": "00{us40}",
    "ldsdk": "sdk-{uuidx}",
    "tskey": "tskey-auth-k{an11}CNTRL-{an32}",
    "tsapi": "tskey-api-k{an11}CNTRL-{an33}",
    "ngrok": "2{an26}_{an21}",
    "swmtkn": "SWMTKN-1-{lo50}-{lo25}",
    "kubeadm": "{lo6}.{lo16}",
    "sha256tok": "sha256~{us43}",
    "rancher": "token-{lo5}:{lo54}",
    "wg": "{bs42}A=",
    "age": "AGE-SECRET-KEY-1{agebody}",
    "auth0": "{us64}",
    "mapbox": "sk.eyJ1Ijoi{an60}.{us22}",
    "fbtok": "EAA{an170}",
    "twbearer": "AAAAAAAAAAAAAAAAAAAAA{an28}%3D{an52}",
    "rapid": "{lo10}msh{lo15}p1{lo6}jsn{lo12}",
    "algolia": "{hex32}",
    "adobe": "p8e-{an32}",
    "lob": "live_{hex35}",
    "maxmind": "{an6}_{an29}_mmk",
    "ubidots": "BBUS-{an30}",
}

_BECH32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"


def _b64_json(rng: Random, body: dict[str, object]) -> str:
    raw = json.dumps({"iat": 1.7e9 + rng.randrange(10**7), **body}).encode()
    return base64.b64encode(raw).decode()


def _sntrys(rng: Random) -> str:
    body = _b64_json(rng, {"url": "https://sentry.io", "region_url": "https://de.sentry.io", "org": "oakford"})
    return f"sntrys_{body}_{chars(rng, 'bs', 43)}"


def _glc(rng: Random) -> str:
    body = {"o": str(rng.randrange(10**6)), "n": "alloy-prod", "k": chars(rng, "an", 24), "m": {"r": "prod-eu-west-2"}}
    return "glc_" + base64.b64encode(json.dumps(body).encode()).decode()


def _intercom(rng: Random) -> str:
    raw = f"tok:{chars(rng, 'hex', 8)}_{chars(rng, 'hex', 4)}_{chars(rng, 'hex', 4)}_{chars(rng, 'hex', 12)}:1:0"
    return base64.b64encode(raw.encode()).decode()


def _reftkn(rng: Random) -> str:
    raw = f"reftkn:01:17{chars(rng, 'dig', 8)}:{chars(rng, 'an', 28)}"
    return base64.b64encode(raw.encode()).decode()


def _elastic(rng: Random) -> str:
    raw = f"{chars(rng, 'us', 20)}:{chars(rng, 'us', 22)}"
    return base64.b64encode(raw.encode()).decode()


def _uuidx(rng: Random) -> str:
    raw = chars(rng, "hex", 30)
    return f"{raw[:8]}-{raw[8:12]}-4{raw[12:15]}-{rng.choice('89ab')}{raw[15:18]}-{raw[18:30]}"


_BASE: dict[str, Gen] = {
    "uuidx": _uuidx,
    "agebody": lambda r: "".join(r.choice(_BECH32) for _ in range(58)),
}


def _maker(template: str) -> Gen:
    return lambda rng: fill(template, rng, _BASE)[0]


TOKENS: dict[str, Gen] = {
    **_BASE,
    **{name: _maker(template) for name, template in FORMATS.items()},
    "sntrys": _sntrys,
    "glc": _glc,
    "intercom": _intercom,
    "reftkn": _reftkn,
    "elastic": _elastic,
}
