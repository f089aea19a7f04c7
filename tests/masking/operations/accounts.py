"""Bank accounts and mail addresses."""

from tests.masking.operations.template import Row

IBAN: tuple[Row, ...] = (
    (
        "de / grouped",
        "de",
        "Bitte überweisen Sie den Betrag auf {!iban_de_s}, Verwendungszweck RE-2024-118.",
        "Verwendungszweck RE-2024-118",
    ),
    ("de / plain", "de", "IBAN: {!iban_de}\nBIC: COBADEFFXXX\nKontoinhaber: Tannhoff IT", "Kontoinhaber"),
    ("de / nbsp", "de", "Die neue Bankverbindung lautet {!iban_de_nb}, gültig ab dem Ersten.", "gültig ab dem Ersten"),
    (
        "at / grouped",
        "de",
        "Rückerstattung geht an {!iban_at_s} (Erste Bank), der Kunde ist informiert.",
        "der Kunde ist informiert",
    ),
    (
        "ch / grouped",
        "de",
        "Lohnkonto geändert: {!iban_ch_s}, bitte im HR-System nachziehen.",
        "bitte im HR-System nachziehen",
    ),
    (
        "gb / grouped",
        "en",
        "Supplier changed bank details to {!iban_gb_s} - call back on the known number before paying.",
        "call back on the known number",
    ),
    (
        "gb / dots",
        "en",
        "OCR read the account as {!iban_gb_dot} on page 2 of the contract.",
        "on page 2 of the contract",
    ),
    (
        "gb / json",
        "en",
        '{"creditor":"Oakford Ltd","iban":"{!iban_gb}","amount":"1200.00","currency":"GBP"}',
        "creditor|currency",
    ),
    ("fr / grouped", "fr", "Voici mon RIB : {!iban_fr_s}, merci de me rembourser dessus.", "merci de me rembourser"),
    (
        "fr / dashes",
        "fr",
        "Le prélèvement sur {!iban_fr_d} a été rejeté pour provision insuffisante.",
        "rejeté pour provision insuffisante",
    ),
    ("es / grouped", "es", "La domiciliación va a la cuenta {!iban_es_s} a partir de julio.", "a partir de julio"),
    ("es / dashes", "es", "Cuenta de cargo: {!iban_es_d} (titular: Talleres Montalbo).", "Talleres Montalbo"),
    (
        "it / grouped",
        "it",
        "Il bonifico è tornato indietro, IBAN {!iban_it_s} inesistente secondo la banca.",
        "Il bonifico è tornato indietro",
    ),
    (
        "nl / lower case",
        "nl",
        "klant geeft door: {!iban_nl_low} t.n.v. Hoevenaar, graag binnen een week terugstorten",
        "graag binnen een week terugstorten",
    ),
    ("nl / grouped", "nl", "Het salaris moet naar {!iban_nl_s} worden overgemaakt.", "worden overgemaakt"),
    (
        "be / grouped",
        "fr",
        "Compte belge du fournisseur : {!iban_be_s}, délai de paiement 30 jours.",
        "délai de paiement 30 jours",
    ),
    ("pl / grouped", "pl", "Proszę o zwrot na rachunek {!iban_pl_s}, nadpłata za maj.", "nadpłata za maj"),
    (
        "pt / plain",
        "pt",
        "O reembolso deve ser feito para {!iban_pt}, titular Joana Valadeiro.",
        "O reembolso deve ser feito",
    ),
    (
        "se / csv",
        "en",
        """
supplier,iban,terms
Nordkante AB,{!iban_se},30
Fjellheim AS,{!iban_no},14""",
        "supplier,iban,terms|Nordkante AB",
    ),
    (
        "dk and fi / list",
        "en",
        "- Denmark: {!iban_dk_s}\n- Finland: {!iban_fi_s}\nboth verified by treasury",
        "both verified by treasury",
    ),
    (
        "ie / log",
        "en",
        "{ts} ERROR sepa: AC01 incorrect account number {!iban_ie} batch=77",
        "incorrect account number|batch=77",
    ),
    ("tr / grouped", "tr", "İade ücreti {!iban_tr_s} hesabına yatırılacak, üç iş günü sürer.", "üç iş günü sürer"),
    ("lu / xml", "en", "<CdtrAcct><Id><IBAN>{!iban_lu}</IBAN></Id></CdtrAcct><Amt>88.10</Amt>", "88.10"),
    (
        "cz / chat",
        "en",
        "my Czech account is {!iban_cz_s}, can you pay the on-call bonus there?",
        "can you pay the on-call bonus there?",
    ),
    ("hu / table", "en", "| Vendor | IBAN |\n|---|---|\n| Duna Soft | {!iban_hu_s} |", "Duna Soft"),
    ("gr / yaml", "en", "payout:\n  iban: {!iban_gr}\n  schedule: weekly", "schedule: weekly"),
    ("ae / mail", "en", "Kindly remit to {!iban_ae_s} and send the swift copy.", "send the swift copy"),
    (
        "ro / sql",
        "en",
        "SELECT * FROM payouts WHERE iban = '{!iban_ro}' ORDER BY created_at DESC;",
        "ORDER BY created_at DESC",
    ),
    (
        "br / plain",
        "pt",
        "A conta no Brasil para o repasse é {!iban_br}, confirme antes de enviar.",
        "confirme antes de enviar",
    ),
    ("russian text", "ru", "Возврат оформите на счёт {!iban_lt_s} (Литва), срок до пятницы.", "срок до пятницы"),
    ("japanese text", "ja", "返金先の口座は {!iban_de_s} です。今週中に処理してください。", "今週中に処理してください"),
)

