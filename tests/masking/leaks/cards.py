"""Cards and IBANs in the texts of finance, sales, support and travel."""

CARD = r"""
=== visa / support chat | en
Customer: {+the payment was declined twice+}
Agent: which card did you use?
Customer: <<card:visa>> {+exp 09/28+}
=== visa / no spaces | en
{+Charged the deposit to+} <<card:visa,none>>, {+receipt is in the shared folder.+}
=== visa / dashes | en
Card on file: <<card:visa,dash>>
{+Billing zip code missing+}
=== mastercard / order mail | en
{+Hello, please book the fair stand+} and use my company Mastercard <<card:mastercard>>, valid until 11/27. ~+
{+Regards, Marlene+}
=== mastercard / json | en
{"{+amount+}": 12900, "currency": "EUR", "pan": "<<card:mastercard,none>>", "{+captured+}": false}
=== mastercard / log | en
2026-02-02 10:14:55 {+DEBUG PaymentGateway+} request body: ~+
cardNumber=<<card:mastercard,none>>&amount=49.90&{+threeDS=Y+}
=== amex / prose | en
{+The travel desk keeps+} my Amex, <<card:amex>>, {+for hotel guarantees.+}
=== amex / no spaces | en
{+Declined by issuer:+} AMEX <<card:amex,none>> {+(code 05)+}
=== amex / dashes | en
{+expense note:+} corporate card <<card:amex,dash>> {+taxi and lunch+}
=== discover / table | en
| {+Invoice+} | Card | {+Status+} |
|---|---|---|
| March | <<card:discover>> | {+paid+} |
=== diners / form | en
{+Card type: Diners Club+}
Card number: <<card:diners>>
{+Cardholder: T HARGREAVES+}
=== jcb / booking | ja
{+ホテルの予約に使うカード番号は+} <<card:jcb>> です。{+有効期限は後ほど連絡します。+}
=== unionpay / refund | zh
{+退款请打到+}银行卡 <<card:unionpay>>，{+开户行是杭州分行。+}
=== unionpay / no spaces | zh
{+报销账户:+}卡号 <<card:unionpay,none>> {+户名 王小明+}
=== maestro / terminal slip | nl
{+BETALING GEACCEPTEERD+}
Maestro <<card:maestro>>
{+Bedrag EUR 36,50+}
=== visa / csv | en
{+order,amount,card,country+}
88121,59.00,<<card:visa,none>>,{+DE+}
88122,12.50,<<card:visa,none>>,FR
=== mastercard / sql dump | en
INSERT INTO {+legacy_payments+} VALUES (4411, '<<card:mastercard,none>>', '{+captured+}', 1990);
=== visa / xml | en
<payment><{+method+}>card</method><CardNumber><<card:visa>></CardNumber><{+currency+}>GBP</currency></payment>
=== visa / german mail | de
{+Anbei die Daten für die Hotelbuchung:+} Kreditkarte <<card:visa>>, gültig bis 04/29. {+Bitte um Bestätigung.+}
=== mastercard / german ticket | de
{+Kundin reklamiert doppelte Abbuchung.+} Kartennummer <<card:mastercard,none>>, {+Betrag 89,90 EUR.+}
=== visa / french chat | fr
{+Pour l'abonnement+}, prenez la carte de l'équipe : <<card:visa>> ({+plafond 2 000 €+}).
=== mastercard / spanish chat | es
{+El cliente quiere pagar con+} la tarjeta <<card:mastercard>>, {+¿la paso por el TPV virtual?+}
=== visa / italian | it
{+Per la caparra usate+} la carta numero <<card:visa>>, {+intestata alla società.+}
=== mastercard / portuguese | pt
{+O cartão do cliente é+} <<card:mastercard>> e {+a compra foi recusada duas vezes.+}
=== visa / polish | pl
{+Proszę obciążyć kartę+} <<card:visa>>, {+faktura na firmę.+}
=== visa / russian | ru
{+Клиент прислал номер карты:+} <<card:visa>>, {+просит вернуть деньги.+}
=== mastercard / turkish | tr
{+Ödemeyi şu kartla yapalım:+} <<card:mastercard>> {+(son kullanma 07/28)+}
=== visa / korean | ko
{+환불 요청 고객의 카드번호는+} <<card:visa,dash>> {+입니다.+}
=== visa / nbsp | en
{+Copied from the PDF invoice:+} <<card:visa,nbsp>> {+- please charge this one+}
=== mastercard / dots | en
{+She dictated it on the phone:+} <<card:mastercard,dot>>, {+three digits on the back to follow+}
=== visa / payment slip quoted | en
> {+please use the card ending with the number below+}
> <<card:visa>>
{+Done, charged 240 USD.+}
=== mastercard 2-series / java | en
{+@Test void declinesExpired() {+}
  Card c = new Card("<<card:mastercard,none>>", 3, 2024);
  {+assertFalse(gateway.accepts(c));+}
}
"""

