"""Mail addresses and telephone numbers in the texts of HR, sales and support."""

EMAIL = r"""
=== prose | en
{+You can reach the new office manager at+} <<mail>> {+from Monday on.+}
=== signature | en
{+Best regards,+}
<~name~>
Head of Sales | <<mail>>
{+Example Ltd, 4 Harbour Road+}
=== angle brackets | en
To: "<~name~>" <<<mail>>>
Subject: {+Your application as accountant+}
=== mailto | en
{+Questions go to+} [Hannah](mailto:<<mail>>) {+or to the front desk.+}
=== csv | en
{+id,name,email,plan+}
201,<~name~>,<<mail>>,{+pro+}
202,<~name~>,<<mail>>,basic
=== json | en
{"user": {"id": 5512, "email": "<<mail>>", "{+locale+}": "en-GB"}, "{+active+}": true}
=== log | en
2026-02-20T13:02:44Z INFO {+password reset requested+} user=<<mail>> {+ip_hash=ab12+}
=== smtp log | en
postfix/smtp[2211]: 4F2A1: to=<<<mail>>>, relay=mx.example.net[192.0.2.9]:25, {+status=bounced+}
=== git log | en
commit <~fmt:{h40}~>
Author: <~name~> <<<mail>>>
Date:   Tue Jan 13 10:11:02 2026 +0100

    {+Fix rounding in invoices+}
=== plus tag | en
{+Test accounts were created with+} <<fmt:owen.pritchard+trial{d2}(AT)example.com>> {+and are still active.+}
=== subdomain | en
{+The contact at the university is+} <<fmt:n.haddad{d2}(AT)cs.uni.example.edu>>, {+she answers quickly.+}
=== sql | en
DELETE FROM {+newsletter_subscribers+} WHERE email = '<<mail>>';
=== stack trace | en
django.db.utils.IntegrityError: {+duplicate key value violates unique constraint+}
DETAIL: Key (email)=(<<mail>>) {+already exists.+}
=== crm note | en
{+Lead from the fair, wants a demo.+} Private address: <<mail>>
{+Budget 40k, decision in Q3.+}
=== list | en
{+Interview panel:+}
- <<mail>>
- <<mail>>
- <<mail>>
{+Room 3.12+}
=== obfuscated at | en
{+Write to+} <<fmt:bram.kuipers{d2} (at) example.org>> {+if the form does not work.+}
=== upper case | en
{+CONTACT:+} <<fmt:JOANA.PIRES{d2}(AT)EXAMPLE.COM>> {+/ SHIPPING DEPT+}
=== url parameter | en
{+Unsubscribe link:+} https://news.example.com/u?e=<<fmt:sanne.dewit{d2}%40example.org>>&{+list=7+}
=== yaml | en
{+alerts:+}
  severity: high
  receivers: [<<mail>>, <<mail>>]
=== calendar | en
ATTENDEE;CN=<~name~>;{+RSVP=TRUE+}:mailto:<<mail>>
=== prose | de
{+Die Krankmeldung bitte an+} <<mail>> {+schicken, nicht an mich.+}
=== ticket | de
Kundin meldet sich von <<mail:mail.example.de>>, {+Vertrag läuft bis Juni.+}
=== prose | fr
{+Pour les congés, écrivez à+} <<mail:exemple.fr>> {+avant le 15.+}
=== prose | es
{+Mi correo personal es+} <<mail>>, {+por si no me llega al del trabajo.+}
=== prose | pt
{+O contacto do candidato:+} <<mail>> {+(disponível a partir de maio)+}
=== prose | it
{+Mandate la busta paga a+} <<mail>>, {+grazie.+}
=== prose | nl
{+De nieuwe stagiair heeft nog geen account, gebruik+} <<mail>> {+voorlopig.+}
=== prose | pl
{+CV kandydatki przyszło z adresu+} <<mail>>, {+proszę o opinię.+}
=== prose | ru
{+Напишите бухгалтеру на+} <<mail>>, {+она в офисе до шести.+}
=== prose | tr
{+Aday+} <<mail>> {+adresinden başvurmuş.+}
=== prose | zh
{+新同事的私人邮箱是+} <<mail>>，{+入职前请用这个联系。+}
=== prose | ja
{+応募者の連絡先は+} <<mail>> {+です。+}
=== prose | ko
{+면접 안내는+} <<mail>> {+으로 보내 주세요.+}
=== exception log | en
[{+mailer+}] could not deliver digest #418 for <<mail>>: {+mailbox full+}
"""

