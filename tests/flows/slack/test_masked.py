"""No secret and no address of a page, a title, a question or a file's name is seen, kept or logged."""

import json
from pathlib import Path

from tests.command import Kb, wait_for, write
from tests.fakes.masking import github_token
from tests.fakes.slack import LocalSlack, plain
from tests.flows.planted import database
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.reading import questions, replies, settled


def test_canaries_of_a_conversation(indexed: Kb, slack: LocalSlack, tmp_path: Path) -> None:
    title, text, asked, named, edited, reason = (github_token() for _ in range(6))
    folder = write(
        tmp_path / "pages", gate=f"# Gate {title}\n\nThe gate code of hut seven is {text}. Ask kim.roe@example.net.\n"
    )
    assert indexed("index", str(folder)).code == 0
    kb = indexed.having(**slack_env(slack))
    ann = slack.add_user("ann", email="ann.poe@example.com")
    channel = slack.add_channel("general", [ann]).id
    files = [{"id": "F1", "name": f"plan {named}.pdf", "mimetype": "application/pdf"}]
    before = len(questions(kb))
    with serving(kb, slack, "-v", "serve") as process:
        first = slack.say(ann, channel, f"<@{slack.bot}> Is {asked} the gate code of hut seven?", files=files)
        slack.until(lambda: replies(slack, channel, first) and len(questions(kb)) == before + 1 and settled(kb), 30)
        slack.edit(channel, first, f"<@{slack.bot}> Is {edited} the gate code of hut seven? kim.roe@example.net")
        wait_for(lambda: questions(kb, "revision")[-1] == (1,) and settled(kb))
        (answer,) = replies(slack, channel, first)
        slack.press(ann, answer, "kb_preview:1").wait(10)
        slack.until(lambda: slack.views and "gate code" in json.dumps(slack.views[-1].content), 20)
        number = questions(kb, "question_no")[-1][0]
        slack.press(ann, answer, "kb_feedback", f"{number}:-1").wait(10)
        view = slack.until(
            lambda: next((each for each in slack.views if "reason" in json.dumps(each.content)), None), 20
        )
        field = next(block for block in view.content["blocks"] if block["type"] == "input")
        slack.submit(ann, view.id, {field["block_id"]: {field["element"]["action_id"]: f"It shows {reason}"}}).wait(10)
        wait_for(lambda: "It shows" in database(kb.env["KB_AGENT_DATABASE_URL"]))
        slack.open_home(ann).wait(10)
        slack.until(lambda: slack.home(ann), 20)
        process.interrupt()
        log = process.end().err
    assert "[masked: github token]" in plain(answer)
    shown = json.dumps([call.args for call in slack.calls()], ensure_ascii=False)
    for place, everything in (
        ("Slack", shown),
        ("the log", log),
        ("the database", database(kb.env["KB_AGENT_DATABASE_URL"])),
    ):
        for secret in (title, text, asked, named, edited, reason):
            assert secret not in everything, place
    assert "kim.roe@example.net" not in shown
    assert "ann.poe@example.com" not in log
