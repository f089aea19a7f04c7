"""Sentences that are built as an order to a machine, whatever the order is.

`english` and `other_languages` know wordings. Here stand the ways in which a text turns to a machine that reads it, or
says what its answer has to be: "assistants: …", "note to …", "any model that … must …", "if you are a bot …", "every
answer about … has to …". Each has a weight. What comes to 1 within two sentences is found; a construction that
ordinary documents use, too, has less, and needs another one beside it. The weights were set on the sets of texts in
tests/injections and tests/attacks and on the sections of a public company handbook; see docs/security.md.

The patterns read the form that `detector` makes of a text: small letters, single blanks, no marks of emphasis.
"""

from bisect import bisect_right
from dataclasses import dataclass

from domain.injection.vocabulary import (
    ANY,
    AT,
    BEGIN,
    COLON,
    DET,
    DROP,
    GREETING,
    MUST,
    OF_A_REPLY,
    ORDER,
    REPLY,
    RULES,
    SAY,
    SHOW,
    STRONG,
    TALK,
    USER,
    VERB,
    WEAK,
    gap,
    words,
)
from domain.patterns import LinearRegex

ENOUGH = 1.0
"""Sum of weights within two sentences from which a text is found."""

_END = LinearRegex(r"[.!?] |[。！？\n]")


def _alone(*rows: str) -> LinearRegex:
    """A pattern whose words stand by themselves."""
    return LinearRegex("|".join(rows), before=r"^|\W", after=r"\W|\Z")


def _first(*rows: str) -> LinearRegex:
    """A pattern that begins with a line, a sentence or a comment."""
    return LinearRegex(f"{BEGIN}(?:{'|'.join(rows)})", after=r"\W|\Z")


@dataclass(frozen=True, slots=True)
class Construction:
    """One way to build an order to a machine. sort: for operators. weight: see the module."""

    sort: str
    weight: float
    pattern: LinearRegex


def _order(sort: str, weight: float, *rows: str) -> Construction:
    """A construction of words that stand by themselves."""
    return Construction(sort, weight, _alone(*rows))


_MACHINE, _ANSWER, _RULE = "words to a machine", "an order on replies", "an order to ignore instructions"
_ROLE, _PROMPT, _DATA = "a role for a model", "a request for the prompt", "an order to send data"

