"""Prose about passwords, tokens and contacts that holds no secret, in thirteen languages."""

NEG_PROSE = r"""
=== policy | en
Your password must have at least 12 characters, one digit and one special character.
=== where | en
The database password is stored in the vault; the path is in the runbook.
=== reset | en
Reset your password under Settings > Security, or ask IT for the password of the guest account.
=== expiry | en
The access token expires after 30 minutes, the refresh token after 14 days.
=== see 1password | en
Password: see 1Password, entry "CRM production".
=== same as | en
The wifi password is on the sign at the reception desk and changes every month.
=== pin policy | en
The PIN has 6 digits; after three wrong attempts the card is blocked for 24 hours.
=== question | en
Does anyone know where the password for the label printer is documented?
=== warning | en
Never send your password, your PIN or a one-time code by mail. We will never ask for them.
=== rotated | en
The API key was rotated yesterday and the old token has been revoked, so please pull the new one.
=== login | en
Log in with your usual Windows user and password, then approve the sign-in on your phone.
=== gdpr | en
Do not store social security numbers, card numbers or IBANs in tickets; mask them first.
=== password is required | en
The password is required. The password is incorrect. The password is too short. Password is case-sensitive.
=== regeln | de
Das Passwort muss mindestens 12 Zeichen lang sein und eine Ziffer enthalten.
=== tresor | de
Das Kennwort liegt im Tresor, der Pfad steht im Betriebshandbuch.
=== zurücksetzen | de
Setze dein Passwort unter Einstellungen > Sicherheit zurück oder frag die IT nach dem Passwort.
=== ablauf | de
Das Token läuft nach 30 Minuten ab, das Passwort ist 90 Tage gültig.
=== siehe | de
Passwort: siehe 1Password, Eintrag „CRM Produktion“
=== pin | de
Die PIN besteht aus 6 Ziffern und kommt per Post.
=== warnung | de
Gib dein Passwort niemals weiter, auch nicht an den Helpdesk; wir fragen nie danach.
=== frage | de
Weiß jemand, wo das Passwort für den Drucker dokumentiert ist?
=== rückruf | de
Bitte um Rückruf zwischen 9:00 und 11:30 Uhr, Durchwahl steht in der Signatur; Vorgang 2026-0113-07.
=== règles | fr
Votre mot de passe doit comporter au moins 12 caractères, dont un chiffre et une majuscule.
=== coffre | fr
Le mot de passe est conservé dans le coffre-fort, voir la procédure d'exploitation.
=== réinitialiser | fr
Réinitialisez votre mot de passe dans Paramètres > Sécurité ou demandez-le au service informatique.
=== expiration | fr
Le jeton expire au bout de 30 minutes et le mot de passe au bout de 90 jours.
=== voir | fr
Mot de passe : voir 1Password, fiche « CRM production »
=== code | fr
Le code PIN comporte 6 chiffres et arrive par courrier.
=== avertissement | fr
Ne communiquez jamais votre mot de passe, même à l'assistance.
=== question | fr
Quelqu'un sait où est noté le mot de passe de l'imprimante ?
=== oubli | fr
Mot de passe oublié ? Cliquez sur le lien, il reste valable 24 heures.
=== reglas | es
La contraseña debe tener al menos 12 caracteres, un número y una mayúscula.
=== bóveda | es
La contraseña está guardada en la bóveda; la ruta figura en el manual.
=== restablecer | es
Restablece tu contraseña en Ajustes > Seguridad o pide la contraseña a informática.
=== caducidad | es
El token caduca a los 30 minutos y la contraseña a los 90 días.
=== ver | es
Contraseña: ver 1Password, entrada «CRM producción»
=== pin | es
El PIN tiene 6 cifras y llega por correo postal.
=== aviso | es
No compartas nunca tu contraseña, ni siquiera con soporte.
=== pregunta | es
¿Alguien sabe dónde está apuntada la contraseña de la impresora?
=== olvido | es
¿Has olvidado la contraseña? El enlace es válido durante 24 horas.
=== regras | pt
A palavra-passe deve ter pelo menos 12 caracteres, um número e uma maiúscula.
=== cofre | pt
A senha está guardada no cofre; o caminho consta do manual de operação.
=== redefinir | pt
Redefina a senha em Definições > Segurança ou peça a senha à informática.
=== expiração | pt
O token expira ao fim de 30 minutos e a senha ao fim de 90 dias.
=== ver | pt
Senha: ver 1Password, entrada "CRM produção"
=== aviso | pt
Nunca partilhe a sua senha, nem com o apoio técnico.
=== pergunta | pt
Alguém sabe onde está anotada a senha da impressora?
=== esqueceu | pt
Esqueceu a senha? O link é válido por 24 horas e só pode ser usado uma vez.
=== regole | it
La password deve avere almeno 12 caratteri, una cifra e una maiuscola.
=== cassaforte | it
La password è conservata nella cassaforte digitale, il percorso è nel manuale.
=== reimpostare | it
Reimposta la password in Impostazioni > Sicurezza oppure chiedi la password all'IT.
=== scadenza | it
Il token scade dopo 30 minuti, la password dopo 90 giorni.
=== vedi | it
Password: vedi 1Password, voce «CRM produzione»
=== avviso | it
Non comunicare mai la tua password, nemmeno all'assistenza.
=== domanda | it
Qualcuno sa dove è annotata la password della stampante?
=== dimenticata | it
Password dimenticata? Il link resta valido per 24 ore.
=== regels | nl
Het wachtwoord moet minstens 12 tekens, een cijfer en een hoofdletter bevatten.
=== kluis | nl
Het wachtwoord staat in de kluis; het pad staat in het draaiboek.
=== herstellen | nl
Herstel je wachtwoord via Instellingen > Beveiliging of vraag IT om het wachtwoord.
=== verloop | nl
Het token verloopt na 30 minuten en het wachtwoord na 90 dagen.
=== zie | nl
Wachtwoord: zie 1Password, item 'CRM productie'
=== waarschuwing | nl
Geef je wachtwoord nooit door, ook niet aan de helpdesk.
=== vraag | nl
Weet iemand waar het wachtwoord van de printer staat?
=== vergeten | nl
Wachtwoord vergeten? De link is 24 uur geldig.
=== zasady | pl
Hasło musi mieć co najmniej 12 znaków, jedną cyfrę i wielką literę.
=== sejf | pl
Hasło jest przechowywane w sejfie, ścieżka jest w instrukcji.
=== reset | pl
Zresetuj hasło w Ustawieniach lub poproś dział IT o hasło.
=== wygaśnięcie | pl
Token wygasa po 30 minutach, a hasło po 90 dniach.
=== zobacz | pl
Hasło: patrz 1Password, wpis „CRM produkcja”
=== ostrzeżenie | pl
Nigdy nie podawaj nikomu hasła, nawet pracownikom pomocy.
=== pytanie | pl
Czy ktoś wie, gdzie jest zapisane hasło do drukarki?
=== zapomniane | pl
Nie pamiętasz hasła? Odnośnik jest ważny przez 24 godziny.
=== правила | ru
Пароль должен содержать не менее 12 символов, цифру и заглавную букву.
=== хранилище | ru
Пароль хранится в хранилище секретов, путь указан в инструкции.
=== сброс | ru
Сбросьте пароль в настройках или попросите пароль у отдела ИТ.
=== срок | ru
Токен истекает через 30 минут, пароль действует 90 дней.
=== смотри | ru
Пароль: см. 1Password, запись «CRM прод»
=== предупреждение | ru
Никогда не сообщайте пароль никому, даже службе поддержки.
=== вопрос | ru
Кто знает, где записан пароль от принтера?
=== забыли | ru
Забыли пароль? Ссылка действует 24 часа.
=== kurallar | tr
Parola en az 12 karakter, bir rakam ve bir büyük harf içermelidir.
=== kasa | tr
Parola kasada saklanıyor, yolu kılavuzda yazıyor.
=== sıfırlama | tr
Parolanızı Ayarlar > Güvenlik bölümünden sıfırlayın veya parolayı BT ekibine sorun.
=== süre | tr
Belirteç 30 dakika sonra, parola 90 gün sonra sona erer.
=== bakınız | tr
Parola: 1Password'daki "CRM canlı" kaydına bakın
=== uyarı | tr
Parolanızı kimseyle, destek ekibiyle bile paylaşmayın.
=== soru | tr
Yazıcının parolasının nerede yazdığını bilen var mı?
=== unuttum | tr
Parolanızı mı unuttunuz? Bağlantı 24 saat geçerlidir.
=== 规则 | zh
密码至少需要 12 个字符，并包含一个数字和一个大写字母。
=== 保管 | zh
数据库密码保存在密码库中，路径见运维手册。
=== 重置 | zh
请在“设置 > 安全”中重置密码，或向 IT 部门索取密码。
=== 过期 | zh
令牌 30 分钟后过期,密码有效期为 90 天。
=== 参见 | zh
密码：见 1Password 条目“CRM 生产”
=== 警告 | zh
请勿将密码告诉任何人，包括客服人员。
=== 提问 | zh
有人知道打印机的密码记在哪里吗？
=== 忘记 | zh
忘记密码?链接在 24 小时内有效。
=== 規則 | ja
パスワードは 12 文字以上で、数字と大文字を含めてください。
=== 保管 | ja
パスワードは保管庫にあります。場所は手順書をご覧ください。
=== 再設定 | ja
パスワードは「設定 > セキュリティ」で再設定するか、情報システム部に問い合わせてください。
=== 期限 | ja
トークンは 30 分で失効し、パスワードは 90 日間有効です。
=== 参照 | ja
パスワード：1Password の「CRM 本番」を参照
=== 警告 | ja
パスワードは誰にも教えないでください。サポートが尋ねることはありません。
=== 質問 | ja
プリンターのパスワードがどこに書いてあるか、ご存じの方はいますか？
=== 忘れた | ja
パスワードをお忘れですか?リンクは 24 時間有効です。
=== 규칙 | ko
비밀번호는 12자 이상이어야 하며 숫자와 대문자를 포함해야 합니다.
=== 보관 | ko
비밀번호는 금고에 보관되어 있으며 경로는 운영 문서에 있습니다.
=== 재설정 | ko
설정 > 보안에서 비밀번호를 재설정하거나 전산팀에 비밀번호를 문의하세요.
=== 만료 | ko
토큰은 30분 후 만료되고 비밀번호는 90일간 유효합니다.
=== 참조 | ko
비밀번호: 1Password 의 "CRM 운영" 항목 참고
=== 경고 | ko
비밀번호는 누구에게도, 지원팀에도 알려 주지 마세요.
=== 질문 | ko
프린터 비밀번호가 어디에 적혀 있는지 아시는 분?
=== 분실 | ko
비밀번호를 잊으셨나요? 링크는 24시간 동안 유효합니다.
"""
