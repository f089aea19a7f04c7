"""Bodies of others' responses, read no further than they may be long."""

import aiohttp

PIECE = 65_536
"""Bytes that are looked at at a time."""


async def read_body(response: aiohttp.ClientResponse, most: int) -> bytes | None:
    """The body of a response, unpacked; None where it has more than so many bytes. Raises what aiohttp raises."""
    body = bytearray()
    async for piece in response.content.iter_chunked(PIECE):
        body += piece
        if len(body) > most:
            return None
    return bytes(body)
