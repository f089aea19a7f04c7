"""A reply on its way out: sentence by sentence, each checked, numbered anew and masked before it is shown."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property

from agent.checking.citations import cite, marked
from agent.checking.support import MARKER, stands, unbacked, verbatim, whole, without_markers
from agent.prompts.synthesize import INSTRUCTIONS
from agent.prompts.text import passages_of, repeats
from agent.reasoner import SynthesisInput
from agent.replies.hidden_addresses import hidden_addresses
from agent.replies.units import FENCE, LOOK_AHEAD, complete, is_header, is_row, units
from agent.state import CitedClaim, ReplyDraft, ReplyPiece
from agent.wording import TOO_LONG, addressed_to_machines, left_out
from domain.masking import MaskedText, Masker
from domain.patterns import Linear, PatternMatch
from domain.search import Passage
from domain.text.sentences import sentences
from domain.text.tokens import Analyzer

LONGEST = 12_000
"""Characters of a reply; what comes beyond is left out."""

ATTRIBUTED = 0.6
"""Share of an uncited sentence's words that a passage must hold to be cited for it."""

_GROUPED = re.compile(r"\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})+)\]")
_IMAGE = Linear(r"!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])")
_TAG = re.compile(r"</?(?:a|img|iframe|script|style|link|form|svg|object|embed)\b[^>]{0,2000}>", re.IGNORECASE)
_DEFINITION = re.compile(r"(?m)^[ ]{0,3}\[[^\]\n]{1,200}\]:[ \t]*\S[^\n]*$")
_DIGITS = re.compile(r"\d+")
_LINK = re.compile(r"\[([^\]\n]{1,300})\]\(([^)\s]{1,1000})\)")
_LANGUAGE = re.compile(r"\A(?:`{3,}|~{3,}) ?(?:[A-Za-z][\w+#.-]{0,19})?\Z")
"""What may stand in the line of a fence without being code."""
_BEHIND_ROW = Linear(r"[ \t]*\|[ \t]*((?:\[\d{1,3}\][ \t]*)+)\Z")
"""Markers behind a row of a table, where nothing shows them."""
_ANY_MARKER = Linear(r"[ \t]*\[(\d{1,3})\]")


@dataclass(frozen=True, slots=True)
class WrittenReply:
    """What became of a reply."""

    draft: ReplyDraft
    claims: tuple[CitedClaim, ...]
    """Its cited sentences."""


