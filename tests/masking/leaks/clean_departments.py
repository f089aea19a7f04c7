"""Longer pages full of look-alikes: finance, HR, support, sales, and more engineering."""

LONG_B = r"""
=== long finance closing checklist | en
## Month-end closing, January 2026

1. Post the payroll journal 4711-2026-01 (total 412,330.18 EUR, 148 employees) until 28.01.2026, 12:00.
2. Check the clearing account 1590 00 and the suspense account 9000 99; both must be 0.00.
3. Match the bank statement no. 012/2026 (opening 1 204 330,50, closing 1 398 112,75) with the ledger.
4. IBANs of new suppliers need a call back before the first payment; the number must come from the contract, ~+
not from the mail.
   Never copy a full IBAN into a ticket; the last four digits are enough.
5. Send the open items list (customers 1048823 to 1049117) to the account managers.
6. Upload the VAT return; the certificate password is asked by the tool and is kept by the head of accounting.
7. Archive the files under `\\nas01\finance\2026\01\` and write the checksum into the log:
   <~fmt:{h64}~>

Purchase orders 4500123987 and 4500124011 stay open. Invoice RE-2026-004417 was cancelled and replaced by ~+
RE-2026-004422.
=== long hr faq | en
# HR questions and answers

**Which data do you need from new colleagues?** Full name, address, date of birth, bank account, tax id and the ~+
number of the
health insurance. Enter them in the portal; we never ask for them by mail.

**I forgot my portal password.** Click "Forgot your password?" on the sign-in page. The link is valid for 24 ~+
hours. After five
failed attempts the account is locked for 30 minutes.

**Where is my payslip?** In the portal under Documents > 2026 > 01. The PDF is protected; the password was ~+
chosen by you when you
registered. HR cannot see it.

**How many days off do I have?** 30 per year, 2.5 per month. Days of 2025 expire on 31.03.2026.

**What is the PIN of the time clock?** You choose a PIN of 6 digits at the terminal. Do not use your date of birth.

**Who do I call?** Use the form, or write to info@example.com. Office hours are 09:00-12:00 and 13:30-16:00.
=== long support macro collection | en
### Macro 12: password reset
Hi {{ticket.requester.first_name}}, you can reset your password at https://app.example.com/forgot. The link in ~+
the mail works once
and expires after 60 minutes. We cannot see or send passwords. If no mail arrives, check the spam folder for ~+
noreply@example.com.

### Macro 13: card declined
Hi {{ticket.requester.first_name}}, your bank declined the payment (code 05 or 51). Please try another card. ~+
For your safety never
send us the card number or the three digits on the back.

### Macro 14: API key
Hi {{ticket.requester.first_name}}, keys are created under Settings > API. A key starts with `sk_live_` or ~+
`sk_test_` and is shown
only once. If you lost it, click Roll key. Your account id is {{ticket.organization.external_id}}; your last ~+
request id was
<~uuid~>.

### Macro 15: refund
The refund for order {{order.number}} of {{order.total}} takes 5-10 business days. The reference is 8001457722.
=== long sales handover | en
## Handover: Northwind account

- Contract EX-2024-0098, 36 months, ends 2027-03-31, notice period 90 days
- Annual value 148,500.00 EUR, discount 12.5 %, payment term 30 days net
- Last three orders: 4500123987 (12,900.00), 4500124011 (3,480.50), 4500124377 (22,115.00)
- Open quote Q-2026-0113-07, valid until 2026-02-28, probability 60 %
- The customer portal uses single sign-on, so there is no password to hand over
- Their security team asked for our penetration test report and for the list of sub-processors (link in the CRM)
- Product mix: 120 seats Pro (SKU PRO-12-EU), 40 seats Viewer (SKU VWR-12-EU), EAN of the starter kit 4006381333931
- Contacts are kept in the CRM only; please do not copy phone numbers into this page

Next steps: call on 2026-02-03 at 10:30, send the revised quote, ask legal about clause 7.2 and the token-based ~+
licence model
(1 000 000 tokens per month are included, every further 100 000 tokens cost 4.90 EUR).
=== long network page | en
# Network plan, building B

| VLAN | Net | Gateway | Use |
|---|---|---|---|
| 100 | 10.20.100.0/24 | 10.20.100.1 | clients |
| 110 | 10.20.110.0/24 | 10.20.110.1 | voice |
| 120 | 192.168.7.0/24 | 192.168.7.1 | cameras |
| 199 | 172.16.33.0/26 | 172.16.33.1 | guests |

- Core switch: serial FCW2214L0AB, MAC 00:1a:2b:3c:4d:5e, firmware 17.09.04a
- Printer: 3c:52:82:1f:aa:07, 10.20.100.40, extension 4417
- Public range 203.0.113.16/29 and 2001:db8:85a3::/48
- Guests get a voucher at the reception; the guest password changes every first of the month and is printed on ~+
the sign
- Admin access only by key: `ssh netadmin@10.20.0.2`, host key SHA256:<~fmt:{B43}~>
- SNMPv3 user and password are in the vault under `secret/network/snmp`
- NTP 10.20.0.3, DNS 10.20.0.4 and 10.20.0.5, DHCP lease 28800 s
=== long privacy policy | en
### 4. Which data we log

We store the time (e.g. 2026-01-14T06:22:10Z), a pseudonymous user id such as 10442, the shortened IP address ~+
(203.0.113.0) and the
request id. We never log passwords, tokens, card numbers, IBANs or national identifiers. A filter replaces them ~+
with a constant
text before a line is written. The filter is tested with more than 1 000 made-up examples.

### 5. How long we keep them

| Data | Days |
|---|---|
| access log | 14 |
| audit log | 365 |
| support tickets | 730 |
| failed sign-ins | 90 |

### 6. Your rights

You may ask for access, rectification and erasure (Articles 15 to 17 GDPR). Write to info@example.com. We ~+
answer within 30 days.
The supervisory authority is named in Annex B. Last change: 19 January 2026, version 3.2.1, document id DOC-00418-EN.
=== long lock file | en
lockfileVersion: '6.0'
packages:
  /@babel/parser@7.23.9:
    resolution: {integrity: <~integrity:sha512~>}
    engines: {node: '>=6.0.0'}
    hasBin: true
  /@types/node@18.2.0:
    resolution: {integrity: <~integrity:sha512~>}
    dev: true
  /jsonwebtoken@9.0.2:
    resolution: {integrity: <~integrity:sha512~>}
    engines: {node: '>=12', npm: '>=6'}
    dependencies:
      jws: 3.2.2
      ms: 2.1.3
      semver: 7.5.4
  /passport-local@1.0.0:
    resolution: {integrity: <~integrity:sha512~>}
    engines: {node: '>= 0.4.0'}
    dependencies:
      passport-strategy: 1.0.0
=== long git log | en
$ git log --oneline --decorate -n 12
<~fmt:{h10}~> (HEAD -> main, tag: v4.2.0) Release 4.2.0
<~fmt:{h10}~> Mask tokens in access log (#8817)
<~fmt:{h10}~> Read DB password from file instead of env (#8765)
<~fmt:{h10}~> Bump jsonwebtoken from 8.5.1 to 9.0.2 (#8760)
<~fmt:{h10}~> Add password_changed_at to accounts
<~fmt:{h10}~> Remove hard-coded secret from test fixtures, rotate it (SEC-2026-0041)
<~fmt:{h10}~> Fix flaky test_token_expires_after_thirty_minutes
<~fmt:{h10}~> docs: explain --token-file
<~fmt:{h10}~> Merge branch 'feature/api-key-scopes' of git@github.com:acme-corp/portal.git
<~fmt:{h10}~> Limit tokens to networks such as 10.0.0.0/8
<~fmt:{h10}~> i18n: add login.password.forgotten.link in 13 languages
<~fmt:{h10}~> (origin/release/4.1) Backport of CVE-2024-21626

$ git rev-parse HEAD
<~fmt:{h40}~>
$ git cat-file -p HEAD | head -3
tree <~fmt:{h40}~>
parent <~fmt:{h40}~>
=== long ci log | en
[08:14:02] Running with gitlab-runner 16.8.0 on runner-4 (c0ffee12)
[08:14:05] Using docker image sha256:<~fmt:{h64}~> for python:3.11-slim
[08:14:09] Fetching changes with git depth set to 20
[08:14:10] Checking out <~fmt:{h8}~> as detached HEAD (ref is main)
[08:14:12] $ echo "$CI_REGISTRY_PASSWORD" | docker login -u "$CI_REGISTRY_USER" --password-stdin "$CI_REGISTRY"
[08:14:13] Login Succeeded
[08:14:20] $ pip install --require-hashes -r requirements.txt
[08:15:41] $ pytest -q tests/auth
[08:15:58] tests/auth/test_password_policy.py ................ [ 41%]
[08:16:07] tests/auth/test_token_store.py ..................... [100%]
[08:16:07] 37 passed in 25.61s
[08:16:09] Uploading artifacts: id=88213345 responseStatus=201 Created token=[MASKED]
[08:16:12] Cleaning up project directory and file based variables
[08:16:12] Job succeeded, duration 130.4 s, coverage 94.17 %
=== long cli help | en
Usage: portalctl [OPTIONS] COMMAND [ARGS]...

Options:
  --url URL               address of the portal (default: https://portal.example.com)
  --token TEXT            access token; deprecated, it is visible in the process list
  --token-file FILE       file that holds the access token
  --user NAME             log in with a user name; the password is asked
  --password-stdin        read the password from the standard input
  --timeout SECONDS       default: 30
  --insecure              do not check the certificate
  --version               show "portalctl 4.2.0 (commit <~fmt:{h7}~>)"

Commands:
  login                   store a token in the key ring of the system
  tokens list             show name, last four characters, scopes and expiry of all tokens
  tokens revoke ID        revoke a token, e.g. `portalctl tokens revoke 10442`
  users reset-password ID send a reset link to the user
  secrets import FILE     import secrets from a file with lines NAME=VALUE

Environment: PORTAL_URL, PORTAL_TOKEN_FILE, PORTAL_TIMEOUT, NO_COLOR
Exit codes: 0 success, 1 error, 2 wrong usage, 77 authentication failed
=== long openapi | en
paths:
  /v1/tokens:
    post:
      operationId: createToken
      security: [{BasicAuth: []}]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [name, scopes]
              properties:
                name: {type: string, maxLength: 64, example: nightly export}
                scopes: {type: array, items: {type: string, enum: [read, write, admin]}}
                expires_at: {type: string, format: date-time, example: "2026-12-31T23:59:59Z"}
      responses:
        "201":
          description: the token, shown only once
          content:
            application/json:
              schema:
                properties:
                  id: {type: string, format: uuid, example: <~uuid~>}
                  token: {type: string, description: starts with ptl_ and has 40 characters}
        "403": {description: the scope admin needs a password younger than 24 hours}
components:
  securitySchemes:
    BasicAuth: {type: http, scheme: basic}
=== long security guideline | en
# Secrets: what to do and what not to do

**Do**
- Keep passwords in the password manager and machine secrets in the vault (`secret/<team>/<system>`).
- Use a passphrase of at least five words, or let the manager generate 20 characters.
- Rotate a key at once when it was in a chat, a ticket or a commit. Removing the message is not enough.
- Use short-lived tokens: 15 minutes for humans, 60 minutes for jobs.

**Do not**
- put `password=...` or `token=...` on a command line; others see it in the process list and in the shell history
- commit `.env`; commit `.env.example` with lines such as `API_KEY=` instead
- send card numbers, IBANs, social security numbers or passport scans by mail
- reuse the password of your mail account

**How to recognise tokens.** GitHub tokens start with `ghp_`, GitLab tokens with `glpat-`, Slack bot tokens ~+
with `xoxb-`, Stripe keys
with `sk_live_`, AWS key ids with `AKIA`, JSON web tokens with `eyJ`. A private key begins with a line that ~+
says BEGIN PRIVATE KEY.
Report a leak to security@example.com or in #sec-announce; the clock of the 72 hours starts then.
=== long s3 layout | en
## Layout of the data lake

    s3://example-data-lake-prod/
      raw/events/year=2026/month=01/day=19/part-00017-<~uuid~>-c000.snappy.parquet
      raw/crm/full/2026-01-19/accounts.csv.gz            84 113 204 bytes
      curated/finance/invoices/_delta_log/00000000000000000412.json
      curated/finance/invoices/part-00000-<~uuid~>.c000.zstd.parquet
      tmp/athena/<~uuid~>.metadata

- KMS key: arn:aws:kms:eu-west-1:123456789012:key/<~uuid~>
- Reader role: arn:aws:iam::123456789012:role/DataLakeReader
- Personal columns (email, phone, iban, national_id) are tokenised; `email_token` is a 64-character hash with a ~+
salt per tenant
- Retention: raw 90 days, curated 3650 days, tmp 7 days
- Glue job `tokenize-crm` runs at 02:15, takes about 37 minutes, and writes 1 204 330 rows
- Row counts of the last run: 1204330 / 1204330, run id jr_<~fmt:{h64}~>
"""
