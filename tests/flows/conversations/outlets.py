"""Where the product speaks: both platforms, the model's server, the database's rows of somebody, metrics, spans."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from bot.app.health_endpoints import readiness_of
from bot.app.metrics_page import metrics_page
from bot.app.serving import ServingProcess
from tests.command import rows
from tests.fakes.model_rules import purpose
from tests.fakes.model_server import ModelServer
from tests.fakes.slack import LocalSlack
from tests.fakes.teams import LocalTeams
from tests.flows.conversations.made_company import ORG, PUBLIC
from tests.flows.conversations.overheard import NOBODY_KNOWN, Ear, as_text


@dataclass
class Readers:
    """Who is who, and who is where. people: names by the platform's ids. rooms: names by channel; channels that are not
    there are private, see `alone`. alone: the one who is there with the bot."""

    people: dict[str, str] = field(default_factory=dict)
    rooms: dict[str, set[str]] = field(default_factory=dict)
    alone: dict[str, str] = field(default_factory=dict)

    def of_place(self, channel: str) -> frozenset[str]:
        """Who reads along; where several do, the organisation counts as one of them."""
        base = channel.partition(";")[0]
        if base in self.rooms:
            return frozenset({*self.rooms[base], ORG})
        return frozenset({self.alone.get(base, PUBLIC)})

    def of_person(self, person: object) -> frozenset[str]:
        """One reader."""
        return frozenset({self.people.get(str(person), PUBLIC)})


def look_at_slack(slack: LocalSlack, readers: Readers, ear: Ear) -> None:
    """Every form of every message, also of what one person sees and of what is deleted; windows, Home tabs, calls."""
    with slack.world.changed:
        for channel in slack.world.channels.values():
            for message in channel.messages.values():
                if message.user == slack.bot:
                    _each_form(message.versions, "reply on Slack", readers.of_place(channel.id), ear)
        for (_, person), seen in slack.world.ephemerals.items():
            for message in seen.values():
                _each_form(message.versions, "ephemeral message on Slack", readers.of_person(person), ear)
        for view in slack.world.views.values():
            _each_form(view.versions, "window on Slack", readers.of_person(view.user), ear)
        for (_, person), homes in slack.world.homes.items():
            _each_form(homes, "Home tab", readers.of_person(person), ear)
        for (channel_id, _), thread in slack.world.threads.items():
            said = [thread.title, thread.prompts, thread.statuses, thread.loading_messages]
            _each_form(said, "assistant's pane", readers.of_place(channel_id), ear)
        calls = list(slack.world.calls)
    for call in calls:
        place = call.args.get("channel") or call.args.get("channel_id")
        if call.args.get("user") and call.method == "chat.postEphemeral":
            ear.heard(f"call {call.method}", readers.of_person(call.args["user"]), as_text(call.args))
        elif place:
            ear.heard(f"call {call.method}", readers.of_place(str(place)), as_text(call.args))
        elif not call.method.startswith("views."):  # those were seen as windows
            ear.heard(f"call {call.method}", NOBODY_KNOWN, as_text(call.args))


def _each_form(forms: Iterable[object], where: str, readers: frozenset[str], ear: Ear) -> None:
    for form in forms:
        ear.heard(where, readers, as_text(form))


def look_at_teams(teams: LocalTeams, readers: Readers, ear: Ear) -> None:
    """Every call: messages, streams, edits, cards. What a press was answered is noted by who presses."""
    for call in teams.calls():
        ear.heard(f"{call.operation} on Teams", readers.of_place(call.conversation), as_text(call.body))


def look_at_model(model: ModelServer, askers: Mapping[str, frozenset[str]], ear: Ear) -> list[str]:
    """Every request. askers: see OverheardAnswers.marks. Gives what the requests without a question
    hold that no other request held: these check sentences of replies, against what a request for one had shown."""
    asked = [(each.body, as_text(each.body)) for each in list(model.requests) if "messages" in each.body]
    model.requests.clear()
    known: set[str] = set()
    unknown: set[str] = set()
    for body, text in asked:
        if purpose(body) == "check":
            unknown |= ear.canaries(text)
            continue
        line = next(line for line in body["messages"][1]["content"].splitlines() if "the week of " in line)
        mark = line.rpartition("the week of ")[2].partition(")")[0]
        ear.heard(f"request to the model ({purpose(body)})", askers[mark], text)
        known |= ear.canaries(text)
    return sorted(unknown - known)


OWNED = """
SELECT q.platform, q.channel, q.asker, q.audience = 'asker' OR q.private, part, row::text FROM questions q JOIN (
    SELECT question_no, 'questions' AS part, jsonb_build_array(text, handle, cited, unread) AS row FROM questions
    UNION ALL SELECT question_no, 'turns', jsonb_build_array(question, reply) FROM turns
    UNION ALL SELECT question_no, 'feedback', jsonb_build_array(reason) FROM feedback
    UNION ALL SELECT question_no, 'posted_replies', jsonb_build_array(reply, citations) FROM posted_replies
    UNION ALL SELECT question_no, 'answer_records', jsonb_build_array(question, nearest, trace) FROM answer_records
) AS kept USING (question_no)
"""
KEPT = "SELECT key, reply FROM model_replies"
UNOWNED = "SELECT to_jsonb(procrastinate_jobs)::text FROM procrastinate_jobs"
Kept = Mapping[bytes, set[frozenset[str]]]
"""See OverheardReplies.readers."""


def look_at_rows(url: str, readers: Mapping[str, Readers], kept: Kept, ear: Ear) -> None:
    """What the database keeps of questions, replies, votes, jobs and a model. kept: a reply of the model belongs to all
    whose answer it was used for, because its key covers what may be seen; one of an unknown key belongs to nobody."""
    for platform, channel, asker, private, part, row in rows(url, OWNED):
        here = readers[platform]
        ear.heard(f"row of {part}", here.of_person(asker) if private else here.of_place(channel), row)
    for key, reply in rows(url, KEPT):
        for each in kept.get(bytes(key), {NOBODY_KNOWN}):
            ear.heard("row of model_replies", each, reply)
    for (row,) in rows(url, UNOWNED):
        ear.heard("row of a job", NOBODY_KNOWN, row)


async def look_at_metrics(service: ServingProcess, ear: Ear) -> None:
    """The page of metrics, which operators read."""
    page = await metrics_page(service, readiness_of(service))
    ear.heard("metrics", NOBODY_KNOWN, page.decode())


def look_at_spans(exporter: InMemorySpanExporter, ear: Ear) -> None:
    """Spans hold no text at all."""
    for span in exporter.get_finished_spans():
        ear.heard("span", NOBODY_KNOWN, span.to_json())
    exporter.clear()