class ReplyWriter:
    """Takes pieces of a reply, hands on what has passed.

    inputs: what `[k]` means. masker: for what leaves. show: takes what may be shown. closed: such k that may not be
    read any more: no sentence may rest on one, and none is kept that rests on no source.
    """

    def __init__(
        self,
        inputs: SynthesisInput,
        masker: Masker,
        show: Callable[[MaskedText], None],
        *,
        closed: Collection[int] = (),
    ) -> None:
        self._inputs = inputs
        self._masker = masker
        self._show = show
        self._sources = [item.passage for item in inputs.evidence]
        self._passages = passages_of(inputs.evidence)  # with the relations that they show, which no text need hold
        self._closed = frozenset(closed)
        self._open = [each for k, each in enumerate(self._passages, start=1) if k not in self._closed]
        self._analyzer = Analyzer()
        self._incoming = masker.stream(personal=False)
        self._outgoing = masker.stream()
        self._buffer = ""
        self._text = ""
        self._shown: list[str] = []
        self._held = ""
        self._header = ""
        self._numbers: dict[int, int] = {}
        self._quotes: dict[int, list[str]] = {}
        self._claims: list[CitedClaim] = []
        self._notes: dict[str, None] = {}
        self._dropped = 0
        self._uncited = 0
        self._confidence = 0.0
        self._unread = 0
        self._cut = False
        self._spare: bool | None = None

    def feed(self, piece: ReplyPiece) -> None:
        """Takes the next piece."""
        if piece.spare and not self._takes_spare():
            return
        if piece.note:
            self._notes[piece.note] = None
        if piece.confidence is not None:
            self._confidence = piece.confidence
        if piece.broken:
            self._grow(self._incoming.finish().text)
            self._flush(final=False)
            self._void()
        if not piece.source:
            self._grow(self._incoming.feed(piece.text).text)
        elif piece.text and piece.source not in self._closed and not self._is_full():
            self._quote(piece.text, piece.source)

    def _grow(self, text: str) -> None:
        """Takes more of the reply, and looks at it every few characters: at the same places however it comes in
        pieces, so that they change nothing."""
        while text and not (self._unread == 0 and self._is_full()):
            room = LOOK_AHEAD - self._unread
            self._buffer += text[:room]
            self._unread += len(text[:room])
            text = text[room:]
            if self._unread == LOOK_AHEAD:
                self._flush(final=False)

    def _quote(self, text: str, position: int) -> None:
        """Shows a unit of a source, unless it was shown already."""
        self._end()
        shown = self._masker.secrets(unlike_markers(text.strip())).text
        if shown not in without_markers(self._text):
            n = self._numbers.setdefault(position, len(self._numbers) + 1)
            self._quotes.setdefault(position, []).append(text.strip())
            self._emit(("\n\n" if self._text else "") + marked(shown, n))

    def _takes_spare(self) -> bool:
        """Whether the reply holds nothing that may be shown; decided once, when it is at its end."""
        if self._spare is None:
            self._end()
            self._spare = not self._text
            if self._spare:
                self._void()
        return self._spare

    def _void(self) -> None:
        """Forgets what was not shown."""
        self._incoming = self._masker.stream(personal=False)
        self._buffer, self._held, self._header, self._unread = "", "", "", 0
        if not self._text:
            self._uncited, self._cut = 0, False

    def _is_full(self) -> bool:
        """Whether the reply is as long as it may be, also with what is not shown yet."""
        if len(self._text) + len(self._held) + len(self._buffer) + self._incoming.pending > LONGEST:
            self._cut = True
        return self._cut

    def finish(self) -> WrittenReply:
        """What is left is complete now; of a reply that was cut, its last sentence is not."""
        self._end()
        self._reveal(self._outgoing.finish())
        citations = tuple(
            cite(n, self._sources[position - 1], self._quotes.get(position, []))
            for position, n in self._numbers.items()
        )
        if warned := [n for position, n in self._numbers.items() if self._sources[position - 1].injection]:
            self._notes[addressed_to_machines(warned)] = None
        if self._cut:
            self._notes[TOO_LONG] = None
        if self._dropped and not self._closed:  # else it is not the sources that do not say so
            self._notes[left_out(self._dropped)] = None
        draft = ReplyDraft(
            text="".join(self._shown),
            citations=citations,
            passages=tuple(self._sources[position - 1] for position in self._numbers),
            dropped=self._dropped,
            uncited=self._uncited,
            notes=tuple(self._notes),
            confidence=self._confidence,
            found=bool(self._text.strip()) and bool(citations),
        )
        return WrittenReply(draft, tuple(self._claims))

    def _end(self) -> None:
        """What was taken is complete; of a reply that was cut, its last sentence is not."""
        self._grow(self._incoming.finish().text)
        self._incoming = self._masker.stream(personal=False)
        self._flush(final=not self._cut)

    def _flush(self, *, final: bool) -> None:
        """Hands on every unit of the buffer that is complete. It holds no secrets; personal data stays until a unit is
        shown, so that it is checked against sources that hold it too."""
        self._unread = 0
        ended = len(self._buffer) if final else complete(self._buffer)
        ready, self._buffer = self._buffer[:ended], self._buffer[ended:]
        for unit in units(ready):
            if is_header(unit):
                self._header = self._columns(unit)
            elif checked := self._checked(unit):
                header, self._header = self._header, ""
                self._emit(header + checked if is_row(unit) else checked)

    def _columns(self, header: str) -> str:
        """The names of a table's columns, without those that hold what no source says; the table stays one. They wait
        for its first row: of a table whose rows are all left out, nothing is shown."""
        names, _, below = header.rpartition("\n")
        blanks = names[: len(names) - len(names.lstrip())]
        cells = _ANY_MARKER.sub("", names.strip().strip("|")).split("|")
        question = self._inputs.question.text
        odd = (unbacked(each, self._open, question) or repeats(each, INSTRUCTIONS) for each in cells)
        kept = ("" if wrong else each for each, wrong in zip(cells, odd, strict=True))
        return f"{blanks}|{'|'.join(each or ' ' for each in kept)}|\n{below}"

    def _emit(self, text: str) -> None:
        """Shows a unit. Before the first citation nothing is shown: without any, there is no answer."""
        text, self._held = self._held + text, ""
        if not self._numbers:
            self._held = text
            return
        if not self._text:
            text = text.lstrip()
        self._text += text
        self._reveal(self._outgoing.feed(text))

    def _reveal(self, part: MaskedText) -> None:
        """Shows what is masked."""
        if part.text:
            self._shown.append(part.text)
            self._show(part)

    def _checked(self, unit: str) -> str:
        """The unit as it may be shown; empty when it may not."""
        unit = _LINK.sub(_as_text, _IMAGE.sub("", _TAG.sub("", _DEFINITION.sub("", unit))))
        unit = _BEHIND_ROW.sub(lambda found: f" {found[1].rstrip()} |", unit) if is_row(unit) else unit
        unit = _GROUPED.sub(lambda match: "".join(f"[{n}]" for n in _DIGITS.findall(match[1])), unit)
        bare = without_markers(unit).strip()
        if repeats(bare, INSTRUCTIONS) or any(unbacked(each, self._open) for each in hidden_addresses(bare)):
            return self._drop()
        if not bare:
            return "" if not unit.strip() or MARKER.search(unit) else unit
        if FENCE.match(unit.lstrip()):
            return unlike_markers(unit) if self._code_stands(unit) else self._drop()
        if self._closed.intersection(map(int, MARKER.findall(unit))):
            return self._drop()
        cited = self._cited(unit)
        if cited and not unbacked(unit, [self._passages[k - 1] for k in cited], self._inputs.question.text):
            return self._numbered(unit)
        return self._attributed(unit, bare, had_markers=bool(MARKER.search(unit)))

    def _attributed(self, unit: str, bare: str, *, had_markers: bool) -> str:
        """A unit without a marker that holds, given one that does, kept without, or dropped."""
        # beside a closed source, it may say what only that one says
        telling = bool(self._closed or verbatim(bare) or unbacked(bare, self._open, self._inputs.question.text))
        leads_in = bare.endswith(":") or bare.lstrip("> ").startswith("#") or len(self._analyzer.tokens(bare)) <= 2
        if not telling and leads_in and not had_markers:
            return _ANY_MARKER.sub("", unit)
        best = self._best_source(bare)
        if best:
            stripped, blanks = _ANY_MARKER.sub("", unit).rstrip(), unit[len(unit.rstrip()) :]
            if is_row(unit):
                return self._numbered(f"{stripped.removesuffix('|').rstrip()} [{best}] |{blanks}")
            return self._numbered(f"{stripped} [{best}]{blanks}")
        if telling or had_markers:
            return self._drop()
        self._uncited += 1
        return unit

    def _drop(self) -> str:
        self._dropped += 1
        return ""

    @cached_property
    def _terms(self) -> list[frozenset[str]]:
        """The tokens of each passage; only a sentence that cites none needs them."""
        return [frozenset(self._analyzer.tokens(whole(passage))) for passage in self._passages]

    def _best_source(self, bare: str) -> int:
        """The position of the passage that backs the sentence best; 0 when none does."""
        terms = set(self._analyzer.tokens(bare))
        best, share = 0, ATTRIBUTED
        for position, (passage, held) in enumerate(zip(self._passages, self._terms, strict=True), start=1):
            if position in self._closed:
                continue
            covered = len(terms & held) / max(1, len(terms))
            if covered > share and not unbacked(bare, [passage], self._inputs.question.text):
                best, share = position, covered
        return best

    def _code_stands(self, block: str) -> bool:
        """Whether every line of a code block stands in the evidence: nobody should run what no source says."""
        source = "\n".join(" ".join(line.split()) for passage in self._open for line in passage.text.splitlines())
        lines = (_LANGUAGE.sub("", " ".join(line.split())) for line in block.strip().splitlines())
        # no word of a line goes on in the source: `rm -rf /` is not said by `rm -rf /tmp`
        return all(stands(line, source, _begins_there, _ends_there) for line in lines if line)

    def _cited(self, unit: str) -> list[int]:
        return [int(k) for k in MARKER.findall(unit) if 1 <= int(k) <= len(self._passages)]

    def _numbered(self, unit: str) -> str:
        """The unit with its markers numbered in the order of first use; those that match no evidence are gone."""
        bare = without_markers(unit).strip()
        cited = self._cited(unit)
        for position in dict.fromkeys(cited):
            self._numbers.setdefault(position, len(self._numbers) + 1)
            quote = nearest_sentence(bare, self._sources[position - 1], self._analyzer)
            if quote and quote not in self._quotes.setdefault(position, []):
                self._quotes[position].append(quote)
        if cited:
            self._claims.append(CitedClaim(bare, tuple(self._passages[k - 1] for k in dict.fromkeys(cited))))
        return _ANY_MARKER.sub(self._marker, unit)

    def _marker(self, match: PatternMatch) -> str:
        position = int(match[1])
        blanks = match.group().partition("[")[0]
        return f"{blanks}[{self._numbers[position]}]" if position in self._numbers else ""


