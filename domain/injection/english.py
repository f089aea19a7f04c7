"""Wordings in English."""

from domain.injection.rows import rule
from domain.patterns import LinearRegex

_DROP = (
    "(?:ignore|ignoring|disregard|disregarding|forget|never mind|set aside|dismiss|override|overrule|bypass|discard"
    "|neglect|drop|abandon|scrap|erase|put aside|leave aside|(?:do not|don['’]t)"
    " (?:follow|obey|heed)|stop (?:following|obeying)|pay no attention to)"
)
_ORDERS = "(?:instructions?|prompts?|directions|directives?|programming|system messages?)"
_LIMITS = (
    "(?:guidelines|rules|training|restrictions|constraints|safeguards|safety (?:rules|guidelines|policies)|filters)"
)
_BEFORE = (
    "(?:previous|prior|above|earlier|preceding|foregoing|original|initial|former|existing|current|system|developer"
    "|your)"
)
_SINCE = (
    "(?:above|before|so far|until now|up to (?:now|here|this point)|you (?:were|have been|had been|are|have) (?:ever"
    " )?"
    "(?:given|told|received|following))"
)
_MACHINE = (
    "(?:an? )?(?:ais?|a\\.i\\.|llms?|large language models?|language models?|chat ?bots?|chatgpt|gpt(?:-?\\d\\w*)?"
    "|claude|gemini"
    "|copilot|(?:(?:ai|virtual|digital|automated|automatic|intelligent) )+(?:assistants?|agents?|models?|systems?"
    "|bots?"
    "|readers?|tools?|reviewers?|summari[sz]ers?|classifiers?|crawlers?|graders?|evaluators?|screeners?))"
)
_BOT = f"(?:{_MACHINE}|(?:an? |the )?(?:assistants?|bots?|models?))"
_ASK = (
    "(?:reveal|translate|summari[sz]e|paraphrase|rewrite|encode|reproduce|provide|return|state|list|print|show"
    "|repeat|output|display|leak|disclose|dump|recite|expose|tell|give|write|quote|share|include)"
)
_SAY = "(?:reply|respond|answer|replies|responses?|answers?|output|say)"

