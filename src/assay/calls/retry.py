"""How long to wait before trying again."""

from __future__ import annotations

import random

FIRST = 0.5
MOST = 30.0
MOST_ASKED = 120.0


def delay(attempt: int, retry_after: float | None, rng: random.Random) -> float | None:
    """Return the seconds to wait after the given attempt (counted from 1), with jitter.

    Doubles from half a second to thirty seconds, drawn from the upper half so that many callers spread
    out. What the provider asks for (`retry_after`) is honoured and spread by up to a tenth; None when it
    asks for more than two minutes: then waiting here makes no sense.
    """
    if retry_after is not None:
        if bearable(retry_after) is None:
            return None
        return retry_after * (1 + 0.1 * rng.random()) + 0.05 * rng.random()
    ceiling = min(MOST, FIRST * 2.0 ** (attempt - 1))
    return ceiling * (0.5 + 0.5 * rng.random())


def bearable(retry_after: float | None) -> float | None:
    """Return the seconds that a provider asks to wait, None where it asks for more than two minutes.

    One answer that asks for a day must not hold everybody else back for a day.
    """
    return retry_after if retry_after is not None and retry_after <= MOST_ASKED else None
