"""English words that our own rules know: those that hold a sentence together, and verbs that say how two things hang
together. What is not here counts as a noun."""

import re

from indexer.graph.annotation import WordClass

_CLOSED: dict[WordClass, str] = {
    "AUX": "am is are was were be been being has have had do does did will would can could shall should may might must",
    "DET": "a an the this that these those our your their its his her my each every some any no both all one",
    "ADP": "of in for at on from by with under within behind via through to into onto about against between during over"
    " near inside outside across before after since until towards toward around above below besides upon as like per",
    "PRON": "i you he she it we they who which what him them us me whom whose itself himself herself themselves",
    "PART": "not n't",
    "CONJ": "and or but nor yet so while because if when although though where whereas than whether that",
    "ADV": "also now then currently still again always never often already only just even once formerly previously"
    " later soon usually sometimes mostly mainly partly primarily jointly directly officially originally initially"
    " today here there very too well first together instead",
}
_VERBS = """
    accept acquire act address administer advise allow announce answer appoint approve architect assign assist attend
    audit author automate back base belong block build buy call cause chair change check choose close collaborate
    collect come command comprise connect consist consume contain contribute control convert coordinate cover create
    declare decline define delegate deliver depend deploy deprecate describe design develop direct discover distribute
    divide document drive duplicate edit employ enable encrypt end enforce escalate establish evaluate expand expose
    extend face feature feed fetch finance fix follow fork form found fund generate govern group grow guide handle
    head help hire hold host house implement import include index influence inform inherit initiate install integrate
    introduce invent invest invoke issue join keep know launch lead lease leave license link list listen live load
    locate log maintain make manage map marry measure mention merge migrate mirror mock moderate monitor move name
    need notify obtain offer open operate order organise organize originate oversee own participate partner patch
    perform pioneer place plan play point poll prepare present process produce program promote propose provide
    provision publish pull purchase push query raise reach read receive recommend record redirect reference refer
    regulate relate release remain remove rename render replace replicate report represent request require resolve
    review rewrite route run scale schedule score secure see sell send serve settle share ship show sign sit solve
    span sponsor stand star start steer stem stop store stream study subscribe succeed supersede supervise supply
    support surround sync take target teach test track train transfer translate trigger try unblock update upgrade use
    validate verify visit watch win work wrap write
"""
_IRREGULAR = """
    build:built buy:bought come:came choose:chose,chosen drive:drove,driven feed:fed find:found grow:grew,grown
    hold:held keep:kept know:knew,known lead:led leave:left make:made oversee:oversaw,overseen read:read
    run:ran,running rewrite:rewrote,rewritten see:saw,seen sell:sold send:sent show:showed,shown sit:sat stand:stood
    take:took,taken teach:taught win:won write:wrote,written become:became,becomes,become begin:began,begun,begins
    bear:bore,born give:gave,given,gives go:went,gone,goes get:got,gets set:set,sets lie:lay,lain,lies
    speak:spoke,spoken,speaks star:starred,starring plan:planned,planning map:mapped,mapping log:logged,logging
    stop:stopped ship:shipped wrap:wrapped refer:referred,referring program:programmed transfer:transferred
    split:split,splits put:put,puts shoot:shot bring:brought,brings meet:met,meets pay:paid,pays sing:sang,sung,sings
    die:died,dies
"""


def _forms(verb: str) -> tuple[str, ...]:
    """Third person, past and -ing form of a regular verb."""
    if verb.endswith("e"):
        return f"{verb}s", f"{verb}d", f"{verb[:-1]}ing"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"
    third = f"{verb}es" if re.search(r"(?:s|x|z|ch|sh|o)$", verb) else f"{verb}s"
    return third, f"{verb}ed", f"{verb}ing"


CLOSED: dict[str, WordClass] = {}
"""The classes of words that connect others in a sentence."""
for _part, _words in _CLOSED.items():
    for _word in _words.split():
        CLOSED.setdefault(_word, _part)
VERBS: dict[str, str] = {}
"""The dictionary form of each verb by its other forms."""
BASES = frozenset(_VERBS.split())
"""Verbs in their dictionary form, many of which are nouns as well."""
for _verb in BASES:
    VERBS.update(dict.fromkeys(_forms(_verb), _verb))
for _entry in _IRREGULAR.split():
    _verb, _, _written = _entry.partition(":")
    VERBS.update(dict.fromkeys(_written.split(","), _verb))
BE = {
    **dict.fromkeys(("am", "is", "are", "was", "were", "been", "being"), "be"),
    **dict.fromkeys(("has", "had"), "have"),
}
"""Dictionary forms of the commonest ones."""
