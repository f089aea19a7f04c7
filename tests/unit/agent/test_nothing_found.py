"""What is said where nothing is found: a table of who asks, where, and what there is; secrets in a question."""

from itertools import product

import pytest

from agent.options import AgentOptions
from agent.questions.narrowing import narrowed
from agent.state import ToolRequest
from agent.tools.registry import tools
from agent.tools.toolbox import Toolbox
from domain.access import NOBODY, ORGANISATION, Acl, Scope, user
from domain.answers import Answer, Declined, NotFound, Outcome, Question, Turn
from domain.conversation import Audience, Identity, ReplyAudience, scope_of, scope_reason_of
from domain.masking import Masker, masked_kinds, without_masks
from domain.scope_reason import PublicReason
from domain.search import Filters, Hits, SearchRequest
from tests.fakes.agent import MODEL, a_context, a_service, the_sources
from tests.fakes.documents import a_document, put
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.masking import github_token
from tests.fakes.rights import EVERYONE

pytestmark = pytest.mark.check

ASKED = "How high is the lighthouse?"
PRIVATELY = "Ask me in a direct message: there I use all that you may read."

ASKERS = {
    "member": Identity("ann@example.com", member=True),
    "guest": Identity("gus@example.com", member=False, reason="guest"),
    "stranger": Identity("sue@example.com", member=False, reason="stranger"),
    "no address": Identity(None, member=True),
    "foreign domain": Identity("ann@elsewhere.example", member=True),
}
PLACES: dict[str, tuple[Audience, PublicReason]] = {
    "private": ("asker", ""),
    "channel": ("organisation", ""),
    "shared channel": ("public", "shared_channel"),
    "channel with guests": ("public", "guests"),
    "look-up failed": ("public", "lookup_failed"),
    "missing scope": ("public", "missing_scope"),
}
INDEXES = {
    "empty": (),
    "of others": (NOBODY, Acl.any_of(user("bob@example.com"))),
    "hers": (Acl.any_of(user("ann@example.com")),),
    "organisation": (ORGANISATION,),
    "public": (EVERYONE, ORGANISATION, NOBODY),
}
WHO = {
    "guest": "You are a guest here, so I use only what is public.",
    "stranger": "You belong to another organisation, so I use only what is public.",
    "no address": "I am not told your e-mail address, so I use only what is public.",
    "foreign domain": "Your e-mail address is none of this organisation's, so I use only what is public.",
}
WHERE = {
    "shared channel": "People of another organisation read this conversation, so I use only what is public.",
    "channel with guests": "Guests, or people who are not known to be members, read this conversation,"
    " so I use only what is public.",
    "look-up failed": "I could not find out who reads this conversation, so I use only what is public.",
    "missing scope": "I am not permitted to see who reads this conversation, so I use only what is public.",
}


async def an_index(*acls: Acl) -> MemoryKnowledge:
    knowledge = MemoryKnowledge(MODEL.identity)
    await put(knowledge, MODEL, a_document("gone"), "Gone.")
    await knowledge.purge("docs", ["gone"])
    for number, acl in enumerate(acls):
        await put(knowledge, MODEL, a_document(str(number), acl=acl), "The walrus is fed at noon.")
    return knowledge


def a_question(asker: str, place: str, text: str = ASKED) -> Question:
    audience, reason = PLACES[place]
    readers, domains = ReplyAudience(audience, reason), ("example.com",)
    scope = scope_of(ASKERS[asker], audience, domains)
    return Question(text, scope, scope_reason=scope_reason_of(ASKERS[asker], readers, domains))


async def told(knowledge: MemoryKnowledge, question: Question) -> Outcome:
    return (await a_service(knowledge).ask(question)).outcome


def expected(asker: str, place: str, index: str) -> tuple[bool, str]:
    """Whether anything can be searched, and what is said of the limits."""
    limit = WHO.get(asker) or WHERE.get(place) or ""
    if limit:
        return index == "public", limit
    if index == "hers":
        return place == "private", ""
    return index in {"organisation", "public"}, ""


@pytest.mark.parametrize(("asker", "place"), list(product(ASKERS, PLACES)))
async def test_not_found_is_said_of_a_search_alone_and_else_why_there_was_none(asker: str, place: str) -> None:
    for index, acls in INDEXES.items():
        outcome = await told(await an_index(*acls), a_question(asker, place))
        searched, limit = expected(asker, place, index)
        if searched:
            assert isinstance(outcome, NotFound), index
            assert not outcome.searched.startswith("0 documents")
            assert outcome.scope_reason.limit == limit
        else:
            assert isinstance(outcome, Declined), index
            assert outcome.cause == "nothing_to_search"
            assert outcome.reason.startswith(limit or ("Here I use only" if place == "channel" else "There is nothing"))
            assert "other words" not in outcome.reason
            assert (PRIVATELY in outcome.reason) == (
                place in {"channel", *WHERE} - {"look-up failed"} and not WHO.get(asker)
            )


