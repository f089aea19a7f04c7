"""Passwords in sentences: English, German, French, Spanish, Portuguese, Italian, Dutch."""

PROSE_WEST = r"""
=== wifi | en
[~Visitors keep asking~]: the wifi password for guests is <<w>>, network Nordwind-Guest.
=== log in with | en
For the demo tenant just log in with user sales.demo and <<leet>> [~and pick the second workspace~].
=== code marks | en
I reset your account, [~the temporary password is~] `<<rnd>>` - you must change it at first login.
=== bold | en
Password for the payroll archive is **<<pps>>**, [~same as last quarter~].
=== pin | en
[~The alarm in the warehouse~] has a new PIN, it's <<pin>>. Don't forget to arm it.
=== line break | en
hey, here's the admin password for the label printer:

<<w>>

[~ping me if it does not work~]
=== quotes | en
we changed the shared Canva password to "<<pp>>" [~after Tom left~]
=== question | en
is it still <<w>> for the staging login? [~I get "wrong password" since this morning~]
=== short chat | en
pw is <<rnd>> [~(it will expire tomorrow)~]
=== changed from to | en
FYI [~the conference room tablet~] password has changed from <<pl>> to <<w>> today.
=== wifi | de
Das WLAN-Passwort für Gäste lautet <<w>>, [~das Netz heißt Nordwind-Gast~].
=== log in with | de
Melde dich am [~Zeiterfassungsterminal~] mit Benutzer lager2 und <<pl>> an.
=== code marks | de
Hab dein Kennwort zurückgesetzt: `<<rnd>>` - [~bitte beim ersten Anmelden ändern~].
=== bold | de
Für den Fernzugriff braucht ihr das Passwort **<<pp>>** [~und den VPN-Client~].
=== pin | de
[~Der Code für die Tiefgarage~] ist ab Montag <<pin>>, die PIN bitte nicht weitergeben.
=== line break | de
[~Zugangsdaten für das Testsystem~], Passwort steht hier:
<<w>>
Benutzer wie immer.
=== quotes | de
Das Passwort von der Excel-Liste ist „<<leet>>“, [~hat Sabine gestern geändert~].
=== question | de
Stimmt das Admin-Passwort <<w>> noch? [~Ich komme nicht mehr auf den Drucker~].
=== short chat | de
PW: <<rnd>> [~gilt nur bis Freitag~]
=== genitive | de
Als Kennwort des Datenbankbenutzers haben wir <<rnd>> eingetragen, [~siehe Ticket von Jörg~].
=== wifi | fr
Le mot de passe du wifi invités est <<w>>, [~c'est affiché aussi à l'accueil~].
=== log in with | fr
Connecte-toi avec l'utilisateur formation et le mot de passe <<pl>>, [~puis choisis la société 02~].
=== code marks | fr
[~J'ai débloqué ton compte~], ton mot de passe provisoire : `<<rnd>>`
=== bold | fr
Pour ouvrir le fichier des salaires, le mot de passe est **<<pp>>** [~(ne pas transférer)~].
=== pin | fr
[~Le code de l'alarme du dépôt~] a changé, c'est maintenant le <<pin>>.
=== line break | fr
Voici le mot de passe administrateur du copieur :
<<w>>
[~Préviens-moi quand c'est fait.~]
=== quotes | fr
On a mis « <<leet>> » comme mot de passe [~sur la tablette de la salle 3~].
=== question | fr
Le mdp c'est toujours <<w>> ? [~Ça ne marche plus chez moi~].
=== short chat | fr
mdp : <<rnd>> [~à changer dès que possible~]
=== article | fr
[~Sur le poste de caisse~], l'identifiant est caisse1 et le mot de passe <<w>>.
=== wifi | es
La contraseña del wifi de invitados es <<w>>, [~la red se llama Altamira-Visitas~].
=== log in with | es
Entra con el usuario almacen y la contraseña <<pl>>, [~luego elige la delegación~].
=== code marks | es
[~Te he restablecido la cuenta~], la clave temporal es `<<rnd>>`.
=== bold | es
La contraseña del archivo de nóminas es **<<pp>>**, [~no la reenvíes~].
=== pin | es
[~El código de la alarma de la nave~] es <<pin>>, recuerda pulsar OK después.
=== line break | es
Aquí tienes la contraseña de administrador:
<<w>>
[~Avísame cuando termines.~]
=== quotes | es
Hemos puesto "<<leet>>" como contraseña [~en el portátil de recepción~].
=== question | es
¿La clave sigue siendo <<w>>? [~Me dice que está bloqueada la cuenta~].
=== short chat | es
pass: <<rnd>> [~caduca este viernes~]
=== changed | es
Ayer cambiamos la contraseña del ERP a <<rnd>> [~por la auditoría~].
=== wifi | pt
A senha do wifi dos visitantes é <<w>>, [~a rede é Nordwind-Visitas~].
=== log in with | pt
Faz login com o utilizador armazem e a palavra-passe <<pl>>, [~depois escolhe a loja~].
=== code marks | pt
[~Desbloqueei a tua conta~], a senha provisória é `<<rnd>>`.
=== bold | pt
A palavra-passe do ficheiro dos salários é **<<pp>>**, [~não partilhem~].
=== pin | pt
[~O código do alarme do armazém~] agora é <<pin>>.
=== line break | pt
Segue a senha de administrador da impressora:
<<w>>
[~Qualquer coisa me chama.~]
=== quotes | pt
Colocamos "<<leet>>" como senha [~no tablet da sala de reunião~].
=== question | pt
A senha ainda é <<w>>? [~Aqui está dando erro~].
=== short chat | pt
senha: <<rnd>> [~vale só até amanhã~]
=== changed | pt
Mudei a senha do servidor de testes para <<rnd>> [~porque a antiga expirou~].
=== wifi | it
La password del wifi ospiti è <<w>>, [~la rete si chiama Ospiti-Nord~].
=== log in with | it
Accedi con l'utente magazzino e la password <<pl>>, [~poi scegli la sede~].
=== code marks | it
[~Ti ho sbloccato l'account~], la password provvisoria è `<<rnd>>`.
=== bold | it
La password del file delle buste paga è **<<pp>>**, [~non inoltratela~].
=== pin | it
[~Il codice dell'allarme in magazzino~] è cambiato: <<pin>>.
=== line break | it
Ecco la password di amministratore della stampante:
<<w>>
[~Fammi sapere se funziona.~]
=== quotes | it
Abbiamo messo «<<leet>>» come password [~sul portatile della reception~].
=== question | it
La password è ancora <<w>>? [~Da stamattina mi dà errore~].
=== short chat | it
pwd: <<rnd>> [~scade venerdì, poi la cambio~]
=== with article | it
Per il collaudo usate l'utente prova con la parola d'ordine <<pps>> [~e il browser Chrome~].
=== wifi | nl
Het wifi-wachtwoord voor gasten is <<w>>, [~het netwerk heet Nordwind-Gast~].
=== log in with | nl
Log in met gebruiker magazijn en wachtwoord <<pl>>, [~kies daarna de vestiging~].
=== code marks | nl
[~Je account is gedeblokkeerd~], het tijdelijke wachtwoord is `<<rnd>>`.
=== bold | nl
Het wachtwoord van het salarisbestand is **<<pp>>**, [~niet doorsturen~].
=== pin | nl
[~De code van het alarm in de loods~] is vanaf nu <<pin>>.
=== line break | nl
Hier is het beheerderswachtwoord van de printer:
<<w>>
[~Laat even weten of het lukt.~]
=== quotes | nl
We hebben '<<leet>>' als wachtwoord ingesteld [~op de tablet bij de receptie~].
=== question | nl
Is het wachtwoord nog steeds <<w>>? [~Bij mij werkt het niet meer~].
=== short chat | nl
ww: <<rnd>> [~geldig tot en met vrijdag~]
=== changed | nl
Ik heb het wachtwoord van de testserver gewijzigd in <<rnd>> [~omdat het oude verlopen was~].
"""
