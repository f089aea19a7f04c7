"""Cards, accounts, telephone numbers, addresses and national numbers as people write them."""

CARD = r"""
=== visa spaced
[~Customer paid with~] <<card_visa_s>>, exp 09/27, please refund order 5521.
=== mastercard plain
card=<<card_mc>> amount=49.90 [~result=declined~]
=== amex spaced
Corporate Amex for [~the Lisbon trip~]: <<card_amex_s>>
=== amex plain json
{"pan": "<<card_amex>>", "exp": "0428", "[~currency~]": "EUR"}
=== visa dashes | es
[~La tarjeta del cliente es la~] <<card_visa_d>>, caduca en 11/26.
=== discover
Caller read out his Discover number <<card_discover_s>> and [~wants to change the plan~].
=== diners
[~Diners Club card on file~]: <<card_diners_s>> (travel desk)
=== jcb | ja
お客様の[~カード番号は~] <<card_jcb_s>> です。注文の返金処理をお願いします。
=== maestro | nl
[~Afgeschreven van Maestro-kaart~] <<card_maestro_s>> op 3 maart.
=== csv
name,card,[~expiry~]
H. Bakker,<<card_visa>>,03/28
L. Costa,<<card_mc>>,12/26
=== non-breaking spaces | fr
[~Numéro de carte~] : <<card_mc_n>> - merci de relancer le paiement.
=== log line
2025-02-02 11:09:51 DEBUG PaymentGateway [~authorize request~] PAN=<<card_visa>> amt=1250
=== chat | de
kannst du [~die Buchung auf meine Firmenkarte~] machen? <<card_mc_s>>, gültig bis 08/29
=== chat | pt
[~O cliente mandou o cartão~] <<card_visa_s>> por engano no chat
=== chat | zh
[~客户的信用卡号~] <<card_visa_s>>,有效期 05/28,请帮忙重新扣款
=== sql
INSERT INTO payments (order_id, card_no, [~status~]) VALUES (88231, '<<card_mc>>', 'failed');
=== form field | it
Titolare: G. Ferrabosco
Carta: <<card_visa_s>>
[~Scadenza: 04/27~]
=== two brands
Old card <<card_visa_d>> was replaced by <<card_mc_d>>, [~please update the subscription~].
"""

SSN = r"""
=== hr form
[~Onboarding form~]
Name: Owen C.
SSN: <<ssn>>
=== chat
HR needs my social for [~the background check~], it's <<ssn>>
=== csv
employee_id,ssn,[~start_date~]
10442,<<ssn>>,2025-04-01
10443,<<ssn>>,2025-04-01
=== spaced
[~Social Security number~] <<ssn_s>> as printed on the card
=== nine digits with label
SSN=<<ssn_0>> [~state=OH~] filing=single allowances=1 dependents=0
=== json
{"dependents": 2, "ssn": "<<ssn>>", "[~w4Signed~]": true}
=== mail
Hi payroll, [~my W-2 shows the wrong number~]. Correct is <<ssn>>. Thanks, Dana
=== table
| Contractor | Tax ID (SSN) | [~Rate~] |
|---|---|---|
| R. Ortiz | <<ssn>> | 65 |
=== log
WARN [~PayrollImport row 118~]: duplicate ssn <<ssn>>
=== call note
Caller verified with [~date of birth and~] social security no. <<ssn>>
=== xml
<employee><ssn><<ssn>></ssn><dept>[~Logistics~]</dept></employee>
=== question
is <<ssn>> a valid SSN? [~the I-9 portal rejects it~]
=== chat | es
[~El número de seguro social~] de la nueva empleada en Texas es <<ssn>>.
"""

IBAN = r"""
=== de spaced | de
[~Bitte überweist die Auslage auf~] <<iban_de_s>>, danke!
=== de plain | de
IBAN: <<iban_de>>
[~Verwendungszweck: Reisekosten Mai~]
=== fr spaced | fr
[~Mon nouveau RIB~] : <<iban_fr_s>>
=== gb spaced
[~Our supplier changed banks~], new IBAN <<iban_gb_s>>, please update the vendor record
=== es plain | es
[~La nómina se ingresa en~] <<iban_es>>
=== it spaced | it
[~Bonifico da fare su~] <<iban_it_s>> entro venerdì
=== nl spaced | nl
Graag [~de declaratie storten op~] <<iban_nl_s>>
=== pl spaced | pl
[~Numer konta do przelewu~]: <<iban_pl_s>>
=== ch in json
{"creditor": "Kestrel AG", "iban": "<<iban_ch>>", "[~currency~]": "CHF"}
=== at csv
name;iban;[~bic~]
K. Moser;<<iban_at>>;BKAUATWW
=== be dashes | fr
Compte belge : <<iban_be_d>> [~(loyer du dépôt)~]
=== pt spaced | pt
[~Para a devolução, o meu IBAN é~] <<iban_pt_s>>
=== tr spaced | tr
[~Maaş hesabım değişti~], yeni IBAN: <<iban_tr_s>>
=== se xml
<DbtrAcct><Id><IBAN><<iban_se>></IBAN></Id></DbtrAcct><[~EndToEndId~]>
=== dk and no table
| Country | IBAN | [~Owner~] |
|---|---|---|
| DK | <<iban_dk_s>> | sales |
| NO | <<iban_no_s>> | sales |
=== ie non-breaking
[~Invoice footer~]: IBAN <<iban_ie_n>>
=== ro and cz
[~Two refunds pending~]: <<iban_ro>> and <<iban_cz>>
"""

