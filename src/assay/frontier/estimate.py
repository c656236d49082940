"""An estimated quantity with its two kinds of uncertainty."""

from __future__ import annotations

from dataclasses import dataclass

from assay.stats.intervals import Interval


@dataclass(frozen=True, slots=True)
class Estimate:
    """A quantity and how well it is known; None where it is not defined or cannot be known.

    `over_prompts` is the bootstrap interval over prompts: what other prompts of the same kind could give.
    `these_prompts` is what is not known about the very prompts that were asked, with so few generations of
    each; only methods with a model of the generations can say.
    """

    value: float | None
    over_prompts: Interval | None = None
    these_prompts: Interval | None = None
