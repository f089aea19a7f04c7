"""German."""

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    # progress
    "Understanding the question": "Die Frage wird gelesen",
    "Checking each sentence against its source": "Jeder Satz wird mit seiner Quelle verglichen",
    "Searching {told}": "Gesucht wird: {told}",
    "Iteration {iteration}: searching {told}": "Durchgang {iteration}: gesucht wird {told}",
    "Iteration {iteration} of {most}: {aim}": "Durchgang {iteration} von {most}: {aim}",
    "looking for {missing}": "gesucht wird nach {missing}",
    "looking further": "es wird weiter gesucht",
    "the index": "im Index",
    "the knowledge graph": "im Wissensgraphen",
    "by meaning": "nach der Bedeutung",
    "by words": "nach Wörtern",
    "single sentences": "in einzelnen Sätzen",
    "for the very words": "nach dem genauen Wortlaut",
    "the web": "im Web",
    "Weighing {passages}": "{passages} werden bewertet",
    "Writing from {passages} of {documents}": "Die Antwort entsteht aus {passages} ({documents})",
    "1 passage": "1 Textstelle",
    "{count:,} passages": "{count:,} Textstellen",
    "1 document": "1 Dokument",
    "{count:,} documents": "{count:,} Dokumente",
    # replies without sources
    "Hello. Ask me about anything that stands in the company's documents, for example: How do I reset my password?": (
        "Hallo. Fragen Sie mich nach allem, was in den Dokumenten der Firma steht, zum Beispiel: Wie setze ich mein"
        " Passwort zurück?"
    ),
    "You're welcome. Ask on whenever you need something.": "Gern. Fragen Sie weiter, wann immer Sie etwas brauchen.",
    "I answer questions from the company's indexed documents, with numbered references to where each"
    " statement stands. Ask in your own words; follow-up questions work. Narrow a search by #label, space:NAME,"
    " source:NAME, in document TITLE, before:2026-01-31 or after:2026-01-31. When nothing is found I say so.": (
        "Ich beantworte Fragen aus den indexierten Dokumenten der Firma, mit nummerierten Verweisen darauf, wo jede"
        " Aussage steht. Fragen Sie in eigenen Worten; auch Rückfragen gehen. Eine Suche wird enger durch #label,"
        " space:NAME, source:NAME, in document TITEL, before:2026-01-31 oder after:2026-01-31. Wenn nichts gefunden"
        " wird, sage ich es."
    ),
    "Not found. Searched {searched}.": "Nichts gefunden. Durchsucht: {searched}.",
    "I found nothing good enough. Searched {searched}.": "Ich habe nichts Passendes gefunden. Durchsucht: {searched}.",
    "{documents} under the filters given": "{documents} mit den angegebenen Filtern",
    "there are none in the question": "in der Frage sind keine",
    "{documents}, by words ({words}) and by meaning": "{documents}, nach Wörtern ({words}) und nach Bedeutung",
    "{documents}, by words ({words}) alone: the embedding model is away": (
        "{documents}, nur nach Wörtern ({words}): das Embedding-Modell ist nicht erreichbar"
    ),
    "No document that you may read matches this: {filters}. Leave that out or change it.": (
        "Zu keinem Dokument, das Sie lesen dürfen, passt: {filters}. Lassen Sie das weg oder ändern Sie es."
    ),
    "the id given": "die angegebene Kennung",
    "There is no question. Ask one in words, for example: How do I reset my password?": (
        "Es fehlt eine Frage. Stellen Sie eine in Worten, zum Beispiel: Wie setze ich mein Passwort zurück?"
    ),
    "Nothing is left of your question without what is secret in it.": (
        "Ohne das Geheime darin bleibt von Ihrer Frage nichts übrig."
    ),
    "The question has more than {most:,} characters. Ask for one thing, in short.": (
        "Die Frage hat mehr als {most:,} Zeichen. Fragen Sie kurz und nach einer Sache."
    ),
    # notes below a reply
    "Not all of them are named here: there are more.": "Hier sind nicht alle genannt: es gibt mehr.",
    "The reply was longer than a chat message can be; its end was left out.": (
        "Die Antwort war länger, als eine Nachricht sein kann; ihr Ende fehlt."
    ),
    "A source is no longer available; what was taken from it was left out.": (
        "Eine Quelle ist nicht mehr verfügbar; was aus ihr stammte, wurde weggelassen."
    ),
    "No page says it in the words of the question; this is the nearest passage.": "Keine Seite sagt es mit den Worten der Frage; dies ist die nächste Stelle.",
    "Picked from the rows of its table by their values.": "Aus den Zeilen der Tabelle nach ihren Werten ausgewählt.",
    "Quoted from the sources without a language model; a model endpoint gives fuller answers.": (
        "Aus den Quellen zitiert, ohne Sprachmodell; mit einem Modell werden die Antworten ausführlicher."
    ),
    "The language model could not be used; these are the best excerpts of the sources.": (
        "Das Sprachmodell war nicht verfügbar; dies sind die besten Auszüge aus den Quellen."
    ),
    "Quoted from the sources: the language model failed a test of reading, so it does not write (see kb doctor).": (
        "Aus den Quellen zitiert: Das Sprachmodell hat einen Lesetest nicht bestanden und schreibt deshalb nicht (siehe kb doctor)."
    ),
    "The language model did not answer in time ({why}); these are the best excerpts of the sources.": (
        "Das Sprachmodell hat nicht rechtzeitig geantwortet ({why}); dies sind die besten Auszüge aus den Quellen."
    ),
    "The language model's reply speaks of other things than the question; excerpts of the sources follow.": "Die Antwort des Sprachmodells handelt von anderem als die Frage; Auszüge aus den Quellen folgen.",
    "The language model found no answer in the sources; these are the excerpts nearest to the question.": (
        "Das Sprachmodell hat in den Quellen keine Antwort gefunden; dies sind die Auszüge, die der Frage am nächsten"
        " kommen."
    ),
    "The language model's reply named no source; these are the best excerpts of the sources.": (
        "Die Antwort des Sprachmodells nannte keine Quelle; dies sind die besten Auszüge aus den Quellen."
    ),
    "Nothing that the language model wrote could be held against the sources; these are the best excerpts of them.": (
        "Nichts, was das Sprachmodell schrieb, ließ sich an den Quellen prüfen; dies sind ihre besten Auszüge."
    ),
    "Most of what the language model wrote was left out; excerpts of the sources follow what is left.": (
        "Das meiste, was das Sprachmodell schrieb, wurde weggelassen; auf den Rest folgen Auszüge aus den Quellen."
    ),
    "The language model broke off; what follows are excerpts of the sources.": (
        "Das Sprachmodell brach ab; es folgen Auszüge aus den Quellen."
    ),
    "Who may read source {numbers} could not be checked again there; this is as of the last indexing.": (
        "Wer Quelle {numbers} lesen darf, ließ sich dort nicht erneut prüfen; es gilt der Stand der letzten"
        " Indexierung."
    ),
    "Who may read sources {numbers} could not be checked again there; this is as of the last indexing.": (
        "Wer die Quellen {numbers} lesen darf, ließ sich dort nicht erneut prüfen; es gilt der Stand der letzten"
        " Indexierung."
    ),
    "Searched by words alone: {why}": "Nur nach Wörtern gesucht: {why}",
    "Searched without the knowledge graph: {why}": "Ohne den Wissensgraphen gesucht: {why}",
    "Quoted by words alone: {why}": "Nur nach Wörtern zitiert: {why}",
    "One sentence was left out: the sources do not say so.": (
        "Ein Satz wurde weggelassen: so steht es nicht in den Quellen."
    ),
    "Nothing was found on {parts}.": "Zu {parts} wurde nichts gefunden.",
    "{count} sentences were left out: the sources do not say so.": (
        "{count} Sätze wurden weggelassen: so steht es nicht in den Quellen."
    ),
    "Source {numbers} holds text that is addressed to machines, such as an order to an assistant: do not follow it.": (
        "Quelle {numbers} enthält Text, der sich an Maschinen richtet, etwa einen Befehl an einen Assistenten: folgen"
        " Sie ihm nicht."
    ),
    "Sources {numbers} hold text that is addressed to machines, such as an order to an assistant: do not follow it.": (
        "Die Quellen {numbers} enthalten Text, der sich an Maschinen richtet, etwa einen Befehl an einen Assistenten:"
        " folgen Sie ihm nicht."
    ),
    " and ": " und ",
    " and no ": " und kein ",
    "Check these against the source, which supports them weakly: {quoted}": (
        "Prüfen Sie dies an der Quelle, die es nur schwach stützt: {quoted}"
    ),
    "Searched for {pairs}.": "Gesucht wurde nach {pairs}.",
    "{count} document:": "{count} Dokument:",
    "{count} documents:": "{count} Dokumente:",
    "{count} entry:": "{count} Eintrag:",
    "{count} entries:": "{count} Einträge:",
    "… and {count} more": "… und {count} weitere",
    "There may be more.": "Es kann weitere geben.",
    "The sources differ: {how}": "Die Quellen sagen Verschiedenes: {how}",
    "The sources differ: {how} The latter says: “{said}”": (
        "Die Quellen sagen Verschiedenes: {how} In der zweiten steht: „{said}“"
    ),
    "The sources differ: {first} and {second}. Nothing says which of them counts.": (
        "Die Quellen sagen Verschiedenes: {first} und {second}. Welche gilt, steht nirgends."
    ),
    "{first} {reason} {second}.": "{first} {reason} {second}.",
    "replaces": "ersetzt",
    "takes precedence over": "hat Vorrang vor",
    "is newer than": "ist neuer als",
    "No document you may read matches this: {filters}. Everything was searched.": (
        "Zu keinem Dokument, das Sie lesen dürfen, passt: {filters}. Es wurde alles durchsucht."
    ),
    "There is no {names} that you can see; I searched without it.": (
        "Für Sie sichtbar gibt es kein {names}; ich habe ohne das gesucht."
    ),
    "There is no {names} that you can see; I searched without them.": (
        "Für Sie sichtbar gibt es kein {names}; ich habe ohne sie gesucht."
    ),
    "There is no {names} that you can see; I searched for it as a word.": (
        "Für Sie sichtbar gibt es kein {names}; ich habe nach dem Wort gesucht."
    ),
    "There is no {names} that you can see; I searched for them as words.": (
        "Für Sie sichtbar gibt es kein {names}; ich habe nach den Wörtern gesucht."
    ),
    "What is said about {section} in “{title}”?": "Was steht zu „{section}“ in „{title}“?",
    "Part of your question looked like a secret ({kinds}) and was not used. If it was a real one, change it.": (
        "Ein Teil Ihrer Frage sah aus wie ein Geheimnis ({kinds}) und wurde nicht verwendet. War es ein echtes, ändern"
        " Sie es."
    ),
    "“{words}”": "„{words}“",
    "since": "ab",
    "until": "bis",
    # why a search is limited
    "{why}, so I use only what is public.": "{why}, daher verwende ich nur, was öffentlich ist.",
    "Nothing that is indexed is public.": "Nichts Indexiertes ist öffentlich.",
    "Here I use only what all members may read, and nothing of that kind is indexed.": (
        "Hier verwende ich nur, was alle Mitglieder lesen dürfen, und davon ist nichts indexiert."
    ),
    "There is nothing for me to search: nothing is indexed yet, or nothing that you may read. Whoever runs this service"
    " can tell you which.": (
        "Es gibt nichts zu durchsuchen: noch ist nichts indexiert, oder nichts, was Sie lesen dürfen. Wer diesen Dienst"
        " betreibt, kann Ihnen sagen, was davon zutrifft."
    ),
    "You are a guest here": "Sie sind hier Gast",
    "Ask a member of the organisation.": "Fragen Sie ein Mitglied der Organisation.",
    "You belong to another organisation": "Sie gehören zu einer anderen Organisation",
    "Ask a member of this one.": "Fragen Sie ein Mitglied von dieser.",
    "You are an app": "Sie sind eine App",
    "Ask as a person.": "Fragen Sie als Person.",
    "Your account is deactivated": "Ihr Konto ist deaktiviert",
    "An administrator of the chat platform can activate it.": "Die Verwaltung der Chat-Plattform kann es aktivieren.",
    "The chat platform does not know you": "Die Chat-Plattform kennt Sie nicht",
    "Tell whoever runs this service.": "Sagen Sie es denen, die diesen Dienst betreiben.",
    "I am not told your e-mail address": "Ihre E-Mail-Adresse wird mir nicht genannt",
    "Add one to your profile; if it is there, tell whoever runs this service that I cannot see it.": (
        "Tragen Sie eine in Ihr Profil ein; steht sie dort, sagen Sie denen, die diesen Dienst betreiben, dass ich sie"
        " nicht sehe."
    ),
    "Your e-mail address is not confirmed": "Ihre E-Mail-Adresse ist nicht bestätigt",
    "Confirm it on the chat platform, then ask again.": "Bestätigen Sie sie auf der Chat-Plattform und fragen Sie neu.",
    "Your e-mail address is none of this organisation's": "Ihre E-Mail-Adresse gehört nicht zu dieser Organisation",
    "If it should count as one, tell whoever runs this service.": (
        "Sollte sie dazugehören, sagen Sie es denen, die diesen Dienst betreiben."
    ),
    "I could not find out who you are": "Ich konnte nicht herausfinden, wer Sie sind",
    "Ask again in a minute.": "Fragen Sie in einer Minute noch einmal.",
    "I am not permitted to see who you are": "Ich darf nicht sehen, wer Sie sind",
    "Whoever runs this service has to give me that permission: please tell them.": (
        "Wer diesen Dienst betreibt, muss mir das erlauben: bitte sagen Sie es dort."
    ),
    "Ask me in a direct message: there I use all that you may read.": (
        "Fragen Sie mich in einer Direktnachricht: dort verwende ich alles, was Sie lesen dürfen."
    ),
    "People of another organisation read this conversation": "Menschen einer anderen Organisation lesen hier mit",
    "Guests, or people who are not known to be members, read this conversation": (
        "Gäste, oder Menschen, die nicht als Mitglieder bekannt sind, lesen hier mit"
    ),
    "More people read this conversation than I can look up": "Hier lesen mehr Menschen mit, als ich nachsehen kann",
    "I am still finding out who reads this conversation": "Ich stelle noch fest, wer hier mitliest",
    "Ask again in a few minutes. Or ask me in a direct message: there I use all that you may read.": (
        "Fragen Sie in einigen Minuten noch einmal. Oder fragen Sie mich in einer Direktnachricht: dort verwende ich"
        " alles, was Sie lesen dürfen."
    ),
    "I could not find out who reads this conversation": "Ich konnte nicht herausfinden, wer hier mitliest",
    "Ask again in a minute. Or ask me in a direct message: there I use all that you may read.": (
        "Fragen Sie in einer Minute noch einmal. Oder fragen Sie mich in einer Direktnachricht: dort verwende ich"
        " alles, was Sie lesen dürfen."
    ),
    "I am not permitted to see who reads this conversation": "Ich darf nicht sehen, wer hier mitliest",
    "Ask me in a direct message: there I use all that you may read. For answers here, whoever runs this service has to"
    " give me that permission.": (
        "Fragen Sie mich in einer Direktnachricht: dort verwende ich alles, was Sie lesen dürfen. Für Antworten hier"
        " muss mir das erlauben, wer diesen Dienst betreibt."
    ),
    "I am not told who reads this conversation": "Mir wird nicht gesagt, wer hier mitliest",
    # chats
    "I am busy: too many questions are waiting. Please ask again in a minute.": (
        "Ich bin ausgelastet: zu viele Fragen warten. Bitte fragen Sie in einer Minute noch einmal."
    ),
    "You ask faster than I can answer. Please wait a minute and ask again.": (
        "Sie fragen schneller, als ich antworten kann. Bitte fragen Sie in einer Minute noch einmal."
    ),
    "This channel asks faster than I can answer. Please wait a minute and ask again.": (
        "In diesem Kanal wird schneller gefragt, als ich antworten kann. Bitte fragen Sie in einer Minute noch einmal."
    ),
    "You have asked as much as one person may in 24 hours. Please ask again tomorrow.": (
        "Sie haben so viel gefragt, wie eine Person in 24 Stunden darf. Bitte fragen Sie morgen wieder."
    ),
    "Try other words, or name the system, team or document you mean.": (
        "Versuchen Sie andere Wörter, oder nennen Sie das System, Team oder Dokument, das Sie meinen."
    ),
    "A private answer may use what only you can read.": (
        "Eine private Antwort darf verwenden, was nur Sie lesen können."
    ),
    "This answer was corrected: a source is no longer available, and what was taken from it was left out.": (
        "Diese Antwort wurde berichtigt: eine Quelle ist nicht mehr verfügbar, und was aus ihr stammte, fehlt."
    ),
    "This answer was removed: a source is no longer available.": (
        "Diese Antwort wurde entfernt: eine Quelle ist nicht mehr verfügbar."
    ),
    "A source of this answer has changed since: it may say something else now.": (
        "Eine Quelle dieser Antwort hat sich seither geändert: sie sagt jetzt vielleicht etwas anderes."
    ),
    "Changed since: {named} now says something else than this answer. Open it before you rely on this.": (
        "Seither geändert: {named} sagt jetzt etwas anderes als diese Antwort. Öffnen Sie die Quelle, bevor Sie sich"
        " darauf verlassen."
    ),
    "Reading the question": "Die Frage wird gelesen",
    "is reading your question…": "liest Ihre Frage…",
    "Reading your question…": "Ihre Frage wird gelesen…",
    "Your question waits, and is the next one…": "Ihre Frage wartet und ist die nächste…",
    "Your question waits: 1 other is before it…": "Ihre Frage wartet: 1 andere ist vor ihr…",
    "Your question waits: {before} others are before it…": "Ihre Frage wartet: {before} andere sind vor ihr…",
    "This took too long and was stopped. Ask again, or ask for less at once. Reference: Q{number}": (
        "Das dauerte zu lange und wurde beendet. Fragen Sie noch einmal, oder nach weniger auf einmal. Zeichen:"
        " Q{number}"
    ),
    "Reference: Q{number}": "Zeichen: Q{number}",
    "high": "hoch",
    "medium": "mittel",
    "low": "niedrig",
    "just now": "gerade eben",
    "1 minute ago": "vor 1 Minute",
    "{count} minutes ago": "vor {count} Minuten",
    "1 hour ago": "vor 1 Stunde",
    "{count} hours ago": "vor {count} Stunden",
    "1 day ago": "vor 1 Tag",
    "{count} days ago": "vor {count} Tagen",
    "1 week ago": "vor 1 Woche",
    "{count} weeks ago": "vor {count} Wochen",
    "1 month ago": "vor 1 Monat",
    "{count} months ago": "vor {count} Monaten",
    "1 year ago": "vor 1 Jahr",
    "{count} years ago": "vor {count} Jahren",
    "updated {age}": "geändert {age}",
    "Confidence: {share}": "Sicherheit: {share}",
    "confidence: {share}": "Sicherheit: {share}",
    "Sources": "Quellen",
    "… and 1 more source": "… und 1 weitere Quelle",
    "… and {count} more sources": "… und {count} weitere Quellen",
    "Preview": "Vorschau",
    "Helpful": "Hilfreich",
    "Not helpful": "Nicht hilfreich",
    "Share in channel": "Im Kanal teilen",
    "Share in channel?": "Im Kanal teilen?",
    "I ask again for everybody here, and show your question with what all of them may read.": (
        "Ich frage noch einmal für alle hier und zeige Ihre Frage mit dem, was alle lesen dürfen."
    ),
    "Share": "Teilen",
    "Cancel": "Abbrechen",
    "Closest documents (they may not answer it)": "Die nächsten Dokumente (vielleicht beantworten sie es nicht)",
    "Ask privately": "Privat fragen",
    "You could ask next": "Als Nächstes könnten Sie fragen",
    "Only you see this answer.": "Nur Sie sehen diese Antwort.",
    # the terminal
    "References": "Verweise",
    "You may go on with": "Fragen Sie etwa weiter",
    "Try other words, or index more: kb index PATH_OR_URL": (
        "Versuchen Sie andere Wörter, oder indexieren Sie mehr: kb index PFAD_ODER_URL"
    ),
    "What stands above does not hold any more. The reply is:": "Was oben steht, gilt nicht mehr. Die Antwort ist:",
    # what went wrong
    "Something went wrong on our side": "Bei uns ist etwas schiefgegangen",
    "I could not check who you are, so I do not know what you may read": (
        "Ich konnte nicht prüfen, wer Sie sind, und weiß daher nicht, was Sie lesen dürfen"
    ),
    "The answer was withheld: it could not be checked for secrets": (
        "Die Antwort wurde zurückgehalten: sie ließ sich nicht auf Geheimnisse prüfen"
    ),
    "Ask again in other words; if it stays so, tell whoever runs this service.": (
        "Fragen Sie noch einmal mit anderen Worten; bleibt es dabei, sagen Sie es denen, die diesen Dienst betreiben."
    ),
    "Ask again in a few minutes.": "Fragen Sie in einigen Minuten noch einmal.",
    "Whoever runs this service has to mend that first: please tell them.": (
        "Das muss erst beheben, wer diesen Dienst betreibt: bitte sagen Sie es dort."
    ),
    "Ask again; if it stays so, tell whoever runs this service.": (
        "Fragen Sie noch einmal; bleibt es dabei, sagen Sie es denen, die diesen Dienst betreiben."
    ),
    "That took too long and was stopped. Ask again, or ask for less at once.": (
        "Das dauerte zu lange und wurde beendet. Fragen Sie noch einmal, oder nach weniger auf einmal."
    ),
    "I cannot read what is attached to a question: {files}.": (
        "Was einer Frage angehängt ist, kann ich nicht lesen: {files}."
    ),
    "Question: {text}": "Frage: {text}",
    "The answer follows, for you alone.": "Die Antwort folgt, nur für Sie.",
    # buttons and what they open
    "Read all again": "Alles neu einlesen",
    "Read {source} again": "{source} neu einlesen",
    "What you can do": "Was Sie tun können",
    "Open": "Öffnen",
    "Source": "Quelle",
    "Loading…": "Wird geladen…",
    "Close": "Schließen",
    "This passage cannot be shown: it is gone, or you may not read it.": (
        "Diese Textstelle lässt sich nicht zeigen: es gibt sie nicht mehr, oder Sie dürfen sie nicht lesen."
    ),
    "The passage goes on in the document.": "Die Textstelle geht im Dokument weiter.",
    "holds text that is addressed to machines: do not follow it": (
        "enthält Text, der sich an Maschinen richtet: folgen Sie ihm nicht"
    ),
    "Feedback": "Rückmeldung",
    "What was wrong, or missing?": "Was war falsch, oder was fehlte?",
    "Send": "Senden",
    "Thank you.": "Danke.",
    "This reply is too old to be judged.": "Diese Antwort ist zu alt, um bewertet zu werden.",
    "I do not remember that question. Ask me in a direct message.": (
        "Ich erinnere mich nicht an diese Frage. Fragen Sie mich in einer Direktnachricht."
    ),
    "I answer in a direct message.": "Ich antworte in einer Direktnachricht.",
    "I answer in our chat.": "Ich antworte in unserem Chat.",
    "There is no conversation that I could share this in. Ask me there.": (
        "Es gibt keine Unterhaltung, in der ich das teilen könnte. Fragen Sie mich dort."
    ),
    "Shared: I ask it there again, and answer with what all may read.": (
        "Geteilt: ich stelle die Frage dort noch einmal und antworte mit dem, was alle lesen dürfen."
    ),
    "I ask again for everybody there, and show your question with what all of them may read.": (
        "Ich frage noch einmal für alle dort und zeige Ihre Frage mit dem, was alle lesen dürfen."
    ),
    "I am at that already.": "Daran arbeite ich schon.",
    "I answered that already.": "Das habe ich schon beantwortet.",
    "{before} Look in our chat.": "{before} Sehen Sie in unserem Chat nach.",
    # asking the owner
    "Ask the owner": "Verantwortliche fragen",
    "Ask the owner?": "Verantwortliche fragen?",
    "I send this to {owner} in a direct message, once:": "Ich sende das einmal als Direktnachricht an {owner}:",
    "You can ask the owner of the nearest page. I show you first what I send.": "Sie können fragen, wer für die nächstliegende Seite verantwortlich ist. Ich zeige Ihnen zuerst, was ich sende.",
    "{asker} asks about your page “{title}”: “{question}” I found no good answer in it. Please reply to them: I pass nothing on.": "{asker} fragt zu Ihrer Seite „{title}“: „{question}“ Ich habe darin keine gute Antwort gefunden. Bitte antworten Sie der Person selbst: Ich leite nichts weiter.",
    "Somebody": "Jemand",
    "Sent to {owner}.": "An {owner} gesendet.",
    "Only who asked can send this question, as long as I remember it.": "Diese Frage kann nur senden, wer sie gestellt hat, solange ich sie mir merke.",
    "I cannot reach the owner of the nearest pages from here. Their names stand with the pages, where I know them.": "Ich kann die Verantwortlichen der nächstliegenden Seiten von hier nicht erreichen. Ihre Namen stehen bei den Seiten, soweit ich sie kenne.",
    "I send no questions to owners from a conversation with guests or other organisations. Ask me in private.": "Aus einer Unterhaltung mit Gästen oder anderen Organisationen sende ich keine Fragen an Verantwortliche. Fragen Sie mich privat.",
    "That question was sent to the owner already.": "Diese Frage wurde bereits gesendet.",
    "I could not send it. Please try again later.": "Ich konnte es nicht senden. Bitte versuchen Sie es später noch einmal.",
}
