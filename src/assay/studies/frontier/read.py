"""What was read of a source: the tensor, and all that a report must say about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.frontier.tensor import Tensor


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A model or a prompt (`kind`) of the source that is not in the tensor, why, and its scored rows."""

    kind: Literal["model", "prompt"]
    name: str
    reason: str
    rows: int


@dataclass(frozen=True, slots=True)
class Rows:
    """What became of the rows (of runs: the samples): read = used + errors + ungraded + left_out.

    `skipped` rows did not meet the conditions and were not read. `invalid` are among the used, with quality
    0. `ungraded` have no quality, or count no answer. `left_out` have one, of a model or prompt that was
    left out. `answers` is how many generations the tensor holds: more than `used` where a row counts
    several.
    """

    read: int
    used: int
    errors: int
    ungraded: int
    left_out: int
    invalid: int
    skipped: int
    answers: int


@dataclass(frozen=True, slots=True)
class Read:
    """A tensor and what a report must say about how it was read.

    `source` names the file or the runs with every choice made in reading, as the command line writes it;
    `left_out` the models and prompts that are in the source but not in the tensor; `notes` what a reader
    should know. `digest` is the SHA-256 of the file, for runs the digest of their suite.
    """

    tensor: Tensor
    source: str
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]
    rows: Rows
    digest: str
