"""No secret and no address of a page, a title, a question or a file's name is seen, kept or logged."""

import json
from pathlib import Path

from tests.command import Kb, wait_for, write
from tests.fakes.masking import github_token
from tests.fakes.teams import LocalTeams, plain
from tests.fakes.teams_keys import TeamsKeys
from tests.flows.planted import database
from tests.flows.slack.reading import questions, settled
from tests.flows.teams.conftest import serving, teams_env
from tests.flows.teams.talk import Post, Talk, button


def test_canaries_of_a_conversation(indexed: Kb, teams: LocalTeams, keys: TeamsKeys, tmp_path: Path) -> None:
    title, text, asked, named, edited, reason = (github_token() for _ in range(6))
    folder = write(
        tmp_path / "pages", gate=f"# Gate {title}\n\nThe gate code of hut seven is {text}. Ask kim.roe@example.net.\n"
    )
    assert indexed("index", str(folder)).code == 0
    kb = indexed.having(**teams_env(teams, keys))
    ann = teams.add_person("ann", email="ann.poe@example.com")
    place = teams.add_channel("general", [ann])
    file = {"contentType": "application/vnd.microsoft.teams.file.download.info", "name": f"plan {named}.pdf"}
    with serving(kb) as (process, base):
        post = Post(base, teams, keys)
        here = Talk(post, ann, place)
        first = here.say(f"Is {asked} the gate code of hut seven?", attachments=[file])
        here.answer("gate code", first)
        wait_for(lambda: settled(kb))
        changed = f"Is {edited} the gate code of hut seven? kim.roe@example.net"
        post(teams.saying.edit(ann, place, first, changed).activity)
        wait_for(lambda: questions(kb, "revision") == [(1,)] and settled(kb))
        answer = here.answer("gate code", first)
        told = [here.open_dialog(answer, button(answer, "preview", n=1))]
        post(teams.saying.feedback(ann, place, answer, "dislike", f"It shows {reason}"))
        assert "It shows" in database(kb.env["KB_AGENT_DATABASE_URL"])
        here.say(f"reindx {asked}", thread=first.id)
        here.told("Did you mean", first)
        wait_for(lambda: settled(kb))
        process.interrupt()
        wait_for(lambda: process.process.poll() is not None)
        log = process.said
    assert "[masked: github token]" in plain(answer)
    shown = json.dumps([told, [call.body for call in teams.calls()]], ensure_ascii=False)
    for where, everything in (
        ("Teams", shown),
        ("the log", log),
        ("the database", database(kb.env["KB_AGENT_DATABASE_URL"])),
    ):
        for secret in (title, text, asked, named, edited, reason):
            assert secret not in everything, where
    assert "kim.roe@example.net" not in shown
    assert "ann.poe@example.com" not in log
