"""Altair, loaded when something of it is first used: it takes long, and most commands draw no chart."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    import altair

    return getattr(altair, name)
