"""A reply on its way out: sentence by sentence, each checked, numbered anew and masked before it is shown."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from agent.checking.citations import cite, with_citation_markers
from agent.checking.markers import cited_numbers, plain_markers, with_markers, without_markers
from agent.prompts.synthesize import INSTRUCTIONS
from agent.prompts.text import repeats
from agent.reasoner import SynthesisInput
from agent.replies.unit_checks import CheckedUnit, UnitChecks, as_repeated, unlike_markers
from agent.replies.units import FENCE, LOOK_AHEAD, complete, is_row, units
from agent.state import CitedClaim, ReplyDraft, ReplyPiece
from agent.wording import CUT_OFF, TOO_LONG, addressed_to_machines, left_out, weakly_supported
from domain.masking import MaskedText, Masker
from domain.search import Passage
from domain.text.sentences import sentences
from domain.text.tokens import Analyzer

MAX_REPLY_CHARACTERS = 12_000
"""Characters of a reply; what comes beyond is left out."""

MAX_LEFT_OUT = 200
"""Sentences of a reply that are left out, after which the rest is, too: to hold one against its source takes a few
milliseconds, in which nobody else is answered."""

CLEARING_SUPPORT = 0.75
"""Support by the checker from which a sentence is shown that the comparison disputes: of the scores that the checker is
asked for, it is nearer to 1 (the passages say so) than to 0.5 (they say part of it)."""

MAX_REPEATS = 2
"""How often a sentence is shown, such as once in a list and once in its sum."""
REPEATED_WORDS = 4
"""Words from which it is not shown more often; fewer may be said of several things."""

_NEXT = "The next sentence of the reply stands here."
"""Put behind a reply that was cut, it shows whether a sentence ended there."""

UNCHECKED_SUPPORT = 0.5
"""What a doubtful sentence counts for the confidence where there is no checker."""


class ReplyWriter:
    """Takes pieces of a reply, hands on what has passed. From the first sentence on that the comparison with its source
    disputes, everything waits until `settle` says which sentences a checker supports.

    inputs: what `[k]` means. masker: for what leaves. show: takes what may be shown. left_out: sentences of an earlier
    reply in whose place this one stands. closed: such k that may not be read any more: no sentence may rest on one, and
    none is kept that rests on no source.
    """

    def __init__(
        self,
        inputs: SynthesisInput,
        masker: Masker,
        show: Callable[[MaskedText], None],
        left_out: Sequence[str] = (),
        *,
        closed: Collection[int] = (),
    ) -> None:
        self._masker = masker
        self._show = show
        self._sources = [item.passage for item in inputs.evidence]
        self._closed = frozenset(closed)
        self._checks = UnitChecks(inputs, self._closed)
        self._analyzer = Analyzer()
        self._incoming = masker.stream(personal=False)
        self._outgoing = masker.stream()
        self._buffer = ""
        self._text = ""
        self._shown: list[str] = []
        self._held = ""
        self._header = ""
        self._opener = ""
        self._waiting: list[CheckedUnit] = []
        self._numbers: dict[int, int] = {}
        self._quotes: dict[int, list[str]] = {}
        self._claims: set[str] = set()
        self._said: Counter[tuple[str, ...]] = Counter()
        self._doubted: list[CitedClaim] = []
        self._support: list[float] = [0.0] * len(left_out)
        self._weak: dict[str, None] = {}
        self._left_out: list[str] = [*left_out]
        self._before = len(left_out)
        self._notes: dict[str, None] = {}
        self._confidence = 0.0
        self._unread = 0
        self._cut = ""  # the note that says why the end is missing
        self._spare: bool | None = None
        self._has_excerpts = False

    def feed(self, piece: ReplyPiece) -> None:
        """Takes the next piece."""
        if piece.spare and not self._takes_spare():
            return
        if piece.note:
            self._notes[piece.note] = None
        if piece.confidence is not None:
            self._confidence = piece.confidence
        if piece.broken or piece.cut:
            self._grow(self._incoming.finish().text)
            self._buffer = plain_markers(self._buffer)
            self._flush(whole(self._buffer) if piece.cut else complete(self._buffer))
            self._discard_pending()
            if piece.cut:
                self._cut = self._cut or CUT_OFF
        if not piece.source:
            self._grow(self._incoming.feed(piece.text).text)
        elif piece.text and piece.source not in self._closed and not self._is_full():
            self._end()
            self._in_order(CheckedUnit(piece.text.strip(), quote=piece.quote, source=piece.source))

    def _grow(self, text: str) -> None:
        """Takes more of the reply, and looks at it every few characters: at the same places however it comes in
        pieces, so that they change nothing."""
        while text and not (self._unread == 0 and self._is_full()):
            room = LOOK_AHEAD - self._unread
            self._buffer += text[:room]
            self._unread += len(text[:room])
            text = text[room:]
            if self._unread == LOOK_AHEAD:
                self._buffer = plain_markers(self._buffer, grows=True)
                self._flush(complete(self._buffer))

    def _takes_spare(self) -> bool:
        """Whether the reply holds nothing that may be shown; decided once, when it is at its end."""
        if self._spare is None:
            self._end()
            self._spare = not self._text and not self._waiting
            if self._spare:
                self._discard_pending()
                self._left_out.clear()
                self._before = 0
                self._support.clear()
                self._said.clear()
        return self._spare

    def _discard_pending(self) -> None:
        """Forgets what was not shown and is no whole sentence."""
        self._incoming = self._masker.stream(personal=False)
        self._buffer, self._held, self._header, self._opener, self._unread = "", "", "", "", 0
        if not self._text:
            self._cut = ""

    def _is_full(self) -> bool:
        """Whether the reply is as long as it may be, also with what is not shown yet or left out."""
        left_out = self._left_out[self._before :]
        waiting = sum(len(unit.text) for unit in self._waiting) + sum(map(len, left_out))
        pending = len(self._held) + waiting + len(self._buffer) + self._incoming.pending
        if len(self._text) + pending > MAX_REPLY_CHARACTERS or len(left_out) > MAX_LEFT_OUT:
            self._cut = self._cut or TOO_LONG
        return bool(self._cut)

    def _end(self) -> None:
        """What was taken is complete; of a reply that is too long, its last sentence is not."""
        self._grow(self._incoming.finish().text)
        self._incoming = self._masker.stream(personal=False)
        self._buffer = plain_markers(self._buffer)
        self._flush(complete(self._buffer) if self._cut else len(self._buffer))

    def _flush(self, ended: int) -> None:
        """Looks at every unit of the first `ended` characters of the buffer. It holds no secrets; personal data stays
        until a unit is shown, so that it is checked against sources that hold it too."""
        self._unread = 0
        ready, self._buffer = self._buffer[:ended], self._buffer[ended:]
        for unit in units(ready):
            checked = self._checks.checked(unit)
            if checked is None:
                self._opener = ""  # it belonged to what is left out
                bare = without_markers(unit).strip()
                self._leave_out("" if repeats(bare, INSTRUCTIONS) else bare)
            elif self._is_repeated(checked):
                self._opener = ""
            elif checked.opens:
                self._opener += checked.text
            elif checked.text:
                opener, self._opener = self._opener, ""
                self._in_order(self._checks.opened(opener, checked))

    def _is_repeated(self, unit: CheckedUnit) -> bool:
        """Whether a sentence was shown often enough, of the same passages: some models say one again and again."""
        if unit.claim is None or unit.row:
            return False
        sentence = as_repeated(unit.claim.sentence)
        said = (sentence, *(each.chunk_id for each in unit.claim.passages))
        self._said[said] += 1
        return self._said[said] > MAX_REPEATS and len(sentence.split()) >= REPEATED_WORDS

    # sentences that wait for a check

    def _in_order(self, unit: CheckedUnit) -> None:
        """Shows a unit, unless it or one before it waits."""
        if self._waiting or unit.verdict == "disagrees":
            self._waiting.append(unit)
            return
        self._accept(unit)
        if unit.claim and unit.verdict == "doubtful":
            self._doubted.append(unit.claim)
        elif unit.claim:
            self._support.append(1.0)

    @property
    def questioned(self) -> tuple[CitedClaim, ...]:
        """The sentences that a checker is asked about once the reply is at its end: those doubted that are shown, then
        those doubted or disputed that wait."""
        self._end()
        waiting = [unit.claim for unit in self._waiting if unit.claim and unit.verdict != "agrees"]
        return (*self._doubted, *waiting)

    def settle(self, support: Sequence[float | None], enough: float) -> list[str]:
        """Shows what waited, without the disputed sentences that the checker does not clear; gives lines for the trace.

        support: of each questioned sentence, 0 to 1; None where nobody could be asked. enough: support of a doubted
        sentence below which the reader is told to check it.
        """
        scores = iter(support)
        told = []
        doubted, self._doubted = self._doubted, []
        for claim in doubted:
            self._weigh(claim, next(scores), enough)
        waiting, self._waiting = self._waiting, []
        for unit in waiting:
            score = next(scores) if unit.claim and unit.verdict != "agrees" else 1.0
            if unit.claim and unit.verdict == "disagrees":
                differs = f"a sentence differs from its source ({unit.differences})"
                if score is None or score < CLEARING_SUPPORT:
                    told.append(f"{differs}: left out")
                    self._leave_out(unit.claim.sentence)
                    continue
                told.append(f"{differs}: cleared by the check ({score:.2f})")
            self._accept(unit)
            if unit.claim:
                self._weigh(unit.claim, score, enough)
        return told

    def _weigh(self, claim: CitedClaim, score: float | None, enough: float) -> None:
        self._support.append(UNCHECKED_SUPPORT if score is None else score)
        if score is None or score < enough:
            self._weak[claim.sentence] = None

    def _leave_out(self, sentence: str) -> None:
        self._left_out.append(sentence)
        self._support.append(0.0)

    @property
    def lacks_most(self) -> bool:
        """Whether more than half of what was said is left out, and no excerpt stands in for it."""
        return len(self._left_out) > len(self._claims) and not self._has_excerpts

    # showing text

    def _accept(self, unit: CheckedUnit) -> None:
        if unit.source:
            self._quote(unit)
        elif unit.header:
            self._header = unit.text  # of a table whose rows are all left out, nothing is shown
        else:
            header, self._header = self._header, ""
            text = self._numbered(unit.text, unit.claim) if unit.claim else unit.text
            self._emit(header + text if unit.row else text)

    def _quote(self, unit: CheckedUnit) -> None:
        """Shows a unit of a source, unless it was shown already."""
        self._has_excerpts = True
        shown = self._masker.secrets(unlike_markers(unit.text)).text
        if shown not in without_markers(self._text):
            n = self._numbers.setdefault(unit.source, len(self._numbers) + 1)
            self._quotes.setdefault(unit.source, []).append(unit.quote or unit.text)
            self._emit(("\n\n" if self._text else "") + with_citation_markers(shown, n))

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

    def _numbered(self, text: str, claim: CitedClaim) -> str:
        """A unit with its markers numbered in the order of first use; those that match no evidence are gone."""
        for position in dict.fromkeys(cited_numbers(text)):
            if not 1 <= position <= len(self._sources):
                continue
            self._numbers.setdefault(position, len(self._numbers) + 1)
            quote = nearest_sentence(claim.sentence, self._sources[position - 1], self._analyzer)
            if quote and quote not in self._quotes.setdefault(position, []):
                self._quotes[position].append(quote)
        self._claims.add(claim.sentence)  # a repeated sentence adds no claim
        return with_markers(text, lambda k: f"[{self._numbers[k]}]" if k in self._numbers else "")

    # the result

    def rests_on(self, source: int, sentence: str) -> bool:
        """Whether what is shown quotes or tells a sentence of a source."""
        return any(sentence.strip() in quote or quote in sentence for quote in self._quotes.get(source, []))

    def finish(self) -> ReplyDraft:
        """The whole reply. What was not settled is so now, without a checker."""
        if unsettled := self.questioned:
            self.settle([None] * len(unsettled), 0.0)
        self._reveal(self._outgoing.finish())
        return self.draft

    @property
    def draft(self) -> ReplyDraft:
        """The reply as far as it is shown."""
        notes = dict(self._notes)
        if warned := [n for position, n in self._numbers.items() if self._sources[position - 1].injection]:
            notes[addressed_to_machines(warned)] = None
        if self._cut:
            notes[self._cut] = None
        if self._left_out and not self._closed:  # not where a source was closed: then the reason is another
            notes[left_out(len(self._left_out))] = None
        if self._weak:
            notes[weakly_supported(list(self._weak))] = None
        citations = tuple(
            cite(n, self._sources[position - 1], self._quotes.get(position, []))
            for position, n in self._numbers.items()
        )
        share = sum(self._support) / len(self._support) if self._support else 1.0
        return ReplyDraft(
            text="".join(self._shown),
            citations=citations,
            passages=tuple(self._sources[position - 1] for position in self._numbers),
            left_out=tuple(self._left_out),
            notes=tuple(notes),
            confidence=round(self._confidence * (0.5 + 0.5 * share), 3),
            found=bool(self._text.strip()) and bool(citations),
        )


def whole(text: str) -> int:
    """How much of a reply that was cut consists of whole units: all but the last one, and that, too, where it ends as a
    sentence does or with a marker."""
    text = text.rstrip()
    *_, last = "", *units(text)
    marked_last = last.endswith("]") and cited_numbers(last) and not is_row(last) and not FENCE.search(last)
    has_ended = marked_last or complete(f"{text} {_NEXT}") >= len(text)
    return len(text) if has_ended else len(text) - len(last)


def nearest_sentence(claim: str, passage: Passage, analyzer: Analyzer) -> str:
    """The sentence of a passage that shares most with a claim."""
    wanted = set(analyzer.tokens(claim))

    def shared(piece: str) -> float:
        tokens = analyzer.tokens(piece)
        return len(wanted & set(tokens)) - 0.01 * len(tokens)

    return max((passage.text[start:end] for start, end in sentences(passage.text)), key=shared, default="")
