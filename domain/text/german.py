"""German questions word by word in English, so that English pages are found by them. Pure.

A glossary of the language of companies, not a translation: what it does not know stays as it is, such as names.
"""

from collections.abc import Iterator, Mapping
from functools import cache

import Stemmer

from domain.patterns import LinearRegex

_THOUSANDS = LinearRegex(r"\d\.\d{3}", after=r"\D|\Z")
_WORD = LinearRegex(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LINKS = ("", "s", "es", "n", "en", "er", "e")
"""What joins the parts of a compound."""

SHORTEST_PART = 3
"""Letters of a part of a compound."""

_PHRASES = """
wie lange = how long; wie viele = how many; wie viel = how much; wieviel = how much; wie hoch = how much
wie oft = how often; wie schnell = how fast; wie groß = how large; wie weit = how far
wie weit im voraus = how long before; bis wann = when; ab wann = when; seit wann = since when; gibt es = is there
unter welchen bedingungen = under which conditions; was passiert = what happens; kümmert sich um = is responsible for
zuständig für = responsible for; von zu hause = from home
"""

_SMALL = """
der die das den dem des = the; ein eine einen einem einer eines = a; und = and; oder = or; nicht = not
kein keine keinen = no; im in ins = in; am an = on; auf = on; bei beim = at; mit = with; ohne = without; für = for
von vom = of; aus = from; nach = after; vor = before; seit = since; zu zum zur = to; über = above; unter = under
zwischen = between; durch = by; pro je = per; ab = from; bis = until; wer wem wen = who; wessen = whose; was = what
wann = when; wo = where; wohin = where; wie = how; warum weshalb wieso = why
welche welcher welches welchen welchem = which; wenn falls = if; ich = I; mein meine meinen meinem meiner = my
wir uns = we; unser unsere unseren unserem = our; man = you; du dein deine = you; sie er es = it; ist sind = is
war waren = was; wird werden wurde wurden = is; hat habe haben hatte = has; kann können könnte = can
darf dürfen = may; muss müssen = must; soll sollen sollte = should; alle alles allen = all
jede jeder jedes jeden jedem = each; mehr = more; als = than; noch = still; auch = also; nur = only
heute jetzt derzeit aktuell = now; früher vorher = before; dann = then; dort = there; sich = itself
"""

_CONTENT = """
Abkürzung = abbreviation; ablaufen abläuft abgelaufen = expire; ablehnen abgelehnt ablehnte = reject
Abteilung = department; Abwesenheit = absence; abschalten abgeschaltet ausgeschaltet = switch off; Adresse = address
ändern geändert Änderung = change; anfangen beginnen beginnt Beginn = begin; Anfrage = request; Angebot = quote
Angestellte Mitarbeiter Mitarbeiterin Mitarbeitende = employee; anmelden Anmeldung = login; Anruf = call
Ansprechpartner = contact; Antrag beantragen = request; Anwendung = application; arbeiten Arbeit = work
Arbeitszeit = working hours; Attest Bescheinigung = certificate; aufbewahren aufbewahrt = keep
Aufbewahrung = retention; Aufbewahrungsfrist = retention; Aufgabe = task; Auftrag = order
Ausfall ausfallen ausgefallen = outage; Ausgabe = expense; Ausland = abroad; Ausnahme = exception; Auto Wagen = car
Backup Sicherung Sicherungen Datensicherung = backup; Bahn Zug = train; Batterie = battery; bauen gebaut = build
Bedingung = condition; Befehl = command; Bereitschaft Rufbereitschaft Bereitschaftsdienst = on-call; Bericht = report
Bestellung bestellen bestellt = order; betreuen betreut = maintain; Betrag = amount
bezahlen bezahlt zahlen zahlt Zahlung = pay; Bild Foto = picture; buchen gebucht Buchung = book; Büro = office
Beleg Quittung = receipt; bekommen bekommt bekomme erhalten erhält erhalte = get
benutzen nutzen verwenden verwendet genutzt benutzt = use; besitzen besitzt gehört gehören Besitzer = own
Besuch Besucher = visitor; Besprechung = meeting; Brand Feuer = fire; Daten = data; Datenbank = database
Datenschutz = data protection; Datum = date; dauern dauert Dauer = take; Dienst = service
Dienstreise Geschäftsreise = business trip; Dokument = document; Drucker = printer
einreichen eingereicht abgeben = submit; eingeführt einführen = introduce; Einkauf = purchasing
einstellen Einstellung = setting; empfangen Empfang = receive; enden endet Ende = end
entscheiden entschieden entscheidet = decide; Entscheidung = decision; Entwickler Entwicklerin = engineer
erlauben erlaubt = allow; ersetzen ersetzt ersetzte = replace; erstatten erstattet Erstattung = reimburse
Essen Mahlzeit = meal
Essensgeld Verpflegung Verpflegungspauschale Tagespauschale Tagegeld Spesensatz = daily meal allowance
Fahrrad = bicycle; Fehler = error; Feiertag = public holiday; Fernarbeit Heimarbeit = remote work
Firma Unternehmen Betrieb = company; fliegen Flug = flight; Frist = deadline; Gateway = gateway; Gehalt Lohn = salary
Gehaltsabrechnung = pay slip; gelten gilt gültig = valid; Geld = money; genehmigen genehmigt = approve
Genehmigung = approval; Gerät = device; geschäftsführer Geschäftsführung = CEO; Geschenk = gift; Gesundheit = health
gewählt wählen = choose; Grund = reason; gründen gegründet Gründer = found; Gruppe = group; haften hält halten = last
heißen heißt = called; Hälfte = half; Hardware = hardware; Heirat Hochzeit = wedding; höchstens maximal = at most
Homeoffice = home office; informieren informiert = inform; Jahr jährlich = year; Karte = card; Kamera = camera
kaufen gekauft = buy; Kauf = purchase; Kennwort Passwort = password; Kilometer = kilometre; Kind = child
Kollege Kollegin = colleague; Konto = account; Kontakt = contact; Kopie = copy; kosten kostet Kosten = cost
krank Krankheit krankmelden Krankmeldung = sickness; Krankheitstag = day of sickness; Kunde Kundin = customer
kündigen gekündigt Kündigung = notice; Labor = lab; Lager = warehouse; lang = long; laufen läuft Lauf = run
leiten leitet geleitet = lead; Leiter Leiterin Leitung Chef = head; Lieferant = supplier; Anbieter = provider
Lieferung liefern geliefert = delivery; Liste = list; Lizenz = licence; löschen gelöscht Löschung = delete
melden gemeldet Meldung = report; messen gemessen = measure; mindestens = at least; Minute = minute
Mittagessen = lunch; Monat monatlich = month; Monitor Bildschirm = monitor; Mutterschutz = maternity leave
Nachricht = message; nachts Nacht = night; Name = name; Netz Netzwerk = network; neu = new
notwendig nötig brauchen brauche braucht benötigen benötigt = need; öffnen geöffnet eröffnen eröffnet = open
nächste nächsten nächstes = next; mitnehmen = carry over; Chip = chip; Ordner = folder; Ort Standort = site
Person = person; Pflicht = mandatory; Platz = place; Preis = price; Privat = private; Probe = probation
Probezeit = probation period; Projekt = project; prüfen geprüft Prüfung = check; Quartal = quarter
Rate Grenze Limit = limit; Raum Zimmer = room; Rechner Laptop = laptop; Rechnung = invoice; Regel = rule
Reichweite = range; Reise reisen = travel; Reisekosten Spesen = travel expenses; reparieren repariert = repair
behoben beheben = fix; Richtlinie = policy; roh = raw; Rücksendung = return; Schicht = shift; Schloss = lock
schließen geschlossen = close; Schlüssel = key; Schnittstelle = interface; Schreibtisch Arbeitsplatz = desk
Schulung = training; schützen = protect; Sekunde = second; senden gesendet schicken geschickt = send; Server = server
sicher Sicherheit = security; sperren gesperrt = lock; Sprache = language; starten startet gestartet = start
Stelle = job; Strom = electricity; Stuhl = chair; Stunde = hour; suchen = search; Tag täglich = day; teilen = share
teuer teurer = expensive; Telefon = telephone; Termin = date; Ticket = ticket
übernehmen übernommen Übernahme = take over; Überstunden = overtime; übertragen = transfer; Uhrzeit = time
Umzug umziehen = moving home; Unfall = accident; unterschreiben Unterschrift = signature; Urlaub = annual leave
Urlaubstage Urlaubstag Urlaubsanspruch = days of annual leave; Ursache = cause; Veranstaltung = event
verantwortlich zuständig Verantwortliche = responsible; verboten verbieten = forbidden; verdienen verdient = earn
Verfahren = procedure; verfügbar = available; vergeben = award; Vergütung Entgelt = compensation
Pauschale Zulage = allowance; Vertrag = contract; verlieren = lose; verloren verlorener verlorene = lost
verschieben verschoben = postpone; Verschlüsselung verschlüsselt = encryption; verspätet Verspätung spät = late
Version = version; Verwaltung = administration; veröffentlichen veröffentlicht Veröffentlichung = release
Vorfall = incident; Vorschuss = advance; warten Wartung = maintenance; Wasser = water; Weihnachten = Christmas
Weihnachtsgeld = Christmas bonus; weiterleiten = forward; wechseln gewechselt Wechsel = change; Werkzeug = tool
Wiederherstellung wiederherstellen = restore; Woche wöchentlich = week; Wunsch = wish; Zahl Anzahl = number
Zeit = time; Zeitzone = time zone; Zertifikat = certificate; Ziel = target; Zugang Zugriff = access
zurücksetzen = reset; Zuschuss = allowance; zuerst = first; erste ersten = first; zweite zweiten = second
voll vollen voller = full; ganz ganzen = whole; primär primäre primären = primary; sekundär sekundäre = secondary
Alarm Warnung = alert; Anleitung = guide; Ausweis = badge; Bewerbung = application; Bewerber = applicant
Einsatz = call-out; Festplatte = disk; Funk = radio; Garantie Gewährleistung = warranty
Gruppenleiter Teamleiter Teamleitung Teamleiterin = team head; Leck Leckage = leak; Messwert = reading
reservieren reserviere reserviert = book; Sensor = sensor; Speicher = memory; statt anstatt = instead of
Störung = fault; Verbindung = connection; Verfall verfallen verfällt = expire; Wert = value; Zähler = counter
zulässig = permitted; Übergabe = handover; Anwesenheit Präsenz = presence; Abrechnung = billing
"""


@cache
def _stem(word: str) -> str:
    stemmed: str = Stemmer.Stemmer("german").stemWord(word.casefold())
    return stemmed


def _entries(text: str) -> Iterator[tuple[str, str]]:
    for german, english in _pairs(text):
        for word in german.split():
            yield word.casefold(), english


def _pairs(text: str) -> Iterator[list[str]]:
    return (entry.split(" = ") for line in text.strip().splitlines() for entry in line.split("; "))


@cache
def _phrases() -> tuple[tuple[LinearRegex, str], ...]:
    ordered = sorted(_pairs(_PHRASES), key=lambda pair: -len(pair[0]))
    return tuple(
        (LinearRegex(german, before=r"^|\W", after=r"\W|\Z", ignore_case=True), english) for german, english in ordered
    )


@cache
def _known() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """English by whole words, and by stems."""
    content = list(_entries(_CONTENT))
    stems = {_stem(word): english for word, english in reversed(content)}
    return dict([*content, *_entries(_SMALL)]), stems


def glossed(text: str) -> str:
    """A German text with the words that the glossary knows in English, compounds part by part."""
    for pattern, english in _phrases():
        text = pattern.sub(english, text)
    text = _THOUSANDS.sub(lambda match: match[0].replace(".", ","), text)
    return _WORD.sub(lambda match: _english(match[0]), text)


def _english(word: str) -> str:
    if "-" in word:
        return " ".join(_english(part) for part in word.split("-")) if word[0].isupper() else word
    whole, stems = _known()
    small = word.casefold()
    found = whole.get(small) or stems.get(_stem(small))
    return found or " ".join(_parts(small)) or word


def _parts(word: str) -> tuple[str, ...]:
    """The parts of a compound in English; none where a part is not known. The longest first part counts."""
    for end in range(len(word) - SHORTEST_PART, SHORTEST_PART - 1, -1):
        rest = _one(word[end:])
        if rest and (first := _first(word[:end])):
            return (first, rest)
    return ()


def _one(part: str) -> str:
    whole, stems = _known()
    small = {"in", "an", "am"}
    return "" if part in small else whole.get(part) or stems.get(_stem(part)) or ""


def _first(part: str) -> str:
    """The first part of a compound, with or without what joins it; it may be a compound itself."""
    for link in _LINKS:
        bare = part.removesuffix(link) if link else part
        if len(bare) >= SHORTEST_PART and (not link or bare != part) and (found := _one(bare)):
            return found
    return " ".join(_parts(part)) if len(part) > 2 * SHORTEST_PART else ""
