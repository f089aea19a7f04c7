"""One unit of a reply held against its sources, before it may be shown. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from agent.checking.arithmetic_checks import comes_by_a_rule
from agent.checking.claim_comparison import ClaimComparison, Verdict, compare_claim
from agent.checking.markers import (
    MARKER,
    cited_numbers,
    outside_code,
    with_markers,
    without_loose_backticks,
    without_markers,
)
from agent.checking.readings import values_in
from agent.checking.support import stands, unbacked, verbatim, whole
from agent.prompts.synthesize import INSTRUCTIONS
from agent.prompts.text import passages_of, repeats
from agent.reasoner import SynthesisInput
from agent.replies.gap_statements import is_gap_statement, speaks_of_it
from agent.replies.hidden_addresses import hidden_addresses
from agent.replies.lead_ins import behind_opener, fitting, is_generic, is_open, leads_in, states, without_opener
from agent.replies.units import FENCE, is_header, is_row
from agent.state import CitedClaim
from domain.patterns import LinearRegex, PatternMatch
from domain.search import Passage
from domain.text.sentences import LIST_ITEM, sentences
from domain.text.tokens import Analyzer

MIN_ATTRIBUTED_SHARE = 0.6
"""Share of an uncited sentence's words that a passage must hold to be cited for it."""

_GROUPED = re.compile(r"\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})+)\]")
_IMAGE = LinearRegex(r"!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])")
_TAG = re.compile(r"</?(?:a|img|iframe|script|style|link|form|svg|object|embed)\b[^>]{0,2000}>", re.IGNORECASE)
_DEFINITION = re.compile(r"(?m)^[ ]{0,3}\[[^\]\n]{1,200}\]:[ \t]*<?(?:[a-z]{2,10}:|www\.|[./#])\S*[^\n]*$")
_ADDRESS = LinearRegex(r"https?://[^\s\])>]+")
_DIGITS = re.compile(r"\d+")
_BRACKETS = LinearRegex(r"[\pL\pN_.]*(?:\[\d{1,3}(?:[ \t]*[,;][ \t]*\d{1,3})*\])+")
"""Numbers in brackets, with what they stand behind without a blank."""
_IS_NAME = LinearRegex(r"\w[._]\w")
"""What only an identifier has."""
_LINK = re.compile(r"\[([^\]\n]{1,300})\]\(([^)\s]{1,1000})\)")
_LANGUAGE = re.compile(r"\A(?:`{3,}|~{3,}) ?(?:[A-Za-z][\w+#.-]{0,19})?\Z")
"""What may stand in the line of a fence without being code."""
_BEHIND_ROW = LinearRegex(r"[ \t]*\|[ \t]*((?:\[\d{1,3}\][ \t]*)+)\Z")
"""Markers behind a row of a table, where nothing shows them."""
_DEFINES = LinearRegex(r"\s*\[\^\d{1,3}\]:")
"""Where a model writes out below its reply what a footnote stands for: the references say it."""
_WORD = re.compile(r"\w+")
_JSON = LinearRegex(r"\s*[{\[]\s*[\"'{\[]")
"""Where a model replies with data instead of words."""
_STOPPED = LinearRegex(r"(\[\d{1,3}\][.!?…]*|[!?…]+)")
"""Where a sentence ends, or may."""
_WORSE: Sequence[Verdict] = ("agrees", "doubtful", "disagrees")


@dataclass(frozen=True, slots=True)
class CheckedUnit:
    """A unit of a reply that passed what every unit must pass."""

    text: str
    """With markers `[k]`, positions in the evidence; empty where nothing is left to show."""
    claim: CitedClaim | None = None
    """What it says, with the passages that it cites; None where it says nothing of its own."""
    comparison: ClaimComparison | None = None
    """Of the claim."""
    row: bool = False
    """Whether it is a line of a table."""
    header: bool = False
    """Whether it names the columns of a table."""
    opens: bool = False
    """Whether it is a single word, such as Yes, that means nothing without the next unit."""
    quote: str = ""
    """The passage's own words, where `text` shows them otherwise."""
    source: int = 0
    """Position of the passage that it quotes; 0 where it is no quotation."""

    @property
    def verdict(self) -> Verdict:
        """What the comparison found; a unit without a claim agrees."""
        return self.comparison.verdict if self.comparison else "agrees"

    @property
    def differences(self) -> str:
        """What the comparison found, in words for the trace."""
        return ", ".join(self.comparison.differences) if self.comparison else ""


