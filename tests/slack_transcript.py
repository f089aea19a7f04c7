"""A conversation on the local Slack as its people see it: `python -m tests.slack_transcript` plays and prints it; with
`--write` it goes into docs/slack-conversation.md."""

import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from tests.command import ROOT, Kb
from tests.conftest import open_folder
from tests.fakes.slack import Channel, LocalSlack, Message, User, View, buttons, local_slack, plain
from tests.flows.slack.conftest import serving, slack_env

T = TypeVar("T")

PAGE = ROOT / "docs" / "slack-conversation.md"
BEGIN = "<!-- made by `python -m tests.slack_transcript --write`; change that, not this -->\n"
END = "<!-- end of what it made -->\n"

DOCUMENTS = ROOT / "examples" / "knowledge-base"
PENSION = """\
# Pension plan

Updated 2026-05-04

Tidewell contributes 6 % of the gross salary to its employees' pension plan.
"""
"""A page that Ada alone may read."""

WIDTH = 110
SECONDS = 30.0
SIGNS = {":hourglass_flowing_sand:": "⏳", "(in_progress)": "…", "(complete)": "✓"}
AGE = re.compile(r"updated (?:\d+ \w+ ago|just now)")
BOLD = re.compile(r"\*(\S(?:[^*\n]*\S)?)\*")


class Screen:
    """What was seen, line by line."""

    def __init__(self, slack: LocalSlack) -> None:
        self._slack = slack
        self._lines: list[str] = []

    def __str__(self) -> str:
        return "\n".join(self._lines).strip() + "\n"

    def head(self, title: str) -> None:
        """Where the next lines are seen."""
        self._lines += [f"──── {title} ".ljust(WIDTH, "─"), ""]

    def does(self, line: str) -> None:
        """What somebody does."""
        self._lines += [f"({line})", ""]

    def said(self, who: str, text: str, depth: int = 0) -> None:
        """Who says something, and the words below."""
        self._lines += [*self._wrapped(who, 4 * depth), *self._wrapped(text, 4 * depth + 2), ""]

    def shown(self, forms: Sequence[str], depth: int = 0, remark: str = "", again: str = "edited") -> None:
        """A message of the bot. forms: how it looks, one after the other."""
        first, *later = forms
        became = [f"[{again}]{chr(10) if chr(10) in form else ' '}{form}" for form in later]
        self.said(f"kb{f' ({remark})' if remark else ''}", "\n".join([first, *became]), depth)

    def window(self, who: User, view: View) -> None:
        """An open modal."""
        content = view.content
        below = " ".join(f"[{content[name]['text']}]" for name in ("submit", "close") if name in content)
        self.said(f"window “{content['title']['text']}” ({who.name} alone sees it)", f"{plain(content)}\n{below}", 1)

    def _wrapped(self, text: str, margin: int) -> Iterator[str]:
        for line in self._readable(text).splitlines():
            indent = " " * (margin + len(line) - len(line.lstrip()))
            yield from textwrap.wrap(line, WIDTH, initial_indent=indent, subsequent_indent=indent) or [""]

    def _readable(self, text: str) -> str:
        """The text with names and signs as Slack shows them, and without what differs from day to day."""
        for user in self._slack.world.users.values():
            text = text.replace(f"<@{user.id}>", f"@{user.name}")
        for sign, shown in SIGNS.items():
            text = text.replace(sign, shown)
        return AGE.sub("updated …", BOLD.sub(r"\1", text))


class Play:
    """People who ask, press and type. Each step waits for what comes of it, and puts it on the screen."""

    def __init__(self, slack: LocalSlack) -> None:
        self._slack = slack
        self.screen = Screen(slack)
        self.ada = slack.add_user("Ada", email="ada@tidewell.example")
        self.ben = slack.add_user("Ben", email="ben@tidewell.example")
        self.support = slack.add_channel("support", [self.ada, self.ben], streams=False)

    def ask(self, who: User, channel: Channel, text: str, thread: str | None = None) -> Message:
        """A message to the bot; gives the reply."""
        words = text if channel.is_im else f"<@{self._slack.bot}> {text}"
        ts = self._slack.say(who, channel.id, words, thread)
        self.screen.said(who.name, words, 1 if thread else 0)

        def outcome() -> Message | None:
            there = self._slack.thread(channel.id, thread or ts)
            return next((each for each in there if each.ts > ts and _final(each)), None)

        reply = self._until(outcome)
        forms = _forms(reply)
        if reply.stream:  # its tasks and its text stay as they were added
            self.screen.shown([forms[0], forms[-1]], 1, again="at its end")
        else:
            self.screen.shown(forms, 1)
        return reply

    def command(self, who: User, text: str, words: str) -> Message:
        """The slash command; gives the message to its user that has these words."""
        before = len(self._slack.ephemerals(self.support.id, who))
        self.screen.does(f"{who.name} types: /kb {text}")
        self._slack.slash(who, self.support.id, "/kb", text)
        found = self._until(lambda: self._told(who, words))
        for each in self._slack.ephemerals(self.support.id, who)[before:]:
            self.screen.shown(_forms(each), remark=f"{who.name} alone sees this")
        return found

    def press(self, who: User, message: Message, action: str) -> None:
        """A button; of the two that judge, the bad one."""
        button = next(each for each in buttons(message) if each["action_id"] == action)
        chosen = button.get("negative_button") or button
        self.screen.does(f"{who.name} presses [{chosen['text']['text']}]")
        self._slack.press(who, message, action, chosen["value"])

    def preview(self, who: User, message: Message, words: str) -> None:
        """The first source. What is cited is known a moment after it is shown: until then the window says no."""
        self.press(who, message, "kb_preview:1")
        while True:
            view = self._until(
                lambda: next((each for each in self._slack.views if "Loading" not in plain(each.content)), None)
            )
            self._slack.close_view(who, view.id)
            if words in plain(view.content):
                self.screen.window(who, view)
                return
            assert "cannot be shown" in plain(view.content)
            self._slack.press(who, message, "kb_preview:1")

    def window(self, who: User, words: str) -> View:
        """The modal that opens, once it has these words."""
        view = self._until(lambda: next((each for each in self._slack.views if words in plain(each.content)), None))
        self.screen.window(who, view)
        return view

    def told(self, who: User, words: str) -> None:
        """A message with these words that one person alone sees."""
        found = self._until(lambda: self._told(who, words))
        self.screen.shown(_forms(found)[-1:], remark=f"{who.name} alone sees this")

    def direct(self, who: User, words: str) -> None:
        """The bot's direct message with these words."""
        channel = self._slack.dm(who).id
        found = self._until(lambda: next((m for m in self._slack.channel(channel) if words in plain(m)), None))
        self.screen.head(f"direct messages between {who.name} and kb")
        self.screen.shown(_forms(found))

    def _told(self, who: User, words: str) -> Message | None:
        told = self._slack.ephemerals(self.support.id, who)
        return next((each for each in told if words in plain(each)), None)

    def _until(self, holds: Callable[[], T | None]) -> T:
        return self._slack.until(holds, SECONDS)


