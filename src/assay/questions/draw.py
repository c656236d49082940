"""The allocation of an exam: its number of questions of each discipline."""

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
    """Return n/10 for each of the ten reported subjects. Raises InvalidInput unless n is a multiple of 10."""
    if n < len(REPORTED) or n % len(REPORTED):
        raise InvalidInput(
            f"n is {n}: give a multiple of 10, for the same number of questions of each of the "
            f"{len(REPORTED)} subjects, or another --allocation"
        )
    return dict.fromkeys(REPORTED, n // len(REPORTED))


def proportional(n: int, sizes: Mapping[str, int]) -> dict[str, int]:
    """Return n divided like the bank's families over its disciplines, by largest remainders.

    `sizes` counts the families that can be drawn. Raises InvalidInput if n is not positive or there are fewer
    families than n.
    """
    total = sum(sizes.values())
    if n < 1 or n > total:
        raise InvalidInput(
            f"n is {n}: give a number from 1 to {total:,}, the questions that the bank can draw"
        )
    shares = {name: n * size / total for name, size in sorted(sizes.items()) if size}
    counts = {name: int(share) for name, share in shares.items()}
    by_remainder = sorted(shares, key=lambda name: (counts[name] - shares[name], name))
    for name in by_remainder[: n - sum(counts.values())]:
        counts[name] += 1
    return {name: count for name, count in counts.items() if count}


def allocation(written: str, n: int | None, *, sizes: Mapping[str, int]) -> dict[str, int]:
    """Return the number of questions of each discipline, from an allocation's name or a list of counts.

    `ten-subjects` is the published form: S is the mean of ten equal subjects. `proportional` follows the
    bank. Counts are written `law=50,medicine=30`, without n. Raises InvalidInput for anything else, and for a
    discipline that is not in `sizes`.
    """
    if "=" in written:
        return _read_counts(written, n, sizes)
    if n is None:
        raise InvalidInput("no number of questions: give --n, or counts such as --allocation law=50")
    if written == TEN_SUBJECTS:
        return ten_subjects(n)
    if written == PROPORTIONAL:
        return proportional(n, sizes)
    raise InvalidInput(f"unknown allocation {written!r}: use {', '.join(NAMES)}, or counts such as law=50")


def _read_counts(written: str, n: int | None, sizes: Mapping[str, int]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for part in written.split(","):
        name, _, count = (text.strip() for text in part.partition("="))
        if name not in sizes:
            known = ", ".join(sorted(sizes)) or "none yet"
            raise InvalidInput(
                f"unknown discipline {part.strip()!r}: use one of {known} with a count, as in law=50"
            )
        if name in counts or not (count.isascii() and count.isdigit() and int(count) > 0):
            raise InvalidInput(f"invalid count {part.strip()!r}: write each discipline once, as in law=50")
        counts[name] = int(count)
    total = sum(counts.values())
    if n is not None and n != total:
        raise InvalidInput(f"--n is {n}, but the sum of the counts is {total}: leave --n out")
    return counts
