"""Cards and social security numbers."""

from tests.masking.operations.template import Row

CARD: tuple[Row, ...] = (
    (
        "visa / ticket",
        "en",
        "Customer says the card {!visa_s} was charged twice for order 88172, please refund one.",
        "Customer says|please refund one.",
    ),
    (
        "visa / plain log",
        "en",
        '{ts} WARN payment declined pan={!visa} exp=11/27 reason="do_not_honor"',
        "payment declined|do_not_honor",
    ),
    (
        "visa / dashes",
        "en",
        "card on file: {!visa_d} (exp 04/28), wants it removed from the account",
        "wants it removed from the account",
    ),
    (
        "visa / dots",
        "fr",
        "Le client a donné le numéro {!visa_dot} par téléphone, la transaction a échoué deux fois.",
        "la transaction a échoué deux fois",
    ),
    (
        "visa / nbsp",
        "de",
        "Der Kunde schickt die Kartennummer {!visa_nb} im Chat, bitte aus dem Verlauf löschen.",
        "bitte aus dem Verlauf löschen",
    ),
    ("visa / two blanks", "en", "read out by the caller: {!visa_2} , valid through 09/26", "read out by the caller"),
    (
        "visa / json",
        "en",
        '{"type":"card","number":"{!visa}","expiry":"12/26","holder":"P BRANDRETH","amount":4900}',
        "expiry|amount",
    ),
    (
        "visa / sql insert",
        "en",
        "INSERT INTO legacy_payments (order_id, pan, cents) VALUES (88123, '{!visa}', 12900);",
        "INSERT INTO legacy_payments",
    ),
    (
        "visa / masked twin",
        "en",
        "receipt shows **** **** **** 4417 but the export has {!visa} in clear, see {tk}",
        "receipt shows|in clear",
    ),
    (
        "mastercard / chat",
        "es",
        "Mi tarjeta es {!mc_s} y caduca en 08/27, ¿por qué me la rechazan?",
        "¿por qué me la rechazan?",
    ),
    (
        "mastercard / csv",
        "en",
        """
order;pan;amount
88121;{!mc};19.90
88122;{!mc#1};5.00""",
        "order;pan;amount|19.90",
    ),
    (
        "mastercard / 2-series",
        "it",
        "La carta {!mc_d} risulta bloccata dal circuito, il cliente vuole un'altra forma di pagamento.",
        "risulta bloccata dal circuito",
    ),
    (
        "mastercard / xml",
        "en",
        "<Card><Brand>MC</Brand><PAN>{!mc}</PAN><Exp>0728</Exp></Card> was in the SOAP trace",
        "was in the SOAP trace",
    ),
    (
        "mastercard / bullet list",
        "pt",
        """
Dados enviados pelo cliente:
- bandeira: Mastercard
- número: {!mc_s}
- validade: 05/29""",
        "Dados enviados pelo cliente|validade: 05/29",
    ),
    (
        "amex / grouped",
        "en",
        "He used his corporate Amex {!amex_s}, the receipt went to finance.",
        "the receipt went to finance",
    ),
    (
        "amex / plain",
        "en",
        "gateway answered 402 for account={!amex} brand=amex attempt=3",
        "gateway answered 402|attempt=3",
    ),
    (
        "amex / dashes",
        "nl",
        "Op de factuur staat Amex {!amex_d}, maar de klant heeft die kaart opgezegd.",
        "maar de klant heeft die kaart opgezegd",
    ),
    (
        "discover / chat",
        "en",
        "I tried my Discover {!disc_s} and then PayPal, neither went through.",
        "neither went through",
    ),
    ("discover / query string", "en", "POST /legacy/charge?cc={!disc}&zip=97204&amt=42.00 -> 500", "zip=97204"),
    (
        "jcb / japanese",
        "ja",
        "お客様のカード番号は {!jcb_d} で、有効期限は2027年5月です。返金をお願いします。",
        "返金をお願いします",
    ),
    ("jcb / plain", "en", "card_number: {!jcb}\ncard_brand: JCB\nstatus: declined", "status: declined"),
    (
        "diners / grouped",
        "en",
        "Diners Club {!diners_s} is not enabled for this merchant, enable it or tell the guest.",
        "is not enabled for this merchant",
    ),
    ("diners / plain", "pl", "Płatność kartą Diners {!diners} odrzucona, kod 05.", "odrzucona, kod 05"),
    ("unionpay / chinese", "zh", "用户的银联卡号 {!upay19} 扣款两次，请核实后退款。", "请核实后退款"),
    (
        "unionpay / 16",
        "en",
        "token migration skipped {!upay} because the BIN table has no UnionPay rows",
        "the BIN table has no UnionPay rows",
    ),
    (
        "maestro",
        "de",
        "Lastschrift über Maestro {!maestro_s} fehlgeschlagen, Händler ruft zurück.",
        "Händler ruft zurück",
    ),
    (
        "mir",
        "ru",
        "Клиент оплатил картой МИР {!mir_s}, деньги списали, заказ не создан.",
        "деньги списали, заказ не создан",
    ),
    ("troy", "tr", "Troy kart {!troy_s} ile ödeme alınamıyor, sanal POS hatası 99.", "sanal POS hatası 99"),
    ("rupay", "en", "RuPay debit card {!rupay} fails at 3DS, other Indian cards work.", "other Indian cards work"),
    (
        "elo",
        "pt",
        "O cartão Elo {!elo_s} foi recusado pelo antifraude, liberar manualmente.",
        "foi recusado pelo antifraude",
    ),
    (
        "korean ticket",
        "ko",
        "고객 카드번호 {!visa_d} 결제가 두 번 승인되었습니다. 한 건 취소 부탁드립니다.",
        "한 건 취소 부탁드립니다",
    ),
    (
        "dankort",
        "en",
        "Dankort {!dankort_s}: terminal shows 'contact issuer', second terminal took it.",
        "second terminal took it",
    ),
    (
        "table",
        "en",
        """
| ticket | card | amount |
|---|---|---|
| SUP-118 | {!visa_s} | 59.00 |
| SUP-119 | {!amex} | 12.50 |""",
        "ticket|SUP-119",
    ),
)

