"""What people do beside asking: they look at a cited passage, say what they think of a reply, see how fresh the index
is, start indexing, and have their questions forgotten."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from datetime import datetime

from agent.checking.citations import place
from agent.rights import RightsCheck
from bot.conversation.chat_platform import ChatPlatform
from bot.conversation.commands import VOTES
from bot.conversation.owner_questions import OwnerQuestions
from bot.conversation.recorded_outcome import recorded_question
from bot.conversation.texts import NO_REPLY_TO_RATE, THANKS
from domain import metrics
from domain.access import Scope
from domain.audit import EVERY_SOURCE, AuditEntry, AuditLog
from domain.conversation import (
    Audience,
    Identity,
    Participant,
    Platform,
    lookup_failure,
    scope_of,
)
from domain.errors import Misconfigured, Refused, Transient
from domain.job_ports import JobQueue
from domain.ledger import Feedback, Ledger, Memory
from domain.masking import Masker
from domain.search import Filters, Passage
from domain.search_ports import KnowledgeSearch
from domain.text.encodable import encodable
from domain.text.languages import language_of
from domain.translation import set_language

log = logging.getLogger(__name__)

INDEX_QUEUE = "index"
"""The queue of jobs that read sources."""

BATCH_QUEUE = "batches"
"""Batches of documents of runs that are shared."""

PERMISSIONS_QUEUE = "permissions"
"""The queue of jobs that read whom documents admit: they do not wait for a night's reading."""

ALL_SOURCES = EVERY_SOURCE
"""Stands for all sources."""


@dataclass(frozen=True, slots=True)
class SourceSummary:
    """A source of the index."""

    name: str
    documents: int
    updated_at: datetime | None
    """When its content was read last; None when it never was."""


AllSources = Callable[[], Awaitable[Sequence[SourceSummary]]]
"""Gives every source of the index. Raises Transient when the database is away."""


async def readable_sources(
    all_sources: AllSources, search: KnowledgeSearch, masker: Masker, scope: Scope
) -> list[SourceSummary]:
    """The sources of which somebody may read something, with as many documents as that is."""
    found = []
    for row in await all_sources():
        try:
            readable = await search.count_documents(scope, Filters(sources=(row.name,)))
        except Misconfigured:  # nothing is indexed yet
            return []
        if readable:
            found.append(SourceSummary(masker.mask(row.name).text, readable, row.updated_at))
    return found


async def check_source(all_sources: AllSources, masker: Masker, source: str) -> None:
    """Raises Refused when there is no such source."""
    names = [each.name for each in await all_sources()]
    if not names:
        raise Refused("There is no source yet", next_step="An operator adds one: kb index PATH_OR_URL")
    if source not in (ALL_SOURCES, *names):
        there = masker.mask(", ".join(names)).text
        raise Refused(f"There is no source {source}", next_step=f"There are: {there}")


def status_facts(rows: Sequence[SourceSummary]) -> list[tuple[str, str]]:
    """How the index is doing: a name and a value each; none where nothing may be read."""
    if not rows:
        return []
    dated = [row.updated_at for row in rows if row.updated_at]
    newest = f"{max(dated):%Y-%m-%d %H:%M} UTC" if dated else "never"
    documents = f"{sum(row.documents for row in rows):,}"
    return [("Documents", documents), ("Sources", str(len(rows))), ("Last read", newest)]


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """A cited passage, masked, for somebody who may read it."""

    title: str
    url: str
    section: str
    place: str
    text: str
    updated_at: datetime | None
    suspicious: bool = False
    """Whether it holds text addressed to machines, see domain.injection."""


