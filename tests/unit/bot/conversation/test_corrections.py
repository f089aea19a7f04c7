"""What becomes of posted answers whose sources are not as they were."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.conversation.corrections import CorrectionMode, ReplyCorrector, near_documents, without
from bot.conversation.recorded_outcome import recorded_outcome
from bot.conversation.texts import CORRECTED, SOURCE_CHANGED, WHOLLY_GONE, source_contradicts
from domain.access import NOBODY, Acl, user
from domain.answers import Citation, NearestDocument, NearQuote, NotFound
from domain.conversation import (
    AcceptedQuestion,
    ConversationPlace,
    Identity,
    MessageKey,
    Participant,
    Platform,
    PostedReply,
    ReplyAudience,
)
from domain.errors import Refused, Transient
from domain.ledger import Corrections, ReplyToCheck
from domain.masked_answer import masked_answer
from domain.masking import Masker
from tests.fakes.agent import MODEL
from tests.fakes.document_catalog import MemoryLibrary
from tests.fakes.documents import SOURCE, a_document, put
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.platform import MemoryPlatform, Shown

DAYS, LEAD = "Everybody has thirty days.", "Ask your lead."
PLACE = ConversationPlace("slack", "T", "C", "1")


def a_question() -> AcceptedQuestion:
    return AcceptedQuestion(
        number=1,
        key=MessageKey("slack", "C", "1"),
        place=PLACE,
        asker=Participant("slack", "ann"),
        text="How?",
        audience="organisation",
        handle={"ts": "ts1"},
        attempt=1,
        revision=0,
        received_at=datetime(2026, 1, 1, tzinfo=UTC),
        time_left=timedelta(),
    )


@dataclass
class Listed(Corrections):
    """What is due once, and what became of it."""

    waiting: list[ReplyToCheck]
    settled: list[PostedReply] = field(default_factory=list)
    given_up: list[PostedReply] = field(default_factory=list)
    noted: int = 0

    async def due(
        self, platforms: Collection[Platform], *, window: timedelta, lease: timedelta, limit: int = 20
    ) -> list[ReplyToCheck]:
        found, self.waiting = self.waiting, []
        return found

    async def note_changes(self) -> None:
        self.noted += 1

    async def readers_changed(self, platform: Platform, place: str) -> None:
        raise AssertionError("nobody says so here")

    async def settle(self, due: ReplyToCheck, posted: PostedReply) -> None:
        self.settled.append(posted)

    async def give_up(self, due: ReplyToCheck, left: PostedReply) -> None:
        self.given_up.append(left)


@dataclass
class Office:
    """An answer to ann in a channel, from two documents, and the platform where it stands."""

    knowledge: MemoryKnowledge
    posted: PostedReply
    platform: MemoryPlatform = field(default_factory=MemoryPlatform)
    listed: Listed = field(default_factory=lambda: Listed([]))

    async def run(self, mode: CorrectionMode = "rights", *, rewritten: bool = True) -> str:
        """What is shown in the end."""
        asked = a_question()
        self.platform.shown.setdefault(1, Shown(text=self.posted.text, standing={"ts1": self.posted.text}))
        self.listed.waiting = [ReplyToCheck(asked, self.posted, "s", rewritten, datetime.now(UTC))]
        corrector = ReplyCorrector(
            self.listed,
            self.knowledge,
            MemoryLibrary(self.knowledge),
            Masker(),
            {"slack": self.platform},
            mode,
            timedelta(days=30),
        )
        await corrector.run()
        return self.platform.shown[1].text


@pytest.fixture
async def office() -> Office:
    knowledge = MemoryKnowledge(MODEL.identity)
    citations = []
    for n, (name, text) in enumerate({"days": DAYS, "lead": LEAD}.items(), start=1):
        document = a_document(name, title=name.capitalize())
        (chunk,) = await put(knowledge, MODEL, document, text)
        about = (document.title, document.url, name, SOURCE, document.document_id, "", "", text, None, chunk)
        citations.append(Citation(n, *about))
    return Office(knowledge, PostedReply(f"{DAYS} [1] {LEAD} [2]", tuple(citations), 0.8))


async def test_while_all_may_be_read_nothing_is_touched(office: Office) -> None:
    assert await office.run() == office.posted.text
    assert office.listed.settled == [office.posted]


@pytest.mark.parametrize("how", ["restricted", "hidden", "gone", "closed to some"])
async def test_what_may_not_be_read_any_more_goes_and_it_is_not_said_why(office: Office, how: str) -> None:
    match how:
        case "restricted":
            await office.knowledge.set_acl(SOURCE, ["days"], NOBODY)
        case "hidden":
            await office.knowledge.hide(SOURCE, ["days"])
        case "gone":
            await office.knowledge.purge(SOURCE, ["days"])
        case _:
            await office.knowledge.set_acl(SOURCE, ["days"], Acl.any_of(user("ann@example.com")))
    assert await office.run() == f"{LEAD} [1] {CORRECTED}"
    (settled,) = office.listed.settled
    assert [(each.n, each.title) for each in settled.citations] == [(1, "Lead")]
    assert "thirty" not in repr(settled)


async def test_of_an_answer_of_which_nothing_is_left_a_note_remains(office: Office) -> None:
    await office.knowledge.purge(SOURCE, ["days", "lead"])
    assert await office.run() == WHOLLY_GONE
    assert office.listed.settled[0].citations == ()


@pytest.mark.parametrize("mode", ["rights", "all"])
async def test_of_a_reply_that_found_nothing_what_is_closed_goes_and_it_still_found_nothing(
    office: Office, mode: CorrectionMode
) -> None:
    near = tuple(
        NearestDocument(each.title, "", "a", "", None, each.document_id, False, each.chunk_id, quotes)
        for each in office.posted.citations
        for quotes in [(NearQuote(each.quote, each.chunk_id),)]
    )
    shown = masked_answer(NotFound("2 documents", nearest=near), Masker())
    ended = recorded_outcome(shown, a_question(), Masker(), twice=False, handle={})
    assert ended.cited == (), "no reference is shown that a preview could be asked of"
    assert ended.posted
    assert near_documents(ended.posted.citations) == near
    office.posted = ended.posted
    assert await office.run(mode) == "2 documents", "what a page says no more, it may have said"
    await office.knowledge.set_acl(SOURCE, ["days"], NOBODY)
    assert await office.run(mode) == f"2 documents {CORRECTED}"
    assert office.platform.shown[1].outcomes == {0: "not_found"}
    assert near_documents(office.listed.settled[-1].citations) == near[1:]
    office.posted = replace(office.posted, text="")
    assert await office.run(mode) == f"… {CORRECTED}", "what was searched is forgotten"


def test_of_a_reply_that_found_nothing_and_names_nothing_there_is_nothing_to_correct() -> None:
    shown = masked_answer(NotFound("2 documents"), Masker())
    assert recorded_outcome(shown, a_question(), Masker(), twice=False, handle={}).posted is None


async def test_an_answer_whose_text_is_forgotten_goes_as_a_whole(office: Office) -> None:
    await office.knowledge.hide(SOURCE, ["days"])
    office.posted = replace(office.posted, text="")
    assert await office.run() == WHOLLY_GONE


async def test_of_an_answer_whose_text_is_forgotten_nobody_knows_whether_it_still_holds(office: Office) -> None:
    await put(office.knowledge, MODEL, a_document("days", content="2"), "Nobody has a dog.")
    office.platform.shown[1] = Shown(text="as it was", standing={"ts1": "as it was"})
    office.posted = replace(office.posted, text="")
    assert await office.run("all") == "as it was"


async def test_off_means_off(office: Office) -> None:
    await office.knowledge.hide(SOURCE, ["days"])
    assert await office.run("off") == office.posted.text
    assert office.listed.settled == []


@pytest.mark.parametrize(
    ("mode", "rewritten", "said"), [("all", True, True), ("rights", True, False), ("all", False, False)]
)
async def test_a_source_that_says_something_else_now_is_noted(
    office: Office, mode: CorrectionMode, rewritten: bool, said: bool
) -> None:
    await put(office.knowledge, MODEL, a_document("days", content="2"), "Everybody has forty days.")
    shown = await office.run(mode, rewritten=rewritten)
    assert (SOURCE_CHANGED in shown) == said
    assert DAYS in shown


@pytest.mark.parametrize(
    ("said", "now", "note"),
    [
        ("Visitors must sign in at the desk.", "Visitors must not sign in at the desk.", source_contradicts([1])),
        (
            "A password needs at least 12 characters.",
            "A password needs at least 14 characters.",
            source_contradicts([1]),
        ),
        (DAYS, "All of the staff have thirty days of vacation.", ""),
        (DAYS, "The rules for vacation were moved to the handbook.", SOURCE_CHANGED),
        (DAYS, "Nobody has a dog.", SOURCE_CHANGED),
    ],
)
async def test_a_new_version_that_speaks_against_the_answer_is_told_from_one_that_only_changed(
    office: Office, said: str, now: str, note: str
) -> None:
    first, second = office.posted.citations
    office.posted = replace(
        office.posted, text=f"{said} [1] {LEAD} [2]", citations=(replace(first, quote=said), second)
    )
    filler = [f"Paragraph {n} of the handbook speaks of other things." for n in range(8)]
    await put(office.knowledge, MODEL, a_document("days", content="2"), *filler, now)
    assert await office.run("all") == f"{office.posted.text} {note}".strip()


async def test_what_seemed_to_contradict_its_source_from_the_beginning_is_not_said_to_contradict_it_now(
    office: Office,
) -> None:
    first, second = office.posted.citations
    said = "Nobody may park in the yard."
    office.posted = replace(
        office.posted,
        text=f"{said} [1] {LEAD} [2]",
        citations=(replace(first, quote="Everybody may park in the yard."), second),
    )
    await put(office.knowledge, MODEL, a_document("days", content="2"), "Everybody may park in the yard and the hall.")
    assert await office.run("all") == f"{office.posted.text} {SOURCE_CHANGED}"


async def test_a_text_that_only_moved_is_no_change(office: Office) -> None:
    await put(office.knowledge, MODEL, a_document("days", content="2"), "A new beginning.", f"{DAYS} More.")
    assert await office.run("all") == office.posted.text


async def test_where_a_message_cannot_be_changed_that_is_recorded(office: Office) -> None:
    await office.knowledge.hide(SOURCE, ["days"])
    office.platform.shown[1] = Shown(text=office.posted.text)
    assert await office.run() == office.posted.text
    assert office.listed.settled == []
    (left,) = office.listed.given_up
    assert (left.text, [(each.n, each.title) for each in left.citations]) == (f"{LEAD} [1]", [(2, "Lead")])
    office.posted = replace(office.posted, citations=tuple(replace(each, n=0) for each in office.posted.citations))
    await office.run()
    assert [each.title for each in office.listed.given_up[1].citations] == ["Lead"], "what was near"


async def test_a_place_that_is_gone_is_given_up_and_a_platform_that_is_away_is_waited_for(office: Office) -> None:
    await office.knowledge.hide(SOURCE, ["days"])
    office.platform.faults["correct"] = [Transient("Slack is away"), Refused("there is no such channel")]
    await office.run()
    assert (office.listed.given_up, office.listed.settled) == ([], [])
    await office.run()
    assert ([each.text for each in office.listed.given_up], office.listed.settled) == ([f"{LEAD} [1]"], [])
    office.platform.identities["ann"] = Refused("there is no such person")
    await office.run()
    assert office.listed.given_up[1:] == [PostedReply("", (), 0.0)], "nobody knows what may still be read"


async def test_nothing_is_taken_back_because_nobody_says_who_reads_it(office: Office) -> None:
    await office.knowledge.set_acl(SOURCE, ["days"], NOBODY)
    office.platform.readers = ReplyAudience("public", "lookup_failed")
    assert await office.run() == office.posted.text
    office.platform.readers = None
    office.platform.identities["ann"] = Transient("Slack is away")
    assert await office.run() == office.posted.text
    assert (office.listed.given_up, office.listed.settled) == ([], [])
    office.platform.identities["ann"] = Identity("ann@example.com", member=True)
    assert CORRECTED in await office.run()


async def test_who_has_come_into_the_channel_since_counts(office: Office) -> None:
    office.platform.readers = ReplyAudience("public", "guests")
    assert await office.run() == WHOLLY_GONE


def test_what_names_no_source_goes_with_one_that_is_closed(office: Office) -> None:
    text = f"The rule:\n\n- {DAYS} [1]\n- {LEAD} [2]\n- Both hold. [1][2]\n\n```\nthirty\n```\n\nMore is not known."
    left = without(replace(office.posted, text=text), {1})
    assert left.text.strip() == f"- {LEAD} [1]"
    assert without(office.posted, ()) is office.posted
