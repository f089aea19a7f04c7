"""The file of synonyms that the settings name."""

from agent.retrieval.synonym_groups import read_synonyms
from bot.app.named_file import text_of
from config.settings import Settings
from domain.text.synonyms import NO_SYNONYMS, Synonyms


def synonyms_of(settings: Settings) -> Synonyms:
    """The operator's synonyms; none where no file is named.

    Raises:
        Misconfigured: the file cannot be read, or is not of the form.
    """
    path = settings.search.synonyms
    if path is None:
        return NO_SYNONYMS
    return read_synonyms(text_of(path, f"The synonyms in {path}", "Check KB_AGENT_SYNONYMS."), str(path))
