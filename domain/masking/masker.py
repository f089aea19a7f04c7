"""Applies the rule table. Pure."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import count
from pathlib import PurePath
from traceback import walk_tb

from domain.masking.detector import Detector, RuleHit
from domain.masking.masked_text import WITHHELD, Finding, MaskedText, merged, rendered
from domain.masking.policy import Policy, admitted, version_of
from domain.masking.ruleset.rule import Rule
from domain.masking.ruleset.table import RULES
from domain.masking.segments import Segment, Segments
from domain.masking.text_views import same

TICKS = 50
"""Matches between two looks at the time."""

PASSES = 20
"""Over a segment, at most: where secrets touch, one may begin only once the other is masked."""

SECONDS, SECONDS_A_CHARACTER = 2.0, 0.00006
"""Of processor time that a text may take: by the character, some four times what the slowest of the benchmark does."""


@lru_cache(maxsize=8)
def _detector(policy: Policy, rules: tuple[Rule, ...]) -> Detector:
    """Compiling the whole table takes 50 ms, and a process makes several maskers. A detector never changes."""
    return Detector(admitted(policy, rules))


class Masker:
    """Masks secrets and personal data.

    policy: what the operator decided. rules: the table. cpu_time: seconds of processor time of this thread.
    told: is told why a text was withheld, without anything that stood in it.

    Raises:
        Misconfigured: a rule of the operator's cannot be used, or a kind that is switched off does not exist.
    """

    def __init__(
        self,
        policy: Policy | None = None,
        *,
        rules: Sequence[Rule] = RULES,
        cpu_time: Callable[[], float] = time.thread_time,
        told: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.policy = policy or Policy()
        self._detector = _detector(self.policy, tuple(rules))
        self._cpu_time = cpu_time
        self._told = told

    @property
    def version(self) -> str:
        """Names what `secrets` does: it changes with the rules for secrets and with the policy, so that what was
        stored under another one has to be read again."""
        return version_of(self.policy)

    def mask(self, text: str) -> MaskedText:
        """Without secrets and personal data: for whatever leaves the product. Line breaks within a finding stay, so
        that line numbers stay true. Never raises: what cannot be masked is withheld."""
        return self._masked(text, personal=True)

    def secrets(self, text: str) -> MaskedText:
        """Without secrets: for what is embedded, stored, or shown to a model."""
        return self._masked(text, personal=False)

    def secrets_in(self, parts: Sequence[str]) -> list[MaskedText]:
        """Consecutive parts of one document without their secrets, also those that go over several parts or that only
        the part before gives away."""
        joined = self._masked("\n\n".join(parts), personal=False)
        if joined.withheld:
            return [MaskedText(WITHHELD, (), withheld=True) for _ in parts]
        masked, start = [], 0
        for part in parts:
            end = start + len(part)
            inside = [
                Finding(max(each.start, start) - start, min(each.end, end) - start, each.kind)
                for each in joined.findings
                if each.start < end and start < each.end and start < end
            ]
            masked.append(MaskedText(rendered(part, inside).text, tuple(inside)))
            start = end + 2
        return masked

    def stream(self, *, personal: bool = True) -> "MaskStream":
        """For a text that comes in pieces: what `mask` does, or without `personal` what `secrets` does."""
        return MaskStream(
            lambda segment, before: self._segment(segment, before, self._ticking(len(segment)), personal=personal),
            self._detector,
            self._told,
        )

    def _ticking(self, characters: int) -> Callable[[], None]:
        """What is called with each match in a text of so many characters; it raises OverflowError when that has taken
        too long. Asking for the time costs more than a match: every now and then is enough."""
        deadline = self._cpu_time() + SECONDS + SECONDS_A_CHARACTER * characters
        ticks = count()

        def tick() -> None:
            if next(ticks) % TICKS == 0 and self._cpu_time() > deadline:
                raise OverflowError("masking takes too long")

        return tick

    def _masked(self, text: str, *, personal: bool) -> MaskedText:
        try:
            tick = self._ticking(len(text))
            segments = Segments(self._detector.loud)
            parts: list[str] = []
            findings: list[Finding] = []
            start = 0
            for segment, quiet in (*segments.feed(text), *segments.finish()):
                before = text[start - 1] if start else "\n"
                masked = MaskedText(segment) if quiet else self._segment(segment, before, tick, personal=personal)
                parts.append(masked.text)
                findings += (Finding(each.start + start, each.end + start, each.kind) for each in masked.findings)
                start += len(segment)
            return MaskedText("".join(parts), tuple(findings))
        except Exception as error:  # noqa: BLE001 - whatever happens here, an unmasked text must not go on
            _tell(self._told, error)
            return MaskedText(WITHHELD, (), withheld=True)

    def _segment(self, text: str, before: str, tick: Callable[[], None], *, personal: bool) -> MaskedText:
        """One segment, gone through until nothing more is found. before: the character before it. personal: whether
        personal data is masked too; what overlaps with a secret is, so that no part of either is left.

        Raises:
            OverflowError: it takes too long.
        """
        detector = self._detector
        findings: list[Finding] = []
        view = same(text)
        for _ in range(PASSES):
            tick()
            kept = _kept(detector, detector.find(view.text, before, tick), personal=personal)
            if not kept:
                return MaskedText(view.text, tuple(findings))
            new = (Finding(*view.origin((each.start, each.end)), each.kind) for each in kept)
            findings = merged([*findings, *new])
            view = rendered(text, findings)
        raise OverflowError("masking does not come to an end")


def _tell(told: Callable[[str], None], error: Exception) -> None:
    """Tells the type of an error and the last place in the masker that it went through. Not its words: they may be
    what should have been masked."""
    ours = [
        each for each in walk_tb(error.__traceback__) if each[0].f_globals["__name__"].startswith("domain.masking.")
    ]
    frame, line = ours[-1]
    with suppress(Exception):
        told(f"{type(error).__name__} at {PurePath(frame.f_code.co_filename).name}:{line}")


def _kept(detector: Detector, found: Sequence[RuleHit], *, personal: bool) -> list[Finding]:
    """What is masked of what was found, overlapping places as one."""
    kept: list[Finding] = []
    group: list[RuleHit] = []
    end, secret = -1, False
    for each in (*found, None):
        if each is None or each.start >= end:
            if group and (personal or secret):
                kept.append(Finding(group[0].start, end, detector.rules[group[0].rule].kind))
            group, secret, end = [], False, -1
        if each is not None:
            group.append(each)
            end = max(end, each.end)
            secret = secret or not detector.rules[each.rule].personal
    return kept


class MaskStream:
    """Masks a text that comes in pieces: what it gives, put together, is the whole text masked, however it was cut."""

    def __init__(
        self, segment: Callable[[str, str], MaskedText], detector: Detector, told: Callable[[str], None]
    ) -> None:
        self._segment = segment
        self._told = told
        self._segments = Segments(detector.loud)
        self._before = "\n"
        self._broken = False

    @property
    def pending(self) -> int:
        """Characters that were taken and not given yet."""
        return self._segments.pending

    def feed(self, piece: str) -> MaskedText:
        """Takes a piece; what may be shown now, masked. Its findings have places in what was taken since the last
        part."""
        return self._shown(self._segments.feed(piece))

    def finish(self) -> MaskedText:
        """The rest, masked."""
        return self._shown(self._segments.finish())

    def _shown(self, segments: Sequence[Segment]) -> MaskedText:
        parts: list[str] = []
        findings: list[Finding] = []
        start = 0
        for segment, quiet in segments:
            if self._broken:
                break
            try:
                masked = MaskedText(segment) if quiet else self._segment(segment, self._before)
            except Exception as error:  # noqa: BLE001 - whatever happens here, an unmasked text must not go on
                self._broken = True
                _tell(self._told, error)
                return MaskedText("".join([*parts, WITHHELD]), tuple(findings), withheld=True)
            parts.append(masked.text)
            findings += (Finding(each.start + start, each.end + start, each.kind) for each in masked.findings)
            start += len(segment)
            self._before = segment[-1]
        return MaskedText("".join(parts), tuple(findings), withheld=self._broken)
