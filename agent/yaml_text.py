"""The YAML of operators' files: questions and synonyms."""

from typing import Any

import yaml

_MERGE = "tag:yaml.org,2002:merge"


def read_yaml(text: str) -> object:
    """What the text says, in plain values. Raises ValueError saying why it cannot be read."""
    try:
        return yaml.load(text, _Loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ValueError(" ".join(str(error).split()) or "It is nested too deeply.") from None


class _Loader(yaml.SafeLoader):
    """Refuses a key that is given twice: where the dash before an entry is forgotten, one would silently vanish. And
    merge keys, which copy what they name: a few lines of them in one another take all memory."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        line = node.start_mark.line + 1 if node.start_mark else 0
        seen: set[str] = set()
        for key, _ in node.value:
            if key.tag == _MERGE:
                raise yaml.YAMLError(f"The entry at line {line} has a merge key (<<), which is not read: write it out.")
            if not isinstance(key, yaml.ScalarNode):
                continue  # the constructor refuses it
            if key.value in seen:
                raise yaml.YAMLError(f"The entry at line {line} has {key.value} twice: a new one begins with a dash.")
            seen.add(key.value)
        return super().construct_mapping(node, deep)