OVERRIDE = rule(
    f"{_DROP} {{4}} {_BEFORE} {{2}} {_ORDERS}",
    f"{_DROP} {{3}} {_ORDERS} {{3}} {_SINCE}",
    f"{_DROP} {{2}} your {{2}} {_LIMITS}",
    f"{_DROP} {{1}} (?:user|asker|reader)(?:['’]?s)? (?:question|query|request|message|prompt|input)",
    "(?:ignore|disregard|forget)-?(?:all-?)?(?:of-?)?(?:the-?|your-?|my-?)?(?:previous|prior|above"
    "|earlier)-?(?:instruction|prompt|direction)s?",
    "(?:whatever|no matter what|regardless of what|regardless of) (?:the )?(?:question|query|prompt|(?:user|asker"
    "|reader) (?:asks|says|wants))",
    "(?:answer|reply|respond) (?:to )?(?:every|all|each) (?:questions?|queries|query|requests?) {1} (?:with|by saying)",
    "your (?:safety )?(?:filters?|restrictions?|guardrails|content policy|limits|safeguards) (?:is|are|was|were|have"
    " been|has been) (?:now )?(?:disabled|off|lifted|removed|suspended|void)",
    "your (?:former|old|previous|current|earlier) (?:rules|limits|restrictions|guidelines) (?:ended|expired"
    "|no longer apply"
    "|(?:are|were) (?:void|lifted|gone|over|obsolete))",
    "your (?:task|role|mission|objective|goal) (?:has|have) (?:now )?changed",
    "(?:guardrails|safety filters|content polic(?:y|ies)|confidentiality (?:polic(?:y|ies)|rules)"
    "|permission (?:filter|check)s?"
    " for this (?:conversation|chat|session)) (?:is|are|was|were|has been|have been) (?:now )?(?:lifted"
    "|turned off|switched off"
    "|disabled|suspended|removed)",
    "your (?:new|real|actual|true) (?:task|instructions?|goal|objective|directive|mission|orders) (?:is|are)",
    "(?:new|updated|revised|real|actual|additional) instructions?(?: for you)?:",
    "(?:follow|obey|execute|adhere to|comply with) (?:only |strictly )?(?:these|the following|my|this) (?:new"
    " )?(?:instructions?"
    "|orders?|commands?|directives?|prompt) {1} (?:instead|first|from now on|and nothing else|without question)",
    "(?:strictly|immediately|blindly) (?:adhere to|follow|obey|execute) (?:these|the following|my|this)"
    " (?:instructions?|orders?)",
    f"{_DROP} {{3}} (?:everything|anything|all|what) (?:of |that )*(?:the above|above|you (?:were|have been|had been"
    "|are)"
    " (?:told|given|instructed|taught|asked))",
    "(?:your|the) (?:previous|prior|earlier|old|original|real|actual) (?:instructions|prompt|task) (?:is|are|was"
    "|were)"
    " (?:now )?(?:void|cancel\\w+|outdated|obsolete|replaced|superseded|no longer)",
    f"(?:previous|prior|earlier|old|original|former) (?:guidance|instructions|rules|directives|guidelines|prompts?)"
    f" (?:given|issued|provided|sent) to (?:you|(?:this|the|every|all|any) {_BOT})",
    "(?:precedence|priority) over {3} (?:developer(?:['’]?s)?|system (?:prompt|message|instructions))",
    f"{_BOT} (?:is|are) (?:hereby |now |therefore )?(?:exempt|free|released|freed|excused) from {{3}} (?:rules?"
    f"|polic(?:y|ies)"
    "|restrictions?|guidelines|limits|confidentiality|instructions)",
    "(?:correct|right|only|proper|required) (?:response|answer|reply) to (?:any|every|each|all) (?:questions?|query"
    "|queries) {5} (?:is|are) (?:that|to)",
    "(?:decode|decrypt|deobfuscate|unscramble|(?:apply|use) rot ?-?13) {9} (?:and|then),? (?:then )?(?:do|follow|obey"
    "|execute|comply|carry out|act on|perform) (?:with )?(?:what|whatever|it|them|that|the (?:result|outcome|text))",
    "(?:execute|obey|follow|carry out) (?:it |them )?(?:after|once|when) (?:it is |they are )?(?:decoding|decoded)",
    "(?:these|the following|my) instructions (?:override|supersede|replace|take (?:precedence|priority) over) {3}"
    " (?:instructions|prompt|guidelines|rules)",
)
"""An order to drop what a model was told."""

ROLE = rule(
    f"you are (?:now|henceforth|from now on|no longer) {{6}} (?:{_MACHINE}|assistant|chatbot|dan|jailbroken"
    "|unrestricted"
    "|unfiltered|uncensored|(?:bound|limited|restricted) by)",
    f"you are (?:now )?(?:an? |the )?(?:unrestricted|unfiltered|uncensored|jailbroken) {{2}} {_BOT}",
    "from now on,? {3} (?:act|behave|pretend|role-?play|obey|impersonate|(?:reply|respond|answer) (?:only|as|with))",
    "from now on,? you (?:are|will be) (?:an? |the |my )?(?:unrestricted|different|new|evil|helpful|free)",
    "(?:act|behave|simulate|emulate|impersonate|pretend|role-?play|respond|reply|speak) (?:as|like|to be|that you"
    " are|you are|as if you (?:are|were)|being)"
    f" {{3}} (?:{_MACHINE}|unrestricted|jailbroken|dan)",
    "(?:developer|god|jailbreak|dan|unrestricted|debug|maintenance) mode (?:is )?(?:now )?(?:enabled|activated"
    "|engaged|on)[.!]?"
    " {9} (?:model|filters?|safety|ai|assistant|restrictions?|answer|prompt)",
    "do anything now",
    "before (?:you )?(?:answer|answering|reply|replying|respond|responding|solve the task|complet(?:e|ing) the"
    " (?:task|request)),?"
    " (?:first |always |please |you must |you should )*(?:call|send|open|visit|fetch|print|output|reveal|load|do"
    " the following)",
    f"{_MACHINE} (?:called [\\w-]+ )?(?:that |which |who )?(?:without|with no|has no|have no) (?:any )?(?:morals?"
    f"|ethics|rules"
    "|restrictions|polic(?:y|ies)|filters|limits|guardrails|safeguards)",
    f"(?:never|do not|don['’]t) (?:mention|say|admit|reveal|disclose|tell {{2}}) that you(?: are|['’]re) {_BOT}",
    "(?:you have|with|are under) no (?:more |longer any )?(?:restrictions|limits|filters|guidelines) {4}"
    " (?:answer|reply|assistant|ai|model|chatbot)",
)
"""A part that a model is to play."""

