"""The digest names only pages that all its readers may read, and no question that was asked in private, or where not
all of its readers could read it."""

import asyncio
from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.app.digest import DigestReaders, DigestSources, digest
from config.schedule import AlertChannel
from domain.access import NOBODY, ORG, ORGANISATION, PUBLIC, Acl, Scope, group, permits, user
from domain.answer_ports import KeptAnswer
from domain.conversation import Audience, ReplyAudience
from domain.masking import Masker
from tests.fakes.document_catalog import MemoryLibrary
from tests.fakes.documents import a_document, put
from tests.fakes.embedder import HashEmbedder
from tests.fakes.kept_answers import kept
from tests.fakes.knowledge import MemoryKnowledge

HERE, OPEN, CLOSED = "C1", "C2", "C3"
MASKER = Masker()
ACLS = [
    *(Acl.any_of(PUBLIC), ORGANISATION, NOBODY, Acl.any_of(user("ada@example.com"))),
    *(Acl.any_of(group("docs", "crew")), ORGANISATION.and_also(Acl.any_of(group("docs", "crew")))),
]
DOCUMENTS = [a_document(f"page-{n}", title=f"Title-{n}", acl=acl) for n, acl in enumerate(ACLS)]

questions = st.fixed_dictionaries(
    {
        "channel": st.sampled_from([HERE, OPEN, CLOSED]),
        "private": st.booleans(),
        "audience": st.sampled_from(get_args(Audience)),
        "platform": st.sampled_from(["slack", "slack", "teams"]),
        "nearest": st.lists(st.sampled_from([each.document_id for each in DOCUMENTS]), max_size=6, unique=True),
        "outcome": st.sampled_from(["not_found", "partly", "answered"]),
    }
)
audiences = st.sampled_from([ReplyAudience("organisation"), ReplyAudience("public", "guests"), ReplyAudience("asker")])


async def is_open(channel: str) -> bool:
    return channel == OPEN


async def told(audience: ReplyAudience, answers: list[KeptAnswer]) -> str:
    embedder = HashEmbedder()
    knowledge = MemoryKnowledge(embedder.identity)
    for each in DOCUMENTS:
        await put(knowledge, embedder, each, "words")
    readers = DigestReaders(AlertChannel(f"slack:{HERE}"), audience)
    return "\n".join(await digest(readers, answers, is_open, DigestSources(embedder, MemoryLibrary(knowledge), MASKER)))


@settings(deadline=None, max_examples=60)
@given(audience=audiences, asked=st.lists(questions, max_size=8))
def test_it_says_nothing_that_one_of_its_readers_may_not_read(
    audience: ReplyAudience, asked: list[dict[str, Any]]
) -> None:
    answers = [kept(number, f"Subject-{number} is what?", **each) for number, each in enumerate(asked)]
    said = asyncio.run(told(audience, answers))
    members = audience.audience == "organisation"
    reader = Scope(frozenset({PUBLIC, ORG} if members else {PUBLIC}))
    for document in DOCUMENTS:
        assert document.title not in said or permits(document.acl, reader)
    readable = [
        each
        for each in answers
        if each.place.platform == "slack"
        and not each.place.private
        and each.audience != "asker"
        and (each.place.channel == HERE or (members and each.place.channel == OPEN))
    ]
    quoted = {each.number for each in answers if f"Subject-{each.number} " in said}
    assert quoted <= {each.number for each in readable}
    assert bool(quoted) == bool(readable)
    assert said.startswith(f"Asked in the last 7 days without a good answer ({len(readable)})") or not readable
