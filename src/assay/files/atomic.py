"""Files that are written completely or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def open_whole(path: Path, *, mode: int = 0o666, durable: bool = True) -> Iterator[BinaryIO]:
    """Open a file for writing that replaces `path` if the block ends without an error.

    Readers see the old content or all of the new. A new file gets `mode` without the bits of the umask; an
    existing one keeps its permissions as far as `mode` allows them. Only a `durable` file survives a crash of
    the machine. Raises OSError as usual.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            if durable:
                os.fsync(file.fileno())
        if path.exists():
            temporary.chmod(path.stat().st_mode & mode)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_whole(path: Path, content: bytes, *, mode: int = 0o666, durable: bool = True) -> None:
    """Write a file with `open_whole`."""
    with open_whole(path, mode=mode, durable=durable) as file:
        file.write(content)
