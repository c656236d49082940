"""Tables of who carries the frontier, and of the cheapest set of models, in a study of selection."""

from __future__ import annotations

from assay.frontier.carriers.cheapest import SHOWN as SETS
from assay.frontier.carriers.cheapest import Cheapest
from assay.frontier.carriers.shapley import Carriers
from assay.report.frontier.table import Column, Kind, Table
from assay.studies.frontier.posthoc_result import PosthocStudy


def carriers_table(found: Carriers, *, groups: bool = False) -> Table:
    """Return who carries the frontier, the greatest Shapley value first."""
    columns = (
        Column("model", "group" if groups else "model"),
        Column("shapley", "Shapley value, points", Kind.SHARE, bounds=True),
        Column("share", "of the oracle, %", Kind.SHARE, bounds=True),
        Column("leave_one_out", "lost without it, points", Kind.SHARE, bounds=True),
        Column("alone", "alone at the top, % of prompts", Kind.SHARE, bounds=True),
    )
    rows = tuple(
        (each.model, each.shapley, each.share, each.leave_one_out, each.alone) for each in found.models
    )
    oracle, nobody = found.oracle.value or 0.0, found.nobody.value or 0.0
    notes = (
        f"By {found.method}; {found.prompts:,} prompts. Values add to the oracle's {100 * oracle:.1f} %; "
        f"alone: better than every other by more than {100 * found.margin:g} points, which nobody is on "
        f"{100 * nobody:.1f} % of the prompts.",
    )
    title = "Who carries the frontier" + (", groups of arms as one" if groups else "")
    return Table("groups" if groups else "carriers", title, columns, rows, notes)


def sets_table(study: PosthocStudy) -> Table:
    """Return the cheapest set that keeps enough of the gain, and the best sets of each size."""
    found = study.cheapest
    unit = study.main.posthoc.unit
    columns = (
        Column("set", "set"),
        Column("size", "models", Kind.COUNT),
        Column("kept", "gain kept, %", Kind.SHARE, bounds=True),
        Column("quality", "oracle within it, %", Kind.SHARE, bounds=True),
        Column("cost", f"its choices' cost, {unit}", Kind.COST, bounds=True),
        Column("models", "which"),
    )
    named = [("cheapest that keeps enough", found.chosen)]
    named += [(f"best of {len(each.models)}", each) for each in found.sets[:SETS]]
    rows = tuple(
        (name, len(each.models), each.kept, each.quality, each.cost, ", ".join(each.models))
        for name, each in named
    )
    notes = [
        f"By {found.method}. The gain is what the best model for every prompt has over the best single, "
        f"{found.single}: {100 * (found.gain.value or 0.0):.1f} points. Enough is {100 * found.share:g} % of "
        f"it: {_models(len(found.chosen.models))} {_do(found)}."
    ]
    if found.held_out.value is not None:
        least, most = found.sizes[0], found.sizes[-1]
        sizes = _models(most) if least == most else f"{least} to {_models(most)}"
        notes.append(
            f"Sets chosen so on half of the prompts ({sizes}) keep {100 * found.held_out.value:.1f} % on the "
            "other half: what to expect on new prompts."
        )
    return Table("sets", "The cheapest set of models", columns, rows, tuple(notes))


def _do(found: Cheapest) -> str:
    """Say whether fewer models could do, as far as it is known."""
    size = len(found.chosen.models)
    if found.least_size >= size:
        return "do, and no fewer" if size > 1 else "does"
    return f"do, chosen greedily with swaps; fewer than {found.least_size} cannot"


def _models(count: int) -> str:
    return "1 model" if count == 1 else f"{count} models"
