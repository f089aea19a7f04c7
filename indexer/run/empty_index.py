"""A dry run where nothing is indexed yet."""

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from domain.documents import Refusal
from domain.errors import Bug
from domain.index_ports import IndexedDocument, StoredText


class EmptyIndex:
    """A writer over an empty index that refuses to write."""

    has_propositions = False

    async def indexed_documents(self, source: str) -> dict[str, IndexedDocument]:  # noqa: ARG002 - of no source
        """No document."""
        return {}

    async def refusals(self, source: str) -> dict[str, Refusal]:  # noqa: ARG002 - of no source
        """None."""
        return {}

    async def stored_vectors(self, text_hashes: Sequence[bytes]) -> dict[bytes, NDArray[np.float16]]:  # noqa: ARG002 - of no text
        """No vector."""
        return {}

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