def _forms(message: Message) -> list[str]:
    """How a message looked, without repetitions."""
    return list(dict.fromkeys(plain(each) for each in message.versions))


def _final(message: Message) -> bool:
    payload = (message.metadata or {}).get("event_payload") or {}
    return bool(payload.get("final")) and message.streaming_state != "in_progress"


def played(slack: LocalSlack) -> str:
    """The conversation."""
    play = Play(slack)
    ada, ben, support, screen = play.ada, play.ben, play.support, play.screen

    screen.head("#support")
    reply = play.ask(ada, support, "How much is the daily meal allowance for a full day on a business trip?")
    play.preview(ada, reply, "breakfast")
    play.ask(
        ada, support, "And what do I deduct for breakfast, lunch and dinner that a host provides?", reply.thread_ts
    )
    play.press(ben, reply, "kb_feedback")
    asked = play.window(ben, "What was wrong")
    screen.does("Ben writes “The second source is out of date.” and presses [Send]")
    slack.submit(ben, asked.id, {"kb_reason": {"kb_reason": "The second source is out of date."}})

    screen.head("#support")
    play.command(ben, "To what torque do I tighten the clamp screws of a Collar sensor?", "Confidence")

    screen.head("#support")
    reply = play.ask(ada, support, "How much does Tidewell contribute to its employees' pension plan?")
    play.press(ada, reply, "kb_private")
    play.told(ada, "direct message")
    play.direct(ada, "Confidence")
    play.ask(ada, slack.dm(ada), "What was ticket FW-88 about, and which firmware version fixed it?")

    screen.head("#support")
    confirm = play.command(ben, "reindex", "Confirm")
    play.press(ben, confirm, "kb_reindex")
    play.told(ben, "Started")
    play.direct(ben, "unchanged")
    return str(screen)


def transcript(kb: Kb, folder: Path) -> str:
    """The conversation with `kb serve`. kb: over an empty index. folder: for a page of one person's."""
    folder.mkdir(exist_ok=True)
    (folder / "pension.md").write_text(PENSION)
    private = ["index", str(folder), "--source", "people", "--audience", "ada@tidewell.example"]
    for words in (["index", str(DOCUMENTS)], private):
        done = kb.start(*words).end()
        assert done.code == 0, done.err
    with local_slack() as slack:
        # a change takes longer than the bot waits between two of them: none is left out, however fast the machine
        slack.latency("chat.update", 0.1)
        slack.latency("chat.appendStream", 0.8)
        own = {"SLACK_EDIT_SECONDS": "0.05", "SLACK_EDITS_MINUTE": "6000", "ADMINS": "ben@tidewell.example"}
        with serving(kb.having(**(slack_env(slack) | own)), slack):
            return played(slack)


def in_page(text: str) -> str:
    """The transcript as it stands in the page."""
    return f"{BEGIN}\n```text\n{text}```\n\n{END}"


@contextmanager
def _own_kb() -> Iterator[tuple[Kb, Path]]:
    """The command over a data folder of its own, and a folder for documents."""
    folder = open_folder("kb-transcript-")
    try:
        yield Kb({"KB_AGENT_DATA_DIR": str(folder / "data")}, folder), folder / "people"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """Plays, and prints or writes."""
    with _own_kb() as (kb, folder):
        text = transcript(kb, folder)
    if "--write" not in sys.argv[1:]:
        sys.stdout.write(text)
        return
    page = PAGE.read_text()
    before, after = page[: page.index(BEGIN)], page[page.index(END) + len(END) :]
    PAGE.write_text(before + in_page(text) + after)


if __name__ == "__main__":
    main()
