"""Longer negatives, part 3."""

from tests.masking.operations.template import NegRow

ROWS: tuple[NegRow, ...] = (
    (
        "asset inventory",
        "en",
        """
| Asset | Serial | MAC | Address | Warranty |
|-------|--------|-----|---------|----------|
| {h} | CZJ1180F4K | 00:50:56:a1:4f:2b | {ip} | 2026-03-31 |
| {h#1} | CZJ1180F4L | 00:50:56:a1:4f:2c | {ip#1} | 2026-03-31 |
| sw-core-01 | FDO2118A4QZ | 001b.4411.3ab9 | 10.0.0.2 | 2027-11-03 |
| ups-01 | 5A1844T11802 | 00-C0-B7-11-3A-B8 | 10.0.0.9 | 2025-06-30 |
| printer-2 | VNB3K11844 | 3c:2a:f4:11:80:22 | 192.168.4.18 | none |
Admin passwords are in the vault (infra/hardware/<asset>), BIOS passwords in the sealed envelope of building B.
Purchase orders 4500118442 and 4500118443, cost centre 118200, supplier invoice RE-2024-004417, 12,499.00 EUR.
Rack 7 units 12-18, power feeds A/B, 2 x 16 A. Next inventory 2025-01-15; barcode labels 4006381333931 and up.""",
    ),
    (
        "dns zone",
        "en",
        """
$ORIGIN example.com.
@        3600 IN SOA  ns1.example.com. hostmaster.example.com. 2024051401 7200 3600 1209600 300
         3600 IN NS   ns1.example.com.
         3600 IN MX   10 mx1.example.com.
         3600 IN TXT  "v=spf1 ip4:203.0.113.0/24 include:_spf.example.net -all"
_dmarc   3600 IN TXT  "v=DMARC1; p=quarantine; adkim=s; aspf=s"
s1._domainkey 3600 IN TXT "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC{bs160}IDAQAB"
app       300 IN A    203.0.113.17
app       300 IN AAAA 2001:db8:85a3::8a2e:370:7334
vpn       300 IN CNAME gw-7.edge.example.net.
_443._tcp.app 300 IN TLSA 3 1 1 {sha256}
@         300 IN CAA  0 issue "letsencrypt.org"
{h}       300 IN SSHFP 4 2 {sha256#1}""",
    ),
    (
        "oauth guide",
        "en",
        """
## Sign in with the authorization code flow
1. Send the browser to https://login.example.com/authorize?response_type=code&client_id=ledger-web
   &redirect_uri=https%3A%2F%2Fapp.example.com%2Fcb&scope=openid%20profile&code_challenge_method=S256
2. The user types name and password at the identity provider, never in your application.
3. Exchange the code at the token endpoint. Body: `grant_type=authorization_code`, `code=<code>`,
   `code_verifier=<verifier>`, `client_id=ledger-web`; confidential clients add `client_secret=<secret>`.
4. The answer has `access_token`, `refresh_token`, `id_token`, `token_type: Bearer` and `expires_in: 3600`.
5. Check the signature of the id token with the keys at /.well-known/jwks.json (`kid`, `alg: RS256`), then `iss`,
   `aud`, `exp` and `nonce`.
Do not store tokens in localStorage. Errors: `invalid_client`, `invalid_grant`, `unauthorized_client`.
Refresh tokens rotate: each use returns a new one, the old one is valid for 10 more seconds.""",
    ),
    (
        "ansible playbook",
        "en",
        """
- name: Deploy ledger
  hosts: ledger
  become: true
  vars_files: [vars/main.yml, vars/vault.yml]
  tasks:
    - name: Create the system user
      ansible.builtin.user: { name: ledger, shell: /usr/sbin/nologin, password: "!", uid: 4412 }
    - name: Write the environment file
      ansible.builtin.template: { src: ledger.env.j2, dest: /etc/ledger/env, mode: "0600" }
      no_log: true
    - name: Set the data base password
      community.postgresql.postgresql_user:
        name: ledger
        password: "{{ vault_ledger_db_password }}"
        login_password: "{{ lookup('community.hashi_vault.hashi_vault', 'secret=infra/pg:password') }}"
    - name: Log in to the registry
      community.docker.docker_login:
        registry_url: registry.example.com
        username: "{{ registry_user }}"
        password: "{{ registry_password }}"
    - name: Pull
      community.docker.docker_image: { name: "registry.example.com/ledger:{{ ledger_version }}", source: pull }""",
    ),
    (
        "access log",
        "en",
        """
{ip} - - [14/May/2024:09:12:40 +0200] "GET /login HTTP/1.1" 200 4118 "-" "Mozilla/5.0 (Windows NT 10.0; Win64; x64)"
{ip} - - [14/May/2024:09:12:44 +0200] "POST /login HTTP/1.1" 302 0 "https://app.example.com/login" "Mozilla/5.0"
{ip} - - [14/May/2024:09:12:44 +0200] "GET /dashboard?tab=tokens&page=2 HTTP/1.1" 200 48211 "-" "Mozilla/5.0"
{ip#1} - - [14/May/2024:09:12:51 +0200] "GET /assets/app-{hex8}.js HTTP/1.1" 304 0 "-" "Mozilla/5.0"
{ip#1} - - [14/May/2024:09:12:58 +0200] "POST /api/v2/password/strength HTTP/1.1" 200 61 "-" "ledger-web/4.18.0"
{ip#2} - - [14/May/2024:09:13:07 +0200] "GET /api/v2/orders/100482271?expand=items HTTP/1.1" 200 1184 "-" "curl/8.5.0"
{ip#2} - - [14/May/2024:09:13:09 +0200] "GET /api/v2/orders/{uuid} HTTP/1.1" 404 71 "-" "curl/8.5.0"
203.0.113.77 - - [14/May/2024:09:13:11 +0200] "GET /wp-login.php HTTP/1.1" 404 153 "-" "python-requests/2.31.0\"""",
    ),
    (
        "security policy",
        "en",
        """
# Password and secret policy (version 3.2, 2024-05-14)
1. Passwords have at least 12 characters. Passphrases of four or more random words are welcome.
2. Passwords are never shared by mail, chat, ticket or phone. Shared accounts exist in the vault only.
3. API tokens have an expiry of 90 days or less and the smallest scope that works.
4. Private keys do not leave the machine they were made on. Public keys may be published.
5. Secrets in a repository count as leaked: rotate first, clean the history later.
6. Card numbers, bank accounts, social security numbers and passport numbers must not appear in logs.
7. Default passwords of devices are changed before the device goes into the rack.
8. PINs have six digits or more; birthdays and series such as repeated digits are refused.
Reports of leaks: security@example.com, at any time. Exceptions are granted by the security board for at most
six months and are listed in {tk}. Violations are handled according to section 7.4 of the handbook.""",
    ),
    (
        "test output",
        "en",
        """
$ pytest -q tests/auth --durations=5
tests/auth/test_password_policy.py ....................                                  [ 41%]
tests/auth/test_token_store.py ...............F..........                                [ 88%]
tests/auth/test_reset_link.py .....                                                      [100%]
=================================== FAILURES ===================================
_______________ test_refresh_token_is_rotated_after_password_change ____________
    def test_refresh_token_is_rotated_after_password_change(store, user):
        token = store.issue(user.id, scopes=frozenset({"orders:read"}))
        user.change_password(new_password=faker.password(length=20))
>       assert store.verify(token) is None
E       AssertionError: assert Principal(id=UUID('{uuid}'), scopes=1) is None
tests/auth/test_token_store.py:118: AssertionError
1.84s call tests/auth/test_password_policy.py::test_common_passwords_are_rejected
FAILED tests/auth/test_token_store.py::test_refresh_token_is_rotated_after_password_change
1 failed, 50 passed in 12.44s""",
    ),
    (
        "support macro",
        "en",
        """
Macro "Password reset does not arrive"
Hello {{ticket.requester.first_name}},
thank you for your message. Please check the following points:
- Look into the spam folder for a mail from noreply@example.com with the subject "Reset your password".
- The link in the mail works once and for 30 minutes only; use the newest mail if you asked several times.
- If your company uses single sign-on, there is no separate password; log in with your company account.
- After five wrong passwords the account is locked for 15 minutes.
If you still cannot log in, answer this mail with the approximate time (for example 14:05 CEST) and the error
code shown (for example AUTH-4412). Please do not send us your password, the code of your authenticator app or
a full card number. Your ticket number is {{ticket.id}}; our office hours are Monday to Friday, 8:00-18:00.
Kind regards, the support team, support@example.com""",
    ),
    (
        "data sheet",
        "de",
        """
Schnittstellenbeschreibung Zahlungsavis, Stand 14.05.2024, Version 7.2.11
Feld 01 Satzart (2-stellig), Feld 02 Mandant (4-stellig, z. B. 0118), Feld 03 Belegnummer (10-stellig)
Feld 04 IBAN (max. 34 Zeichen, ohne Leerzeichen, Prüfziffern nach ISO 7064), Feld 05 BIC (8 oder 11 Stellen)
Feld 06 Betrag (15,2), Feld 07 Währung (EUR, CHF, GBP), Feld 08 Valuta (JJJJMMTT, z. B. 20240514)
Feld 09 Steuernummer (nur bei Mandant 0200), Feld 10 Telefonnummer im Format E.164, leer wenn unbekannt
Kennwortgeschützte Archive: das Kennwort wird getrennt über das Portal bereitgestellt, nie per E-Mail.
Dateiname: AVIS_0118_20240514_091244_0004417.csv, Prüfsumme als SHA-256 in der Begleitdatei:
{sha256}  AVIS_0118_20240514_091244_0004417.csv
Fehlercodes: 118 falsche Prüfziffer, 204 doppelte Belegnummer, 311 Kennwort des Archivs falsch.
Rückfragen an support@example.de, Testsystem unter https://test.example.de/avis?mandant=0118&sprache=de""",
    ),
    (
        "capacity report",
        "en",
        """
Capacity report, week 20 of 2024 (13-19 May)
cluster   nodes  cpu %  mem %  disk TB   peak rps  p99 ms
prd-fra1  42     61.8   72.4   118.442   48,220    184
prd-ams2  38     58.1   69.9   102.771   41,118    191
stg-dub   9      22.4   31.0   12.118    1,204     244
Top consumers: ledger-api 411 cores, token-service 118 cores, password-hash-worker 96 cores (bcrypt cost 12).
Growth since January: +18.4 % requests, +7.1 % storage; 12,118,204 accounts, of which 4,412,098 active.
Forecast: prd-fra1 reaches 75 % CPU on 2024-09-02, order 100482299 (6 nodes, 118,442.00 EUR) is approved.
Certificates: 3 expire within 30 days. Secrets: 41 of 118 passwords are older than 90 days, see {tk}.
Costs: 84,412.50 EUR compute, 12,009.18 EUR storage, 3,118.00 EUR traffic (1.18 PB).
Phone bridge usage 4 h 12 min; pages 118 (37 at night), mean time to acknowledge 3 min 44 s.""",
    ),
)
