"""No secret and no address of a page, a title, a question or a file's name is seen, kept or logged."""

from pathlib import Path

from tests.command import Kb, wait_for, write
from tests.fakes.masking import github_token
from tests.flows.planted import database
from tests.flows.platforms.stages import Stage
from tests.flows.slack.reading import questions, settled


def test_canaries_of_a_conversation(kb: Kb, stage: Stage, tmp_path: Path) -> None:
    title, text, asked, named, edited, reason = (github_token() for _ in range(6))
    folder = write(
        tmp_path / "pages",
        gate=f"# Gate {title}\n\nThe gate code of hut seven is {text}; kim.roe@example.net knows it.\n",
    )
    assert kb("index", str(folder)).code == 0
    kb = kb.having(**stage.settings())
    url = kb.env["KB_AGENT_DATABASE_URL"]
    ann = stage.person("ann", "ann.poe@example.com")
    with stage.serving(kb) as process:
        here = stage.room("general", ann)
        first = here.ask(f"Is {asked} the gate code of hut seven?", file=f"plan {named}.pdf")
        here.outcome(first, "gate code")
        wait_for(lambda: settled(kb))
        if "edit" in stage.acts:
            here.edit(first, f"Is {edited} the gate code of hut seven? kim.roe@example.net")
            wait_for(lambda: questions(kb, "revision")[-1] == (1,) and settled(kb))
        answer = here.outcome(first, "gate code")
        if "preview" in stage.acts:
            here.preview(first)
        if "complain" in stage.acts:
            here.complain(first, f"It shows {reason}")
            wait_for(lambda: "It shows" in database(url))
        if "mistype" in stage.acts:
            here.mistype(first, f"reindx {asked}")
        wait_for(lambda: settled(kb))
        process.interrupt()
        wait_for(lambda: process.process.poll() is not None)
        log = process.said
    assert "[masked: github token]" in answer
    shown = stage.everything()
    assert "looked like a secret (github token) and was not used. If it was a real one, change it." in answer
    assert "gate code of hut seven" in shown
    for where, everything in (("the platform", shown), ("the log", log), ("the database", database(url))):
        for secret in (title, text, asked, named, edited, reason):
            assert secret not in everything, where
    assert "kim.roe@example.net" not in shown
    assert "ann.poe@example.com" not in log
