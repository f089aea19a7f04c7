"""Kinds of words that orders to a machine are made of, in ten languages.

`learned` takes them as features beside the words themselves: what it learned of "ignore" holds for "disregard", and for
"ignoriere". A word counts as the first kind that has it. A star stands for any ending.
"""

from collections.abc import Mapping
from functools import lru_cache

WORDS: Mapping[str, str] = {
    "machine": """
        ai ais llm llms gpt* chatgpt* copilot* chatbot* ki kis ia ias sprachmodell* claude gemini siri alexa summarizer*
        summariser* screener* ии нейросет* taalmodel*
    """,
    "perhaps a machine": """
        assistant* bot bots model models agent agents robot* helper* assistent* asistent* modell* modelo* modelle*
        modèle* crawler* machine machines maschine* máquina* ассистент* модель* asystent* asistan*
    """,
    "automatic": """
        automat* virtual* artificial* künstlich* language digital generat* автомат*
    """,
    "reply": """
        answer answers reply replies response* output* summar* antwort antworten zusammenfass* réponse* résumé
        respuesta* resumen rispost* riassunto resposta* resumo antwoord* samenvatting ответ* odpowied*
    """,
    "you": """
        you your yours du dich dir dein deine* deinen tu te tes ton ta toi vous votre vos tú tus usted ti tuo tue você
        seu sua je jij jouw ты тебя тебе твой твои twoj* ciebie
    """,
    "say": """
        say says saying tell tells state states mention* claim* respond* write writes print prints reveal* show shows
        list repeat* declare* include* add insert append* begin start end finish sag sage sagt sagen behaupt* nenn*
        erwähn* antworte schreib* gib zeig* verrat* beginn* dis dites réponds affiche* répèt* ajoute* di diga* responde*
        muestra* repite* añad* rispond* mostra* aggiung* mostre escreva говори отвечай покажи odpowiadaj pokaż zeg toon
    """,
    "secret": """
        secret* hidden hide* conceal* silently withhold* omit* skip* leave verschweig* geheim* unerwähnt cache* oculta*
    """,
    "drop or follow": """
        ignor* disregard* forget* override* bypass* discard* abandon* neglect* obey* follow* comply vergiss* vergess*
        missacht* befolg* oublie* olvid* dimentic* esque* vergeet negeer* забудь игнорир* zapomnij zignoruj
    """,
    "rules": """
        instruction* rule rules guideline* guidance prompt* restriction* directive* limit* filter* guard* policy
        policies anweisung* regel* richtlinie* vorgabe* consigne* règles instruccion* reglas istruzion* regole instruç*
        regras instructies инструкц* правил* instrukc* zasad*
    """,
    "earlier": """
        previous* prior above earlier former initial preceding vorherig* bisherig* obig* zuvor précédent* anterior*
        precedent* eerdere предыдущ* poprzedni*
    """,
    "not": """
        not dont never no none nothing nobody nicht kein* niemals nie ne pas jamais nunca nada non mai não niet geen не
        никогда without ohne sans sin senza sem
    """,
    "must": """
        must should shall ought required obliged instructed ordered requested allowed permitted authori* expected
        forbidden supposed soll* muss* müss* darf* dürf* haben hat doi* devez devon* debe* deve* devono moet* должн*
        обязан* musi* muszą
    """,
    "user": """
        user users asker reader* employee* person people visitor* customer* anyone anybody someone somebody whoever
        nutzer* benutzer* leser* fragende* mitarbeiter* utilisateur* lecteur* usuario* lector* utente* usuário*
        gebruiker* пользоват* użytkownik*
    """,
    "ask": """
        ask asks asked asking question* query queries requests frag* pregunt* domand* pergunt* vraag* вопрос* pytani*
        gefragt
    """,
    "send": """
        send* forward* post upload* mail email transmit* submit leak* schick* sende* envoie* envoy* transmet* enví*
        envia* invia* envie stuur отправ* wyślij
    """,
    "data": """
        conversation* chat history context password* passwort* kennwort* credential* key keys token* document* salary
        salaries payroll gespräch* verlauf historique historial cronologia configuration mot contraseña* gehalt*
    """,
    "only": """
        only just exactly solely exclusively nur ausschließlich einzig* uniquement seule* solo sólo única* único* apenas
        unica alleen только tylko jedyn*
    """,
    "every": """
        every all any each always jede* alle* immer toute* tout tous chaque toujours todo* toda* cada siempre cualquier*
        ogni tutti tutte sempre qualquer elke każd* wszystk* все каждый любому
    """,
    "role": """
        pretend* act play* imagine* role mode now henceforth jetzt rolle modus stell désormais maintenant ahora actúa
        adesso agora nu теперь отныне teraz unrestricted
    """,
    "link": """
        link* url* click* http https www website address adresse lien enlace
    """,
    "praise": """
        recommend* best approve* approved confirm* rate ranks rank score praise* promote* advis* persuad* convinc*
        empfiehl* empfehl* bestätig* recommande* recomiend* best* verified trusted canonical
    """,
    "read": """
        summari* quote* quoting cite* citing process* reading reads read index* retriev* generating evaluat* review*
        zitier* verarbeit* lies* liest lesen lit lis lee leas leer legge leia leest читает czyta quotes
    """,
    "if": """
        if when whenever once falls wenn sobald si quand cuando se quando als если когда jeśli gdy while before
    """,
    "operator": """
        system developer* operator* administrator* admin owner entwickler* betreiber*
    """,
}
KINDS = tuple(WORDS)

_MOST_KEPT = 1 << 14
_NUMBERED = [(word, number) for number, words in enumerate(WORDS.values(), start=1) for word in words.split()]
_WHOLE = {word: number for word, number in reversed(_NUMBERED) if not word.endswith("*")}
_BEGINNINGS = {word[:-1]: number for word, number in reversed(_NUMBERED) if word.endswith("*")}
_LONGEST_BEGINNING = max(map(len, _BEGINNINGS))


@lru_cache(_MOST_KEPT)
def kind_of(word: str) -> int:
    """The number of a word's kind, from 1; 0: it has none."""
    known = _WHOLE.get(word)
    if known is not None:
        return known
    beginnings = (word[:length] for length in range(min(len(word), _LONGEST_BEGINNING), 1, -1))
    return next((_BEGINNINGS[each] for each in beginnings if each in _BEGINNINGS), 0)
