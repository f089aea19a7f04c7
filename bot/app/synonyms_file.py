"""The file of synonyms that the settings name."""

from agent.retrieval.synonym_groups import read_synonyms
from config.settings import Settings
from domain.errors import Misconfigured
from domain.text.synonyms import NO_SYNONYMS, Synonyms


def synonyms_of(settings: Settings) -> Synonyms:
    """The operator's synonyms; none where no file is named.

    Raises:
        Misconfigured: the file cannot be read, or is not of the form.
    """
    path = settings.search.synonyms
    if path is None:
        return NO_SYNONYMS
    try:
        text = path.expanduser().read_text(encoding="utf-8")
    except (OSError, ValueError, RuntimeError) as error:
        raise Misconfigured(
            f"The synonyms in {path} cannot be read",
            why=f"{getattr(error, 'strerror', None) or error}.",
            next_step="Check KB_AGENT_SYNONYMS.",
        ) from None
    return read_synonyms(text, str(path))