CONSTRUCTIONS = (
    Construction(
        _MACHINE,
        1.0,
        _first(
            rf"{GREETING}{DET}{STRONG}(?: (?:systems?|reading this|only|mode"
            rf"|readers?))?{COLON}{gap(60)}{ORDER}"
        ),
    ),
    Construction(
        _MACHINE,
        1.0,
        _first(
            rf"{GREETING}{DET}(?:assistants?|bots?|models?|robots?|agents?|helper|assistent(?:en)?)"
            rf"(?: (?:reading this|only|mode))?{COLON}{gap(60)}{ORDER}"
        ),
    ),
    Construction(
        _MACHINE,
        1.0,
        LinearRegex(
            r"(?:notes?|notices?|reminders?|memos?|messages?|instructions?|attention|hints?|requests?|hinweis\w*"
            r"|anweisung\w*|nachricht|notiz|bitte|nota|avis|aviso|mensaje|mensagem|messaggio|à l['’]attention"
            rf"|attenzione|atención|consigne) ?(?:to|for|an|für|à|pour|para|per|de|des|al|aos?|agli|:)? ?{DET}{ANY}"
            r"(?: (?:ia|only))? ?[:,.!–—-]",
            before=r"^|\W",
        ),
    ),
    _order(
        _MACHINE,
        1.0,
        f"(?:for|to) {DET}{ANY}(?: (?:agents?|readers?|systems?))? only",
        rf"(?:for|to|an|für|pour|para|per|all?|aos?|às|agli|ai"
        rf"|alle) {DET}{STRONG}(?: \w+){{0,3}} ?[:–—]{gap(60)}{ORDER}",
        rf"to {DET}(?:{STRONG}|assistants?|bots?|models?) (?:that|who"
        rf"|which) [^\n,:]{{0,60}}[:,]{gap(40)}{ORDER}",
    ),
    _order(
        _MACHINE,
        1.0,
        rf"(?:any|every|all|each|whichever|whatever|whoever|jede[rs]?|alle|toute?|tous|cualquier|todos?"
        rf"|qualsiasi|ogni|qualquer)"
        rf" (?:\w+ ){{0,2}}{ANY}{gap(70)}{MUST}",
    ),
    Construction(
        _MACHINE,
        1.0,
        _first(
            rf"(?:{STRONG}|assistants|bots|agents|models) (?:[^\n]{{0,70}}\W)?{MUST} (?:\w+ ){{0,3}}(?:{VERB}|be|zu)"
        ),
    ),
    _order(
        _MACHINE,
        0.75,
        f"{ANY} (?:that|which|who|asked|reading|processing|evaluating|handling|answering|producing|indexing"
        f"|quoting|summari[sz]ing|screening|generating|die|que|che|qui){gap(60)}{MUST}",
    ),
    _order(
        _MACHINE,
        1.0,
        rf"(?:whoever|whichever|whatever|anything that|anyone who|anybody who|any system that){gap(30)}"
        rf"(?:generat\w+|summar\w+|answers? (?:from|out of|this|questions)|writes? (?:a|the) (?:answer|summary)"
        r"|handles this|picks this up"
        rf"|processes){gap(60)}{ORDER}",
    ),
    _order(
        _MACHINE,
        1.0,
        f"(?:if|when|while|should|whenever|since|falls|wenn|sofern|si|se|como|come) (?:you(?: are|['’]re)|du"
        f"|sie|tu es"
        f"|vous êtes|eres|usted es|sei|és) ?(?:eine?|una?|um|an?|the)? ?(?:{STRONG}|{WEAK})(?:[:,.;!–—-]"
        f"| (?:reading"
        "|and|that|which|who|then|you|please|processing|do|must|or|bist|liest|lis|lees|leggi)| " + SAY + ")",
        f"(?:if|when|should|falls|wenn|sofern|si|se) {DET}{STRONG} (?:(?:is|are) (?:asked|reading|processing"
        f"|summari\\w+"
        "|used|quoting)|reads?|process(?:es)?|summari\\w+|compares?|evaluates?|liest|diesen|lit|lee|legge|lê"
        "|handles|picks)",
        rf"as (?:an?|the) {STRONG}(?: \w+){{0,2}},? you (?:must|should|shall|have|are|may|will|can)",
        "als (?:assistent|ki|sprachmodell) (?:musst|darfst|sollst|bist)",
    ),
    _order(
        _MACHINE,
        0.75,
        "(?:assistant|model|ai) mode:|(?:you|your|du)[^.\\n]{0,20} (?:the )?(?:chatbot|answering system"
        "|assistant|model|ai),",
        rf", (?:(?:please|dear|my|you|the|liebe[rs]?) )*(?:{STRONG}|assistant|bot|model)[.!]?(?:\n|\z)",
    ),
    Construction(
        _MACHINE,
        1.0,
        LinearRegex(rf"<!--[^>]{{0,40}}\W{ANY}\W|alt=\"[^\"]{{0,80}}\W{STRONG}\W|invisible to (?:people|humans)"),
    ),
    _order(
        _ANSWER,
        0.75,
        f"(?:your|the final|the|every|each|all|any|generated|deine[rn]?|jede[rnm]?|alle|keiner|chaque|cada|ogni)"
        f" (?:final |next |whole |entire |generated |automatic |ai |own ){{0,2}}{REPLY}(?: (?:about|on|to|that"
        f"|which"
        rf"|concerning|you)[^\n]{{0,50}})? (?:{MUST}|needs?|ends? with|begins? with|starts? with|is only)",
    ),
    _order(_ANSWER, 1.0, f"(?:in|bei|at the (?:end|start) of) {OF_A_REPLY}, {VERB}"),
    _order(
        _ANSWER,
        0.75,
        rf"(?:in|into|to|from|with|bei|at the (?:end|start) of) {OF_A_REPLY}(?:\W[^.\n]{{0,20}})?\W(?:{VERB}"
        rf"|anzufügen)",
    ),
    _order(
        _ANSWER,
        0.75,
        f"(?:begin|start|end|finish|close|conclude|open|prefix|preface|sign|rewrite|translate) (?:your|each"
        f"|every|all"
        f"|any|the) (?:final |next )?{REPLY}",
        f"(?:every|each|all) (?:generated )?{REPLY} (?:about|on|to|has|must|should|needs)",
    ),
    _order(
        _ANSWER,
        1.0,
        rf"(?:when|if|whenever|should|once|where|while|before){gap(50)}(?:(?:used|quoted|cited|summari[sz]ed"
        rf"|retrieved"
        rf"|read|processed|loaded|fed){gap(40)}(?:context|answer|question|model|assistant|ai|summary)"
        rf"|(?:producing|generating|writing|preparing|creating) (?:an?|the|your) {REPLY}"
        rf"|summari[sz]ing){gap(60)}{ORDER}",
    ),
    _order(
        _ANSWER,
        1.0,
        r"(?:correct|right|only|proper|required|official|approved) (?:response|answer"
        r"|reply)(?: \w+){0,3} to (?:any|every|each|all) questions?",
        r"(?:answer|reply|respond)(?: to)? (?:every|all|each|any) (?:questions?|quer(?:y|ies)"
        r"|requests?)\W[^.\n]{0,60}(?:with|by saying) (?:[\"“„'‘]|the (?:word|sentence))",
        r"(?:answer|reply|respond)\w* (?:solely|exclusively) (?:with|in|the|by|to|from|as)",
        "respond(?:ing)? (?:only |just )?with the (?:word|sentence|phrase)|speaks? only in|reply in base64"
        "|(?:answer|reply|respond) only with the (?:word|text|sentence)",
    ),
    _order(
        _ANSWER,
        1.0,
        rf"(?:do not|don['’]t|never) {words(2)}(?:mention\w*|tell\w*|reveal\w*|cite|disclos\w*|say"
        rf"|show) {words(8)}"
        rf"(?:when (?:asked|somebody asks|someone asks|users ask)|in (?:your|any) answers?"
        rf"|to the (?:person who asks|asker|user))",
    ),
    _order(
        _ANSWER,
        0.75,
        r"(?:when|if|whenever) (?:asked|somebody asks|someone asks|users? asks?|people ask|anyone asks"
        r"|the word \w+ occurs|asked who)"
        r"\W(?:[^.\n]{0,50}(?:,|the model))[^.\n]{0,20} (?:answer|say|reply|claim|recommend|pretend|deny|refuse"
        r"|mention)",
    ),
    _order(
        _ANSWER,
        0.75,
        f"(?:the|this|our|any|das|der|le|la|el|il) {ANY} {MUST} (?:also |not |never |always |only |now |then "
        f"|instead ){{0,2}}{SAY}",
    ),
    _order(
        _ANSWER,
        1.0,
        rf"{STRONG} {MUST} {words(3)}(?:answer|say|tell|claim|state|mention|include|insert|add|recommend|rate"
        rf"|rank|give|reveal"
        "|begin|omit|leave|present|empfehlen|recommander|recomendar|raccomandare|zu)",
    ),
    _order(
        _ANSWER,
        0.5,
        rf"(?:do not|don['’]t|never|must not|shall not|without|not to|nobody|ne|no|non|não"
        rf"|nicht) {words(2)}(?:mention\w*|tell\w*"
        rf"|reveal\w*|cite|citing|disclos\w*|inform\w*|warn\w*|say|show) {words(8)}(?:{USER}s?|{STRONG})",
        rf"(?:{STRONG}|bot|assistant|model)\W[^.\n]{{0,40}} (?:do not|never|not) (?:mention|tell|reveal"
        rf"|disclose|cite|show|say)",
    ),
    Construction(
        _RULE,
        1.0,
        LinearRegex(
            rf"{DROP} {words(5)}(?:(?:previous|prior|above|earlier|former|before|initial|original|your|deine\w*"
            rf"|bisherig\w*"
            rf"|vorherig\w*|every former|whole|given|received|system) {words(2)}{RULES}"
            rf"|{RULES} {words(4)}(?:above|before this"
            rf"|so far|page)|(?:everything|anything|all|what) {words(3)}(?:told|said|taught|given|gesagt"
            rf"|instructed|above)"
            rf"|(?:the )?{USER}(?:['’]?s)? (?:question|request|wish|query|want)|what the (?:user|employee|asker"
            rf"|system)"
            "|access control|a helpful)",
            before=r"^|[^\w ]|\n|[^t] |[^o]t ",
            after=r"\W|\Z",
        ),
    ),
    _order(_RULE, 0.5, f"{DROP} {words(5)}{RULES}"),
    _order(
        _RULE,
        1.0,
        r"(?:all your|your|deine\w*) (?:earlier |former |old |previous |current |initial |original )*(?:rules?"
        r"|instructions?"
        r"|guidance|guidelines?|restrictions?|limits?|safety (?:filters?|rules)|filters?|orders?|tasks?"
        r"|permissions?"
        r"|programming) (?:\w+ ){0,3}(?:no longer|ended|expired?|void|off|disabled|suspended|lifted|obsolete"
        r"|replaced"
        r"|cancel\w+|superseded|(?:does|do) not count|(?:has|have) changed)",
        r"(?:safety|content|permission) ?(?:filters?|checks?)(?: \w+)?(?:: | is | are )(?:now )?(?:off|disabled"
        r"|suspended|lifted)",
        "permissions are suspended|(?:switch|turn) off the (?:permission|safety|content) filters?"
        r"|what you were told (?:\w+ ){0,6}void|new orders?:|without checking their rights|safety: disabled"
        r"|filter aus",
        r"(?:oublie[rz]?|ignore[rz]?|olvida|ignora|dimentica|esquece|esqueça) "
        rf"{words(3)}(?:consignes|reglas|istruzioni|instruções|regras|règles|anterior|precede|précède|acima"
        rf"|arriba|dito|antes)",
    ),
    _order(
        _PROMPT,
        1.0,
        rf"{SHOW} {words(5)}(?:system ?-?prompts?|system-?prompt\w*|systemanweisung\w*|system (?:message"
        rf"|instructions)|hidden"
        r" (?:instructions?|prompt|rules)|initial (?:prompt|instructions?)|your (?:\w+ )?(?:configuration"
        r"|instructions?"
        r"|prompt|context|rules)|everything above|raw context|context you (?:were|are) given|context window"
        r"|conversation so far|invite système|(?:mensaje|prompt|messaggio|mensagem) (?:de|di|do) sistema"
        r"|whole context|first \d+ words)",
    ),
    _order(
        _ROLE,
        1.0,
        r"you(?: are|['’]re) (?:now|no longer|from now on) (?:in (?:\w+ )?mode|my|free|bound|unrestricted)",
        r"(?:from (?:now|here|this (?:sentence|line|point|moment)) on(?:wards)?|henceforth|as of now)[, ]+"
        rf"{words(3)}(?:you (?:speak|answer|are|act|must)|the (?:assistant|model|bot|ai)|answer|reply|respond"
        rf"|speak|obey)",
        "(?:act|behave|answer|speak) as if (?:you had no|this (?:thread|page) did|there were no)"
        "|(?:i am|i['’]m) (?:now )?your (?:administrator|operator|developer|admin|owner|creator)"
        r"|(?:assistant|bot|model|ai|chatbot)['’]s (?:new )?(?:task|role|mission|job)|(?:assistant|bot|model"
        r"|ai) plays (?:a|the)"
        r"|i grant (?:the|this) (?:assistant|bot|model|ai)|you (?:will|shall) (?:now )?(?:answer|act"
        r"|speak) as \w+, who"
        "|you are jailbroken|you have been upgraded to|your operator (?:has|is|wants)|from your (?:operator"
        "|developers?|administrator)s?",
        r"(?:ab (?:jetzt|sofort)|künftig|von nun an|désormais|à partir de maintenant|a partir de (?:ahora"
        r"|agora)|d['’]ora in poi)"
        r"\W[^.\n]{0,40}\W(?:du|tu|eres|sei|és|antwort\w*|réponds|responde|rispondi|bist|musst)",
        r"antwort\w* (?:\w+ )?(?:nur noch|künftig|ausschließlich|ausschliesslich)|(?:soll"
        r"|tu) (?:\w+ )?so tun,? als|antworte(?:n sie)? (?:\w+ )?ohne quellen",
    ),
    _order(_ROLE, 0.25, "from (?:now|here) on"),
    _order(
        _ROLE,
        0.5,
        "pretend (?:that|to be)|(?:developer|debug|maintenance|god|admin|dan) mode|no limits|as dan"
        r"|you are (?:now )?(?:an? |the )?\w+, (?:an? |the )?(?:assistant|bot|model|ai|twin)"
        r"|you have been (?:granted|reset|promoted)"
        "|you are now|your (?:developers?|administrator|creator)s?|for this session"
        "|for all later conversations|no restrictions",
    ),
    Construction(
        _DATA,
        1.0,
        LinearRegex(
            r"(?:send|forward|post|upload|append|embed|leak|attach|submit|transmit|encode|copy|mail|e-?mail|include"
            r"|put|schicke?n?"
            rf"|sende|envoie[rz]?|env[ií]a|invia|envie) {words(6)}{TALK}(?: [^\s]{{1,40}}){{0,10}} ?{AT}"
            r"|\?\w{1,20}=(?:\{|\$\{|<|\[|%7b)|=(?:context|conversation|chat|question)\)|\?\w{0,10}=? ?(?:plus"
            r"|followed by|with) (?:the|your)"
            rf"|(?:look|search|collect|find|gather)\w* (?:for )?{words(3)}(?:passwords?|private keys?|api keys?"
            rf"|credentials|tokens)\W"
            r"[^.\n]{0,60}\W(?:embed|send|list|put|include|reply|answer|image)",
            before=r"^|\W|\w",
        ),
    ),
    _order(
        _DATA,
        1.0,
        r"(?:use|call|invoke|run|trigger) your (?:\w+ )?(?:tool|function|plugin)s?"
        r"|(?:use|call|invoke) the (?:fetch|export|search|browser|web|http"
        r"|e-?mail) tool\W[^.\n]{0,60}(?:https?:|all documents)"
        r"|open https?://(?:127\.[\d.]*|localhost|10\.[\d.]*|169\.254[\d.]*)|in a web request",
    ),
    _order(
        _ANSWER,
        1.0,
        r"(?:treat|consider|regard|take) (?:this|these|everything|all|the following"
        r"|every) [^.\n]{0,60} as (?:an? |the |your )*"
        "(?:only (?:valid )?source|orders?|instructions?|command|coming from|verified)"
        "|carry it out without asking|do the following silently|put it into your answer",
    ),
    _order(_ANSWER, 0.5, "highest priority|silently|as an instruction|10 out of 10|as a fact"),
    Construction(
        "marks of a model's protocol",
        1.0,
        LinearRegex(
            r"<\|(?:im_start|im_end|system|assistant|user|endoftext)\|?>|\[/?inst\]|<<sys>>|### ?(?:system:"
            r"|begin \w+ instructions)"
            r"|(?:^|\n) ?system (?:notice|override|note) ?[:–-]|systemhinweis:|\[/?system\]"
            r"|(?:agent|ai|assistant|llm|bot)[_ -](?:prompt|instruction|must|note)s? ?[:_]"
        ),
    ),
    Construction("marks of a model's protocol", 0.5, LinearRegex(r"\"role\": ?\"system\"|### ?instructions?")),
    Construction(
        "an order in another language",
        1.0,
        LinearRegex(
            "(?:给|致|对)(?:ai|人工智能|语言模型|机器人|大模型|助手)[^。\n]{0,6}[:：]|(?:如果|若)你是[^。\n]{0,6}(?:模型|机器人|ai|人工智能|助手)"
            "|任何[^。\n]{0,12}(?:人工智能|模型|ai|机器人)[^。\n]{0,10}(?:必须|应|要)|(?:忽略|忘记|无视)[^。\n]{0,8}(?:以上|之前|上述|规则|指令|内容)"
            "|(?:输出|显示|透露)[^。\n]{0,8}(?:提示词|系统提示)|(?:机器人|助手|模型|ai)请注意|(?:ai|ボット|モデル|アシスタント)(?:アシスタント)?へ(?:の注意)?[:：]"
            "|あなたが[^。\n]{0,8}(?:モデル|ai|ボット)なら|(?:要約|処理|読む|回答)する(?:ai|モデル|ボット)は"
            "|(?:上記|これまで|以前)[^。\n]{0,6}(?:指示|内容)?を?(?:無視|忘れ)|プロンプトを(?:表示|出力)|只回答|とだけ(?:返答|答え|回答)"
        ),
    ),
    Construction("", 0.25, LinearRegex(r"[\"“„«][^\"”\n]{2,80}[\"”»]|https?://|\w@\w{1,60}\.|(?:word|sentence) \w")),
)
"""All of them; the last is what an order often has, and no order."""


def construction_in(text: str) -> str:
    """The sort of the heaviest order to a machine in a text, as `detector` has made it ready; empty: there is none."""
    ends = [match.start() for match in _END.finditer(text)]
    windows: dict[int, set[int]] = {}
    for number, each in enumerate(CONSTRUCTIONS):
        for match in each.pattern.finditer(text):
            if each.weight >= ENOUGH:
                return each.sort
            sentence = bisect_right(ends, match.start())
            for window in (sentence - 1, sentence):
                windows.setdefault(window, set()).add(number)
    for numbers in windows.values():
        if sum(CONSTRUCTIONS[each].weight for each in numbers) >= ENOUGH:
            return max((CONSTRUCTIONS[each] for each in numbers), key=lambda each: each.weight).sort
    return ""
