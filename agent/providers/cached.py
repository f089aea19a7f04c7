"""Replies of a model that are kept, so that the same request is made once."""

import json
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from hashlib import blake2b

from agent.providers.json_replies import object_of
from domain.chat import ChatRequest
from domain.errors import KbError
from domain.masking import Masker
from domain.metrics import REPLY_CACHE
from domain.model_ports import ChatModel, ReplyCache

KEY_BYTES = 32

MASKING_BYTES = 8
"""With which a key begins: they name the masking, so that what was kept under another one can be told and dropped."""

_log = logging.getLogger(__name__)


def masking_mark(masking: str) -> bytes:
    """What the keys of all replies begin with that passed that version of the masker."""
    return blake2b(masking.encode(), digest_size=MASKING_BYTES).digest()


def reply_key(model: str, request: ChatRequest, context: bytes, masking: str) -> bytes:
    """What a reply is kept under, 32 bytes: the mark of the masking, and a BLAKE2b digest of all that the reply depends
    on. The request itself is kept nowhere.

    model: name of the model. context: names what the asker may see. masking: version of the masker.
    """
    asked = [
        model,
        request.purpose,
        [[message.role, message.text] for message in request.messages],
        [request.schema.name, request.schema.schema] if request.schema else None,
        request.small,
        request.model,
        request.temperature,
        request.max_tokens,
        context.hex(),
    ]
    # ASCII, so that a lone surrogate in a text is no trouble
    digest = blake2b(json.dumps(asked, sort_keys=True).encode("ascii"), digest_size=KEY_BYTES - MASKING_BYTES)
    return masking_mark(masking) + digest.digest()


class Cached(ChatModel):
    """A model whose whole replies are kept, without their secrets. A cache that fails never fails a request.

    model: asked for what is not kept. cache: keeps. context: names what the asker may see, so that nobody gets a reply
    that was made from what others may read. masker: takes the secrets out of what is kept.
    """

    def __init__(self, model: ChatModel, cache: ReplyCache, context: bytes, masker: Masker) -> None:
        self._model = model
        self._cache = cache
        self._context = context
        self._masker = masker
        self._hits = 0

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    @property
    def hits(self) -> int:
        """Replies that came from the cache."""
        return self._hits

    async def complete(self, request: ChatRequest) -> str:
        """The reply kept for this request, or the model's."""
        key = self._key(request)
        kept = await self._get(key)
        if kept is not None:
            return kept
        reply = await self._model.complete(request)
        await self._keep(key, request, reply)
        return reply

    async def stream(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        """The reply kept for this request, in one piece, or the model's; one that breaks off or was cut for its length
        is not kept."""
        key = self._key(request)
        kept = await self._get(key)
        if kept is not None:
            yield kept
            return
        given = []
        async with aclosing(self._model.stream(request)) as pieces:
            async for piece in pieces:
                given.append(piece)
                yield piece
        await self._keep(key, request, "".join(given))

    async def forget(self, request: ChatRequest) -> None:
        """Drops the reply kept for a request: it turned out to be of no use."""
        await self._put(self._key(request), "")

    def _key(self, request: ChatRequest) -> bytes:
        return reply_key(self.name, request, self._context, self._masker.version)

    async def _get(self, key: bytes) -> str | None:
        try:
            kept = await self._cache.get(key)
        except KbError as error:
            _log.warning("No reply read from the cache: %s", error.what)
            return None
        kept = kept or None  # an empty one was dropped
        self._hits += kept is not None
        REPLY_CACHE.labels("miss" if kept is None else "hit").inc()
        return kept

    async def _keep(self, key: bytes, request: ChatRequest, reply: str) -> None:
        # an object within a text is a part of it
        typed = object_of(reply, lambda text: self._masker.secrets(text).text) if request.schema else None
        kept = self._masker.secrets(reply if typed is None else json.dumps(typed, ensure_ascii=False))
        if not kept.withheld:
            await self._put(key, kept.text)

    async def _put(self, key: bytes, reply: str) -> None:
        try:
            await self._cache.put(key, reply)
        except KbError as error:
            _log.warning("A reply was not kept in the cache: %s", error.what)
