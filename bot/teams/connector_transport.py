"""The library's client over one kept session of aiohttp: its own way of sending takes a thread of a small pool for each
request, so that a few that hang would keep all others waiting."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from msrest.pipeline import Request, Response
from msrest.pipeline.async_abc import AsyncHTTPSender
from yarl import URL

from domain.errors import Transient

SECONDS = 15
"""That one request may take."""


@dataclass(slots=True)
class ConnectorResponse:
    """A response, read. context: the library puts something there."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    context: Any = field(default=None, repr=False)


class AiohttpSender(AsyncHTTPSender):  # type: ignore[type-arg] # of whatever request
    """The last step of the library's pipeline. Raises what aiohttp raises, and Transient when it is closed."""

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None
        self._closed = False

    def build_context(self) -> None:
        """The library asks for what it wants to keep with a request: nothing."""

    async def send(self, request: Request[Any], **_config: Any) -> Response[Any, Any]:
        """Sends a request; nothing is followed."""
        asked = request.http_request
        if self._closed:
            raise Transient("The connection to Teams is closed")
        if self._session is None:
            timeout = aiohttp.ClientTimeout(total=SECONDS)
            self._session = aiohttp.ClientSession(timeout=timeout, connector=aiohttp.TCPConnector(limit=0))
        async with self._session.request(
            asked.method,
            URL(asked.url, encoded=True),  # an id holds characters that would be decoded otherwise
            data=asked.data,
            headers=dict(asked.headers),
            allow_redirects=False,
        ) as response:
            return Response(request, ConnectorResponse(response.status, response.headers, await response.read()))

    async def close(self) -> None:
        """Ends the session for good."""
        self._closed = True
        if self._session is not None:
            await self._session.close()

    async def __aexit__(self, *_details: object) -> None:
        await self.close()
