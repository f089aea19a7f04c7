"""Tokens of clouds, source hosts and registries of packages."""

from domain.masking.ruleset.rule import LONG
from domain.masking.ruleset.vendor_tokens import HEX, LOWER, MIXED, UPPER, token

CLOUD = (
    # clouds
    token(
        "aws access key",
        "(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",
        "akia asia abia acca a3t",
        "AKIA" + UPPER[:16],
        "ASIA PACIFIC REGIONS",
    ),
    token(
        "aws bedrock key",
        "(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/=_-]{60,}",
        "absk bedrock-api-key-",
        "ABSK" + MIXED[:120],
    ),
    token("aws session token", "(?:FQoG|FwoG|IQoJ)[A-Za-z0-9+/=]{80,}", "fqog fwog iqoj", "IQoJ" + MIXED[:140]),
    token("google api key", r"AIza[\w-]{35}", "aiza", "AIza" + MIXED[:35]),
    token(
        "google oauth token",
        r"(?:ya29\.[\w.-]{20,}|1//0[\w-]{30,}|GOCSPX-[\w-]{24,40})",
        "ya29. 1//0 gocspx-",
        "GOCSPX-" + MIXED[:28],
    ),
    token("azure client secret", r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}", f"{LONG} q~", "abC8Q~" + MIXED[:34]),
    token(
        "azure key",
        r"(?:[A-Za-z0-9+/]{52}JQQJ9[9DH][A-Za-z0-9+/]{24,26}(?:==)?|[A-Za-z0-9+/]{76}(?:APIM|ACDb|AzFu|AzSe|\+(?:ABa|AMC|ASt))[A-Za-z0-9+/]{4,8}(?:==?)?|[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4})",
        "jqqj9 apim acdb azfu azse +aba +amc +ast azdo",
        MIXED[:52] + "JQQJ99" + MIXED[:24],
        "APIM gateway",
    ),
    token("alibaba cloud key", "LTAI[A-Za-z0-9]{12,28}", "ltai", "LTAI" + MIXED[:20]),
    token("tencent cloud key", "AKID[A-Za-z0-9]{32}", "akid", "AKID" + MIXED[:32]),
    token(
        "yandex cloud key",
        r"(?:AQVN[\w-]{35,38}|YC[\w-]{38}|y[0-3]_[\w-]{50,70}|t1\.[\w-]{40,}={0,2}\.[\w-]{86}={0,2})",
        f"{LONG} aqvn yc y0_ y1_ y2_ y3_ t1.",
        "AQVN" + MIXED[:36],
    ),
    token("digitalocean token", "do[oprx]_v1_[a-f0-9]{64}", "dop_v1_ doo_v1_ dor_v1_ dox_v1_", "dop_v1_" + HEX[:64]),
    token("scaleway key", "SCW[A-Z0-9]{17}", f"{LONG} scw", "SCW" + UPPER[:17]),
    token("linode token", "(?:lin_pat_)[a-f0-9]{40,64}", "lin_pat_", "lin_pat_" + HEX[:64]),
    token("heroku key", r"HRKU-[\w-]{30,64}", "hrku-", "HRKU-AA" + MIXED[:58]),
    token("fly.io token", r"(?:fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/=_-]{60,})", "fo1_ fm1 fm2", "fo1_" + MIXED[:43]),
    token("render key", "rnd_[A-Za-z0-9]{24,40}", "rnd_", "rnd_" + MIXED[:32]),
    token(
        "vercel token",
        "(?:vc[a-z]_[A-Za-z0-9]{24,}|vercel_[a-z_]{0,20}[A-Za-z0-9]{24,60})",
        "vcp_ vca_ vci_ vcr_ vck_ vercel_",
        "vcp_" + MIXED[:56],
    ),
    token("netlify token", "nf[pcoub]_[A-Za-z0-9_-]{36,60}", "nfp_ nfc_ nfo_ nfu_ nfb_", "nfp_" + MIXED[:36]),
    token(
        "cloudflare key",
        r"(?:v1\.0-[a-f0-9]{24}-[a-f0-9]{140,}|cf(?:k|ut|at)_[A-Za-z0-9]{40,56})",
        "v1.0- cfk_ cfut_ cfat_",
        "v1.0-" + HEX[:24] + "-" + HEX[:146],
    ),
    token("akamai token", "akab-[a-z0-9]{16}-[a-z0-9]{16}", "akab-", "akab-" + LOWER[:16] + "-" + LOWER[4:20]),
    token(
        "supabase key", r"(?:sbp_(?:oauth_)?[a-f0-9]{40}|sb_secret_[\w-]{22,60})", "sbp_ sb_secret_", "sbp_" + HEX[:40]
    ),
    token("planetscale token", r"pscale_(?:tkn|pw|oauth|api)_[\w=.-]{32,64}", "pscale_", "pscale_tkn_" + MIXED[:43]),
    token("neon key", "napi_[a-z0-9]{40,}", "napi_", "napi_" + LOWER[:64]),
    token("mongodb atlas secret", r"mdb_sa_sk_[\w-]{36,48}", "mdb_sa_sk_", "mdb_sa_sk_" + MIXED[:40]),
    token("databricks token", "(?:dapi|dose)[a-f0-9]{32}(?:-[0-9])?", f"{LONG} dapi dose", "dapi" + HEX[:32]),
    token("confluent secret", "cflt[A-Za-z0-9+/]{60}", f"{LONG} cflt", "cflt" + MIXED[:60]),
    token(
        "upstash token",
        "(?:AX|AY|AZ)[A-Za-z0-9]{2}AA[A-Za-z0-9]{50,}={0,2}",
        "aaincd aaijc aailc aaigc",
        "AXXXAAIncD" + MIXED[:54],
    ),
    token("azure key", "[A-Za-z0-9+/]{86}==", f"{LONG} ==", MIXED[:86] + "==", "sha512-" + MIXED[:86] + "=="),
    # source hosts
    token(
        "github token",
        "(?:gh[pousr]_[A-Za-z0-9_]{36,}|github_pat_[A-Za-z0-9_]{50,})",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        "ghp_" + MIXED[:36],
        "ghp_short",
    ),
    token(
        "gitlab token",
        r"(?:gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[\w.-]{20,}|GR1348941[\w-]{20})",
        "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt- gr1348941",
        "glpat-" + MIXED[:20],
        "glpat-short",
    ),
    token(
        "atlassian token",
        r"(?:AT[ACS]TT3xFf[\w=-]{40,}|ATBB[A-Za-z0-9_=.-]{28,64}|ATATT[\w=-]{60,})",
        "atatt atctt atstt atbb",
        "ATATT3xFf" + MIXED[:180],
    ),
    token("gitea token", "gt[ao]_[A-Za-z0-9]{30,50}", "gta_ gto_", "gto_" + LOWER[:40]),
    token(
        "sourcegraph token",
        "(?:sgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}|sgp_[A-Za-z0-9]{64}|slk_[a-f0-9]{64})",
        "sgp_ slk_",
        "sgp_" + HEX[:16] + "_" + HEX[:40],
    ),
    # registries
    token("npm token", r"(?:npm_[A-Za-z0-9]{36}|NpmToken\.[0-9a-f-]{36})", "npm_ npmtoken.", "npm_" + MIXED[:36]),
    token("pypi token", r"pypi-AgE[A-Za-z0-9_-]{50,}", "pypi-age", "pypi-AgEIcHlwaS5vcmc" + MIXED[:120]),
    token("rubygems key", "rubygems_[a-f0-9]{48}", "rubygems_", "rubygems_" + HEX[:48]),
    token("docker hub token", r"dckr_(?:pat|oat)_[\w-]{24,64}", "dckr_", "dckr_pat_" + MIXED[:27]),
    token("nuget key", "oy2[a-z0-9]{43}", "oy2", "oy2" + LOWER[:43]),
    token("crates.io token", "cio[A-Za-z0-9]{32}", f"{LONG} cio", "cio" + MIXED[:32]),
    token("clojars token", "CLOJARS_[a-z0-9]{60}", "clojars_", "CLOJARS_" + LOWER[:60]),
    token("packagist token", "packagist_[ou][ru]t_[a-f0-9]{68}", "packagist_", "packagist_uut_" + HEX[:68]),
    token(
        "artifactory token",
        r"(?:AKC[A-Za-z0-9]{10,}|cmVmdGtu[A-Za-z0-9]{56})",
        f"{LONG} akc cmvmdgtu",
        "AKCp8" + MIXED[:68],
    ),
)
