"""Pinning a model to one upstream provider, and telling whether an answer came from it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from assay.core.model import Pin


def routing(pin: Pin) -> dict[str, Any]:
    """Return OpenRouter's `provider` object for a pin: these providers only, no fallbacks.

    `order` alone would be no pin: it is a preference that falls back to any other provider.
    """
    return {"only": list(pin.only), "allow_fallbacks": False, "require_parameters": True}


@lru_cache(maxsize=4096)
def kept(pin: Pin, served: str | None) -> bool:
    """Return whether a served provider's display name is one of the pin's slugs.

    An unnamed provider counts as kept: nothing shows that the routing changed. A slug's variant
    (`deepinfra/fp8`) matches the provider's name alone, which is all that a reply tells.
    """
    if served is None:
        return True
    return _plain(served) in {_plain(slug.split("/", 1)[0]) for slug in pin.only}


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