@pytest.mark.parametrize(
    ("asker", "place"), list(product(("member", "guest"), ("private", "channel", "missing scope")))
)
@pytest.mark.parametrize(
    "text", [ASKED, "When is the #secret walrus fed in document Secret Plan?", "space:LAW walrus?"]
)
async def test_documents_that_the_asker_may_not_read_change_no_word(asker: str, place: str, text: str) -> None:
    """Two indexes that differ in such documents alone, also in whether there are any."""
    question = a_question(asker, place, text)
    for acls in INDEXES.values():
        said = []
        for hidden in (False, True):
            knowledge = await an_index(*acls)
            if hidden:
                secret = a_document("s", title="Secret Plan", space="LAW", labels=["secret"], acl=NOBODY)
                await put(knowledge, MODEL, secret, "The lighthouse is ninety feet high, and the walrus is fed.")
            outcome = await told(knowledge, question)
            said.append(
                (
                    type(outcome),
                    getattr(outcome, "reason", ""),
                    getattr(outcome, "searched", ""),
                    getattr(outcome, "text", ""),
                    getattr(outcome, "notice", ""),
                )
            )
        assert said[0] == said[1]


@pytest.mark.parametrize(
    ("asker", "place", "said"),
    [
        ("member", "look-up failed", WHERE["look-up failed"]),
        ("member", "missing scope", WHERE["missing scope"]),
        ("member", "private", ""),
        ("guest", "look-up failed", ""),
    ],
)
async def test_an_answer_says_that_a_failed_look_up_held_it_to_what_is_public(
    asker: str, place: str, said: str
) -> None:
    outcome = await told(await an_index(EVERYONE), a_question(asker, place, "When is the walrus fed?"))
    assert isinstance(outcome, Answer)
    assert said in outcome.notice
    assert ("only what is public" in outcome.notice) == bool(said)


async def test_filters_given_that_nothing_meets_are_named() -> None:
    knowledge = await an_index(ORGANISATION)
    outcome = await told(knowledge, Question(ASKED, Scope.member(), Filters(labels=("nowhere",))))
    assert isinstance(outcome, Declined)
    assert outcome.cause == "filters"
    assert outcome.reason == "No document that you may read matches this: labels nowhere. Leave that out or change it."


# -- names in a question


@pytest.mark.parametrize(
    ("text", "rest", "filters", "unmet"),
    [
        ("walrus #zoo", "walrus", Filters(labels=("zoo",)), ""),
        (
            "walrus #gone",
            "walrus",
            Filters(),
            'There is no label "gone" that you can see; I searched without it.',
        ),
        (
            "#gone",
            "#gone",
            Filters(),
            'There is no label "gone" that you can see; I searched for it as a word.',
        ),
        (
            "walrus #gone space:NO",
            "walrus",
            Filters(),
            'There is no label "gone" and no space "NO" that you can see; I searched without them.',
        ),
        ("walrus in the document Feeding Times?", "walrus?", Filters(titles=("Feeding Times",)), ""),
        (
            'walrus in document "No Such Thing"',
            "walrus",
            Filters(),
            'There is no document "No Such Thing" that you can see; I searched without it.',
        ),
        (
            "walrus #zoo since:2030",
            "walrus #zoo since:2030",
            Filters(),
            "No document you may read matches this: labels zoo, since 2030-01-01. Everything was searched.",
        ),
    ],
)
async def test_a_name_narrows_where_the_asker_sees_something_of_it(
    text: str, rest: str, filters: Filters, unmet: str
) -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    await put(knowledge, MODEL, a_document("z", title="Feeding Times", labels=["zoo"]), "The walrus is fed at noon.")
    found = await narrowed(Question(text, Scope.member()), knowledge)
    assert (found.question.text, found.filters, found.unmet) == (rest, filters, unmet)


async def test_filters_of_an_earlier_question_hold_for_one_that_leans_on_it() -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    await put(knowledge, MODEL, a_document("z", labels=["zoo"]), "The walrus is fed at noon.")
    history = (Turn("When is the walrus fed #zoo?", "At noon."),)
    found = await narrowed(Question("And who feeds it?", Scope.member(), history=history), knowledge)
    assert found.filters == Filters(labels=("zoo",))
    assert found.question.history[0].question == "When is the walrus fed?"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("who is the hed of finanace?", "who is the head of finance?"),
        ("who is the hed of finance?", "who is the hed of finance?"),
    ],
)
async def test_short_words_are_corrected_beside_other_slips(text: str, meant: str) -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    await put(knowledge, MODEL, a_document("z"), "Ada is head of finance.")
    assert (await narrowed(Question(text, Scope.member()), knowledge)).question.text == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("what does e217 on the lx400 mean?", "what does E-217 on the LX-400 mean?"),
        ("lx400: who serves it", "LX-400: who serves it"),
        ("source:lx400 what is broken?", ""),
        ("KEY=lx400 and C:\\lx400\\e217 and https://lx400/a?q=lx400&r=e217#e217 and lx400\u0301?", ""),
        ("is lx400.example.com the host of a@lx400?", ""),
    ],
)
async def test_names_without_their_hyphens_stand_alone(text: str, meant: str) -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    await put(knowledge, MODEL, a_document("z"), "E-217 on the LX-400: the source is broken.")
    found = await narrowed(Question(text, Scope.member()), knowledge)
    if meant:
        assert (found.question.text, "LX-400" in found.unmet) == (meant, True)
    else:
        assert "LX-400" not in found.question.text + found.unmet