class UnitChecks:
    """Looks at one unit after another.

    inputs: what `[k]` means, and what was asked. closed: such k that may not be read any more: nothing may rest on one,
    and nothing is kept that rests on no source.
    """

    def __init__(self, inputs: SynthesisInput, closed: frozenset[int] = frozenset()) -> None:
        self._question = inputs.question.text
        self._today = inputs.analysis.asked_on
        # no source holds today's date; whether a sentence uses it correctly is left to the check
        self._known = f"{self._question} {self._today:%Y-%m-%d}" if self._today else self._question
        self._evidence = inputs.evidence
        self._passages = passages_of(
            inputs.evidence
        )  # including their stated relations, which may be missing in the text
        self._closed = closed
        self._open = [each for k, each in enumerate(self._passages, start=1) if k not in closed]
        self._analyzer = Analyzer()

    def checked(self, unit: str) -> CheckedUnit | None:
        """The unit as it may be shown, or may be once its claim is settled; None when it may not be shown at all."""
        if is_header(unit):
            return CheckedUnit(self._columns(unit), row=True, header=True)
        if FENCE.match(unit.lstrip()):
            return CheckedUnit(unit) if not repeats(unit, INSTRUCTIONS) and self._code_stands(unit) else None
        unit = outside_code(outside_code(without_loose_backticks(unit), self._plain), _ungrouped)
        if _DEFINES.match(unit):
            return CheckedUnit("")
        bare = without_markers(unit).strip()
        if (
            _JSON.match(bare)
            or repeats(bare, INSTRUCTIONS)
            or any(unbacked(each, self._open) for each in hidden_addresses(bare))
        ):
            return None
        if not bare:
            return CheckedUnit("" if not unit.strip() or cited_numbers(unit) else unit)
        return self._sentence(unit, bare)

    def opened(self, opener: str, unit: CheckedUnit) -> CheckedUnit:
        """A unit that may be shown, with as much of an opener, such as Yes, as may stand in front of it."""
        bare = without_markers(unit.text).strip()
        stands = fitting(opener, self._question, bare) if opener else ""
        return self._answering(replace(unit, text=stands + unit.text), stands, bare)

    def _answering(self, unit: CheckedUnit, opener: str, bare: str) -> CheckedUnit:
        """A unit behind a Yes or No; doubtful, to be judged with it, where only who reads the sources can tell whether
        that is the answer."""
        if unit.row or unit.claim is None or unit.comparison is None or not is_open(opener, self._question, bare):
            return unit
        said = without_markers(unit.text).strip()
        worse = replace(unit.comparison, verdict="doubtful") if unit.comparison.verdict == "agrees" else unit.comparison
        return replace(unit, claim=replace(unit.claim, sentence=said), comparison=worse)

    @property
    def _is_loose(self) -> bool:
        """Whether something may be kept that cites nothing: else it may say what only a closed source says."""
        return not self._closed

    def _sentence(self, unit: str, bare: str) -> CheckedUnit | None:
        cited = self._cited(unit)
        if self._closed.intersection(cited):
            return None
        if self._is_loose and is_gap_statement(bare) and not unbacked(bare, self._open, self._known):
            return self._gap(_without_citations(unit), bare)
        sources = [self._passages[k - 1] for k in cited]
        unsaid = unbacked(unit, sources, self._known)
        if cited and (not unsaid or self._comes_by_a_rule(unsaid, bare, sources)):
            return self._check_cited(unit, bare, cited)
        return self._check_uncited(unit, bare)

    def _comes_by_a_rule(self, unsaid: Sequence[str], bare: str, sources: Sequence[Passage]) -> bool:
        """Whether the sentence says no more than its sources but the next day by a rule in them: then it is disputed,
        and the check says whether the day follows."""
        source = "\n".join(each.text for each in sources)
        return self._today is not None and comes_by_a_rule(unsaid, values_in(bare), source, self._today)

    def _gap(self, unit: str, bare: str) -> CheckedUnit:
        """What the sources are said not to say; doubtful where one speaks of it."""
        speaking = next((each for each in self._open if speaks_of_it(bare, each.text, self._question)), None)
        if speaking is None:
            return CheckedUnit(unit)
        return CheckedUnit(unit, CitedClaim(bare, (speaking,)), ClaimComparison("doubtful", ("a source speaks of it",)))

    def _plain(self, unit: str) -> str:
        """Without images, tags and links; markers behind a row within it; what a source has in brackets as code."""
        unit = _LINK.sub(_as_text, _IMAGE.sub("", _TAG.sub("", _DEFINITION.sub("", unit))))
        unit = _BEHIND_ROW.sub(lambda found: f" {found[1].rstrip()} |", unit) if is_row(unit) else unit
        return _BRACKETS.sub(self._as_code, unit)

    def _as_code(self, found: PatternMatch) -> str:
        """Numbers in brackets, and what they stand behind without a blank, as code where they are no citations."""
        said, rest = found[0], found.string[found.end() :].lstrip(" \t")
        word, first = said[: said.index("[")], said.index("]") + 1
        numbers = map(int, _DIGITS.findall(said[len(word) : first]))
        named = any(1 <= number <= len(self._passages) for number in numbers)
        if not word:
            is_code = not MARKER.match(said) and rest[:1].isalnum() and (self._holds(said[:first]) or not named)
            return f"`{said[:first]}`{said[first:]}" if is_code else said
        ends = (place + 1 for place in range(len(said) - 1, 0, -1) if said[place] == "]")
        end = next((each for each in ends if self._holds(said[:each])), first if self._holds(f"{word}[") else 0)
        # behind the last word of a sentence it is a citation, unless that word is an identifier
        cites = named and end == len(said) and not rest[:1].isalnum() and rest[:1] != "[" and not _IS_NAME.search(word)
        return f"`{said[:end]}`{said[end:]}" if end and not cites else said

    def _holds(self, code: str) -> bool:
        """Whether a passage has a piece of code, and not as the end of a longer word. What no program is written in is
        none."""
        if not code.isascii() or ".[" in code:
            return False
        return any(stands(code, each.text, _begins_code, _ends_anyhow) for each in self._passages)

    def _check_cited(self, unit: str, bare: str, cited: list[int]) -> CheckedUnit:
        passages = tuple(self._passages[k - 1] for k in dict.fromkeys(cited))
        if (plain := without_opener(unit, self._question, bare)) != unit:
            unit, bare = plain, without_markers(plain).strip()
        found = CheckedUnit(unit, CitedClaim(bare, passages), self._compare_with_sources(unit, cited), row=is_row(unit))
        return self._answering(found, bare, behind_opener(bare))

    def _compare_with_sources(self, unit: str, cited: list[int]) -> ClaimComparison:
        """The worst that the comparison finds of the sentences in a unit; there may be several in an odd one."""
        passages = [self._passages[k - 1] for k in dict.fromkeys(cited)]
        literal = frozenset[str]().union(*(self._literal[k - 1] for k in cited))
        found = [
            compare_claim(said, passages, self._question)
            for said in _statements(unit)
            if as_repeated(said) not in literal
        ]
        worst = max(found, key=lambda each: _WORSE.index(each.verdict), default=ClaimComparison("agrees"))
        return ClaimComparison(
            worst.verdict, tuple(dict.fromkeys(words for each in found for words in each.differences))
        )

    def _check_uncited(self, unit: str, bare: str) -> CheckedUnit | None:
        """A unit without a marker that holds: kept where it only leads to others, given a marker that holds where a
        passage backs it, else dropped."""
        stripped = _without_citations(unit)
        words = _WORD.findall(bare)
        telling = verbatim(bare) or unbacked(bare, self._open, self._known)
        own = self._is_loose and not telling and not cited_numbers(unit)
        leading = leads_in(bare)
        if own and not leading and len(words) <= 1:
            return CheckedUnit(stripped, opens=bool(words))
        best = self._best_source(bare)
        if own and leading and self._may_lead(bare, best):
            return CheckedUnit(stripped)
        if not best or (leading and self._compare_with_sources(bare, [best]).verdict != "agrees"):
            return None
        blanks = unit[len(unit.rstrip()) :]
        stripped = stripped.rstrip()
        if is_row(unit):
            return self._check_cited(f"{stripped.removesuffix('|').rstrip()} [{best}] |{blanks}", bare, [best])
        return self._check_cited(f"{stripped} [{best}]{blanks}", bare, [best])

    def _may_lead(self, bare: str, source: int) -> bool:
        """Whether a heading or a lead-in may stand without a citation: it says nothing, or what a passage says. source:
        the passage that says most of it; 0 for none."""
        if is_generic(bare):
            return True
        if states(bare):
            return source > 0 and self._compare_with_sources(bare, [source]).verdict == "agrees"
        return self._backed(set(self._analyzer.tokens(bare))) and not (
            source and self._compare_with_sources(bare, [source]).verdict == "disagrees"
        )

    def _backed(self, terms: set[str]) -> bool:
        """Whether half of some words at least stand in the question or in what may be read."""
        held = set(self._analyzer.tokens(self._question))
        for position, each in enumerate(self._terms, start=1):
            held |= each if position not in self._closed else frozenset()
        return 2 * len(terms & held) >= len(terms)

    def _columns(self, header: str) -> str:
        """The names of a table's columns, without those that hold what no source says; the table stays one."""
        names, _, below = header.rpartition("\n")
        blanks = names[: len(names) - len(names.lstrip())]
        cells = _without_citations(names.strip().strip("|")).split("|")
        odd = (unbacked(each, self._open, self._known) or repeats(each, INSTRUCTIONS) for each in cells)
        kept = ("" if wrong else each for each, wrong in zip(cells, odd, strict=True))
        return f"{blanks}|{'|'.join(each or ' ' for each in kept)}|\n{below}"

    @cached_property
    def _literal(self) -> list[frozenset[str]]:
        """The sentences of each passage and the relations that it shows: who repeats one says what it says."""
        return [
            frozenset(map(as_repeated, (*item.stated_relations, *(text[start:end] for start, end in sentences(text)))))
            for item in self._evidence
            for text in [item.passage.text]
        ]

    @cached_property
    def _terms(self) -> list[frozenset[str]]:
        """The tokens of each passage; only a sentence that cites none needs them."""
        return [frozenset(self._analyzer.tokens(whole(passage))) for passage in self._passages]

    def _best_source(self, bare: str) -> int:
        """The position of the passage that backs the sentence best; 0 when none does."""
        terms = set(self._analyzer.tokens(_ADDRESS.sub(" ", bare)))  # an address is not a statement
        best, share = 0, MIN_ATTRIBUTED_SHARE
        for position, (passage, held) in enumerate(zip(self._passages, self._terms, strict=True), start=1):
            if position in self._closed:
                continue
            covered = len(terms & held) / max(1, len(terms))
            if covered > share and not unbacked(bare, [passage], self._known):
                best, share = position, covered
        return best

    def _code_stands(self, block: str) -> bool:
        """Whether every line of a code block stands in the evidence: nobody should run what no source says."""
        source = "\n".join(" ".join(line.split()) for passage in self._open for line in passage.text.splitlines())
        lines = (_LANGUAGE.sub("", " ".join(line.split())) for line in block.strip().splitlines())
        # whole words only: `rm -rf /` is not found in `rm -rf /tmp`
        return all(stands(line, source, _begins_there, _ends_there) for line in lines if line)

    def _cited(self, unit: str) -> list[int]:
        return [k for k in cited_numbers(unit) if 1 <= k <= len(self._passages)]


