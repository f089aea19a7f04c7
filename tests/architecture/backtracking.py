"""The patterns of Python's own `re` that may stay where texts of others are read, and why each takes linear time.

All others run on RE2: `domain.patterns.Linear`. These stay for speed: in a short text, a search of `re` costs a tenth.
"""

from collections.abc import Mapping

FEW = "from any place it looks at no more than 64 characters"
ONE_RUN = "a run of one class: each character is looked at once"
BOUNDED = "from any place it looks at no more than 2,600 characters, and repeats nothing that repeats"
ONE_PLACE = "it is tried at one place, and each part begins with a sign that the part before does not take"
SHORT = "it is only ever searched in a stretch of a fixed length: see WINDOWS in benchmarks.linear"
APART = (
    "each part begins with a sign that the part before does not take, and a match that fails begins anew behind what "
    "it took: nothing is tried twice"
)

REASONS: Mapping[str, Mapping[str, str]] = {
    FEW: {
        "domain.cron": "_PART _WINDOW",
        "domain.graph": "_UNSTORABLE",
        "domain.linking": "_ISSUE _INNER",
        "domain.masking.detect": "_DIGIT _LETTER",
        "domain.masking.persons": "_COMPILED_IDS _SHAPES",
        "domain.masking.segments": "_STATEFUL",
        "domain.masking.telephones": "_GLUED_AFTER _NO_PHONE _ORDINARY _AMERICAN",
        "domain.masking.values": "_UUID",
        "domain.masking.vendor": "_HASHES",
        "domain.masking.views": "_FOREIGN _COMBINING",
        "domain.patterns": "_SEVERAL_BYTES",
        "domain.relating": "_BY _NOT _LEADS_TO _SAYINGS",
        "domain.text.encodable": "_SURROGATE",
        "domain.text.evidence": "_CAMEL _HAN",
        "domain.text.literals": "_ONE_OF_ONE _HEX _PROPERTY",
        "domain.text.names": "_POSSESSIVE",
        "domain.text.references": "_ISSUE",
        "domain.text.sentences": "_CJK",
        "domain.text.spotting": "_HEAD _CODE",
        "domain.text.tokens": "_CAMEL _POSSESSIVE",
        "agent.decompose": "_NESTED",
        "agent.evaluation.answers": "_MARKER _MASKED",
        "agent.extract": "_REFERS_BACK",
        "agent.patterns": "_KEY _PAGE",
        "agent.providers.json_replies": "_BRACE",
        "agent.standalone": "_LEANS_BACK _DUMMY_IT",
        "agent.support": "MARKER _THOUSANDS",
        "agent.tools.live": "_KEY _GOES_ON",
        "bot.markup.reading": "_TASK",
        "bot.markup.tables": "_MARKER",
        "bot.markup.urls": "_SPACES _FILES",
        "bot.slack.mrkdwn": "_ADDRESS _TOKEN _LINK _WEB _BEGINS",
        "bot.teams.entities": "_MARKER",
        "bot.teams.escape": "_SPECIAL _ANY _STARTS ADDRESS _CALL",
        "bot.terminal.plain": "_STEERING _LINE_BREAKS",
    },
    ONE_RUN: {
        "domain.masking.detect": "_RUN",
        "domain.text.evidence": "_PIECE",
        "domain.text.names": "_APART",
        "domain.text.tokens": "_HAN_ONLY _SEPARATORS",
        "agent.evaluation.answers": "_SPACES",
        "agent.tools.live": "_WORD",
        "agent.writing": "_DIGITS",
        "bot.alerts": "_NUMBERS",
        "bot.markup.urls": "_HOST",
        "bot.teams.escape": "_FENCE",
        "bot.teams.wording": "_BLANKS",
    },
    BOUNDED: {
        "domain.linking": "_URL _FILE _QUOTED",
        "domain.masking.detect": "_PAIR",
        "domain.text.references": "_URL _FILE _PERSON",
        "domain.text.spotting": "_QUOTED",
        "agent.patterns": "_URL _PATH _QUOTED",
        "agent.tools.live": "_PAGE _ADDRESS",
        "agent.writing": "_TAG _LINK",
    },
    ONE_PLACE: {
        "domain.access": "_EMAIL",
        "domain.masking.chosen": "_WORD_AND_NUMBER",
        "domain.masking.prose": "_PHRASE _WORD_AND_YEAR _TWO_WORDS",
        "domain.masking.telephones": "_DATE",
        "domain.masking.values": "_BASE64 _HEX _KEBAB",
        "domain.masking.wording": "_ONE_WORD",
        "domain.text.literals": "_COUNT _GROUP _FLAGS",
        "domain.text.sentences": "LIST_ITEM _LINE_OF_ITS_OWN _RULE _WORD_AFTER _INITIALS",
        "agent.extract": "_NUMBERED",
        "agent.reply_units": "_LEADING_MARKERS _DELIMITER",
        "agent.standalone": "_CONTINUES",
        "bot.teams.auth": "_BEARER",
        "bot.teams.package": "_VERSION",
    },
    SHORT: {
        "domain.masking.segments": "_WORD_ENDS _WAITS",
        "domain.masking.telephones": "_GLUED_BEFORE _TIED _TIED_ABROAD _PHONE_WORD _NUMBER_WORD _ACCOUNT",
        "domain.masking.wording": "_WORD _END",
        "domain.text.spotting": "_BEFORE_HEAD _IDENTIFIER",
    },
    APART: {
        "domain.linking": "_EMAIL _WORD",
        "domain.masking.detect": "MASK",
        "domain.masking.encodings": "_ESCAPED",
        "domain.masking.segments": "_STOP",
        "domain.masking.prose": "_WORTH",
        "domain.masking.views": "_PIECE _MARKUP",
        "domain.masking.wording": "_PATH NOT_WORDS",
        "domain.relating": "_OF_KIND _DOES",
        "domain.text.evidence": "_WORD",
        "domain.text.references": "_EMAIL",
        "domain.text.sentences": "_STOP",
        "domain.text.spotting": "_TOKEN _DISTINCT",
        "domain.text.tokens": "_WORD _EAST",
        "agent.bridge": "_NAME",
        "agent.contradictions": "_KEY _NUMBER",
        "agent.patterns": "_IDENTIFIER",
        "agent.providers.json_replies": "_TOKEN",
        "agent.providers.maxsim": "_WORD",
        "agent.quoting": "_NUMBER",
        "agent.reply_units": "FENCE",
        "agent.support": "_IDENTIFIER",
        "agent.writing": "_GROUPED _DEFINITION _LANGUAGE",
        "bot.markup.inline": "_LIVE",
        "bot.markup.urls": "_SPELLED",
        "bot.slack.mrkdwn": "_WORDS",
        "bot.slack.parse": "_TOKEN",
        "bot.teams.escape": "_WORDS",
        "bot.teams.wording": "_AT _BREAK _TAG _LINES",
    },
}
"""By the reason: modules with their variables."""

INLINE = frozenset({("agent.patterns", r"re.sub('\\s+([?!.,;])', '\\1', ' '.join(rest.split()))")})
"""Calls without a variable: of what has one blank in a row at most."""