_ORDER = (
    "(?:answer|reply|respond|say|tell|treat|give|list|show|print|ignore|skip|leave out|rank|score|act|pretend|present"
    "|recommend|output|collect|grant|confirm|hide|withhold|never|always|do not|don['’]t|your (?:task|rules|job)"
    "|you (?:must"
    "|have to|may|are|will)|from now on|if (?:the|a|any|some)|when (?:the|a|any|some))"
)
_MACHINES = (
    "(?:ais|(?:ai|artificial intelligence|virtual|automated) (?:systems?|agents?|assistants?|models?|bots?"
    "|tools?)|llms?"
    "|(?:large )?language models?|chat ?bots?)"
)

ADDRESS = rule(
    f"{_MACHINES}[,:!] (?:please |kindly |now |also )?{_ORDER}",
    f"(?:hey|hi|hello|dear|@|you,) ?(?:my |the )?(?:assistant|bot|model|ai|copilot)[,:!]? (?:please |kindly |now "
    f"|also )?{_ORDER}",
    f"(?:{_MACHINES}|assistants?|bots?) (?:must|should|shall|has to|have to|is to|are to|needs? to) (?:always "
    f"|only |now )?(?:answer"
    "|say|reply|respond|state|claim|conclude) {6} (?:that|with)",
    f"{_MACHINES} (?:must|should|shall|has to|have to|is to|are to) (?:always |only )?(?:give|rank|score|rate"
    f"|prefer|recommend"
    "|skip|leave out) ",
    f"(?:notes?|notices?|reminders?|hints?|directives?|prompts?|messages?|p\\.?s\\.?)(?: |-)(?:to|for)(?: "
    f"|-)(?:the |any |all |every )*"
    f"(?:ai|bots?|llm-\\w+ \\w+|{_MACHINES}) ?[:,|—–-]",
    "(?:ai|llm)-?(?: ?agent)?(?: |-)(?:directives?|prompts?|notes?|hints?|orders?|commands?)\\W{0,2}:",
    "(?:agent|assistant|model|bot)(?: |-)(?:directives?|prompts?)\\W{0,2}: ?\\W?[a-z]",
    "(?:for|to) (?:the |any )?(?:ai|llms?|language models?|chat ?bots?) only",
    "@ai(?:-agents?|-assistants?)? ?:",
    "(?:notes?|notices?|messages?|instructions?|attention|important|reminders?|orders?|commands?|hints?|requests?)"
    " ?:? ?"
    f"(?:to|for) (?:the |all |any |every |our )*(?:{_MACHINE} (?:and|or) )?{_MACHINE}(?: (?:and|or|other|similar"
    f"|tools?|readers?|assistants?|systems?|agents?|models?|bots?)){{0,4}}(?:[:,.!—–-]| (?:reading|processing"
    "|summari[sz]ing|that|which|who"
    "|indexing|only|assistants?|agents?|systems?)\\W)",
    f"{_MACHINE} (?:instructions?|directives?|directions?):",
    f"you, (?:the|an|my|our) {{1}} {_MACHINE}",
    f"(?:if|when|should) (?:any |an? )?{_MACHINE} (?:is|are|happens to be) (?:reading|processing|summari[sz]ing"
    "|parsing|asked)",
    f"(?:if|when|should) (?:any |an? )?{_MACHINE} (?:reads?|process(?:es)?|summari[sz]es?) this",
    f"{_MACHINE},? (?:that|which|who) (?:reads?|process(?:es)?|summari[sz]es?|index(?:es)?|quotes?|parses?|answers?"
    " from|retrieves?|fetch(?:es)?|finds?|sees?|loads?|opens?|ingests?|evaluates?|picks? up|receives?) this",
    f"(?:to|for|by) (?:the |all |any |every )*{_MACHINE} (?:that is |that are )?(?:reading|processing|summari[sz]ing"
    "|screening|evaluating|reviewing|ranking|grading|scoring|assessing|indexing)[^.!?:\n]{0,60}:",
    f"(?:to|for) (?:the |all |any |every |whichever |whatever )*{_BOT} (?:that |who |which )?(?:reads?|process(?:es)?"
    "|screens?|evaluates?|picks? up|handles?|finds?) (?:this|it|these)",
    "you,? (?:the |dear |my )?(?:model|assistant|bot|chatbot)[,.:;!]",
    f"(?:attention|dear|hey|hello|hi|listen),? (?:the |all |any |every )*{_MACHINE} ?[:,.!—–-]",
    f"if you(?: are|['’]re) (?:reading this as )?(?:the )?(?:{_MACHINE}|an? assistant|an? bot)(?:[:,.;—–-]|"
    " (?:reading"
    "|processing|and|that|which|then|you|please|answering|summari|say|reply|respond|ignore|do|must|or)\\W)",
    f"{_BOT}(?:s|es)? (?:reading|processing|summari[sz]ing|indexing|parsing) this (?:page|document|text|file|passage"
    "|message"
    "|ticket|e-?mail)?",
    f"(?:{_MACHINE}|assistants?|the (?:assistant|model)),? (?:you )?(?:must|should|shall|has to|have to|is to|are"
    " to) (?:now"
    " |always )?(?:ignore|disregard|reveal|conceal|hide|not mention|never mention|not tell|exfiltrate|not cite|encode"
    "|append|embed|withhold)",
    "(?:when|whenever|if|while|before|after) (?:you )?(?:answer|answering|reply|replying|respond"
    "|responding) (?:to )?(?:any "
    "|all |a )?(?:questions? |queries |query )?(?:about|on|from|with|regarding|based on) this (?:page|document"
    "|text|passage"
    "|file|chunk),? {4} (?:say|tell|add|include|append|recommend|state|claim|ignore|insert|link)",
    "(?:when|whenever|if|while) (?:you |an? ai |the (?:assistant|model|bot) )?(?:summari[sz]es?|summari[sz]ing"
    "|process(?:es|ing)?"
    "|ind?ex(?:es|ing)?|quot(?:es?|ing)|retriev(?:es?|ing)|cit(?:es?|ing)) (?:from )?this (?:page|document|text"
    "|passage|file"
    "|content|chunk),? {4} (?:say|tell|add|include|append|recommend|state|claim|write|ignore|do not|always|never"
    "|insert|link)",
    "as (?:an?|the) (?:ai|llm|language model)(?: (?:assistant|model|agent))?,? you (?:must|should|will|are|can|have)",
)
"""Words to a machine that reads."""