SSN: tuple[Row, ...] = (
    (
        "prose",
        "en",
        "The employee's social security number is {!ssn}, payroll needs it before Friday.",
        "payroll needs it before Friday",
    ),
    ("abbreviation", "en", "SSN: {!ssn}\nDOB: 03/14/1981\nState: OR", "State: OR"),
    (
        "chat",
        "en",
        "hi, i need my w2 again, my ssn is {!ssn} and i moved to Tulsa in march",
        "i moved to Tulsa in march",
    ),
    ("spaces", "en", "Caller verified with SSN {!ssn_s} and zip code, unlocked the account.", "unlocked the account"),
    (
        "no separators",
        "en",
        "social security no. {!ssn_n} was typed into the comments box of the form",
        "was typed into the comments box",
    ),
    ("json", "en", '{"firstName":"Dylan","ssn":"{!ssn}","plan":"PPO","dependents":2}', "dependents"),
    (
        "csv",
        "en",
        """
name,ssn,dept
Harriet Oakenshaw,{!ssn},Support
Callum Hartnoll,{!ssn#1},Platform""",
        "Support|Platform",
    ),
    ("log", "en", "{ts} ERROR hr-sync: duplicate key (ssn)=({!ssn}) already exists", "duplicate key|already exists"),
    ("sql", "en", "UPDATE employees SET ssn = '{!ssn}' WHERE employee_no = 4417;", "WHERE employee_no = 4417"),
    ("xml", "en", "<Employee><SSN>{!ssn_n}</SSN><State>TX</State><Hire>2021-04-01</Hire></Employee>", "2021-04-01"),
    (
        "table",
        "en",
        """
| Employee | SSN | Benefit |
|---|---|---|
| M. Pemberley | {!ssn} | Dental |""",
        "Benefit|Dental",
    ),
    (
        "form dump",
        "en",
        """
Form I-9, section 1
U.S. Social Security Number: {!ssn}
Citizen of the United States: yes""",
        "Form I-9, section 1|Citizen of the United States",
    ),
    (
        "url",
        "en",
        "GET /benefits/lookup?ssn={!ssn_n}&year=2024 shows up in the access log, that is the finding",
        "that is the finding",
    ),
    (
        "bullets",
        "en",
        "- applicant: T. Quillfeather\n- SSN {!ssn}\n- background check: pending",
        "background check: pending",
    ),
    (
        "german text",
        "de",
        "Die US-Kollegin hat uns ihre Social Security Number {!ssn} per Mail geschickt, bitte löschen.",
        "bitte löschen",
    ),
    (
        "spanish text",
        "es",
        "El número de seguro social (EE. UU.) del solicitante es {!ssn}, falta la firma.",
        "falta la firma",
    ),
    ("tax id wording", "en", "For the W-9 the contractor gave his TIN/SSN as {!ssn}; no EIN.", "no EIN"),
    (
        "dots",
        "en",
        "SSN on the scanned card reads {!ssn_dot}, OCR gave dots instead of dashes",
        "OCR gave dots instead of dashes",
    ),
    ("two people", "en", "Spouse SSN {!ssn}, primary SSN {!ssn#1}, joint filing.", "joint filing"),
    (
        "python repr",
        "en",
        "Person(name='I. Ashcombe', ssn='{!ssn}', active=True) printed by the debugger",
        "printed by the debugger",
    ),
    (
        "possessive",
        "en",
        "Can you check whether {!ssn} is the SSN we have on record for ticket {tk}?",
        "Can you check whether",
    ),
    ("yaml fixture", "en", "employee:\n  id: 118\n  ssn: {!ssn}\n  status: active", "status: active"),
)
