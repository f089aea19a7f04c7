"""Harmless talk about passwords in twelve languages."""

WORLD = r"""
=== policy | de
Das Passwort muss mindestens 12 Zeichen lang sein und eine Ziffer enthalten.
=== vault | de
Das Kennwort liegt im Tresor unter Infrastruktur/Drucker, bitte nicht per Mail verschicken.
=== ask | de
Das WLAN-Passwort bekommst du am Empfang, es wechselt jeden Montag.
=== expiry | de
Der Token läuft nach 30 Minuten ab, danach müsst ihr euch neu anmelden.
=== order | de
Bestellung 4500118273 vom 12.03.2025, Rechnungsbetrag 1.249,90 EUR, Kostenstelle 41020.
=== policy | fr
Votre mot de passe doit comporter au moins 12 caractères, dont un chiffre.
=== vault | fr
Le mot de passe est dans le coffre-fort, demandez l'accès à l'équipe infra.
=== reset | fr
Pour réinitialiser votre mot de passe, allez dans Paramètres puis Sécurité.
=== expiry | fr
Le jeton expire au bout de 30 minutes, le mot de passe tous les 90 jours.
=== money | fr
Facture F-2025-00318 : 12 450,00 EUR TTC, échéance le 30/06/2025.
=== policy | es
La contraseña debe tener al menos 12 caracteres y un símbolo.
=== vault | es
La contraseña está guardada en el gestor, pídele acceso a sistemas.
=== reset | es
Puedes cambiar tu contraseña en Configuración > Seguridad.
=== forgotten | es
He olvidado la contraseña del portal del empleado, ¿alguien me ayuda?
=== policy | pt
A senha deve ter no mínimo 12 caracteres e não pode repetir as últimas 5.
=== vault | pt
A palavra-passe está no cofre, peça acesso à equipa de TI.
=== reset | pt
Para redefinir a senha, clique em Esqueci minha senha na tela de login.
=== never | pt
Nunca partilhe a sua palavra-passe nem o código recebido por SMS.
=== policy | it
La password deve contenere almeno 12 caratteri e un numero.
=== vault | it
La password è salvata nel gestore delle credenziali, chiedete all'IT.
=== reset | it
Potete reimpostare la password da Impostazioni > Sicurezza.
=== expiry | it
Il token scade dopo 30 minuti e la sessione dopo 8 ore.
=== policy | nl
Je wachtwoord moet minstens 12 tekens lang zijn en een cijfer bevatten.
=== vault | nl
Het wachtwoord staat in de kluis, vraag toegang aan bij de servicedesk.
=== reset | nl
Je kunt je wachtwoord wijzigen via Instellingen > Beveiliging.
=== forgotten | nl
Ik ben mijn wachtwoord vergeten en krijg geen herstelmail, wat nu?
=== policy | pl
Hasło musi mieć co najmniej 12 znaków, w tym jedną cyfrę.
=== vault | pl
Hasło jest w sejfie, poproś dział IT o dostęp.
=== reset | pl
Hasło można zmienić w Ustawieniach w zakładce Bezpieczeństwo.
=== expiry | pl
Token wygasa po 30 minutach, a hasło co 90 dni.
=== policy | ru
Пароль должен содержать не менее 12 символов и хотя бы одну цифру.
=== vault | ru
Пароль хранится в сейфе паролей, доступ выдаёт отдел ИТ.
=== reset | ru
Сменить пароль можно в разделе Настройки, вкладка Безопасность.
=== wrong | ru
Пишет «неверный пароль», хотя вчера всё работало. Что делать?
=== policy | tr
Şifreniz en az 12 karakter olmalı ve bir rakam içermelidir.
=== vault | tr
Parola kasada saklanıyor, erişim için bilgi işlem ekibine başvurun.
=== reset | tr
Şifrenizi Ayarlar > Güvenlik bölümünden değiştirebilirsiniz.
=== expiry | tr
Belirteç 30 dakika sonra geçersiz olur, yeniden giriş yapmanız gerekir.
=== policy | zh
密码长度至少为 12 位,并且必须包含数字和字母。
=== vault | zh
密码保存在密码管理器里,请向运维同事申请权限。
=== reset | zh
忘记密码请点击登录页面上的“忘记密码”链接。
=== expiry | zh
令牌 30 分钟后过期,密码每 90 天需要更换一次。
=== policy | ja
パスワードは12文字以上で、数字を1つ以上含めてください。
=== vault | ja
パスワードは金庫に保管されています。情報システム部に依頼してください。
=== reset | ja
パスワードは「設定」から「セキュリティ」で変更できます。
=== expiry | ja
トークンは30分で失効します。再度ログインしてください。
=== policy | ko
비밀번호는 12자 이상이어야 하며 숫자를 포함해야 합니다.
=== vault | ko
비밀번호는 금고에 보관되어 있으니 전산팀에 권한을 요청하세요.
=== reset | ko
비밀번호는 설정의 보안 메뉴에서 변경할 수 있습니다.
=== expiry | ko
토큰은 30분 후에 만료되며 다시 로그인해야 합니다.
=== runbook | de
## Kennwort eines Dienstkontos ändern

Zuständig: Infrastruktur, Stand 14.02.2025, Ticket OPS-4410.

1. Im Kanal #betrieb ankündigen, mindestens 30 Minuten vorher.
2. Das neue Passwort wird im Tresor erzeugt (Eintrag "svc_scan", Länge 32). Niemals selbst ausdenken und nie per \+
Mail schicken.
3. Auf srv-print-02 (10.20.4.7) den Dienst "ScanGateway" stoppen, das Kennwort eintragen, Dienst starten.
4. Im Ereignisprotokoll prüfen, ob die Anmeldung mit der Ereignis-ID 4624 erscheint und nicht 4625.
5. Meldet der Drucker "Falsches Passwort", ist die Replikation noch nicht durch: 15 Minuten warten.

Das alte Passwort ist nach dem Wechsel sofort ungültig. Der Token der Schnittstelle läuft nach 3600 Sekunden ab und wird
automatisch erneuert. Fragen an support@example.com oder Durchwahl 4410.
=== guide | fr
## Première connexion au portail

Votre responsable vous remet une enveloppe contenant le mot de passe provisoire. Il doit être changé à la première \+
connexion :
au moins 12 caractères, une majuscule, un chiffre, et différent des cinq derniers mots de passe.

1. Ouvrez https://portail.example.com/connexion et saisissez votre matricule.
2. Entrez le code reçu par l'application (valable 30 secondes).
3. En cas d'oubli, cliquez sur « Mot de passe oublié ? » ; le lien est valable 30 minutes.

Le service informatique ne vous demandera jamais votre mot de passe ni votre numéro de carte. Les fiches de paie \+
sont dans le
dossier Documents/2025. Pour toute question : support@example.com, poste 4410, ou le ticket HELP-90213.
=== guide | es
## Acceso a la red y al correo

La contraseña inicial se entrega en mano el primer día y caduca a las 24 horas. La nueva debe tener al menos 12 \+
caracteres y no
puede coincidir con las cinco anteriores.

- Wifi de empleados: se conecta con el certificado del equipo, no hace falta contraseña.
- Wifi de invitados: la clave está en la tarjeta de cada sala y cambia los lunes.
- VPN: servidor vpn.example.com, puerto 1194, usuario de dominio y código de la aplicación.
- Correo: imap.example.com:993 y smtp.example.com:587, con la misma contraseña del dominio.

Si el sistema indica "contraseña incorrecta" más de 5 veces, la cuenta se bloquea 15 minutos. Los tokens de la API \+
caducan a los
90 días. Dudas: support@example.com, extensión 4410, o el pedido 4500118273 si es un equipo nuevo.
=== guide | pl
## Zasady dotyczące haseł

Hasło do konta domenowego musi mieć co najmniej 12 znaków, w tym jedną cyfrę i jeden znak specjalny. Nie wolno \+
używać pięciu
ostatnich haseł. Hasło wygasa po 90 dniach, a token dostępu do API po 3600 sekundach.

1. Hasło zmienisz w portalu: Ustawienia > Bezpieczeństwo > Zmień hasło.
2. Jeżeli konto jest zablokowane, poczekaj 15 minut albo zgłoś się do działu IT (wewnętrzny 4410).
3. Hasła do urządzeń (drukarki, alarm, kamery) są w sejfie w folderze Magazyn. Nie zapisuj ich w wiki.
4. Nikt z działu IT nie zapyta cię o hasło ani o kod PIN.

Adresy: portal.example.com, 10.20.4.7 (drukarka), vpn.example.com. Zgłoszenia: HELP-90213, support@example.com.
=== guide | ru
## Памятка по паролям

Пароль доменной учётной записи должен содержать не менее 12 символов, одну цифру и один специальный знак. Последние \+
пять паролей
использовать нельзя. Срок действия пароля 90 дней, токена доступа 3600 секунд.

1. Сменить пароль можно на портале: Настройки > Безопасность > Сменить пароль.
2. После пяти неверных попыток учётная запись блокируется на 15 минут.
3. Пароли от принтеров и камер хранятся в сейфе, папка «Склад». В вики их не пишем.
4. Сотрудники ИТ никогда не спрашивают пароль и код из СМС.

Сервер печати 10.20.4.7, портал portal.example.com, заявка HELP-90213, внутренний номер 4410, почта support@example.com.
"""