PHONE = r"""
=== US parentheses | en
{+Call the recruiter back at+} <<tel:us>> {+before noon.+}
=== US dots | en
{+Cell:+} <<tel:us dots>> {+(leave a message)+}
=== US E.164 json | en
{"{+contact+}": "owner", "phone": "<<tel:us e164>>", "{+opt_in+}": true}
=== US extension | en
{+The broker is at+} <<tel:us ext>> {+extension 14.+}
=== CA prose | en
{+My mobile while I'm in Vancouver:+} <<tel:ca>>, {+text is best.+}
=== UK mobile | en
{+Driver's number is+} <<tel:uk mobile>>, {+he arrives around 3.+}
=== UK international | en
{+Reach me on+} <<tel:uk intl>> {+if the line is down.+}
=== UK London | en
Tel. <<tel:uk london>>
{+Ask for the claims team+}
=== UK with (0) | en
{+Home:+} <<tel:uk zero>> {+(evenings only)+}
=== IE | en
{+On call this week: Owen,+} <<tel:ie>>. {+Escalate after 20 minutes.+}
=== DE mobile | de
{+Bin heute unterwegs, erreichbar unter+} <<tel:de mobile>>, {+ab 14 Uhr wieder im Büro.+}
=== DE slash | de
Telefon privat: <<tel:de slash>>
{+Notfallkontakt: Ehemann+}
=== DE with (0) | de
{+Rufen Sie mich gern zurück:+} <<tel:de zero>>. {+Mit freundlichen Grüßen+}
=== DE international | de
{+Kandidat für die Buchhaltung,+} Handy <<tel:de intl>>, {+Kündigungsfrist drei Monate.+}
=== DE 0049 compact | de
{+SMS-Versand fehlgeschlagen an+} <<tel:de compact>> {+(Anbieter meldet Fehler 30)+}
=== AT | de
{+Der Hausmeister in Wien:+} <<tel:at>>, {+Schlüssel liegt bei ihm.+}
=== CH mobile | de
{+Natel von Frau Brandt:+} <<tel:ch>> {+(nur im Notfall)+}
=== CH local | de
{+Praxis, für das Arztzeugnis:+} <<tel:ch local>> {+ab 8 Uhr+}
=== FR mobile | fr
{+Mon portable perso :+} <<tel:fr>>, {+mais pas après 19 h.+}
=== FR dots | fr
Tél. <<tel:fr dots>> - {+service des ressources humaines+}
=== FR international | fr
{+Le candidat est joignable au+} <<tel:fr intl>> {+l'après-midi.+}
=== ES | es
{+El móvil de la clienta es+} <<tel:es>>, {+llamad por la mañana.+}
=== ES local | es
{+Contacto de emergencia: su hermana,+} teléfono <<tel:es local>>. {+Vive en Sevilla.+}
=== PT | pt
{+Liga-me para o+} <<tel:pt>> {+quando chegares.+}
=== BR | pt
{+O celular do motorista é+} <<tel:br>>, {+ele chega às 15h.+}
=== BR international csv | pt
{+nome;telefone;cidade+}
<~name~>;<<tel:br intl>>;{+Rio de Janeiro+}
=== IT mobile | it
{+Il mio cellulare è+} <<tel:it>>, {+chiamami quando vuoi.+}
=== IT landline | it
{+Tel. studio commercialista:+} <<tel:it land>> {+(chiuso il venerdì)+}
=== NL mobile | nl
{+Bel me even op+} <<tel:nl>>, {+ik ben thuis.+}
=== NL international | nl
{+Contactpersoon leverancier:+} <<tel:nl intl>> {+(alleen ochtend)+}
=== BE | nl
{+Haar gsm-nummer is+} <<tel:be>>, {+ze spreekt ook Frans.+}
=== PL | pl
{+Telefon do kandydata:+} <<tel:pl>>, {+dostępny po 16.+}
=== PL dashes | pl
{+Mój numer komórki to+} <<tel:pl local>>, {+proszę dzwonić.+}
=== RU | ru
{+Мой мобильный:+} <<tel:ru>>, {+звоните после обеда.+}
=== RU with 8 | ru
{+Телефон водителя+} <<tel:ru 8>>, {+машина подъедет к трём.+}
=== TR | tr
{+Cep telefonum+} <<tel:tr>>, {+akşam arayabilirsiniz.+}
=== TR local | tr
{+Müşterinin numarası:+} <<tel:tr local>> {+öğleden sonra aransın.+}
=== CN mobile | zh
{+客户张经理的手机是+} <<tel:cn>>,{+请下午联系。+}
=== CN international | zh
{+出差期间请打+} <<tel:cn intl>>，{+微信同号。+}
=== JP mobile | ja
{+緊急時の連絡先（携帯）は+} <<tel:jp>> {+です。+}
=== JP international | ja
{+海外からは+} <<tel:jp intl>> {+におかけください。+}
=== JP landline | ja
{+ご自宅の電話番号：+}<<tel:jp tokyo>>({+平日夜のみ+})
=== KR mobile | ko
{+담당자 휴대폰은+} <<tel:kr>> {+입니다. 오후에 연락 주세요.+}
=== KR international | ko
{+해외 출장 중 연락처:+} <<tel:kr intl>> {+(카톡 가능)+}
=== IN | en
{+Vendor's site engineer:+} <<tel:in>>, {+speaks Hindi and English.+}
=== AU | en
{+Her mobile is+} <<tel:au>>, {+she's in Perth until Friday.+}
=== AU international | en
{+WhatsApp me on+} <<tel:au intl>> {+when the parcel arrives.+}
=== ZA | en
{+Emergency contact (brother):+} <<tel:za>> {+- Cape Town+}
=== MX | es
{+Mi celular en México:+} <<tel:mx>>, {+mejor por la tarde.+}
=== AR | es
{+El contador atiende en el+} <<tel:ar>> {+de 9 a 13.+}
=== SE | en
{+Courier in Stockholm:+} <<tel:se>>. {+Ring the bell twice.+}
=== NO vcard | en
BEGIN:VCARD
{+FN:Hannah Lindqvist+}
TEL;TYPE=CELL:<<tel:no>>
END:VCARD
=== DK tel link | en
{+<a class="contact"+} href="tel:<<tel:dk>>">{+call us+}</a>
=== FI table | en
| {+Role+} | Mobile | {+Shift+} |
|---|---|---|
| Lead | <<tel:fi>> | {+day+} |
=== GR prose | en
{+The landlord picks up on+} <<tel:gr>> {+most evenings.+}
=== CZ ticket | en
{+Customer asks for a call back:+} <<tel:cz>> {+(ticket stays open)+}
=== IL | en
{+Security guard at the Haifa site:+} <<tel:il>> {+night shift+}
=== AE | en
{+Driver in Dubai:+} <<tel:ae>>, {+white van.+}
=== SG log | en
{+otp sent+} channel=sms to="<<tel:sg>>" {+status=delivered+}
=== UA | ru
{+Контакт подрядчика:+} <<tel:ua>>, {+спросить Олега.+}
"""
