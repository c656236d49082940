"""Receiving a reply's body with bounded memory, whatever is sent."""

from __future__ import annotations

from typing import Final

import aiohttp

LARGEST: Final = 8 * 1024 * 1024
"""Bytes of a reply, decompressed: several times the longest answer that a model can give."""

LARGEST_LIST: Final = 4 * LARGEST
"""Bytes of a provider's list of models."""


class TooLarge(Exception):
    """A body that was not read to its end; the text is for the ledger."""


async def receive(response: aiohttp.ClientResponse, largest: int = LARGEST) -> bytes:
    """Return the whole body.

    Raises TooLarge, and closes the connection, as soon as more than `largest` bytes are there. aiohttp from
    3.14 on decompresses no more at a time than is read, so that a small body cannot grow large in memory.
    """
    content = response.content
    first = await content.readany()
    if content.at_eof():
        return first
    parts, size = [first], len(first)
    while part := await content.readany():
        size += len(part)
        if size > largest:
            response.close()
            raise TooLarge(f"the reply is larger than {largest / 2**20:g} MiB")
        parts.append(part)
    return b"".join(parts)
