"""Tokens of chat, payment, mail and work tools."""

from domain.masking.ruleset.rule import LONG
from domain.masking.ruleset.vendor_tokens import DIGITS, HEX, LOWER, MIXED, UPPER, token

BUSINESS = (
    # chat
    token(
        "slack token",
        r"(?:xox[abcdeprs]-[A-Za-z0-9%-]{10,}|xoxe\.xox[bp]-\d-[A-Za-z0-9]{100,}|xapp-\d-[A-Za-z0-9-]{20,}|xwfp-[A-Za-z0-9-]{20,})",
        "xox xapp- xwfp-",
        "xoxb-" + DIGITS[:12] + "-" + MIXED[:24],
        "xoxo hugs",
    ),
    token(
        "slack webhook",
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[A-Za-z0-9]{8,14}/[A-Za-z0-9]{8,20}/[A-Za-z0-9/]{16,}",
        "hooks.slack",
        "hooks.slack.com/services/T" + UPPER[:8] + "/B" + UPPER[:8] + "/" + MIXED[:24],
    ),
    token(
        "teams webhook",
        r"[\w-]+\.(?:webhook\.office\.com|logic\.azure\.com)(?::443)?/(?:webhookb2|workflows)/[\w@/.?&=%-]{60,}",
        "webhook.office.com logic.azure.com",
        "acme.webhook.office.com/webhookb2/" + HEX[:32] + "/IncomingWebhook/" + HEX[:32] + "/" + HEX[:32],
    ),
    token(
        "discord token",
        r"(?:[MNO][A-Za-z\d_-]{22,28}\.[\w-]{6}\.[\w-]{27,40}|discord(?:app)?\.com/api/webhooks/\d{16,20}/[\w-]{60,})",
        f"{LONG} .",
        "M" + MIXED[:23] + "." + MIXED[:6] + "." + MIXED[:38],
    ),
    token("telegram token", r"(?:bot)?\d{8,10}:AA[\w-]{32,34}", ":aa", DIGITS[:10] + ":AA" + MIXED[:33]),
    token(
        "zapier webhook",
        r"(?:hooks\.zapier\.com/hooks/catch/\d{4,12}/\w{5,60}|hook\.[a-z0-9]+\.make\.com/\w{16,60})",
        "hooks.zapier make.com",
        "hooks.zapier.com/hooks/catch/1234567/" + LOWER[:7],
    ),
    token(
        "google chat webhook",
        r"chat\.googleapis\.com/v1/spaces/[\w-]+/messages\?key=[\w%&=-]{40,}",
        "chat.googleapis",
        "chat.googleapis.com/v1/spaces/AAAA" + MIXED[:8] + "/messages?key=" + MIXED[:39] + "&token=" + MIXED[:43],
    ),
    token("firebase key", r"AAAA[\w-]{7}:APA91[\w-]{80,}", ":apa91", "AAAA" + MIXED[:7] + ":APA91" + MIXED[:120]),
    token(
        "kubeadm token", r"[a-z0-9]{6}\.[a-z0-9]{16}", "kubeadm token", "kubeadm join --token a7bk2z.q9rm4tx6yw8lp3vn"
    ),
    token("dingtalk secret", "SEC[0-9a-f]{64}", f"{LONG} sec", "SEC" + HEX[:64]),
    # payment and shops
    token(
        "stripe key",
        r"(?:(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{24,})",
        "_live_ _test_ _prod_ whsec_",
        "sk_live_" + MIXED[:24],
        "sk_test_mode",
    ),
    token("square token", r"(?:sq0(?:atp|csp|idp)-[\w-]{22,60}|EAAA[\w-]{56,})", "sq0 eaaa", "sq0csp-" + MIXED[:43]),
    token(
        "braintree token",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
        "access_token$",
        "access_token$production$" + LOWER[:16] + "$" + HEX[:32],
    ),
    token(
        "plaid token",
        "(?:access|link|public|processor)-(?:sandbox|development|production)-[0-9a-f-]{36}",
        "-sandbox- -development- -production-",
        "access-production-3f9a1c7e-2d8b-4f6a-5c0e-1d7b3f9a2c8e",
    ),
    token("razorpay key", "rzp_(?:live|test)_[A-Za-z0-9]{14,24}", "rzp_", "rzp_live_" + MIXED[:14]),
    token(
        "flutterwave key",
        "FLW(?:SECK|PUBK)(?:_TEST)?-[A-Za-z0-9]{12,40}(?:-X)?",
        "flwseck flwpubk",
        "FLWSECK-" + HEX[:32] + "-X",
    ),
    token(
        "mollie key",
        "(?:live|test)_[A-Za-z0-9]{30,40}",
        f"{LONG} live_ test_",
        "live_" + MIXED[:30],
        "test_that_a_name_of_a_test_is_left_alone_here",
    ),
    token("adyen key", "AQE[a-z0-9][A-Za-z0-9+/]{2}[A-Za-z0-9+/=.<>-]{60,}", f"{LONG} aqe", "AQEyhm" + MIXED[:120]),
    token(
        "shopify token",
        "shp(?:at|ca|pa|ss|ua|tka)_[a-fA-F0-9]{32,64}",
        "shpat_ shpca_ shppa_ shpss_ shpua_ shptka_",
        "shpat_" + HEX[:32],
    ),
    token(
        "shipping key",
        "(?:shippo_(?:live|test)_[a-f0-9]{40}|EZ[AT]K[A-Za-z0-9]{54}|duffel_(?:test|live)_[A-Za-z0-9_-]{43})",
        "shippo_ ezak eztk duffel_",
        "shippo_live_" + HEX[:40],
    ),
    token("woocommerce key", "c[ks]_[0-9a-f]{40}", "ck_ cs_", "ck_" + HEX[:40]),
    # mail and messages
    token("sendgrid key", r"SG\.[\w-]{16,32}\.[\w-]{16,64}", f"{LONG} sg.", "SG." + MIXED[:22] + "." + MIXED[:43]),
    token(
        "mailgun key",
        "(?:key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}|pubkey-[0-9a-f]{32})",
        f"{LONG} -",
        "key-" + HEX[:32],
    ),
    token("mailchimp key", r"(?:[0-9a-f]{32}-us\d{1,2}|md-[A-Za-z0-9_-]{22})", f"{LONG} -us md-", HEX[:32] + "-us14"),
    token(
        "brevo key",
        "x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}",
        "xkeysib- xsmtpsib-",
        "xkeysib-" + HEX[:64] + "-" + MIXED[:16],
    ),
    token("resend key", "re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,32}", f"{LONG} re_", "re_" + MIXED[:8] + "_" + MIXED[:24]),
    token("postmark token", "PM-[A-Z]{1,3}-[A-Za-z0-9_-]{30,}", f"{LONG} pm-", "PM-T-" + MIXED[:40]),
    token("twilio key", "(?:SK|AC|AP|CR)[0-9a-f]{32}", f"{LONG} sk ac ap cr", "SK" + HEX[:32]),
    # work tools
    token("notion token", "(?:ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43})", "ntn_ secret_", "ntn_" + MIXED[:46]),
    token("linear key", "lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,64}", "lin_", "lin_api_" + MIXED[:40]),
    token("figma token", r"fig[a-z]{1,2}_[\w-]{38,60}", "figd_ figo_ figu_ figor_ figoh_", "figd_" + MIXED[:40]),
    token(
        "asana token", r"[0-2]/\d{10,20}(?:/\d{10,20})?:[a-f0-9]{32}", f"{LONG} :", "1/" + DIGITS[:16] + ":" + HEX[:32]
    ),
    token("airtable token", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}", f"{LONG} pat", "pat" + MIXED[:14] + "." + HEX[:64]),
    token("hubspot token", "pat-(?:na|eu|ap)\\d-[0-9a-f-]{36}", "pat-", "pat-eu1-3f9a1c7e-2d8b-4f6a-5c0e-1d7b3f9a2c8e"),
    token("dropbox token", r"sl\.(?:u\.)?[\w-]{60,}", f"{LONG} sl.", "sl." + MIXED[:136]),
    token("intercom token", "dG9r(?:O|Oi)[A-Za-z0-9+/=]{50,64}", "dg9r", "dG9rO" + MIXED[:54]),
    token(
        "salesforce token", r"00D[A-Za-z0-9]{12,15}![\w.]{60,}", f"{LONG} 00d", "00D" + MIXED[:12] + "!" + MIXED[:96]
    ),
    token("contentful token", r"CFPAT-[\w-]{43}", "cfpat-", "CFPAT-" + MIXED[:43]),
    token("postman key", "PMAK-[a-f0-9]{24}-[a-f0-9]{34}", "pmak-", "PMAK-" + HEX[:24] + "-" + HEX[:34]),
    token("typeform token", r"tfp_[\w.=-]{40,60}", "tfp_", "tfp_" + MIXED[:44]),
    token("readme key", "rdme_[a-z0-9]{60,}", "rdme_", "rdme_" + LOWER[:70]),
    token("mapbox token", r"[sp]k\.eyJ[\w-]{20,}\.[\w-]{20,40}", "k.eyj", "sk.eyJ1" + MIXED[:60] + "." + MIXED[:22]),
    token("facebook token", r"(?:EAA[A-Za-z0-9]{60,}|\d{13,17}\|[\w-]{27})", f"{LONG} eaa |", "EAAC" + MIXED[:120]),
    token("twitter token", "AAAAAAAAAAAAAAAAAAAAA[A-Za-z0-9%]{60,}", "aaaaaaaaaaaaaaaaaaaaa", "A" * 22 + MIXED[:80]),
    token("maxmind key", "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", "_mmk", MIXED[:6] + "_" + MIXED[:29] + "_mmk"),
    token("frame.io token", r"fio-u-[\w=-]{60,70}", "fio-u-", "fio-u-" + MIXED[:64]),
    token("zuplo key", "zpka_[A-Za-z0-9]{32}_[a-f0-9]{8}", "zpka_", "zpka_" + LOWER[:32] + "_" + HEX[:8]),
    token("rootly key", "rootly_[a-f0-9]{64}", "rootly_", "rootly_" + HEX[:64]),
)
