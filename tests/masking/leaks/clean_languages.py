"""Longer pages full of look-alikes in other languages, and some more in English."""

LONG_C = r"""
=== long betriebshandbuch | de
## Neustart des Abrechnungsdienstes

1. Anmeldung am Sprungserver mit `ssh betrieb@10.20.0.5`; das Passwort wird nicht abgefragt, es gilt nur der ~+
Schlüssel.
2. Dienst anhalten: `systemctl stop abrechnung@7.service`, dann prüfen, dass Port 8443 frei ist.
3. Das Datenbankkennwort steht im Tresor unter `secret/abrechnung/db`, Feld `password`. Bitte niemals in den ~+
Chat kopieren.
4. Prüfsumme des Pakets vergleichen: <~fmt:{h64}~>
5. Dienst starten und im Protokoll auf `token_ttl=3600` und `Anmeldung erfolgreich` achten.
6. Testrechnung RE-2026-004417 über 1.475,60 € erzeugen und wieder stornieren.

Passwortregeln: mindestens 14 Zeichen, alle 180 Tage ändern, die letzten 5 Kennwörter sind gesperrt.
Dauert der Neustart länger als 15 Minuten, bitte Ticket PLAT-10442 ergänzen und an support@example.de schreiben.
Letzte Änderung: 19.01.2026, 14:30 Uhr, Version 3.2.1, Dokument DOC-00418-DE.
=== long datenschutz | de
### Umgang mit personenbezogenen Daten im Support

Bitte niemals vollständige Kartennummern, IBANs, Steuernummern oder Passwörter in ein Ticket schreiben. Erlaubt ~+
sind die letzten
vier Stellen (z. B. „endet auf 4417“). Kundinnen und Kunden dürfen ihr Passwort nicht nennen; fragt sie auch ~+
nicht danach.

| Angabe | im Ticket erlaubt | Aufbewahrung |
|---|---|---|
| Kundennummer (7 Stellen) | ja | 10 Jahre |
| Bestellnummer, z. B. 4500123987 | ja | 10 Jahre |
| IP-Adresse, gekürzt (203.0.113.0) | ja | 14 Tage |
| Passwort, PIN, TAN | nein | - |
| Ausweisnummer | nein | - |

Das Passwort setzt die Kundin selbst unter Konto > Sicherheit zurück. Der Link gilt 24 Stunden und nur einmal. ~+
Das Token im Link
darf nicht weitergegeben werden. Fragen an info@example.de, montags bis freitags 8:00-16:30 Uhr, Vorgang DS-2026-0041.
=== long procédure | fr
## Procédure de rotation des clés d'API

1. Créer une nouvelle clé dans Paramètres > API ; elle n'est affichée qu'une seule fois.
2. La déposer dans le coffre : `vault kv put secret/facturation/api key=@cle.txt`, puis effacer le fichier.
3. Redémarrer le service : `kubectl rollout restart deploy/facturation-api`.
4. Vérifier dans les journaux la ligne `secret_backend=vault token_ttl=3600` et l'identifiant <~uuid~>.
5. Révoquer l'ancienne clé après 24 heures ; le jeton en cours expire de lui-même au bout de 30 minutes.

Le mot de passe de la base ne change pas : il reste dans le coffre et personne ne doit le connaître. En cas ~+
d'échec, revenir à
l'image sha256:<~fmt:{h64}~> et écrire à support@example.fr.
Règles : au moins 14 caractères, trois classes de caractères, renouvellement tous les 180 jours. Dernière mise ~+
à jour le
19/01/2026 à 14:30, version 3.2.1, document DOC-00418-FR, commande 4500123987.
=== long guía | es
## Guía de acceso para nuevas incorporaciones

1. La contraseña inicial llega por carta a tu domicilio; debes cambiarla al entrar por primera vez.
2. La nueva contraseña debe tener al menos 14 caracteres y no puede contener tu nombre ni tu fecha de nacimiento.
3. Instala la aplicación de autenticación. El código de 6 cifras cambia cada 30 segundos y no se comparte con nadie.
4. Para Git, sube solo la clave pública y clona con `git clone git@github.com:acme-corp/handbook.git`.
5. Para la nómina necesitamos tu DNI o NIE, tu número de la Seguridad Social y tu IBAN. Introdúcelos en el ~+
portal, nunca en un chat.
6. Si olvidas la contraseña, pulsa «¿Has olvidado la contraseña?»; el enlace caduca a las 24 horas.

La red de invitados tiene una contraseña distinta cada mes; pregunta en recepción. El PIN de la puerta lo ~+
eliges tú en el terminal.
Dudas a info@example.es, de 9:00 a 14:00. Documento DOC-00418-ES, versión 3.2.1, 19/01/2026, incidencia PLAT-10442.
=== long guia | pt
## Guia do portal de fornecedores

1. O convite chega por correio eletrónico de noreply@example.pt e o link é válido durante 72 horas.
2. Escolha uma senha com pelo menos 14 caracteres. A senha nunca é pedida por telefone.
3. Depois de cinco tentativas falhadas a conta fica bloqueada durante 30 minutos.
4. As faturas seguem o formato FT 2026/004417; o número da encomenda tem 10 algarismos, por exemplo 4500123987.
5. O ficheiro deve ter menos de 10 MB; o sistema mostra a soma de verificação <~fmt:{h64}~>.
6. Para a integração automática peça um token em Definições > API. O token expira ao fim de 365 dias e só é ~+
mostrado uma vez.

A senha da base de dados e as chaves estão no cofre, em `secret/portal/db`. Não envie NIF, IBAN nem número de ~+
cartão em mensagens.
Versão 3.2.1 de 19/01/2026, documento DOC-00418-PT, total do mês 1.475,60 €, apoio das 9:00 às 17:30.
=== long manuale | it
## Manuale operativo: riavvio del servizio fatture

1. Accedere al server con `ssh esercizio@10.20.0.5`; la password non serve, vale solo la chiave.
2. Fermare il servizio e controllare che la porta 8443 sia libera.
3. La password del database è nella cassaforte digitale, percorso `secret/fatture/db`, campo `password`.
4. Confrontare la somma di controllo del pacchetto: <~fmt:{h64}~>
5. Riavviare e cercare nel registro le righe `token_ttl=3600` e `secret_backend=vault`.
6. Emettere la fattura di prova FT-2026-004417 di 1.475,60 € e annullarla.

Regole per le password: almeno 14 caratteri, cambio ogni 180 giorni, le ultime 5 non sono ammesse. Il codice ~+
fiscale e l'IBAN dei
colleghi si inseriscono solo nel portale del personale. Segnalazioni a support@example.it, pratica PLAT-10442.
Documento DOC-00418-IT, versione 3.2.1 del 19/01/2026, ore 14:30, ordine 4500123987.
=== long handleiding | nl
## Handleiding: toegang aanvragen

1. Vraag toegang aan via het formulier; vermeld het ticketnummer PLAT-10442 en de kostenplaats 4711.
2. Je krijgt een uitnodiging van noreply@example.nl. De link verloopt na 72 uur.
3. Kies een wachtwoord van minstens 14 tekens. De helpdesk vraagt nooit naar je wachtwoord of je pincode.
4. De sleutel voor de koppeling maak je zelf aan onder Instellingen > API; hij wordt maar een keer getoond.
5. Het databasewachtwoord staat in de kluis onder `secret/crm/db`. Kopieer het niet naar de chat.
6. Controleer na de installatie de versie (4.2.0) en de controlesom: <~fmt:{h64}~>

BSN, IBAN en kopie van het paspoort horen alleen in het personeelssysteem. In tickets zijn alleen de laatste ~+
vier cijfers toegestaan.
Document DOC-00418-NL, versie 3.2.1 van 19-01-2026, bestelling 4500123987, totaal € 1.475,60, balie open van ~+
8:30 tot 17:00.
=== long instrukcja | pl
## Instrukcja: zmiana haseł po odejściu pracownika

1. Zablokuj konto w katalogu i zapisz numer zgłoszenia PLAT-10442.
2. Zmień hasła wspólnych kont (drukarka, kasa, monitoring). Nowe hasła zapisz tylko w menedżerze haseł, nigdy w ~+
czacie.
3. Unieważnij tokeny: `portalctl tokens list --user 10442`, potem `portalctl tokens revoke`.
4. Hasło do bazy zmienia się samo co 30 dni; ścieżka w sejfie to `secret/crm/db`.
5. Sprawdź w dzienniku wpis `token_ttl=3600` oraz identyfikator <~uuid~>.
6. Odbierz kartę dostępu i klucze do szafek 118 i 119.

Zasady: hasło ma co najmniej 14 znaków i nie zawiera nazwiska. PESEL i numer konta wpisujemy tylko w systemie ~+
kadrowym.
Pytania na adres info@example.pl w godzinach 8:00-16:00. Dokument DOC-00418-PL, wersja 3.2.1 z 19.01.2026, suma ~+
kontrolna
<~fmt:{h64}~>.
=== long инструкция | ru
## Инструкция: восстановление доступа

1. Пользователь нажимает «Забыли пароль?» и получает ссылку; она действует 24 часа и только один раз.
2. Новый пароль должен содержать не менее 14 символов и не может совпадать с пятью прошлыми.
3. Сотрудник поддержки не видит пароль и не имеет права его спрашивать. Код из СМС тоже никому не сообщают.
4. Если учётная запись заблокирована, подождите 30 минут или создайте заявку, например PLAT-10442.
5. Пароль от базы данных хранится в хранилище по пути `secret/crm/db`, в чат его не копируем.
6. После обновления проверьте версию 4.2.0 и контрольную сумму <~fmt:{h64}~>.

ИНН, СНИЛС и номер счёта вводятся только в кадровой системе. В заявке достаточно последних четырёх цифр.
Документ DOC-00418-RU, версия 3.2.1 от 19.01.2026, 14:30, заказ 4500123987, сумма 1 475,60, токен живёт 3600 секунд.
=== long kılavuz | tr
## Kılavuz: API anahtarlarının yenilenmesi

1. Ayarlar > API bölümünde yeni bir anahtar oluşturun; anahtar yalnızca bir kez gösterilir.
2. Anahtarı kasaya koyun: `vault kv put secret/fatura/api key=@anahtar.txt`, ardından dosyayı silin.
3. Hizmeti yeniden başlatın ve günlükte `token_ttl=3600 secret_backend=vault` satırını arayın.
4. Eski anahtarı 24 saat sonra iptal edin; açık oturumların belirteci 30 dakikada sona erer.
5. Veritabanı parolası değişmez, kasada kalır ve sohbete yazılmaz.
6. Paket sağlama toplamı: <~fmt:{h64}~>

Parola kuralları: en az 14 karakter, 180 günde bir değişim, son 5 parola kullanılamaz. T.C. kimlik numarası, ~+
IBAN ve kart numarası
yalnızca personel sistemine girilir; destek ekibi bunları asla sormaz. Sorular için info@example.com.tr, ~+
9:00-17:30 arası.
Belge DOC-00418-TR, sürüm 3.2.1, 19.01.2026, talep PLAT-10442, sipariş 4500123987.
=== long 手册 | zh
## 运维手册：账单服务重启流程

1. 使用 `ssh ops@10.20.0.5` 登录跳板机。跳板机只接受密钥登录，不会询问密码，也不允许把私钥复制到共享目录。
2. 停止服务：`systemctl stop billing@7.service`,并确认端口 8443 已经释放，没有残留的连接。
3. 数据库密码保存在密码库的 `secret/billing/db` 路径下，字段名为 password。请勿把密码粘贴到聊天群或者工单里。
4. 核对安装包的校验和：<~fmt:{h64}~>,如果不一致，请不要继续。
5. 启动服务，在日志里查找 `token_ttl=3600` 和 `secret_backend=vault` 两项配置，并记录请求编号 <~uuid~>。
6. 生成一张测试发票 RE-2026-004417,金额 1475.60 元，确认无误后作废。

密码规则：至少 14 个字符，每 180 天更换一次，最近 5 次用过的密码不能重复使用。令牌在 30 分钟后自动过期。
身份证号、银行卡号和手机号只能在人事系统里填写，客服人员不会询问密码或者短信验证码。
如果重启超过 15 分钟，请更新工单 PLAT-10442,并发送邮件到 support@example.cn。
文档编号 DOC-00418-ZH,版本 3.2.1,更新时间 2026-01-19 14:30,订单号 4500123987,值班时间 9:00-18:00。
=== long 手順書 | ja
## 手順書：請求サービスの再起動

1. 踏み台サーバーには `ssh ops@10.20.0.5` で接続します。鍵認証のみのため、パスワードは求められません。
2. `systemctl stop billing@7.service` で停止し、ポート 8443 が空いていることを確認します。
3. データベースのパスワードは保管庫の `secret/billing/db` にあります。チャットや課題票には絶対に貼り付けないでく~+
ださい。
4. パッケージのチェックサムを照合します：<~fmt:{h64}~>
5. 起動後、ログに `token_ttl=3600` と `secret_backend=vault` が出ていることを確認します。要求番号は <~uuid~> です。
6. テスト用の請求書 RE-2026-004417(1,475.60 円）を発行し、確認後に取り消します。

パスワードの規則：14 文字以上、180 日ごとに変更、直近 5 回と同じものは使えません。トークンは 30 分で失効します。
マイナンバーや口座番号、カード番号は人事システムにのみ入力してください。窓口がパスワードや暗証番号を尋ねることは~+
ありません。
再起動に 15 分以上かかる場合は、課題 PLAT-10442 を更新し、support@example.jp までご連絡ください。
文書番号 DOC-00418-JA、版数 3.2.1、更新日 2026-01-19 14:30、注文番号 4500123987。
=== long 안내서 | ko
## 안내서: 비밀번호와 토큰 관리

1. 비밀번호는 14자 이상이어야 하며 이름이나 생년월일을 넣을 수 없습니다. 최근 5개의 비밀번호는 다시 쓸 수 없습니다.
2. 비밀번호를 잊은 경우 로그인 화면에서 재설정 링크를 요청하세요. 링크는 24시간 동안 한 번만 쓸 수 있습니다.
3. 지원팀은 비밀번호나 인증 코드를 절대 묻지 않습니다. 묻는 사람이 있으면 보안팀에 신고하세요.
4. 데이터베이스 비밀번호는 금고의 `secret/crm/db` 경로에 있습니다. 채팅이나 티켓에 붙여 넣지 마세요.
5. API 토큰은 설정 > API 에서 만들며 한 번만 표시됩니다. 토큰은 365일 뒤에 만료됩니다.
6. 설치 후 버전 4.2.0 과 체크섬을 확인하세요: <~fmt:{h64}~>

주민등록번호, 계좌번호, 카드번호는 인사 시스템에만 입력합니다. 티켓에는 마지막 네 자리만 적을 수 있습니다.
접속 로그에는 `token_ttl=3600 secret_backend=vault` 항목과 요청 번호 <~uuid~> 가 남습니다.
문의: info@example.kr, 평일 9:00-18:00. 문서 번호 DOC-00418-KO, 버전 3.2.1, 2026-01-19 14:30, 티켓 PLAT-10442, ~+
주문 4500123987.
=== long ssh guide | en
# SSH keys in ten minutes

1. Create a key: `ssh-keygen -t ed25519 -C laptop-2026`. Choose a passphrase when you are asked for one.
2. Show the public half: `cat ~/.ssh/id_ed25519.pub`. It looks like this and may be shared:

   <~sshpub~> laptop-2026

3. Compare the fingerprint: `ssh-keygen -lf ~/.ssh/id_ed25519.pub` prints 256 SHA256:<~fmt:{B43}~> laptop-2026 ~+
(ED25519)
4. Upload it under Settings > SSH keys and test with `ssh -T git@github.com`.
5. The host key of our server is

   git.example.com <~sshpub~>

   with the fingerprint SHA256:<~fmt:{B43}~>. If it differs, stop and ask in #sec-announce.
6. Copy files with `scp -P 2222 report.pdf deploy@files.example.org:/srv/inbound/`.

Never send the file `id_ed25519` (without .pub). If you lose the laptop, revoke the key and create a new one.
=== long monitoring page | en
## Alerts of the login service

| Alert | Expression | For |
|---|---|---|
| AuthErrorRatio | auth_errors_total / auth_requests_total > 0.05 | 5m |
| TokenIssueSlow | histogram_quantile(0.95, token_issue_seconds_bucket) > 0.25 | 10m |
| PasswordResetSpike | rate(password_reset_total[15m]) > 3 | 15m |
| SecretAge | time() - secret_last_rotation_timestamp_seconds > 7776000 | 1h |

- Dashboards: https://grafana.example.com/d/000000042/login-service?orgId=1&from=now-6h&to=now&var-instance=All
- Logs: index `auth-2026.01.19`, field `password` is dropped by the pipeline, field `token` is replaced by its ~+
last four characters
- Example of a healthy line: `ts=1768371730 level=info msg="token issued" user_id=10442 ttl=3600 trace=<~fmt:{h32}~>`
- Pager rotation: week 03 platform, week 04 billing; hand-over on Monday at 10:00
- Silence an alert for at most 4 hours and write the ticket key (such as PLAT-10442) into the comment
=== long certificate page | en
The certificate of the partner gateway (not the key) has to be installed on every client:

<~publickey:cert~>

Subject: CN=gw.example.com, O=Example Ltd, L=Musterstadt, C=DE
Valid from 2026-01-19 00:00:00 to 2027-02-01 23:59:59, serial 04:9f:3c:22:81:d0:5e:77:aa:10:6b:19:f2:44:c8:0d
Import it with `keytool -importcert -alias gw -file gw.pem -keystore trust.jks`; the tool asks for the password ~+
of the trust store.
=== long dns zone | en
$ORIGIN example.com.
$TTL 3600
@        IN SOA  ns1.example.net. hostmaster.example.com. (2026011901 7200 3600 1209600 300)
@        IN NS   ns1.example.net.
@        IN MX   10 mx.example.net.
@        IN A    203.0.113.17
@        IN AAAA 2001:db8:85a3::8a2e:370:7334
www      IN CNAME example.com.
@        IN TXT  "v=spf1 include:_spf.example.net ip4:203.0.113.0/24 -all"
mail._domainkey IN TXT "v=DKIM1; k=rsa; p=<~fmt:MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQ{B160}IDAQAB~>"
_dmarc   IN TXT  "v=DMARC1; p=quarantine; pct=100; adkim=s; aspf=s"
@        IN CAA  0 issue "ca.example.net"
@        IN DS   20326 8 2 <~fmt:{H64}~>
_443._tcp IN TLSA 3 1 1 <~fmt:{h64}~>
vpn      IN SSHFP 4 2 <~fmt:{h64}~>
=== long warehouse report | en
# Stock report, depot Rotterdam, 2026-01-19 06:00

| Article | EAN | Batch | Qty | Location |
|---|---|---|---|---|
| Highlighter yellow | 4006381333931 | L2025-1107-04 | 1 200 | B2-044-17 |
| Notebook A5 | 5901234123457 | L2025-0912-11 | 480 | B2-051-03 |
| Label roll 100x150 | 8711000123454 | L2026-0107-01 | 96 | C1-002-09 |

Inbound: container MSKU 907032 3 (vessel IMO 9321483), 14 pallets, 7 812.5 kg, customs ref 26NL000396A1B2C3D4.
Outbound: 212 parcels, first 00340434161094042557, last 00340434161094042762; 3 returns (RMA-2026-0117, -0118, -0121).
Scanner firmware 10.14.2203.1187, battery 81 %, station 172.16.33.12. Shift 06:00-14:00, 11 people.
Temperature 17.4 °C, humidity 48 %, deviation +0.05/-0.02. Forklift hours 4512.7, next service at 5000.
Orders 4500123987, 4500124011 and 4500124377 are complete; 4500124402 waits for 24 pieces (ETA 21.01., 10:30-12:00).
"""
