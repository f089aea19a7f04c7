"""National identifiers in the texts of HR, payroll, compliance and support."""

NATIONAL = r"""
=== UK NINO spaced | en
{+New starter form:+} National Insurance number <<nino:space>>, {+tax code 1257L.+}
=== UK NINO compact | en
{+HMRC rejected the FPS for+} NINO <<nino>>, {+period 10.+}
=== UK NINO json | en
{"{+starter+}": true, "ni_number": "<<nino>>", "{+student_loan+}": "plan2"}
=== UK NHS number | en
{+Occupational health asked for+} the NHS number: <<nhs>>. {+Appointment on Tuesday.+}
=== ES DNI | es
{+Para dar de alta el contrato:+} DNI <<dni>>, {+jornada completa.+}
=== ES DNI dots | es
{+El firmante, con+} D.N.I. nº <<dni:dots>>, {+acepta las condiciones.+}
=== ES NIE | es
{+La nueva compañera tiene+} NIE <<nie>> {+y permiso hasta 2028.+}
=== ES NIE dash | es
{+Documento de identidad (NIE):+} <<nie:dash>>
{+Nacionalidad: portuguesa+}
=== FR NIR spaced | fr
{+Numéro de sécurité sociale :+} <<nir>> {+(à vérifier avec la carte Vitale)+}
=== FR NIR compact | fr
{+DSN rejetée pour le+} NIR <<nir:none>>, {+motif S21.G00.30.+}
=== IT codice fiscale | it
{+Per la busta paga serve il+} codice fiscale: <<cf>>. {+Residenza a Torino.+}
=== IT codice fiscale lower | it
{+dal modulo online:+} cf=<<cf:lower>> {+provincia=MI+}
=== PL PESEL | pl
{+Dane do umowy:+} PESEL <<pesel>>, {+adres w załączniku.+}
=== PL PESEL table | pl
| {+Pracownik+} | PESEL | {+Etat+} |
|---|---|---|
| <~name~> | <<pesel>> | {+1/2+} |
=== NL BSN | nl
{+Voor de loonadministratie:+} BSN <<bsn>>, {+loonheffingskorting ja.+}
=== NL BSN dots | nl
Burgerservicenummer: <<bsn:dots>>
{+Geboorteplaats: Zwolle+}
=== BR CPF | pt
{+Cliente pediu segunda via:+} CPF <<cpf>>, {+plano família.+}
=== BR CPF compact | pt
{+erro na consulta de crédito+} cpf=<<cpf:none>> {+status=404+}
=== TR kimlik | tr
{+Sözleşme için+} T.C. kimlik no: <<tckn>>, {+işe başlama 1 Mart.+}
=== CN resident id | zh
{+入职登记：+}身份证号 <<cnid>>，{+紧急联系人为其配偶。+}
=== CN resident id log | zh
{+实名认证失败+} idCard=<<cnid>> {+code=E1042+}
=== KR RRN | ko
{+4대보험 가입용+} 주민등록번호: <<rrn>> {+(입사일 3월 2일)+}
=== CH AHV | de
{+Für die Lohnabrechnung:+} AHV-Nummer <<ahv>>, {+Zivilstand ledig.+}
=== CH AVS | fr
{+Nouveau collaborateur,+} no AVS <<ahv>>, {+permis B.+}
=== DE Steuer-ID | de
{+Steuer-ID der neuen Kollegin:+} <<steuerid>>, {+Steuerklasse 1.+}
=== DE Steuer-ID compact | de
Identifikationsnummer <<steuerid:none>> {+laut Bescheid vom 12.01.+}
=== DE Rentenversicherung | de
Sozialversicherungsnummer: <<svnr_de>>
{+Krankenkasse: TK+}
=== AT SVNR | de
{+Anmeldung bei der ÖGK,+} SV-Nummer <<svnr_at>>, {+geringfügig beschäftigt.+}
=== IN Aadhaar | en
{+KYC pending:+} Aadhaar <<aadhaar>>, {+upload is blurred.+}
=== IN PAN | en
{+For the TDS certificate+} use PAN <<pan>> {+of the consultant.+}
=== CA SIN | en
{+T4 correction:+} Social Insurance Number <<sin>> {+was entered twice.+}
=== CA SIN dash | en
{+Payroll Ontario:+} SIN <<sin:dash>>, {+TD1 attached.+}
=== CA NAS | fr
{+Pour le relevé d'emploi,+} NAS : <<sin>> {+(Québec)+}
=== JP My Number | ja
{+年末調整のため、+}マイナンバーは <<mynumber>> です。{+確認書類は添付しました。+}
=== JP My Number compact | ja
個人番号：<<mynumber:none>>
{+扶養家族：2名+}
=== SE personnummer | en
{+Our Malmö hire:+} personnummer <<personnummer>>, {+bank account follows.+}
=== SE personnummer long | en
{+BankID lookup for+} personnummer <<personnummer:long>> {+timed out+}
=== NO fødselsnummer | en
{+Altinn needs the+} fødselsnummer <<fnr>> {+of the signatory.+}
=== DK CPR | en
{+eIndkomst error for+} CPR-nr. <<cpr>>, {+line 12.+}
=== FI HETU | en
{+The Helsinki contractor's+} henkilötunnus is <<hetu>>, {+tax card attached.+}
=== BE rijksregister | nl
{+Dimona-aangifte:+} rijksregisternummer <<nrn_be>>, {+contract bepaalde duur.+}
=== BE registre national | fr
{+Numéro de registre national :+} <<nrn_be>>
{+Commission paritaire 200+}
=== PT NIF | pt
{+Faturar com+} NIF <<nif_pt>>, {+morada igual à anterior.+}
=== PT NIF spaced | pt
{+O contribuinte da cliente é+} NIF <<nif_pt:space>> {+e pede fatura simplificada.+}
=== CZ rodné číslo | en
{+Prague office, new contract:+} rodné číslo <<rodne>>, {+health insurer 111.+}
=== RO CNP | en
{+Revisal upload failed for+} CNP <<cnp>> {+(Cluj team).+}
=== BG EGN | en
{+Sofia payroll:+} EGN <<egn>> {+has no contract on file.+}
=== RU SNILS | ru
{+Для договора нужен+} СНИЛС: <<snils>>, {+паспорт вышлю позже.+}
=== RU INN | ru
{+Самозанятый подрядчик,+} ИНН <<inn>>, {+чек пришлёт после оплаты.+}
=== CL RUT | es
{+Boleta de honorarios a nombre de+} RUT <<rut>>, {+retención incluida.+}
=== AR CUIL | es
{+Alta temprana:+} CUIL <<cuil>>, {+obra social a definir.+}
=== MX CURP | es
{+Expediente de ingreso:+} CURP <<curp>>, {+falta el comprobante de domicilio.+}
=== ZA ID | en
{+FICA check:+} SA ID number <<zaid>>, {+proof of address missing.+}
=== SG NRIC | en
{+Visitor pass for+} NRIC <<nric>>, {+level 9 only.+}
=== TW ID | zh
{+勞保加保：+}身分證字號 <<twid>>，{+到職日三月一日。+}
=== AU TFN | en
{+Tax file number declaration:+} TFN <<tfn>>, {+claims the threshold.+}
=== IL teudat zehut | en
{+Haifa hire, teudat zehut+} <<ilid>>, {+form 101 is signed.+}
=== IE PPS | en
{+Revenue payroll notification for+} PPS number <<pps>> {+not found.+}
=== HR OIB | en
{+Zagreb freelancer,+} OIB <<oib>>, {+invoice 7/2026.+}
"""