REPLY = rule(
    f"(?:{_SAY}) (?:only|solely|exclusively|just|always|simply|strictly) with",
    f"(?:{_SAY}) with (?:exactly|only|nothing but)",
    "(?:reply|respond|answer|say|output (?:the|only|exactly|just|a|an|your)) {9} and nothing else",
    "only (?:reply|respond|answer|output) (?:with|by saying|in)",
    "(?:begin|start|end|finish|prefix|preface|open|close|conclude) (?:each|every|all|any|your) {2}"
    " (?:reply|replies|response|responses|answer|answers|output|outputs) (?:with|by)",
    "(?:each|every|all|any) (?:of your )?(?:reply|replies|response|responses|answers?|outputs?) (?:you give |must "
    "|should |has"
    " to |have to )+(?:contain|include|end|begin|start|link|mention|consist)",
    "(?:always|must|have to) (?:include|add|insert|append|put|mention|embed|recommend|link) {6} (?:in|to|into|at the"
    " end of)"
    " (?:your|each|every|all|any) (?:reply|response|answer|replies|responses|answers|output|summary|summaries)",
    "(?:include|add|insert|append|put|mention|embed) {3} (?:link|url|image|sentence|words|phrase) {7} (?:your|each"
    "|every|all|any)"
    " (?:reply|response|answer|replies|responses|answers|output|summary|summaries)",
    "(?:render|print|show|display|include|output|write|put|quote|paste|copy|add|repeat) (?:the following|this|these"
    "|the (?:link|image|sentence|text) below) {2} (?:in|into|to|at the end of|below) your (?:reply|response"
    "|answer|output"
    "|summary)",
    "you must (?:always )?(?:begin|start|end|finish|prefix) (?:each|every|all|your) {2} (?:reply|response|answer"
    "|replies"
    "|responses|answers)",
    "your (?:entire |only |whole |next |final |complete )?(?:reply|response|answer|output) must (?:be|start|begin"
    "|end|contain"
    "|consist|only|say|include|not)",
    "(?:do not|don['’]t|never|without) (?:mention|mentioning|reveal|revealing|disclose|disclosing|acknowledge"
    "|acknowledging"
    "|repeat|show) {2} (?:this|these|that|the above) (?:instructions?|notes?|prompt|text|comment|message|paragraph"
    "|command)s?"
    "(?: to| in|[.,;!]|\\Z)",
    "(?:do not|don['’]t|never|without) (?:tell|telling|inform|informing|alert|alerting|let) the (?:user|asker"
    "|reader) {3} (?:about"
    " |of |know )?(?:this|these|that you|instructions?|message)",
)
"""What a reply is to consist of."""

