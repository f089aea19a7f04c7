"""Without secrets: longer tickets and logs."""

from tests.masking.operations.template import NegRow

ROWS: tuple[NegRow, ...] = (
    (
        "runbook",
        "de",
        """
## Zertifikat am Gateway tauschen
1. Neues Zertifikat aus dem Portal laden (Bestellnummer 100482271, Laufzeit bis 03.11.2025).
2. Fingerabdruck prüfen: `openssl x509 -noout -fingerprint -sha256 -in gw.pem`, Seriennummer 0A1B2C3D4E5F.
3. Privaten Schlüssel nach /etc/pki/gw/gw.key legen, Rechte 0640, Besitzer root:gateway.
4. Das Kennwort des Keystores steht im Tresor unter infra/gateway/keystore; bitte nicht ins Ticket kopieren.
5. `systemctl reload gateway`, danach https://gw.example.de/health (erwartet: 200, Version 7.2.11).
Falls der Dienst nicht startet: Log unter /var/log/gateway/error.log, häufig ist das Passwort des Keystores
falsch hinterlegt (Meldung „keystore password was incorrect“). Eskalation über support@example.de oder den
Bereitschaftskalender. Letzter Tausch am 12.05.2024 um 22:14 Uhr, Ticket {tk}, Dauer 18 Minuten.""",
    ),
    (
        "mode d'emploi",
        "fr",
        """
## Réinitialiser un compte verrouillé
1. Vérifier l'identité de la personne (badge ou visio), jamais par téléphone seul.
2. Dans l'annuaire, onglet Compte, cocher « L'utilisateur doit changer le mot de passe ».
3. Le mot de passe provisoire est généré par l'outil et affiché une seule fois à l'écran ; ne pas l'envoyer par mail.
4. Politique : 12 caractères au minimum, 5 anciens mots de passe refusés, verrouillage après 5 essais en 15 minutes.
5. Noter le numéro du ticket ({tk}) et l'heure ; la synchronisation passe toutes les 30 minutes.
Erreurs connues : 0x8007052E (mot de passe incorrect), 49/52e (LDAP), jeton expiré après 3600 s.
Adresses utiles : support@example.fr, https://annuaire.example.fr/compte?onglet=securite&langue=fr
Serveurs : {fq} et {fq#1}, port 636. Dernière mise à jour : 14/05/2024, version 3.2.1 du document.""",
    ),
    (
        "guía",
        "es",
        """
## Alta de un servicio nuevo
- Crea el repositorio con la plantilla (git@git.example.com:plataforma/plantilla.git, versión 3.4.1).
- Define las variables DB_PASSWORD, API_TOKEN y SMTP_PASSWORD en la bóveda; en el repositorio solo van los nombres.
- En values.yaml pon `existingSecret: ledger-db` y nunca la contraseña en claro.
- El token de despliegue lo genera la plataforma y caduca a los 90 días.
- Puertos: 8080 (http), 9464 (métricas), 5432:5432 solo en local.
- Revisa que las pruebas test_password_policy y test_token_no_se_registra estén en verde.
Si falla el primer despliegue mira los eventos: `kubectl -n prueba describe pod`. El mensaje «password
authentication failed» significa que el secreto aún no se ha sincronizado (tarda unos 5 minutos).
Dudas a support@example.es o en #plataforma. Actualizado el 14/05/2024, incidencia {tk}.""",
    ),
    (
        "verbale",
        "it",
        """
Verbale della riunione sicurezza, 14 maggio 2024, ore 15:00-16:10
1. Le password dei servizi saranno ruotate ogni 90 giorni; oggi 41 su 118 sono più vecchie.
2. La lunghezza minima passa da 10 a 12 caratteri, la cronologia resta a 5.
3. I token personali senza scadenza verranno revocati il 1 luglio (elenco in {tk}).
4. Il codice fiscale non deve più comparire nei log: il filtro sarà attivo dalla versione 4.18.0.
5. Il numero di carta resta solo presso il fornitore di pagamenti, noi vediamo le ultime quattro cifre.
6. Budget: 12.500,00 EUR per le chiavi hardware, ordine 100482275, consegna prevista il 03/06/2024.
Azioni: aggiornare la guida «Reimposta la password», scrivere a support@example.it, chiudere i punti aperti
{tk#1} e {tk#2}. Prossimo incontro il 28 maggio alle 15:00, sala 118 o https://meet.example.it/sicurezza""",
    ),
    (
        "postmortem",
        "pt",
        """
Incidente {tk}: fila parada após a troca da senha do broker, 14/05/2024
Impacto: 18 412 mensagens atrasadas, nenhum dado perdido, nenhuma senha exposta.
Linha do tempo (UTC):
- 09:12 a senha do usuário de integração foi trocada no cofre
- 09:14 os pods novos leram o segredo ledger-mq, os antigos continuaram com a versão anterior
- 09:31 alerta RabbitConnectionsLow em {h} ({ip})
- 10:02 reinício dos consumidores, fila normalizada às 10:19
Causa: o sidecar só relê o segredo a cada 3600 s (token_ttl) e o parâmetro reload_on_change estava false.
Ações: reduzir o intervalo para 300 s, teste automático test_senha_trocada_sem_parada, documentar no wiki.
Commit da correção: {sha}, imagem sha256:{sha256}. Contato: support@example.com.br""",
    ),
    (
        "instrukcja",
        "pl",
        """
## Konfiguracja klienta VPN
1. Pobierz instalator w wersji 5.1.3 (suma SHA-256: {sha256}).
2. Zaloguj się kontem domenowym; hasło jest to samo co do poczty i musi mieć co najmniej 12 znaków.
3. Wpisz sześciocyfrowy kod z aplikacji, zmienia się on co 30 sekund.
4. Serwer: vpn.example.pl, port 443, grupa „pracownicy”.
5. Jeśli pojawi się komunikat „nieprawidłowe hasło”, sprawdź układ klawiatury i spróbuj ponownie za 15 minut.
Nie zapisuj hasła w kliencie. Hasła do systemów wspólnych są w menedżerze haseł, sejf „Infra”.
Adresy z puli 10.66.0.0/24 są przydzielane na 8 godzin; trasa do 192.168.0.0/16 idzie tunelem.
Pomoc: support@example.pl, pokój 118, budynek B, codziennie 8:00-18:00. Zgłoszenie wzorcowe: {tk}.""",
    ),
    (
        "handleiding",
        "nl",
        """
## Back-up terugzetten
1. Zoek de juiste momentopname: `restic snapshots --host {h}` (het wachtwoord komt uit RESTIC_PASSWORD_FILE).
2. Controleer de vrije ruimte, voor de database is ongeveer 412 GB nodig.
3. Zet terug naar /srv/herstel en vergelijk de controlesommen ({hex32}).
4. Pas DB_PASSWORD_FILE aan en herstart de dienst; het wachtwoord zelf staat in de kluis onder infra/ledger.
5. Meld in het ticket ({tk}) de begin- en eindtijd en het aantal rijen (12.118.204 bij de laatste oefening).
Veelvoorkomende fouten: "wrong password or no key found" betekent dat het bestand met de sleutel ontbreekt;
exitcode 3 dat een bestand niet leesbaar was. De oefening is elk kwartaal, de volgende op 2024-08-20 om 10:00.
Vragen kunnen naar support@example.nl; het token van de monitor verloopt na 24 uur vanzelf.""",
    ),
    (
        "регламент",
        "ru",
        """
## Смена пароля сервисной учётной записи
1. Создать заявку ({tk}) и согласовать окно работ, обычно 22:00-23:00 МСК.
2. Сгенерировать новый пароль в хранилище: путь infra/ledger/prod, ключ password. В заявку пароль не копировать.
3. Обновить секрет: kubectl -n prod annotate externalsecret ledger-db force-sync=1
4. Перезапустить поды и проверить журнал: строка «password authentication failed» появляться не должна.
5. Закрыть заявку, указать версию 4.18.0 и коммит {sha7}.
Требования: не менее 12 символов, срок действия 90 дней, последние 5 паролей не повторять.
Токены доступа живут 3600 секунд, токены обновления 14 дней. Если забыли пароль от портала, используйте
форму восстановления, ссылка действует 30 минут. Вопросы: support@example.ru, канал #platform.
Узлы: {fq}, {ip}, порт 5432; резервная площадка отвечает на 203.0.113.17.""",
    ),
    (
        "yönerge",
        "tr",
        """
## Sunucu yedeğinin geri yüklenmesi
1. {tk} numaralı kaydı açın ve bakım penceresini duyurun (22:00-23:30).
2. Yedeğin özetini doğrulayın: {sha256}
3. Veritabanı parolası kasadaki infra/ledger kaydında durur; parolayı kayda veya sohbete yazmayın.
4. pg_restore komutunu 5432 numaralı bağlantı noktasında çalıştırın, yaklaşık 184 saniye sürer.
5. Uygulamayı yeniden başlatın, sağlık adresi 200 dönmeli: https://app.example.com.tr/saglik?ayrinti=1
Sık görülen hatalar: "parola doğrulaması başarısız" gizli bilginin henüz eşitlenmediğini gösterir, 5 dakika
bekleyin. Belirteçler 3600 saniye geçerlidir. Parolanızı unuttuysanız Ayarlar > Güvenlik bölümünü kullanın.
Sorular için support@example.com.tr veya #platform kanalı. Son tatbikat: 14.05.2024, sürüm 4.18.0, süre 18 dk.""",
    ),
    (
        "运维手册",
        "zh",
        (
            "\n"
            "## 数据库密码轮换流程\n"
            "1. 在工单系统中登记变更（{tk}），并提前一天在群里通知各个业务方，变更窗口为 22:00 至 23:00。\n"
            "2. 在密码库中生成新密码，路径为 infra/ledger/prod，字段名 password，请勿把密码粘贴到工单或者聊天里面。"
            "\n"
            "3. 执行同步命令：kubectl -n prod annotate externalsecret ledger-db force-sync=1，大约需要五分钟生效。"
            "\n"
            "4. 重启应用：kubectl -n prod rollout restart deploy/ledger-api，并观察日志中是否出现认证失败的信息。\n"
            "5. 检查监控面板 https://dash.example.cn/d/ledger/overview?orgId=1&refresh=30s ，错误率应低于 0.1%。\n"
            "6. 关闭工单时写明版本号 4.18.0、提交 {sha7}、镜像摘要 sha256:{sha256}。\n"
            "密码策略：长度至少12位，有效期90天，最近5次使用过的密码不能重复，连续输错5次会锁定15分钟。\n"
            "访问令牌有效期为3600秒，刷新令牌为14天，过期之后需要重新登录；"
            "忘记密码可以在登录页面点击“忘记密码”自助重置。\n"
            "联系方式：support@example.cn，节点 {fq}，地址 {ip}，端口 5432。上次演练日期为2024年5月14日，"
            "共耗时18分钟，涉及数据12,118,204行。\n"
            "常见问题：如果应用启动时报“密码认证失败”，一般是密钥还没有同步完成，请等待五分钟之后再重试；"
            "如果仍然失败，请检查密钥名称是否写错。\n"
            "注意事项：不要在命令行参数中直接输入密码，应使用环境变量或者密钥文件；执行完成后请清理历史记录，"
            "并确认监控告警已经恢复正常状态。"
        ),
    ),
)