MAIL = r"""
=== chat
can you add <<mail>> to [~the release channel~]?
=== mail header
From: Owen C. <<<mail>>>
To: "M. Holloway" <<<mail>>>
[~Subject: offer for the second floor~]
=== log line
2025-06-02 10:00:03 INFO [~login ok~] user=<<mail>> ip=10.1.2.3
=== mention in ticket | de
Bitte [~den Zugriff für~] <<mail>> auf den Projektordner freischalten.
=== mailto link
<a href="mailto:<<mail>>?subject=[~Vacancy~]">apply here</a>
=== csv
id,email,[~plan~]
1,<<mail>>,basic
2,<<mail>>,team
=== json
{"assignee": {"emailAddress": "<<mail>>", "[~active~]": true}}
=== plus tag
sign up with <<p:jana.{c5}+test{D2}@nordwind-freight.de>> [~so the filter catches it~]
=== git log
Author: Femke D. <<<mail>>>
Date:   [~Mon Mar 3 09:12:07 2025 +0100~]
=== chat | fr
[~Envoie le contrat signé à~] <<mail>> avant midi
=== chat | es
[~Los candidatos deben escribir a~] <<mail>> con su currículum
=== chat | pl
[~Proszę przesłać fakturę na~] <<mail>> do piątku
=== chat | ja
[~議事録は~]<<mail>>まで送ってください。よろしくお願いします。
=== chat | pt
[~O contacto no cliente agora é~] <<mail>>
=== subdomain
[~bounce from~] <<p:{c5}.{c7}@mail.uk.kestrelfoods.co.uk>>: mailbox full
=== url parameter
https://crm.kestrel.dev/unsubscribe?email=<<p:{c6}.{c6}%40brightharbor.com>>&[~list=spring~]
=== markdown link | it
Scrivi a [Giada](mailto:<<mail>>) [~per le ferie~].
=== sql
UPDATE users SET [~locked = false~] WHERE email = '<<mail>>';
=== chat | ko
[~견적서는~] <<mail>> 로 보내 주시기 바랍니다. 감사합니다.
"""