@dataclass(eq=False)
class ConversationActions:
    """Serves what is no question.

    admins: addresses, in lower case, of those who may start indexing. domains: see domain.conversation.scope_of.
    """

    ledger: Ledger
    memory: Memory
    feedback: Feedback
    jobs: JobQueue
    search: KnowledgeSearch
    all_sources: AllSources
    masker: Masker
    platforms: Mapping[Platform, ChatPlatform]
    _: KW_ONLY
    rights: Callable[[Scope], RightsCheck]
    """The check right before something of a document is shown."""
    audit: AuditLog
    owner_questions: OwnerQuestions
    """Sends questions to owners of documents."""
    admins: frozenset[str] = frozenset()
    domains: tuple[str, ...] = ()

    async def speak_as_asked(self, number: int) -> None:
        """What is said from here on in this task is in the language of that question; nothing changes where it is not
        known, or the database does not say."""
        with suppress(Transient):
            known = await self.ledger.find(number)
            if known is not None and known.text:
                set_language(language_of(known.text))

    async def passage(self, number: int, n: int, person: Participant) -> ShownPassage | None:
        """The passage behind reference `n` of a reply, for who wants to see it now; None when it is gone, or they may
        not read it: in the index, and at its source, where that says it in time."""
        known = await recorded_question(self.ledger, number)
        wanted = [each.chunk_id for each in known.cited if each.n == n] if known else []
        scope = await self.scope(person)
        found = await self.search.passages(wanted, scope) if wanted else []
        closed = await self.rights(scope).closed(found, found)
        return self.shown(found[0]) if found and not closed else None

    async def rate(self, number: int, person: Participant, value: int, reason: str | None = None) -> bool | None:
        """Notes what somebody thinks of a reply: 1 or -1. Gives whether they thought otherwise before, or nothing; None
        when nothing is known of the reply any more."""
        kept = None if reason is None else self.masked(reason[:500])
        changed = await self.feedback.vote(number, person, value, kept)
        if changed is not None and reason is None:  # a reason that is given afterwards is no second vote
            metrics.FEEDBACK.labels(person.platform, "up" if value > 0 else "down").inc()
        return changed

    async def rate_typed(self, rest: str, person: Participant, channel: str) -> tuple[str, int] | None:
        """The same by what is typed behind `feedback`, for the last reply to this person in this channel. Gives what to
        say, and the number of the question if its owner may be offered, else 0; None where no vote was typed."""
        word, _, reason = rest.partition(" ")
        value = VOTES.get(word.lower())
        if value is None:
            return None
        number = await self.ledger.last_reply(person, channel) or 0
        changed = await self.rate(number, person, value, reason.strip() or None) if number else None
        return (NO_REPLY_TO_RATE, 0) if changed is None else (THANKS, number if changed and value < 0 else 0)

    async def sources(self, person: Participant, audience: Audience = "asker") -> Sequence[SourceSummary]:
        """How fresh the index is, as far as a person may read it: sources and numbers of documents of others would say
        something about them. audience: who is told."""
        scope = await self.scope(person, audience)
        return await readable_sources(self.all_sources, self.search, self.masker, scope)

    def masked(self, text: str) -> str:
        """What somebody typed, or a sentence about it, as it may be shown."""
        return self.masker.mask(encodable(text)).text

    async def scope(self, person: Participant, audience: Audience = "asker") -> Scope:
        """What somebody may read now; what is public, where their platform does not say who they are."""
        return scope_of(await self._identity(person), audience, self.domains)

    async def administers(self, person: Participant) -> bool:
        """Whether somebody may start indexing."""
        identity = await self._identity(person)
        return identity.member and identity.email in self.admins

    async def check_source(self, source: str) -> None:
        """Raises Refused when there is no such source."""
        await check_source(self.all_sources, self.masker, source)

    async def reindex(self, source: str, person: Participant, channel: str, *, prune_confirmed: bool = False) -> bool:
        """Queues the reading of a source (`*`: of all), for an administrator; the result is told in `channel`. False
        when that waits to be done already. prune_confirmed: what is missing is hidden, however much that is.

        Raises Refused when the person may not, or there is no such source.
        """
        if not await self.administers(person):
            raise Refused("Only an administrator of this bot may start indexing")
        await self.check_source(source)
        log.info(
            "Indexing of %s was asked for on %s", "all sources" if source == ALL_SOURCES else source, person.platform
        )
        await self.audit.record(AuditEntry(person, "reindex", source))
        arguments = {"source": source, "platform": person.platform, "person": person.id, "channel": channel}
        unique_key = f"reindex:{source}"
        if prune_confirmed:
            await self.audit.record(AuditEntry(person, "prune_confirmed", source))
            arguments["prune"], unique_key = "confirm", f"prune:{source}"
        return await self.jobs.put("reindex", arguments, queue=INDEX_QUEUE, lock_key="reindex", unique_key=unique_key)

    async def note_share(self, person: Participant, channel: str, number: int | None = None) -> None:
        """Notes that somebody had a question asked for all in a channel; called once it was accepted. number: of the
        question that was answered for this person alone; None where it is typed anew."""
        subject = "" if number is None else str(number)
        await self.audit.record(AuditEntry(person, "answer_shared", subject, {"channel": channel}))

    async def note_sign_in(self, address: str) -> None:
        """Notes that an administrator signs in to the pages; called before it is so. Raises Transient when the
        database is away."""
        person = Participant("web", address)
        if await self.administers(person):
            await self.audit.record(AuditEntry(person, "signed_in"))

    async def _identity(self, person: Participant) -> Identity:
        """Who somebody is; an outsider where the platform does not say."""
        try:
            return await self.platforms[person.platform].identity(person)
        except (Transient, Misconfigured) as error:
            log.warning("Nobody says who somebody is: %s", error.what)
            return Identity(None, member=False, reason=lookup_failure(error))

    def shown(self, passage: Passage) -> ShownPassage:
        """A passage that was found within the reader's scope, as it may be shown."""
        return ShownPassage(
            self.masked(passage.title),
            self.masked(passage.url),
            self.masked(" > ".join(passage.heading_path)),
            place(passage.span),
            self.masked(passage.text),
            passage.updated_at,
            suspicious=bool(passage.injection),
        )
