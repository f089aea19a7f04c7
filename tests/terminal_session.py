"""The session in the terminal that README.md shows: `python -m tests.terminal_session` runs its commands on a new index
and prints what they write; with `--write` it goes into README.md."""

import re
import shlex
import shutil
import sys

from tests.command import ROOT, Kb
from tests.conftest import open_folder

PAGE = ROOT / "README.md"
BEGIN = "<!-- made by `python -m tests.terminal_session --write`; change that, not this -->\n"
END = "<!-- end of what it made -->\n"
COMMANDS = (
    "kb index examples/knowledge-base",
    'kb ask "How do I move all SMS traffic from Skerry to Northlight when Skerry is failing?"',
    'kb ask "How much is the daily meal allowance for a full day on a business trip?"',
    'kb ask "To what torque do I tighten the clamp screws of a Collar sensor?"',
    'kb ask "How much does Tidewell contribute to its employees\' pension plan?"',
)
TOOK = re.compile(r"\bin \d+\.\d s\b")


def session(kb: Kb) -> str:
    """What a person sees who types the commands. kb: over an empty index, in the folder of the checkout."""
    shown = []
    for command in COMMANDS:
        done = kb(*shlex.split(command)[1:])
        shown.append(f"$ {command}\n{done.out.rstrip()}\n")
    text = "\n".join(shown).replace(ROOT.as_uri(), "file:///…")
    return TOOK.sub("in a few seconds", text)


def in_page(text: str) -> str:
    """The session as it stands in README.md."""
    return f"{BEGIN}```text\n{text}```\n{END}"


def main() -> None:
    """Prints the session, or writes it into README.md."""
    folder = open_folder("kb-session-")
    try:
        text = session(Kb({"KB_AGENT_DATA_DIR": str(folder / "data")}, ROOT))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if "--write" not in sys.argv[1:]:
        print(text)
        return
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    PAGE.write_text(before + in_page(text) + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