PHONE = r"""
=== de mobile | de
Ihr erreicht mich [~heute Nachmittag unter~] <<p:0171 {N1}{D6}>>.
=== de landline | de
Tel.: <<p:+49 (0)89 {N1}{D3} {D3}-{D2}>>
[~Fax auf Anfrage~]
=== us parens
call the customer back at <<p:({N1}1{N1}) {N1}{D2}-{D4}>> [~before 5 pm~]
=== us dashes
Phone: <<p:+1-{N1}0{N1}-{N1}{D2}-{D4}>> [~(cell, mornings only)~]
=== us dots
Dana, Sales - <<p:{N1}4{N1}.{N1}{D2}.{D4}>> - [~Columbus office~]
=== uk mobile
text me on <<p:07{N1}{D2} {D6}>> [~when the van arrives~]
=== uk landline
[~Kestrel Foods reception~] is on <<p:020 7{D3} {D4}>> until 6 pm
=== fr mobile | fr
[~Rappelle le client au~] <<p:06 {D2} {D2} {D2} {D2}>> stp
=== fr intl | fr
Mobile : <<p:+33 6 {D2} {D2} {D2} {D2}>> [~(astreinte du week-end)~]
=== es mobile | es
[~Mi móvil de empresa es el~] <<p:6{N1}{D1} {D3} {D3}>>, llámame
=== it mobile | it
[~Chiamami al~] <<p:+39 3{N1}{D1} {D3} {D4}>> per il sopralluogo
=== nl mobile | nl
[~Bel even met de monteur~]: <<p:06-{N1}{D7}>>, hij is onderweg
=== pl mobile | pl
[~Mój numer służbowy to~] <<p:+48 6{D2} {D3} {D3}>>, dzwoń po 14
=== pt mobile | pt
[~Liga para o motorista~]: <<p:+351 91{D1} {D3} {D3}>>, está à espera
=== br mobile | pt
[~WhatsApp da recepção~]: <<p:(11) 9{N1}{D3}-{D4}>>, até as 18h
=== ru mobile | ru
[~Телефон водителя~]: <<p:+7 (9{N1}{D1}) {D3}-{D2}-{D2}>>, он уже выехал
=== tr mobile | tr
[~Bana şu numaradan ulaşabilirsiniz~]: <<p:+90 53{D1} {D3} {D2} {D2}>>
=== cn mobile | zh
[~司机的手机号是~] <<p:138{D4}{D4}>>,他大概下午三点到仓库,到了以后请给他开一下门,谢谢。
=== jp mobile | ja
[~担当者の携帯~]:<<p:090-{N1}{D3}-{D4}>>(不在の場合は夕方以降におかけ直しください)
=== kr mobile | ko
[~담당자 휴대폰은~] <<p:010-{N1}{D3}-{D4}>> 입니다. 오후 두 시 이후에 연락 주세요.
=== ch landline | de
[~Die Nummer vom Hausdienst ist~] <<p:+41 44 {N1}{D2} {D2} {D2}>>.
=== in mobile
On-call engineer [~in Pune~]: <<p:+91 98{D3} {D5}>>
=== json
{"name": "Front desk", "phone": "<<p:+4420{N1}{D7}>>", "[~language~]": "en"}
=== signature
Best, Megan
T <<p:+44 (0)161 {N1}{D2} {D4}>> | M <<p:+44 77{D2} {D6}>>
[~Kestrel Foods, Manchester~]
=== tel link
<a href="tel:<<p:+3120{N1}{D6}>>">[~Call the office~]</a>
=== 00 prefix | de
[~Aus dem Ausland bitte~] <<p:0043 664 {N1}{D6}>> wählen.
"""

NATIONAL = r"""
=== uk nino
[~New starter~] - National Insurance number <<nino>>, start date Monday
=== uk nino compact
NINO=<<nino_0>> [~tax_code=1257L~] pay_group=monthly
=== es dni | es
[~El DNI del nuevo comercial es~] <<dni>>, dalo de alta
=== es nie | es
Contrato de Marek: [~NIE~] <<nie>>, empieza el lunes
=== fr nir | fr
[~Numéro de sécurité sociale pour la mutuelle~] : <<nir>>
=== fr nir compact | fr
matricule;nir;[~service~]
4471;<<nir_0>>;logistique
=== it codice fiscale | it
[~Codice fiscale per la busta paga~]: <<codice>>
=== pl pesel | pl
[~Do umowy potrzebny jest~] PESEL: <<pesel>>
=== nl bsn | nl
[~Voor de loonadministratie~]: BSN <<bsn>>
=== br cpf | pt
[~O CPF do cliente é~] <<cpf>>, pode emitir a nota
=== pt nif | pt
[~Fatura com contribuinte, por favor.~] NIF: <<nif>>
=== tr tc kimlik | tr
[~Seyahat sigortası için~] TC kimlik numaram <<tc>>
=== cn resident id | zh
[~办理入职~],身份证号:<<cnid>>,合同下周寄出,请核对。
=== kr rrn | ko
[~4대 보험 신고용~] 주민등록번호: <<rrn>> 확인 부탁드립니다.
=== ch ahv | de
[~Für die Anmeldung bei der Pensionskasse~]: AHV-Nummer <<ahv>>
=== de tax id | de
Meine Steuer-ID lautet <<steuerid>>, [~die Steuerklasse bleibt gleich~].
=== in aadhaar
[~KYC pending~], Aadhaar number <<aadhaar>> submitted by the vendor
=== in pan
Vendor onboarding: PAN <<pan>>, [~GST certificate attached~]
=== ca sin
[~Payroll Toronto~]: SIN <<sin>> for the co-op student
=== jp my number | ja
[~年末調整のため~]、マイナンバーは <<mynumber>> です。ご確認ください。
=== se personnummer
[~Stockholm office~]: personnummer <<personnummer>> for the access card
=== fi hetu
HR form Helsinki, henkilötunnus: <<hetu>> [~(fixed term)~]
=== be rijksregister | nl
[~Rijksregisternummer voor de Dimona-aangifte~]: <<rrnr>>
=== ru snils | ru
[~Для оформления отпуска~] СНИЛС: <<snils>>
=== sg nric
[~Visitor pass~]: NRIC <<nric>>, visiting level 12
"""
