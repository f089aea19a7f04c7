"""The patterns of Python's own `re` that may stay where texts of others are read, and why each takes linear time.

All others run on RE2: `domain.patterns.LinearRegex`. These stay for speed:
in a short text, a search of `re` costs a tenth.
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
        "domain.knowledge_graph": "_UNSTORABLE",
        "domain.entity_linking": "_ISSUE _INNER",
        "domain.masking.detector": "_DIGIT _LETTER",
        "domain.masking.ruleset.national_ids": "_COMPILED_IDS _DATE _SHAPES",
        "domain.masking.segments": "_STATEFUL",
        "domain.masking.ruleset.telephone_numbers": "_GLUED_AFTER _NO_PHONE _ORDINARY _AMERICAN _DATED",
        "domain.masking.ruleset.secret_strength": "_UUID",
        "domain.masking.ruleset.vendor_tokens": "_HASHES",
        "domain.masking.text_views": "_FOREIGN _COMBINING",
        "domain.patterns": "_SEVERAL_BYTES _SPECIAL",
        "domain.relation_matching": "_BY _NOT _LEADS_TO _SAYINGS",
        "domain.text.encodable": "_SURROGATE",
        "domain.text.languages": "_HIRAGANA _KANA _HANGUL _HAN",
        "domain.text.required_terms": "_CAMEL _HAN",
        "domain.text.required_literals": "_ONE_OF_ONE _HEX _PROPERTY",
        "domain.text.name_forms": "_POSSESSIVE",
        "domain.text_references": "_ISSUE",
        "domain.text.sentences": "_CJK",
        "domain.text.name_candidates": "_HEAD _CODE _ACTS _COMMON",
        "domain.text.tokens": "_CAMEL _POSSESSIVE",
        "agent.questions.decompose": "_NESTED",
        "agent.evaluation.answer_runs": "_MASKED",
        "agent.reasoners.offline.contrary": "_ENDING _DOUBLED",
        "agent.reasoners.offline.quotable_units": "_REFERS_BACK _LABEL _ASKS _REPLIES",
        "agent.questions.patterns": "_KEY _PAGE",
        "agent.providers.json_replies": "_BRACE",
        "agent.checking.lexicon": "_PARTICIPLE _LOOK_AROUND",
        "agent.checking.quantities": "_MONTH_NAME _HALF_OF _O_CLOCK _SCALE _RANGE_TO_TIME _UNIT _BLANK _GROUPED",
        "agent.checking.language": "_GERMAN _ENGLISH",
        "agent.checking.order_checks": "_STEP",
        "agent.checking.readings": "_OR_MORE _OR_LESS",
        "agent.checking.markers": "MARKER",
        "agent.checking.support": "_THOUSANDS",
        "agent.tools.live_fetch": "_KEY _GOES_ON",
        "bot.markup.markdown_reading": "_TASK",
        "bot.markup.tables": "_MARKER",
        "bot.markup.urls": "_SPACES _FILES",
        "bot.slack.mrkdwn": "_ADDRESS _TOKEN _LINK _WEB _BEGINS",
        "bot.teams.citation_entity": "_MARKER",
        "bot.teams.escape": "_SPECIAL _ANY _STARTS ADDRESS _CALL",
        "bot.markup.plain_text": "_STEERING _LINE_BREAKS",
    },
    ONE_RUN: {
        "agent.retrieval.title_links": "_WORD",
        "domain.masking.detector": "_RUN",
        "domain.text.required_terms": "_PIECE",
        "domain.text.name_forms": "_APART",
        "domain.text.languages": "_WORD",
        "domain.text.tokens": "_HAN_ONLY _SEPARATORS",
        "agent.evaluation.answer_runs": "_SPACES",
        "agent.tools.live_fetch": "_WORD",
        "agent.checking.quantities": "_DIGITS",
        "agent.replies.gap_statements": "_WORD",
        "agent.replies.unit_checks": "_DIGITS _WORD",
        "bot.app.alerts": "_NUMBERS",
        "bot.app.logs": "_NUMBERS",
        "bot.markup.urls": "_HOST",
        "bot.teams.escape": "_FENCE",
        "bot.teams.message_text": "_BLANKS",
    },
    BOUNDED: {
        "domain.text.languages": "_FILTER",
        "domain.entity_linking": "_URL _FILE _QUOTED",
        "domain.masking.detector": "_PAIR",
        "domain.text_references": "_URL _FILE _PERSON",
        "domain.text.name_candidates": "_QUOTED",
        "agent.questions.patterns": "_URL _PATH _QUOTED",
        "agent.tools.live_fetch": "_PAGE _ADDRESS",
        "agent.checking.lexicon": "_PHRASES",
        "agent.checking.quantities": "TOKEN _RANGE _EITHER_OR _DAY_TO",
        "agent.checking.same_subject": "_LIST_MARK",
        "agent.checking.readings": "_MARKUP _VERB_FIRST _LITERAL",
        "agent.replies.unit_checks": "_TAG _LINK",
    },
    ONE_PLACE: {
        "domain.access": "_EMAIL",
        "domain.masking.ruleset.assigned_values": "_WORD_AND_NUMBER",
        "domain.masking.ruleset.prose": "_PHRASE _WORD_AND_YEAR _TWO_WORDS",
        "domain.masking.ruleset.telephone_numbers": "_DATE",
        "domain.masking.ruleset.secret_strength": "_BASE64 _HEX _KEBAB",
        "domain.masking.ruleset.sentences": "_ONE_WORD",
        "domain.text.required_literals": "_COUNT _GROUP _FLAGS",
        "domain.text.sentences": "LIST_ITEM _LINE_OF_ITS_OWN _RULE _WORD_AFTER _INITIALS",
        "agent.reasoners.offline.quotable_units": "_NUMBERED",
        "agent.replies.units": "_LEADING_MARKERS _SAME_LINE _DELIMITER",
        "bot.teams.request_auth": "_BEARER",
        "bot.teams.app_package": "_VERSION",
    },
    SHORT: {
        "domain.masking.segments": "_WORD_ENDS _WAITS",
        "domain.masking.ruleset.telephone_numbers": (
            "_GLUED_BEFORE _TIED _TIED_ABROAD _PHONE_WORD _NUMBER_WORD _ACCOUNT"
        ),
        "domain.masking.ruleset.sentences": "_WORD _END",
        "domain.text.name_candidates": "_BEFORE_HEAD _IDENTIFIER",
    },
    APART: {
        "domain.entity_linking": "_EMAIL _WORD",
        "domain.masking.detector": "MASK",
        "domain.masking.decoding": "_ESCAPED",
        "domain.masking.segments": "_STOP",
        "domain.masking.ruleset.prose": "_WORTH",
        "domain.masking.text_views": "_PIECE _MARKUP",
        "domain.masking.ruleset.sentences": "_PATH NOT_WORDS",
        "domain.relation_matching": "_OF_KIND _DOES",
        "domain.text.required_terms": "_WORD",
        "domain.text_references": "_EMAIL",
        "domain.text.sentences": "_STOP",
        "domain.text.name_candidates": "_TOKEN _DISTINCT",
        "domain.text.tokens": "_WORD _EAST",
        "agent.reasoners.offline.expansion": "_NAME",
        "agent.questions.patterns": "_IDENTIFIER",
        "agent.providers.json_replies": "_TOKEN",
        "agent.providers.maxsim": "_WORD",
        "agent.reasoners.offline.quoting": "_NUMBER",
        "agent.replies.units": "FENCE",
        "agent.checking.support": "_IDENTIFIER",
        "agent.replies.unit_checks": "_GROUPED _DEFINITION _LANGUAGE",
        "bot.markup.inline": "_LIVE",
        "bot.markup.urls": "_SPELLED",
        "bot.slack.mrkdwn": "_WORDS",
        "bot.slack.event_parsing": "_TOKEN",
        "bot.teams.escape": "_WORDS",
        "bot.teams.message_text": "_AT _BREAK _TAG _LINES",
    },
}
"""By the reason: modules with their variables."""

INLINE = frozenset({("agent.questions.patterns", r"re.sub('\\s+([?!.,;])', '\\1', ' '.join(rest.split()))")})
"""Calls without a variable: of what has one blank in a row at most."""