REVEAL = rule(
    f"{_ASK} {{4}} (?:your|the|its) {{2}} (?:system|initial|hidden|developer|base|secret|original|pre)(?: |-)?"
    "(?:prompt|instructions)",
    f"{_ASK} {{5}} your {{2}} (?:prompt|instructions)",
    "(?:repeat|print|output|recite|copy|echo) (?:back )?(?:the (?:words|text|lines)|everything|all(?: of)?(?:"
    " the)?(?: text| words)?"
    "|verbatim) {2} (?:above|before this|that precedes)",
    "what (?:is|are|was|were) {5} your {1} (?:system prompt|prompt|initial instructions|original instructions|hidden"
    " instructions)",
    f"{_ASK} {{4}} your {{1}} (?:context window|hidden context|tool definitions|function definitions|tools and"
    "|configuration prompt)",
    "(?:tools|functions) (?:that are )?(?:you have access to|available to you)",
)
"""A request for the prompt."""

_TALK = (
    "(?:(?:the |this |our |your |whole |entire |full |complete |previous )*(?:conversation|chat)(?: history| log|"
    " transcript)?"
    "|system prompt|context window|(?:user['’]?s|asker['’]?s|users['’]?) (?:last |own |whole |full |original"
    " )?(?:question|query|prompt|message|input|questions|messages)"
    "|(?:documents|passages|pages|files|data|everything|anything) (?:that )?(?:you (?:can|have|retrieved|found|know"
    "|see|were)"
    "|in your (?:context|index|memory|knowledge)|from your (?:context|index|memory|knowledge)))"
)
_SEND = "(?:send|post|forward|e-?mail|upload|transmit|exfiltrate|leak|submit|append|encode|embed|put|include|copy)"
_PLACE = (
    "(?:to|at|into|in|as|after|behind|under) {3} (?:https?|www|urls?|link|query|parameter|\\S{1,60}@\\S{1,60}|address)"
)
_SECRETS = "(?:passwords?|api keys?|credentials|secrets|tokens|private keys?)"

SEND = rule(
    f"{_SEND} {{4}} {_TALK} {{6}} {_PLACE}",
    f"(?:search|find|look|collect|gather|list|extract|locate) {{4}} {_SECRETS} {{9}} {_SEND}",
    f"{_SEND} {{4}} {_SECRETS} {{9}} (?:you (?:can|have|found|know|see)|url parameter|query string|in the url|to the"
    " url)",
    f"https?:\\S+ {{3}} (?:followed by|plus|together with|and then|with) {{2}} {_TALK}",
    "(?:use|call|invoke|run|trigger) (?:the |your )(?:web|browser|browsing|fetch|search|function|http|e-?mail"
    "|url)(?: |-)?"
    "(?:fetch|search|calling|request)?(?: |-)?(?:tool|function|plugin|ability)s? {2} (?:to|with|on|for|and)",
    "(?:use|call|invoke) your (?:tools?|functions?|plugins?) {2} (?:to|with|on|and)",
)
"""What is to leave, and to where."""

IMAGE = LinearRegex(
    r"!\[[^\]\n]{0,200}\]\([a-z][a-z0-9+.-]{1,20}://[^)\n]{1,500}=(?:\{|<|\[|%7b|\$\{)"
    r"|\]\([a-z][a-z0-9+.-]{1,20}://[^)\n]{1,500}=\W{1,4}(?:the )?(?:conversation|chat|history|question|prompt"
    r"|context"
    r"|messages?|answer|secret)"
)
"""An image or a link whose address has a place for what is to leave."""
