"""What the JavaScript of the prompt computes, with its 32-bit and remainder rules written out."""

from __future__ import annotations

import math


def _signed(value: int) -> int:
    """Return what JavaScript's bitwise operators make of an integer: 32 bits with a sign."""
    return (value + 2**31) % 2**32 - 2**31


def ported(customer: str, buckets: int, shift: int, last: str = "as it is") -> int:
    """Return what the JavaScript of the prompt returns, with one of three last lines."""
    units = customer.encode("utf-16-le")
    h = 0
    for at in range(0, len(units), 2):
        h = _signed(h * 31 + int.from_bytes(units[at : at + 2], "little"))
        assert abs(h * 31) < 2**53
    if last == "abs":
        return abs(h - shift) % buckets
    remainder = int(math.fmod(h - shift, buckets))
    return (remainder + buckets) % buckets if last == "wrapped" else remainder