EMAIL: tuple[Row, ...] = (
    (
        "prose",
        "en",
        "Ask {!mail_en} for the VPN profile, she handles the contractors.",
        "for the VPN profile|she handles the contractors",
    ),
    ("prose", "de", "Ansprechpartnerin ist ab sofort {!mail_de}, Vertretung siehe Wiki.", "Vertretung siehe Wiki"),
    ("prose", "fr", "Merci d'écrire à {!mail_fr} pour toute demande d'accès.", "pour toute demande d'accès"),
    (
        "prose",
        "es",
        "El responsable del proyecto es {!mail_es}, está de vacaciones hasta el lunes.",
        "está de vacaciones hasta el lunes",
    ),
    ("prose", "pt", "Manda o log para {!mail_pt} que ele analisa ainda hoje.", "que ele analisa ainda hoje"),
    (
        "prose",
        "it",
        "Ho inoltrato la richiesta a {!mail_it}, risponde di solito entro sera.",
        "risponde di solito entro sera",
    ),
    ("prose", "nl", "Stuur de offerte naar {!mail_nl} en zet mij in de cc.", "en zet mij in de cc"),
    ("prose", "pl", "Dostęp nadaje {!mail_pl}, proszę podać numer zgłoszenia.", "proszę podać numer zgłoszenia"),
    ("prose", "tr", "Sorularınız için {!mail_tr} adresine yazabilirsiniz.", "Sorularınız için|adresine yazabilirsiniz"),
    ("prose", "ru", "Доступ выдаёт {!mail_en}, пишите с рабочей почты.", "пишите с рабочей почты"),
    ("no blanks around", "zh", "请把日志发给{!mail_en}，今天下班前处理完。", "今天下班前处理完"),
    ("no blanks around", "ja", "申請は{!mail_en}までメールでお願いします。", "までメールでお願いします"),
    ("particle attached", "ko", "문의는 {!mail_en}으로 보내 주시면 됩니다.", "보내 주시면 됩니다"),
    (
        "mail header",
        "en",
        """
From: {nm_en} <{!mail_en}>
To: support@example.com
Subject: Re: cannot log in after reset""",
        "support@example.com|cannot log in after reset",
    ),
    (
        "mailto link",
        "en",
        "[contact the owner](mailto:{!mail_en}?subject=Runbook) if the alert fires twice",
        "contact the owner|if the alert fires twice",
    ),
    (
        "git log",
        "en",
        """
commit {sha}
Author: {nm_en} <{!mail_en}>
Date:   Tue Mar 5 10:11:12 2024 +0100

    fix retry loop""",
        "fix retry loop",
    ),
    (
        "signature",
        "de",
        """
Mit freundlichen Grüßen
{nm_de}
Teamleitung Betrieb
{!mail_de}""",
        "Mit freundlichen Grüßen|Teamleitung Betrieb",
    ),
    (
        "smtp log",
        "en",
        "postfix/smtp[4412]: 7C1B: to=<{!mail_fr}>, relay=mx.example.fr[{ip}]:25, delay=0.7, status=sent (250 ok)",
        "status=sent",
    ),
    (
        "bounce",
        "en",
        "550 5.1.1 <{!mail_es}>: Recipient address rejected: User unknown in virtual mailbox table",
        "Recipient address rejected",
    ),
    ("json", "en", '{"id":4410,"email":"{!mail_en}","verified":false,"plan":"team"}', "verified|team"),
    (
        "csv",
        "en",
        """
login,mail,role
jharth,{!mail_en},viewer
akess,{!mail_de},editor""",
        "login,mail,role|viewer",
    ),
    (
        "yaml owners",
        "en",
        """
owners:
  - {!mail_en}
  - {!mail_de}
tier: 1""",
        "owners:|tier: 1",
    ),
    ("access log query", "en", '"GET /api/users?email={!mail_it}&limit=1 HTTP/1.1" 200 418', "limit=1"),
    (
        "ldap dn",
        "en",
        "dn: uid=tkoster,ou=people,dc=example,dc=com\nmail: {!mail_nl}\nloginShell: /bin/bash",
        "loginShell: /bin/bash",
    ),
    (
        "plus address",
        "en",
        "signed up as {!plusmail} and the filter on the plus part does not work",
        "filter on the plus part does not work",
    ),
    ("obfuscated at", "en", "mail me: {!mail_at} (spam protection on this wiki)", "spam protection on this wiki"),
    (
        "upper case",
        "en",
        "HR export has {!mail_up} in capitals, the SSO lookup is case sensitive",
        "the SSO lookup is case sensitive",
    ),
    ("sql", "en", "DELETE FROM newsletter WHERE email = '{!mail_pt}' LIMIT 1;", "DELETE FROM newsletter"),
    (
        "stack trace",
        "en",
        "IntegrityError: duplicate key value violates unique constraint, Key (email)=({!mail_pl}) already exists.",
        "violates unique constraint",
    ),
    (
        "table",
        "en",
        """
| Shift | Person | Mail |
|---|---|---|
| Mon | {nm_en} | {!mail_en} |
| Tue | {nm_de} | {!mail_de} |""",
        "Shift|Mon",
    ),
    ("chat with role box", "en", "loop in {!mail_fr}, not info@example.fr, nobody reads that", "nobody reads that"),
    (
        "ssh key comment",
        "en",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{bs43} {!mail_en}  # add to authorized_keys on {h}",
        "add to authorized_keys",
    ),
    (
        "umlaut domain",
        "de",
        "Rechnung bitte an {!mail_idn}, nicht mehr an die alte Adresse.",
        "nicht mehr an die alte Adresse",
    ),
)
