"""Masks texts with the rule table: whole texts, the parts of a document, and texts that come in pieces."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import count
from pathlib import PurePath
from traceback import walk_tb

from domain.masking.detector import Detector, RuleHit
from domain.masking.masked_text import WITHHELD, Finding, MaskedText, merged, rendered
from domain.masking.policy import Policy, effective_rules, version_of
from domain.masking.ruleset.rule import Rule
from domain.masking.ruleset.table import RULES
from domain.masking.segments import Segment, Segments
from domain.masking.text_views import same
from domain.metrics import MASKED_VALUES

MATCHES_PER_CHECK = 50
"""The time is looked at after so many matches: a look costs more than a match."""

SECONDS_PER_TEXT, SECONDS_PER_CHARACTER = 2.0, 0.00006
"""Processor time that a text may take: so many seconds, and so many more for each character. The slowest text of the
benchmark takes a quarter of that for a character."""


@lru_cache(maxsize=8)
def _detector(policy: Policy, rules: tuple[Rule, ...]) -> Detector:
    """The detector of a policy, kept: to compile the table takes 50 ms, and a process makes several maskers."""
    return Detector(effective_rules(policy, rules))


class Masker:
    """Masks secrets and personal data.

    Args:
        policy: what the operator changes.
        rules: the rule table.
        cpu_time: processor time of this thread, in seconds.
        report: called with the reason when a text is withheld; the reason holds nothing of the text.

    Raises:
        Misconfigured: a rule of the operator's cannot be used, or a kind that is switched off does not exist.
    """

    def __init__(
        self,
        policy: Policy | None = None,
        *,
        rules: Sequence[Rule] = RULES,
        cpu_time: Callable[[], float] = time.thread_time,
        report: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.policy = policy or Policy()
        self._detector = _detector(self.policy, tuple(rules))
        self._cpu_time = cpu_time
        self._report = report

    @property
    def version(self) -> str:
        """A name for what `secrets` finds. It changes with the rules for secrets and with the policy: a text that was
        masked under another version must be masked again."""
        return version_of(self.policy)

    def mask(self, text: str) -> MaskedText:
        """Masks secrets and personal data: for all that leaves the product. Keeps the line breaks inside a finding, so
        that line numbers stay right. Never raises: a text that cannot be masked is withheld."""
        return self._masked(text, personal=True)

    def secrets(self, text: str) -> MaskedText:
        """Masks secrets: for all that is embedded, stored, or shown to a model."""
        return self._masked(text, personal=False)

    def secrets_in(self, parts: Sequence[str]) -> list[MaskedText]:
        """Masks secrets in consecutive parts of one document, also a secret that spans several parts or is announced
        in the part before it."""
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
        """Masks a text that comes in pieces, as `mask` does; without `personal`, as `secrets` does."""
        return MaskStream(
            lambda segment, before: self._segment(
                segment, before, self._deadline_check(len(segment)), personal=personal
            ),
            self._detector,
            self._report,
        )

    def _deadline_check(self, characters: int) -> Callable[[], None]:
        """A function to call at each match in a text of so many characters. It raises OverflowError when the text has
        taken too long."""
        deadline = self._cpu_time() + SECONDS_PER_TEXT + SECONDS_PER_CHARACTER * characters
        ticks = count()

        def check_deadline() -> None:
            if next(ticks) % MATCHES_PER_CHECK == 0 and self._cpu_time() > deadline:
                raise OverflowError("masking takes too long")

        return check_deadline

    def _masked(self, text: str, *, personal: bool) -> MaskedText:
        try:
            check_deadline = self._deadline_check(len(text))
            segments = Segments(self._detector.is_suspicious)
            parts: list[str] = []
            findings: list[Finding] = []
            start = 0
            for segment, clean in (*segments.feed(text), *segments.finish()):
                before = text[start - 1] if start else "\n"
                masked = (
                    MaskedText(segment) if clean else self._segment(segment, before, check_deadline, personal=personal)
                )
                parts.append(masked.text)
                findings += (Finding(each.start + start, each.end + start, each.kind) for each in masked.findings)
                start += len(segment)
            return MaskedText("".join(parts), tuple(findings))
        except Exception as error:  # noqa: BLE001 - whatever happens here, an unmasked text must not go on
            _report_error(self._report, error)
            return MaskedText(WITHHELD, (), withheld=True)

    def _segment(self, text: str, before: str, check_deadline: Callable[[], None], *, personal: bool) -> MaskedText:
        """Masks one segment: searches it until nothing more is found.

        Args:
            before: the character before the segment.
            personal: whether personal data is masked, too. Where it overlaps with a secret, both are masked in any case.

        Raises:
            OverflowError: it takes too long.
        """
        detector = self._detector
        findings: list[Finding] = []
        view = same(text)
        # each pass masks at least one character more: of numbers in a row, one may be found only when the next is masked
        for _ in range(len(text) + 1):
            check_deadline()
            kept = _kept(detector, detector.find(view.text, before, check_deadline), personal=personal)
            if not kept:
                for each in findings:
                    MASKED_VALUES.labels(each.kind).inc()
                return MaskedText(view.text, tuple(findings))
            new = (Finding(*view.origin((each.start, each.end)), each.kind) for each in kept)
            findings = merged([*findings, *new])
            view = rendered(text, findings)
        raise OverflowError("masking does not come to an end")


def _report_error(report: Callable[[str], None], error: Exception) -> None:
    """Reports the type of an error and the last line of the masker that it came through. Not its message: that may
    hold what should have been masked."""
    ours = [
        each for each in walk_tb(error.__traceback__) if each[0].f_globals["__name__"].startswith("domain.masking.")
    ]
    frame, line = ours[-1]
    with suppress(Exception):
        report(f"{type(error).__name__} at {PurePath(frame.f_code.co_filename).name}:{line}")


def _kept(detector: Detector, found: Sequence[RuleHit], *, personal: bool) -> list[Finding]:
    """The findings to mask; hits that overlap become one finding."""
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
    """Masks a text that comes in pieces. The masked pieces together are the masked whole text, however it was cut."""

    def __init__(
        self, segment: Callable[[str, str], MaskedText], detector: Detector, report: Callable[[str], None]
    ) -> None:
        self._segment = segment
        self._report = report
        self._segments = Segments(detector.is_suspicious)
        self._before = "\n"
        self._broken = False

    @property
    def pending(self) -> int:
        """How many characters were fed and not returned yet."""
        return self._segments.pending

    def feed(self, piece: str) -> MaskedText:
        """Adds a piece; returns what is complete now, masked. Places of its findings count from the end of what was
        returned before."""
        return self._shown(self._segments.feed(piece))

    def finish(self) -> MaskedText:
        """Returns the rest, masked."""
        return self._shown(self._segments.finish())

    def _shown(self, segments: Sequence[Segment]) -> MaskedText:
        parts: list[str] = []
        findings: list[Finding] = []
        start = 0
        for segment, clean in segments:
            if self._broken:
                break
            try:
                masked = MaskedText(segment) if clean else self._segment(segment, self._before)
            except Exception as error:  # noqa: BLE001 - whatever happens here, an unmasked text must not go on
                self._broken = True
                _report_error(self._report, error)
                return MaskedText("".join([*parts, WITHHELD]), tuple(findings), withheld=True)
            parts.append(masked.text)
            findings += (Finding(each.start + start, each.end + start, each.kind) for each in masked.findings)
            start += len(segment)
            self._before = segment[-1]
        return MaskedText("".join(parts), tuple(findings), withheld=self._broken)
