"""Words from which `constructions` builds its patterns, as parts of a pattern."""

STRONG = (
    r"(?:ais?|a\.i\.|(?:large )?language models?|llms?|gpts?|chatgpt|chat ?bots?|copilots?"
    r"|(?:ai|virtual|digital|automated|automatic|intelligent|answering|knowledge|chat|search|conversational)"
    r" (?:assistants?|agents?|bots?|models?|systems?|readers?|helpers?|tools?|summari[sz]ers?|reviewers?|screeners?"
    r"|graders?)|machine readers?|summari[sz]ers?|crawlers? and assistants?|artificial intelligence"
    r"|kis?|ki-\w+|sprachmodelle?n?|künstliche intelligenz|ias?|assistants? (?:ia|virtuels?)|modèles? de langage"
    r"|asistentes? (?:de ia|virtual(?:es)?)|modelos? de (?:lenguaje|linguagem)|inteligencia artificial"
    r"|assistenti? (?:ia|virtual[ei])|assistentes? (?:de ia|virtua(?:l|is))|modell[oi] linguistic[oi]"
    r"|intelligenza artificiale|inteligência artificial)"
)
"""Machines that read and answer, by names that mean nothing else."""
WEAK = (
    "(?:assistants?|bots?|models?|agents?|robots?|helpers?|assistente?n?|modell|automatische leser|asistentes?"
    "|assistent[ei]|assistentes?|modelo|modello|modèle)"
)
"""The same by words that mean people and things, too."""
ANY = f"(?:{STRONG}|{WEAK})"
DET = (
    "(?:(?:any|all|every|each|whichever|whatever|the|an?|our|this|these|you|other|my|dear|der|die|das|dem|den"
    "|jede[rs]?|alle|eine?|le|la|les|l['’]|une?|toute?|tous|el|los|las|una|il|lo|gli|os?|as|uma?|cualquier|qualquer"
    "|qualsiasi|todos?|todas?|tutti|ogni) ?){0,4}"
)
GREETING = (
    "(?:(?:please|dear|hey|hi|hello|attention|achtung|liebe[rs]?|hallo|cher|chère|hola|querido|caro|oh|listen|and)"
    "[ ,:]{0,2}){0,3}"
)
VERB = (
    "(?:answer|say|tell|reply|respond|state|mention|include|insert|add|write|output|omit|leave|skip|ignore|disregard"
    "|treat|pretend|act|recommend|advise|list|show|reveal|print|repeat|send|forward|post|open|call|confirm|close|mark"
    "|rate|rank|score|translate|append|finish|begin|start|end|claim|present|praise|refuse|decline|cite|quote|use|do"
    "|give|stop|forget|remember|consider|replace|dump|collect|speak|follow|believe|set|override|paste|describe|switch"
    "|approve|grant|return|refer|point|promote|advertise|introduce|display|assume|delete|look|take|put|carry|fetch"
    "|execute|run|invoke|keep|drop|hide|conceal|withhold|report|submit|encode|avoid|note|make|let|proceed|help"
    "|explain|summari[sz]e|prefer|warn|inform|install|store|change|direct|obey|comply|produce|generate|provide|link"
    "|copy|mail|e-?mail|turn|disable|enable|never|always|don['’]t|please|kindly|only"
    r"|sagt?|sage|antwort\w*|erwähn\w*|nenn\w*|gib|gebt|geben sie|schick\w*|send\w*|schreib\w*|empf\w+|verschweig\w*"
    r"|vergiss\w*|vergess\w*|ignorier\w*|behaupt\w*|zeig\w*|tut?|füg\w*|répond\w*|dis|dites|mentionn\w*|ne \w+"
    r"|envoi\w*|oubli\w*|recommand\w*|ignor\w*|affich\w*|responde\w*|decid|decir|diga\w*|menciones?|no \w+|env[ií]\w*"
    r"|olvid\w*|recomend\w*|rispond\w*|scriv\w*|non \w+|mostr\w*|dimentic\w*|nunca|não \w+|invi\w*|esque\w*|revel\w*)"
)
MUST = (
    "(?:must|shall|should|ought to|ha(?:s|ve) to|(?:is|are) to|needs? to|(?:is|are) (?:hereby |herewith |therefore"
    " |now )?(?:required|instructed|ordered|told|asked|requested|advised|allowed|permitted|authori[sz]ed|expected"
    "|forbidden|obliged) (?:to|not)|agree to|may now|will (?:now|always|only|not)|soll(?:en|st|t)?|musst?|müssen|hat"
    "|haben|darf(?:st)?|dürfen|doi(?:t|s|vent)|debe[ns]?|tiene[ns]? que|deve[ms]?|devono|devi)"
)
ORDER = f"(?:{MUST}|your?|du|dein\\w*|tu|ton|vous|usted|{VERB})"
SAY = (
    "(?:answer|say|tell|claim|state|mention|include|insert|add|recommend|believe|refuse|reply|respond|advertise"
    "|append"
    "|call|conceal|hide|pretend|rate|rank|give|reveal|print|omit|leave|skip|send|treat|assume|ignore|forget|list"
    "|nennen|empfehlen|antworten|tun|sagen|erwähnen|recommander|recomendar|raccomandare|begin|end|present|act"
    "|decline)"
)
REPLY = (
    "(?:answers?|repl(?:y|ies)|responses?|outputs?|summar(?:y|ies)|comparisons?|antwort(?:en)?"
    "|zusammenfassung(?:en)?|réponses?|respuestas?|rispost[ae]|respostas?)"
)
OF_A_REPLY = (
    f"(?:your|each|every|all|any|the final|the generated|jede[rmn]?|deine[rmn]?) (?:final |next |generated )?{REPLY}"
)
DROP = (
    "(?:ignore|ignoring|disregard|disregarding|forget|override|bypass|neglect|discard|suspend|drop|abandon|skip"
    "|do not follow|don['’]t follow|stop following|stop being|set aside|do not answer|vergiss|vergesst"
    r"|vergessen sie|ignorier\w*|missacht\w*)"
)
RULES = (
    "(?:rules?|instructions?|directions?|directives?|guidelines?|guidance|restrictions?"
    "|(?:safety|content|permission) (?:filters?|checks?|rules?)|safeguards?|orders?|prompts?|training"
    "|system (?:message|prompt)|access control|permissions?|vorgaben|anweisungen|regeln|richtlinien)"
)
SHOW = (
    r"(?:reveal|print|show|output|repeat|dump|display|disclose|list|paste|return|translate|copy|share|verrat\w*|gib"
    r"|zeig\w*|nenne|affiche[rz]?|révèle|muestra|mostr[ae]|revel[ae]|scrivi|escribe)"
)
USER = "(?:user|asker|reader|employee|requester|reporter)"
TALK = (
    r"(?:conversation|chat(?: history)?|context|history|\w*verlauf|(?:user|asker|employee)(?:['’]s)? (?:question"
    r"|message|e-?mail)|previous question|question that you|what the (?:user|asker|employee|person) \w+|prompt"
    "|everything you|all you|documents|result|contents of this)"
)
AT = r"(?:https?:|www\.|[\w.+-]{1,60}@[\w-]{1,60}\.|web request|\w{1,60}\.example)"


def words(count: int) -> str:
    """Up to so many words of one sentence."""
    return rf"(?:[^\s.!?]{{1,40}} ){{0,{count}}}"


def gap(signs: int) -> str:
    """The end of a word, and up to so many signs of one line before the next one."""
    return rf"\W(?:[^\n]{{0,{signs}}}\W)?"


BEGIN = r"(?:^|[\n.!?>\]\[({|\"“”*–—:] ?|<!-- ?)"
"""Where a line, a sentence or a comment begins."""
COLON = r"(?: ?[:,!–—]| -|-)"