def _ungrouped(text: str) -> str:
    """Each marker by itself."""
    return _GROUPED.sub(lambda match: "".join(f"[{n}]" for n in _DIGITS.findall(match[1])), text)


def _without_citations(unit: str) -> str:
    """A unit without its markers and the blanks before them."""
    return with_markers(unit, lambda _: "")


def unlike_markers(text: str) -> str:
    """A source's own words, in which a number in brackets must not pass for a citation: `argv[2]` is code, and a
    footnote has blanks."""
    coded = outside_code(text, lambda part: _BRACKETS.sub(lambda found: _as_code(found[0]), part))
    return outside_code(coded, lambda part: MARKER.sub(r"[ \1 ]", part))


def _as_code(said: str) -> str:
    word = said[: said.index("[")]
    return f"`{said}`" if word and word.isascii() and not word.endswith(".") else said


def _statements(unit: str) -> list[str]:
    """The sentences of a unit without markers, also those that no blank parts."""
    bare = without_markers(_STOPPED.sub(lambda found: f"{found[1]} ", unit)).strip()
    item = LIST_ITEM.match(bare)
    said = bare[item.end() :] if item else bare
    return [said[start:end] for start, end in sentences(said) if _WORD.search(said[start:end])]


def as_repeated(sentence: str) -> str:
    """A sentence without what does not matter where it is repeated: blanks, capitals, the stop at its end."""
    return " ".join(sentence.casefold().split()).rstrip(".!?… ")


def _as_text(link: re.Match[str]) -> str:
    """A link with its address to be seen; a citation that was made a link is a citation."""
    return f"[{link[1]}]" if MARKER.fullmatch(f"[{link[1]}]") else f"{link[1]} ({link[2]})"


def _begins_code(sign: str) -> bool:
    return not (sign.isalnum() or sign in {"_", "."})


def _ends_anyhow(_: str) -> bool:
    return True


def _begins_there(sign: str) -> bool:
    return sign.isspace() or sign in _OPENS


def _ends_there(signs: str) -> bool:
    sign, following = signs[:1], signs[1:2]
    return not sign or sign.isspace() or sign in _CLOSES or (sign in _STOPS and (not following or following.isspace()))


_OPENS, _CLOSES, _STOPS = ("", "`", "'", '"', "("), frozenset("`'\")"), frozenset(".,;:")