async def test_common_words_are_spelled_right_though_no_text_holds_them() -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    await put(knowledge, MODEL, a_document("z"), "The launch of the rocket is in March.")
    question = Question("When is lunch? When is the launhc?", Scope.member())
    found = await narrowed(question, knowledge, frozenset({"lunch"}))
    assert found.question.text == "When is lunch? When is the launch?"
    assert (await narrowed(question, knowledge)).question.text == "When is launch? When is the launch?"


# -- secrets in a question


class Listening(MemoryKnowledge):
    """Remembers what it was searched for."""

    def __init__(self) -> None:
        super().__init__(MODEL.identity)
        self.texts: list[str] = []

    async def search(self, request: SearchRequest, scope: Scope) -> Hits:
        self.texts.append(request.text)
        return await super().search(request, scope)


async def test_a_secret_in_a_question_is_told_of_and_not_searched_for() -> None:
    knowledge, token = Listening(), github_token()
    await put(knowledge, MODEL, a_document("z"), "The walrus is fed at noon.")
    outcome = await told(knowledge, Question(f"When is the walrus fed with {token}?", Scope.member()))
    assert isinstance(outcome, Answer)
    assert "looked like a secret (github token) and was not used. If it was a real one, change it." in outcome.notice
    assert knowledge.texts
    assert not [text for text in knowledge.texts if "masked" in text or "github" in text]
    calls = [call.args for call in outcome.trace.tool_calls]
    assert not [args for args in calls if "masked" in str(args)]


async def test_a_question_that_is_a_secret_alone_is_declined() -> None:
    knowledge = Listening()
    await put(knowledge, MODEL, a_document("z"), "The walrus is fed at noon.")
    outcome = await told(knowledge, Question(f"{github_token()}?", Scope.member()))
    assert isinstance(outcome, Declined)
    assert outcome.cause == "secret"
    assert outcome.reason.endswith("If it was a real one, change it.")
    assert not knowledge.texts


async def test_a_mask_in_the_conversation_is_no_word_either() -> None:
    knowledge = Listening()
    await put(knowledge, MODEL, a_document("z"), "The walrus is fed at noon.")
    history = (Turn("Who feeds the walrus, [masked: email]?", "Nobody."),)
    await told(knowledge, Question("And when is it fed?", Scope.member(), history=history))
    assert knowledge.texts
    assert not [text for text in knowledge.texts if "masked" in text]


@pytest.mark.parametrize("text", ['label:"a\0b" walrus fed?', "walrus fed in document Foo\0Bar Baz?", "#walrus\0 fed?"])
async def test_odd_names_in_a_question_are_words(text: str) -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    await put(knowledge, MODEL, a_document("z"), "The walrus is fed at noon.")
    assert isinstance(await told(knowledge, Question(text, Scope.member())), Answer | NotFound)


async def test_tools_are_not_called_with_what_stands_in_the_place_of_secrets() -> None:
    knowledge = Listening()
    await put(knowledge, MODEL, a_document("z"), "The walrus is fed at noon.")
    box = Toolbox(tools(the_sources(knowledge), AgentOptions(), Scope.member(), None, masker=Masker()))
    requests = [
        ToolRequest("hybrid_search", {"query": "walrus [masked: password] fed"}),
        ToolRequest("keyword_search", {"query": "[masked: password]"}),
    ]
    ran = await box.run(requests, a_context(), 1)
    assert knowledge.texts == ["walrus fed"]
    assert [each.call.args.get("query") for each in ran] == ["walrus fed", "[masked: password]"]
    assert "wrong arguments" in ran[1].call.error


def test_masks_are_taken_out_and_told_by_kind() -> None:
    text = "Is [masked: password] or [masked: github token] good, [masked: password]? [masked: no\nmask] [masked: ]"
    assert masked_kinds(text) == ("password", "github token")
    assert without_masks(text) == "Is or good, ? [masked: no mask] [masked: ]"
    assert without_masks("two  spaces") == "two  spaces"
