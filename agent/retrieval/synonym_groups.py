"""The synonyms of an operator, as a YAML file says them: one list of words or phrases of the same meaning a line."""

from agent.yaml_text import read_yaml
from domain.errors import Misconfigured
from domain.text.synonyms import Synonyms

MAX_GROUPS = 1_000
"""Groups of a file: every question is compared with all of them."""


def read_synonyms(text: str, name: str) -> Synonyms:
    """The groups in the text of a file. name: of the file, for messages.

    Raises:
        Misconfigured: it is not of the form; the message names the group and what is wrong with it.
    """
    try:
        groups = read_yaml(text)
    except ValueError as error:
        raise _wrong(f"{name} is not YAML that can be read", str(error)) from None
    if not isinstance(groups, list) or not groups or len(groups) > MAX_GROUPS:
        raise _wrong(
            f"{name} has no list of synonyms", f"It takes 1 to {MAX_GROUPS:,} groups: - [vacation, annual leave]"
        )
    return Synonyms(tuple(_group(group, number, name) for number, group in enumerate(groups, start=1)))


def _group(group: object, number: int, name: str) -> tuple[str, ...]:
    fits = isinstance(group, list) and all(isinstance(each, str) and each.strip() for each in group)
    words = tuple(dict.fromkeys(" ".join(each.split()) for each in group)) if fits and isinstance(group, list) else ()
    if len(words) < 2:
        raise _wrong(f"Group {number} of {name} is no list of two words or more", "Words of digits stand in quotes.")
    return words


def _wrong(what: str, why: str) -> Misconfigured:
    return Misconfigured(what, why=why, next_step="Mend the file that KB_AGENT_SYNONYMS names, and start again.")
