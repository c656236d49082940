"""How many questions of each discipline an exam holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from assay.core.errors import InvalidInput

REPORTED: Final = (
    "engineering",
    "economics",
    "education",
    "law",
    "literature",
    "management",
    "science",
    "history",
    "medicine",
    "military",
)
"""The ten subjects of the seed's table 7, in its order."""
TEN_SUBJECTS, PROPORTIONAL = "ten-subjects", "proportional"
NAMES: Final = (TEN_SUBJECTS, PROPORTIONAL)


def ten_subjects(n: int) -> dict[str, int]:
    """Return n/10 for each of the ten reported subjects. Raises InvalidInput where ten does not divide n."""
    if n < len(REPORTED) or n % len(REPORTED):
        raise InvalidInput(
            f"n is {n}: an exam holds as many questions of each of the {len(REPORTED)} subjects; "
            "give a multiple of 10, or another --allocation"
        )
    return dict.fromkeys(REPORTED, n // len(REPORTED))


def proportional(n: int, sizes: Mapping[str, int]) -> dict[str, int]:
    """Return n shared out as the bank's families are over its disciplines, by largest remainders.

    `sizes` counts the families that can be drawn. Raises InvalidInput where n is not positive or there
    are fewer families than n.
    """
    total = sum(sizes.values())
    if n < 1 or n > total:
        raise InvalidInput(f"n is {n}: the bank can give from 1 to {total:,} questions")
    shares = {name: n * size / total for name, size in sorted(sizes.items()) if size}
    found = {name: int(share) for name, share in shares.items()}
    by_remainder = sorted(shares, key=lambda name: (found[name] - shares[name], name))
    for name in by_remainder[: n - sum(found.values())]:
        found[name] += 1
    return {name: count for name, count in found.items() if count}


def allocation(written: str, n: int | None, *, sizes: Mapping[str, int]) -> dict[str, int]:
    """Return how many questions of each discipline are drawn, by an allocation's name or a list of counts.

    `ten-subjects` is the published form: S is the mean of ten equal subjects. `proportional` follows the
    bank. Counts are written `law=50,medicine=30` and need no n. Raises InvalidInput for anything else, and
    for a discipline that is not in `sizes`.
    """
    if "=" in written:
        return _counted(written, n, sizes)
    if n is None:
        raise InvalidInput("how many questions? Give --n, or counts such as --allocation law=50,medicine=30")
    if written == TEN_SUBJECTS:
        return ten_subjects(n)
    if written == PROPORTIONAL:
        return proportional(n, sizes)
    raise InvalidInput(
        f"allocation {written!r} is unknown: write {', '.join(NAMES)}, or counts such as law=50,medicine=30"
    )


def _counted(written: str, n: int | None, sizes: Mapping[str, int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in written.split(","):
        name, _, count = (each.strip() for each in part.partition("="))
        if name not in sizes:
            known = ", ".join(sorted(sizes)) or "none yet"
            raise InvalidInput(f"{part.strip()!r}: the bank can draw from {known}; write law=50,medicine=30")
        if name in found or not (count.isascii() and count.isdigit() and int(count) > 0):
            raise InvalidInput(f"{part.strip()!r}: write each discipline once, with a count, as in law=50")
        found[name] = int(count)
    if n is not None and n != sum(found.values()):
        raise InvalidInput(f"--n is {n}, but the counts add up to {sum(found.values())}: leave --n out")
    return found