IBAN = r"""
=== DE / invoice mail | de
{+Bitte überweisen Sie den Betrag+} auf folgendes Konto: <<iban:DE>>. {+Verwendungszweck: Rechnung 2026-0113+}
=== DE / no spaces | de
{+Neue Bankverbindung ab März:+} <<iban:DE,none>> {+(Sparkasse)+}
=== DE / payroll table | de
| {+Personalnummer+} | IBAN | {+Betrag+} |
|---|---|---|
| 1042 | <<iban:DE>> | {+2.910,44+} |
| 1043 | <<iban:DE,none>> | 3.104,00 |
=== AT / chat | de
{+Spesen bitte auf+} <<iban:AT>>, {+danke dir!+}
=== CH / invoice | de
{+Einzahlung für:+} Muster Treuhand, IBAN <<iban:CH>>, {+CHF 412.50+}
=== FR / rib | fr
{+Voici mon RIB pour le remboursement :+} <<iban:FR>> {+(ancien compte clôturé)+}
=== FR / csv | fr
{+salarie;iban;montant+}
1187;<<iban:FR,none>>;{+2140,00+}
=== ES / mail | es
{+El ingreso se hará en la cuenta+} <<iban:ES>> {+antes del día 5.+}
=== PT / chat | pt
{+Podes transferir para+} o IBAN <<iban:PT>> {+e envia-me o comprovativo.+}
=== IT / form | it
{+Coordinate bancarie del fornitore:+} <<iban:IT>> {+- intestatario Morelli Srl+}
=== IT / lower case | it
iban: <<iban:IT,lower>> ({+copiato dal modulo web+})
=== NL / chat | nl
{+Declaratie graag naar+} <<iban:NL>> {+t.n.v. S. de Wit+}
=== NL / no spaces | nl
{+Automatische incasso+}: <<iban:NL,none>>, {+machtiging 88213+}
=== BE / invoice | nl
{+Te betalen op rekening+} <<iban:BE>> {+binnen 30 dagen.+}
=== GB / remittance | en
{+Remittance advice:+} beneficiary account <<iban:GB>>, {+sort code on request.+}
=== IE / json | en
{"{+payee+}": "Pritchard Design", "iban": "<<iban:IE,none>>", "{+schedule+}": "monthly"}
=== PL / mail | pl
{+Numer konta do zwrotu:+} <<iban:PL>>. {+Proszę o potwierdzenie.+}
=== CZ / ticket | en
{+Refund bounced, new account+} <<iban:CZ>> {+given by the customer today.+}
=== SE / sepa xml | en
<CdtrAcct><Id><IBAN><<iban:SE,none>></IBAN></Id></CdtrAcct><{+RmtInf+}>Invoice 5512</RmtInf>
=== DK / prose | en
{+My salary should go to+} <<iban:DK>> {+from May on.+}
=== NO / prose | en
{+Supplier changed banks:+} <<iban:NO>>, {+please verify by phone first.+}
=== TR / chat | tr
{+Avans için IBAN:+} <<iban:TR>> {+hesap sahibi Elif Hanım.+}
=== GR / prose | en
{+The landlord's account is+} <<iban:GR>> {+and the rent is due on the 3rd.+}
=== MT / prose | en
{+Licence fee to be paid to+} <<iban:MT,none>> {+(Valletta branch)+}
=== RO / ticket | en
{+Courier compensation:+} IBAN <<iban:RO>> {+- approved by finance+}
=== UA / chat | ru
{+Реквизиты подрядчика:+} <<iban:UA,none>> {+назначение платежа в счёте.+}
=== AE / mail | en
{+Wire the balance to+} <<iban:AE>> {+before shipment.+}
=== DE / dashes | de
{+Aus dem alten System exportiert:+} <<iban:DE,dash>> {+(Mandat aktiv)+}
=== DE / nbsp | de
{+Aus dem PDF kopiert:+} <<iban:DE,nbsp>> {+bitte prüfen+}
=== HU / log | en
[{+sepa-export+}] rejected mandate: iban=<<iban:HU,none>> {+reason=AC04+}
"""