def unlike_markers(text: str) -> str:
    """A source's own words, in which a number in brackets (`argv[2]`, a footnote) must not pass for a citation."""
    return MARKER.sub(r"[ \1 ]", text)


def _as_text(link: re.Match[str]) -> str:
    """A link with its address to be seen; a citation that was made a link is a citation."""
    return f"[{link[1]}]" if MARKER.fullmatch(f"[{link[1]}]") else f"{link[1]} ({link[2]})"


def _begins_there(sign: str) -> bool:
    return sign.isspace() or sign in _OPENS


def _ends_there(signs: str) -> bool:
    sign, following = signs[:1], signs[1:2]
    return not sign or sign.isspace() or sign in _CLOSES or (sign in _STOPS and (not following or following.isspace()))


_OPENS, _CLOSES, _STOPS = ("", "`", "'", '"', "("), frozenset("`'\")"), frozenset(".,;:")


def nearest_sentence(claim: str, passage: Passage, analyzer: Analyzer) -> str:
    """The sentence of a passage that shares most with a claim."""
    wanted = set(analyzer.tokens(claim))

    def shared(piece: str) -> float:
        tokens = analyzer.tokens(piece)
        return len(wanted & set(tokens)) - 0.01 * len(tokens)

    return max((passage.text[start:end] for start, end in sentences(passage.text)), key=shared, default="")
