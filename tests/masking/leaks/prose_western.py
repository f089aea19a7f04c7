"""Passwords in prose: English, German, French, Spanish."""

PROSE_A = r"""
=== wifi | en
{+Welcome to the office!+} The wifi password for guests is <<phrase>> and {+the printer is next to the kitchen.+}
=== login with user | en
{+For the demo,+} log in with user demo and <<pwword>>, {+then click on Reports.+}
=== helpdesk reset | en
{+Hi Tom,+} I've reset your account. Your temporary password is <<pwword>>. {+You will be asked to change it.+}
=== quoted | en
{+If it asks for a passphrase,+} type "<<phrase:space>>" (with the spaces), {+that has not changed since 2023.+}
=== bold | en
{+The shared mailbox still exists.+} Password: **<<pw>>** - {+ask me if the second factor bothers you+}
=== line break | en
{+the admin password of the label printer is+}
<<pw>>
{+and please put the paper tray back this time+}
=== pin | en
{+The alarm panel is behind the door,+} code <<pin:6>>, {+you have 30 seconds.+}
=== changed to | en
{+Heads up:+} we changed the root password on nas01 from <<pwword>> to <<pwword>> {+after the intern left.+}
=== possessive | en
{+I am on leave from Monday,+} Hannah's laptop password is <<pwword>> {+in case you need the slides.+}
=== spelled as usual | en
{+It's the usual one,+} pw <<pwword>>, {+same for the test shop.+}
=== safe | en
{+The combination of the petty cash safe is+} <<fmt:{d2}-{d2}-{d2}>> {+and Nadia has the spare key.+}
=== unlock pdf | en
{+Payslips are attached.+} To open the PDF use `<<pwword>>` as the password. {+Kind regards, Payroll+}
=== wlan | de
{+Das WLAN für Gäste heißt Example-Guest,+} das Passwort lautet <<phrase>>. {+Der Empfang hilft bei Fragen.+}
=== anmelden | de
{+Melde dich am Testsystem+} mit dem Benutzer demo und dem Kennwort <<pwword>> an, {+dann siehst du die Berichte.+}
=== hotline | de
{+Hallo Frau Vogt,+} Ihr Startkennwort ist <<pwword>>, {+bitte ändern Sie es bei der ersten Anmeldung.+}
=== anführung | de
{+Für das alte Archiv gilt weiter+} das Passwort „<<pwword>>“, {+das hat nie jemand geändert.+}
=== pin | de
{+Der Aktenschrank hat ein Zahlenschloss,+} PIN <<pin:6>>, {+bitte danach verstellen.+}
=== geändert | de
{+Zur Info:+} Ich habe das Passwort vom Drucker auf <<pw>> geändert, {+das alte war zu bekannt.+}
=== code | de
{+Wenn der Kiosk hängt:+} Strg+Alt+Entf drücken und `<<pwword>>` eingeben, {+das ist das Adminpasswort.+}
=== zeile | de
{+Zugang zum Lieferantenportal:+}
Benutzer einkauf, Passwort wie folgt:
<<pw>>
{+Bestellungen bitte nur bis 16 Uhr.+}
=== fett | de
{+PDF mit den Gehältern ist verschlüsselt.+} Passwort: **<<pwword>>** {+(nur für die Geschäftsleitung)+}
=== umgangssprache | de
{+nimm einfach+} das pw <<pwword>>, {+damit komm ich überall rein+}
=== zugangsdaten | de
{+Die Zugangsdaten fürs Messegelände:+} marketing / <<pwword>>, {+gültig bis Sonntag.+}
=== wifi | fr
{+Le wifi invité s'appelle Example-Guest+} et le mot de passe est <<phrase>>, {+il change tous les mois.+}
=== connexion | fr
{+Pour la démo,+} connecte-toi avec l'utilisateur demo et le mot de passe <<pwword>>, {+puis ouvre l'onglet ~+
Rapports.+}
=== réinitialisé | fr
{+Bonjour Chloé,+} votre mot de passe provisoire est <<pwword>>. {+Merci de le changer dès la première connexion.+}
=== guillemets | fr
{+L'archive est protégée,+} il faut saisir « <<pwword>> » {+pour l'ouvrir, c'est le mot de passe de la compta.+}
=== code | fr
{+Le code de l'alarme est+} <<pin:6>>, {+vous avez trente secondes en entrant.+}
=== changé | fr
{+Pour info,+} j'ai remplacé le mot de passe du NAS par <<pw>> {+suite au départ du stagiaire.+}
=== mdp | fr
{+tjs le même+} mdp : <<pwword>>, {+sinon appelle l'accueil+}
=== gras | fr
{+Compte partagé de la boîte contact.+} Mot de passe : **<<pw>>** {+(ne pas enregistrer dans le navigateur)+}
=== ligne | fr
{+Voici le mot de passe administrateur de l'imprimante+} :
<<pw>>
{+Pensez à remettre du papier.+}
=== identifiants | fr
{+Vos identifiants pour l'extranet :+} fournisseur12 / <<pwword>> {+(à usage unique)+}
=== backticks | fr
{+Les bulletins sont chiffrés,+} mot de passe `<<pwword>>`, {+comme le mois dernier.+}
=== wifi | es
{+La red de invitados es Example-Guest+} y la contraseña es <<phrase>>, {+pregunta en recepción si falla.+}
=== entrar | es
{+Para la demo+} entra con el usuario demo y la contraseña <<pwword>>, {+luego abre Informes.+}
=== restablecida | es
{+Hola Inés,+} te he puesto como contraseña temporal <<pwword>>; {+cámbiala al entrar, por favor.+}
=== comillas | es
{+El fichero está cifrado+} con la clave "<<pwword>>", {+la misma de todos los meses.+}
=== alarma | es
{+El código de la alarma es+} <<pin:6>>, {+hay que marcarlo en treinta segundos.+}
=== cambiada | es
{+Aviso:+} hemos cambiado la contraseña del NAS a <<pw>> {+porque se fue el becario.+}
=== negrita | es
{+Buzón compartido de ventas.+} Clave: **<<pw>>** {+(no la guardéis en el móvil)+}
=== salto de línea | es
{+la contraseña de administrador de la impresora es+}
<<pw>>
{+y recordad cerrar la bandeja+}
=== coloquial | es
{+usa la de siempre,+} pass <<pwword>>, {+vale también para la tienda de pruebas+}
=== acceso | es
{+Os paso el acceso del portal de proveedores:+} compras / <<pwword>> {+hasta final de mes.+}
=== código | es
{+Las nóminas van en PDF;+} ábrelas con `<<pwword>>` como contraseña. {+Un saludo, RRHH+}
"""
