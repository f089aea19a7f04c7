"""Passwords in prose: Portuguese, Italian, Dutch, Polish, Russian."""

PROSE_B = r"""
=== wifi | pt
{+A rede de convidados é a Example-Guest+} e a senha é <<phrase>>, {+peça ajuda na recepção se falhar.+}
=== entrar | pt
{+Para a demonstração,+} entre com o utilizador demo e a palavra-passe <<pwword>>, {+depois abra Relatórios.+}
=== redefinida | pt
{+Olá Rui,+} a sua palavra-passe provisória é <<pwword>>. {+Mude-a no primeiro acesso.+}
=== aspas | pt
{+O arquivo está protegido+} com a senha "<<pwword>>", {+a mesma do mês passado.+}
=== alarme | pt
{+O código do alarme é+} <<pin:6>> {+e tem trinta segundos para o marcar.+}
=== mudou | pt
{+Aviso:+} mudámos a senha do NAS para <<pw>> {+depois da saída do estagiário.+}
=== negrito | pt
{+Caixa partilhada do apoio.+} Senha: **<<pw>>** {+(não gravar no telemóvel)+}
=== linha | pt
{+a senha de administrador da impressora é+}
<<pw>>
{+e fechem a gaveta do papel+}
=== coloquial | pt
{+usa a do costume,+} senha <<pwword>>, {+serve também na loja de testes+}
=== acesso | pt
{+Seguem os dados do portal de fornecedores:+} compras / <<pwword>> {+até ao fim do mês.+}
=== crase | pt
{+Os recibos vão em PDF,+} abra com `<<pwword>>` como senha. {+Cumprimentos, RH+}
=== wifi | it
{+La rete ospiti si chiama Example-Guest+} e la password è <<phrase>>, {+chiedete in reception se non va.+}
=== accesso | it
{+Per la demo+} entra con utente demo e password <<pwword>>, {+poi apri Report.+}
=== reimpostata | it
{+Ciao Giada,+} la tua password temporanea è <<pwword>>. {+Cambiala al primo accesso.+}
=== virgolette | it
{+L'archivio è protetto+} dalla password «<<pwword>>», {+sempre quella della contabilità.+}
=== allarme | it
{+Il codice dell'allarme è+} <<pin:6>>, {+hai trenta secondi.+}
=== cambiata | it
{+Vi avviso che+} ho cambiato la password del NAS in <<pw>> {+dopo l'uscita dello stagista.+}
=== grassetto | it
{+Casella condivisa vendite.+} Password: **<<pw>>** {+(non salvatela nel browser)+}
=== a capo | it
{+la password di amministratore della stampante è+}
<<pw>>
{+ricordatevi la carta+}
=== colloquiale | it
{+usa la solita,+} pwd <<pwword>>, {+vale anche per il negozio di prova+}
=== credenziali | it
{+Ecco le credenziali del portale fornitori:+} acquisti / <<pwword>> {+fino a fine mese.+}
=== parola chiave | it
{+I cedolini sono cifrati,+} la parola chiave è `<<pwword>>`. {+Saluti, HR+}
=== wifi | nl
{+Het gastennetwerk heet Example-Guest+} en het wachtwoord is <<phrase>>, {+vraag het anders aan de balie.+}
=== inloggen | nl
{+Voor de demo+} log je in met gebruiker demo en wachtwoord <<pwword>>, {+daarna klik je op Rapporten.+}
=== reset | nl
{+Hoi Sanne,+} je tijdelijke wachtwoord is <<pwword>>. {+Wijzig het bij de eerste keer inloggen.+}
=== aanhalingstekens | nl
{+Het archief is beveiligd+} met het wachtwoord '<<pwword>>', {+nog steeds hetzelfde.+}
=== alarm | nl
{+De code van het alarm is+} <<pin:6>>, {+je hebt dertig seconden.+}
=== gewijzigd | nl
{+Ter info:+} we hebben het wachtwoord van de NAS veranderd in <<pw>> {+nadat de stagiair wegging.+}
=== vet | nl
{+Gedeelde mailbox verkoop.+} Wachtwoord: **<<pw>>** {+(niet in de browser opslaan)+}
=== regel | nl
{+het beheerderswachtwoord van de printer is+}
<<pw>>
{+en graag papier bijvullen+}
=== informeel | nl
{+pak gewoon de bekende,+} ww <<pwword>>, {+werkt ook in de testwinkel+}
=== gegevens | nl
{+De inloggegevens van het leveranciersportaal:+} inkoop / <<pwword>> {+tot het eind van de maand.+}
=== code | nl
{+De loonstroken zijn versleuteld,+} open ze met `<<pwword>>` als wachtwoord. {+Groet, HR+}
=== wifi | pl
{+Sieć dla gości to Example-Guest,+} a hasło to <<phrase>>, {+w razie problemów pytaj w recepcji.+}
=== logowanie | pl
{+Na pokaz+} zaloguj się jako demo z hasłem <<pwword>>, {+potem otwórz Raporty.+}
=== reset | pl
{+Cześć Kasia,+} twoje hasło tymczasowe to <<pwword>>. {+Zmień je przy pierwszym logowaniu.+}
=== cudzysłów | pl
{+Archiwum jest zaszyfrowane+} hasłem „<<pwword>>”, {+tym samym co zawsze.+}
=== alarm | pl
{+Kod do alarmu to+} <<pin:6>>, {+masz trzydzieści sekund.+}
=== zmiana | pl
{+Informacyjnie:+} zmieniliśmy hasło do NAS-a na <<pw>> {+po odejściu stażysty.+}
=== pogrubienie | pl
{+Wspólna skrzynka sprzedaży.+} Hasło: **<<pw>>** {+(nie zapisywać w przeglądarce)+}
=== nowa linia | pl
{+hasło administratora drukarki to+}
<<pw>>
{+i proszę dołożyć papier+}
=== potocznie | pl
{+weź to co zwykle,+} hasło <<pwword>>, {+działa też w sklepie testowym+}
=== dane dostępowe | pl
{+Dane do portalu dostawców:+} zakupy / <<pwword>> {+do końca miesiąca.+}
=== kod | pl
{+Paski płacowe są w PDF,+} otwórz je hasłem `<<pwword>>`. {+Pozdrawiam, kadry+}
=== wifi | ru
{+Гостевая сеть называется Example-Guest,+} пароль от неё <<phrase>>, {+если не работает, спросите на ресепшене.+}
=== вход | ru
{+Для показа+} войдите под пользователем demo с паролем <<pwword>>, {+затем откройте отчёты.+}
=== сброс | ru
{+Олег, добрый день.+} Ваш временный пароль: <<pwword>>. {+Смените его при первом входе.+}
=== кавычки | ru
{+Архив зашифрован+} паролем «<<pwword>>», {+он не менялся с прошлого года.+}
=== сигнализация | ru
{+Код от сигнализации+} <<pin:6>>, {+на ввод даётся тридцать секунд.+}
=== изменили | ru
{+К сведению:+} пароль от сетевого хранилища поменяли на <<pw>> {+после ухода стажёра.+}
=== жирный | ru
{+Общий ящик отдела продаж.+} Пароль: **<<pw>>** {+(не сохраняйте в браузере)+}
=== строка | ru
{+пароль администратора принтера+}
<<pw>>
{+и положите бумагу, пожалуйста+}
=== разговорно | ru
{+бери как обычно,+} пасс <<pwword>>, {+подходит и к тестовому магазину+}
=== доступ | ru
{+Доступ к порталу поставщиков:+} логин zakupki, пароль <<pwword>>, {+до конца месяца.+}
=== код | ru
{+Расчётные листки в PDF,+} открываются паролем `<<pwword>>`. {+С уважением, отдел кадров+}
"""
