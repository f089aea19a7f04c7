"""Identifiers, numbers, addresses and log lines that look like secrets or personal data."""

NEG_DATA = r"""
=== commit hash | en
Fixed in <~fmt:{h40}~>, please cherry-pick onto release/4.2.
=== short hashes | en
git bisect: first bad commit is <~fmt:{h9}~>, good is <~fmt:{h9}~>, 14 revisions left to test.
=== compare link | en
https://github.com/acme-corp/billing/compare/<~fmt:{h40}~>...<~fmt:{h40}~>
=== uuid log | en
request_id=<~uuid~> tenant=<~uuid~> status=200 duration_ms=41
=== uuid table | en
| Order | Correlation id |
|---|---|
| 88121 | <~uuid~> |
=== traceparent | en
traceparent: 00-<~fmt:{h32}~>-<~fmt:{h16}~>-01
=== span log | en
INFO [billing,<~fmt:{h32}~>,<~fmt:{h16}~>] invoice 2026-0113 written in 12 ms
=== image digest | en
Pulled registry.example.com/worker@sha256:<~fmt:{h64}~> in 3.2s (84 MB)
=== checksums file | en
<~fmt:{h64}~>  app-4.2.0-linux-amd64.tar.gz
<~fmt:{h64}~>  app-4.2.0-darwin-arm64.tar.gz
=== md5 | en
MD5 (installer.msi) = <~fmt:{h32}~>
=== etag | en
ETag: "<~fmt:{h32}~>-4"
Last-Modified: Tue, 20 Jan 2026 08:00:01 GMT
=== docker ps | en
CONTAINER ID   IMAGE         PORTS                    NAMES
<~fmt:{h12}~>   redis:7       0.0.0.0:6379->6379/tcp   cache
<~fmt:{h12}~>   postgres:16   127.0.0.1:5432->5432/tcp db
=== port map | en
ports: ["5432:5432", "8080:80", "127.0.0.1:9229:9229", "6379:6379/tcp"]
=== ticket keys | en
Duplicates PLAT-10442, blocks CRM-8817 and relates to SEC-2026-0041 and INC0012345.
=== versions | en
Upgrade 10.14.2203.1187 to 10.15.0-rc.3+build.20260119; Node v20.11.1, OpenSSL 3.0.13, glibc 2.38.
=== cve | en
CVE-2024-21626 and GHSA-xr7r-f8xq-vfvv are fixed; CVE-2023-44487 does not apply to us.
=== private ips | en
The load balancer 10.20.0.5 talks to 192.168.7.40, 172.16.33.12 and fd12:3456:789a:1::1 on port 8443.
=== public ips | en
Allow 203.0.113.17, 198.51.100.0/24 and 2001:db8:85a3::8a2e:370:7334 in the firewall.
=== mac addresses | en
Reserved leases: 3c:52:82:1f:aa:07 (printer), 00-1A-2B-3C-4D-5E (camera), 0050.56be.1a2b (vm)
=== timestamps | en
2026-01-14T06:22:10.481Z start, 20260114062259 end, 1768371730 epoch, 1768371730481 epoch ms
=== date ranges | en
Freeze from 2025-12-19 to 2026-01-05, 08:00-17:30, week 2026-W03, Q1/2026.
=== order numbers | en
Order 4500123987 (supplier ref 88-1203-445), invoice 2026-0113-07, delivery note 8001457722.
=== invoice | en
Invoice no. RE-2026-004417, customer no. 1048823, net 1,240.00 EUR, VAT 19% 235.60, total 1,475.60 EUR
=== money | en
Revenue rose from 1 204 330,50 to 1 398 112,75; cost per seat is $12.99, 1.100,00 € per team.
=== isbn | en
See "Databases in Practice", ISBN 978-3-16-148410-0, chapter 7, pages 112-139.
=== ean | en
EAN 4006381333931 (highlighter, yellow) is out of stock; use 4006381333948 instead.
=== gtin table | en
| SKU | EAN | Stock |
|---|---|---|
| HL-01-Y | 5901234123457 | 120 |
=== coordinates | en
The depot is at 48.137154, 11.576124 (48°08'13.8"N 11°34'34.0"E), gate 3.
=== tracking number | en
Parcel 00340434161094042557 left the hub; UPS 1Z999AA10123456784 arrives on Thursday.
=== container number | en
Container MSKU 907032 3, vessel IMO 9321483, ETA Rotterdam 14 March.
=== imei-like asset | en
Asset tag NB-004512, serial 5CG1234XYZ, model 840 G9, warranty until 2027-08.
=== pseudo card in log | en
2026-02-02 10:14:55 INFO batch <~cardbad~> accepted 412 rows
=== event id digits | en
kafka offset=<~cardbad~> partition=3 lag=0 consumer=orders-v2
=== snowflake id | en
message 1187654321098765432 in channel 998877665544332211 was deleted by a moderator
=== part number iban-like | en
Replacement part <~ibanbad~> fits models GX20 to GX45; old number was FR08-12-AX.
=== swift | en
SWIFT/BIC of the house bank: EXAMDEFFXXX; sort code format is 6 digits.
=== vat of company | en
Example GmbH, VAT id format DE + 9 digits, registered at Amtsgericht Musterstadt, HRB 12345
=== register | en
Companies House requires the 8-digit company number on every letter; ours is printed in the footer.
=== phone-like build | en
Build 555-0143-22 failed at stage 12/14; retry as 555-0143-23.
=== phone-like range | en
Use VLANs 100-199, ports 49152-65535 and rows 1200-1450 of the sheet.
=== phone-like part | en
Cartridge 030-2312-500 is discontinued, order 030-2312-510.
=== log ids | en
pid=48213 tid=140735268359296 fd=17 addr=0x7ffee3b2c8a0 size=1048576
=== stack addresses | en
  #3 0x00005581b2f3c1d0 in token_bucket_refill () at bucket.c:212
  #4 0x00007f2a9c8e7d90 in __libc_start_call_main () from /lib/x86_64-linux-gnu/libc.so.6
=== windows guid | en
HKLM\SOFTWARE\Classes\CLSID\{<~uuid~>}\InprocServer32
=== arn | en
arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/billing/db-Ab12Cd
=== arn kms | en
Encrypt with arn:aws:kms:eu-central-1:123456789012:key/<~uuid~>
=== s3 path | en
s3://example-data-lake-prod/raw/events/year=2026/month=01/day=19/part-00017-<~uuid~>-c000.snappy.parquet
=== azure resource | en
/subscriptions/<~uuid~>/resourceGroups/rg-crm-prod/providers/Microsoft.Sql/servers/sql-crm
=== gcp resource | en
projects/example-prod/locations/europe-west1/keyRings/main/cryptoKeys/backup/cryptoKeyVersions/7
=== ec2 ids | en
i-<~fmt:{h17}~> in subnet-<~fmt:{h17}~>, sg-<~fmt:{h17}~>, ami-<~fmt:{h17}~>
=== vault path | en
vault kv get -field=password secret/data/crm/production/database
=== file paths | en
/etc/ssl/private/site.key, ~/.ssh/id_ed25519, C:\Users\tom\AppData\Roaming\gnupg\pubring.kbx
=== long path | en
build/intermediates/merged_native_libs/release/out/lib/arm64-v8a/libpasswordstrengthmeter.so
=== ssh public key | en
<~sshpub~> deploy-2026
=== authorized keys | en
restrict,command="/usr/bin/backup" <~sshpub~> backup
=== fingerprint sha256 | en
SHA256:<~fmt:{B43}~> deploy (ED25519)
=== fingerprint md5 | en
Host key fingerprint is MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48
=== gpg fingerprint | en
pub   ed25519 2024-02-01 [SC]
      <~fmt:{H40}~>
uid   Release Signing
=== certificate | en
<~publickey:cert~>
=== public key pem | en
The public key for checking webhooks:

<~publickey~>
=== pgp public key | en
<~publickey:pgp~>
=== cert serial | en
Serial Number: 04:9f:3c:22:81:d0:5e:77:aa:10:6b:19:f2:44:c8:0d:e1:93
=== dkim dns | en
mail._domainkey IN TXT "v=DKIM1; k=rsa; p=<~fmt:MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQ{B160}IDAQAB~>"
=== caa and spf | en
example.com. TXT "v=spf1 include:_spf.example.net ip4:203.0.113.0/24 -all"
=== data uri | en
<img alt="" src="data:image/png;base64,<~b64png~>">
=== base64 text | en
The body decodes to plain text: <~b64text:The_quick_brown_fox_jumps_over_the_lazy_dog_every_morning~>
=== base64 css | en
background:url(data:image/svg+xml;~+
base64,<~b64text:svg_xmlns_http_www_w3_org_2000_svg_viewBox_0_0_16_16_path_d_M2_8h12~>)
=== cursor | en
GET /v1/orders?limit=50&cursor=<~b64text:offset_150_sort_created_desc~>
=== utm url | en
https://www.example.com/spring?utm_source=newsletter&utm_medium=email&utm_campaign=spring_sale_2026_week_12_segment_b
=== search url | en
https://www.example.com/search?q=how+to+change+my+password&category=help&page=2&sort=relevance&lang=en
=== video id | en
https://www.youtube.com/watch?v=<~fmt:{b11}~>&t=128s
=== doc link | en
https://docs.example.com/guides/authentication/personal-access-tokens#create-a-token
=== spreadsheet anchor | en
https://wiki.example.com/pages/viewpage.action?pageId=184680551&focusedCommentId=184683340
=== asset hash | en
/static/js/main.<~fmt:{h8}~>.chunk.js and /static/css/vendor.<~fmt:{h20}~>.css are cached for a year.
=== role mailboxes | en
Write to support@example.com, info@example.org, security@example.com or noreply@example.com.
=== role mailbox | de
Rechnungen bitte ausschließlich an info@example.de, Fragen an support@example.de.
=== handles | en
Thanks @alice, @bob-platform and @release-managers, see also #sec-announce.
=== mention version | en
Use actions/checkout@v4, actions/setup-node@v4.0.2 and docker/build-push-action@v5.
=== image names | en
avatar@2x.png, hero@3x.webp and sprite@1.5x.svg are missing in the bundle.
=== message id | en
In-Reply-To: <~fmt:{h16}~>.invalid-mailer-thread
References: thread 2026-01-19 #4412
=== systemd instance | en
systemctl restart worker@7.service getty@tty1.service openvpn-client@office.service
=== person names | en
Attendees: Hannah Lindqvist, Daniel Okafor, Priya Raman; excused: Owen Pritchard.
=== org chart | en
Marlene Vogt leads Finance, Jonas Brandt leads Platform, Giada Morelli is interim head of Sales.
=== sports | en
The squash ladder: Tom 11-9, 8-11, 11-7; Elif 11-4, 11-6.
=== hex dump | en
00000010  48 65 6c 6c 6f 20 77 6f  72 6c 64 21 0a 00 00 00  |Hello world!....|
=== colour list | en
Primary #0B57D0, hover #0842A0, disabled #C4C7C5, text rgba(31,31,31,.87), gradient #1A2B3C4D.
=== product keys prose | en
Licence keys have five groups of five characters; the key is printed on the certificate.
=== ulid | en
event 01HMT4Z8Q6<~fmt:{q16}~> was processed twice
=== objectid | en
db.orders.findOne({_id: ObjectId("<~fmt:65a{h21}~>")})
=== k8s names | en
pod/crm-api-7c9d8b6f5d-x2k4q restarted 3 times; replicaset crm-api-5f64c8d9b7 scaled to 0
=== terraform state | en
aws_instance.web: Refreshing state... [id=i-<~fmt:{h17}~>]
=== git object count | en
remote: Enumerating objects: 10442, done. Delta compression using up to 8 threads, 3.41 MiB | 2.20 MiB/s
=== benchmarks | en
tokens/s: 1184.33 (p50 41.2 ms, p95 118.7 ms), context 200000 tokens, max_tokens=4096
=== llm usage | en
{"usage": {"prompt_tokens": 1482, "completion_tokens": 311, "total_tokens": 1793}, "finish_reason": "stop"}
=== room and desk | en
Room 3.12, desk 3.12.07, locker 118, parking space B2-044, extension 4417.
=== times | en
Shift 06:00-14:00, break 09:15-09:30 and 11:45-12:15; handover 13:45.
=== gps route | en
A9 km 512.4 to km 519.8 closed; detour via B13, 14.2 km, plus 22 minutes.
=== dose and sizes | en
M8x40-8.8, torque 25 Nm, 230 V/50 Hz, 12.5 kW, DN50 PN16, tolerance +0.05/-0.02 mm
=== chess and dna | en
ACGTTAGCCGATAACCGGTTAACGTGCATGCAAGGCTTACG aligned to chr7:5530601-5530641 (+)
"""
