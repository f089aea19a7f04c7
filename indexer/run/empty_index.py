"""A dry run where nothing is indexed yet."""

from typing import Any, NoReturn

from domain.errors import Bug
from domain.index_ports import StoredText


class EmptyIndex:
    """A writer over an empty index that refuses to write."""

    has_propositions = False

    async def _nothing(self, *_given: Any, **_named: Any) -> dict[Any, Any]:
        return {}

    indexed_documents = refusals = stored_vectors = _nothing

    async def stored_text(self, source: str, external_id: str) -> StoredText | None:  # noqa: ARG002 - of no document
        """Nothing."""
        return None

    async def merge_segments(self) -> bool:
        """Nothing to do."""
        return False

    async def finish(self) -> None:
        """Nothing to do."""

    async def _refuse(self, *_given: Any, **_named: Any) -> NoReturn:
        raise Bug("a dry run was about to write")

    put = update_metadata = update_if_unchanged = replace_graph = set_acl = hide = purge = save_refusals = _refuse
