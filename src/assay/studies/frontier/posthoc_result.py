"""What a study of selection after the fact holds."""

from __future__ import annotations

from dataclasses import dataclass

from assay.frontier.carriers.cheapest import KEPT, Cheapest
from assay.frontier.carriers.shapley import Carriers
from assay.frontier.selection.break_even import BreakEven
from assay.frontier.selection.posthoc import Posthoc, Scope
from assay.frontier.selection.selecting import Rule
from assay.frontier.selection.sequential import Sequential
from assay.studies.frontier.posthoc_judges import NamedJudge


@dataclass(frozen=True, slots=True)
class Wish:
    """What a study of selection is asked for; the intervals' settings among it.

    `models` keeps these, none keeps all. `most` answers a model are had at most, by default as many as are
    recorded. `right`: quality of so much or more is right, None for quality that is 0 or 1 already. `share`
    of the gain is what the cheapest set keeps. `groups` gives an arm's group, one for each model that it
    names; None without.
    """

    rule: Rule = "uniform"
    scope: Scope = "all_models"
    models: tuple[str, ...] = ()
    most: int | None = None
    right: float | None = None
    share: float = KEPT
    groups: dict[str, str] | None = None
    level: float = 0.9
    resamples: int = 500
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Selected:
    """What one judge's selection reaches: all answers made, and one after the other until it accepts."""

    judge: NamedJudge
    posthoc: Posthoc
    sequential: Sequential


@dataclass(frozen=True, slots=True)
class PosthocStudy:
    """Selection after the fact on one source, for the perfect free judge first and others beside it.

    Curves are made of recorded counts, `basis` "counts", or of a posterior's draws. `break_even` holds the
    judge's error at which one answer a model, and `most`, stop paying. `carriers` and `cheapest` are of the
    posterior where there is one; `groups` has the groups of arms as players of their own.
    """

    wish: Wish
    prompts: int
    models: tuple[str, ...]
    generations: int
    answers: int
    missing: int
    most: int
    basis: str
    selected: tuple[Selected, ...]
    break_even: tuple[BreakEven, ...]
    carriers: Carriers
    groups: Carriers | None
    cheapest: Cheapest
    notes: tuple[str, ...]
    caveats: tuple[str, ...]

    @property
    def main(self) -> Selected:
        """The judge that is meant: the one that was named, or the perfect one."""
        return self.selected[0] if self.selected[-1].judge.kind == "example" else self.selected[-1]
