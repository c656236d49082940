"""Tables of a study of selection after the fact."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.core.wording import counted
from assay.frontier.carriers.cheapest import SHOWN as SETS
from assay.report.frontier.posthoc_sequences import UNCOSTED, sequences_table, steps_table
from assay.report.frontier.table import CellKind, ReportColumn, ReportTable, Value, ends_text
from assay.results.frontier import Estimate
from assay.results.frontier_selection import Carriers, Cheapest, PosthocPoint
from assay.studies.frontier.posthoc_result import PosthocStudy, Selected, shown_steps

HALF = 0.4995
"""An error from here on is that of a judge that says nothing."""

SEEN = 0.0005
"""A loss of quality smaller than this is none."""


def posthoc_tables(study: PosthocStudy) -> tuple[ReportTable, ...]:
    """Return the tables: selection by k, sequences by judge, the plan's steps, carriers, sets of models."""
    found = [
        selection_table(study),
        sequences_table(study),
        steps_table(study),
        carriers_table(study.carriers),
    ]
    if study.groups is not None:
        found.append(carriers_table(study.groups, groups=True))
    return (*found, sets_table(study))


def selection_table(study: PosthocStudy) -> ReportTable:
    """Return quality by k for every judge, the gain of the one that is meant, and what was paid."""
    main, first = study.main, study.selected[0].posthoc
    costed = first.unit != UNCOSTED
    priced = [each for each in study.selected if costed]
    shown = [each for each in priced if each.judge.kind != "example"] or priced[:1]
    doubted = main.posthoc.points[0].quality.these_prompts is not None
    columns = [ReportColumn("k", "k", CellKind.COUNT)]
    columns += [
        ReportColumn(f"quality_{_key(each.judge.label)}", each.judge.label, CellKind.SHARE, bounds=True)
        for each in study.selected
    ]
    columns.append(ReportColumn("gain", f"gain, {main.judge.label}", CellKind.SHARE, bounds=True))
    if doubted:
        columns.append(ReportColumn("doubt", "its quality on these prompts"))
    columns.append(ReportColumn("answers", "answers paid", CellKind.COUNT))
    for each in shown:
        name = f"{first.unit} paid" if len(shown) == 1 else f"{first.unit} paid, {each.judge.label}"
        columns.append(ReportColumn(f"cost_{_key(each.judge.label)}", name, CellKind.COST, bounds=True))

    def row(k: int, points: Sequence[PosthocPoint]) -> tuple[Value, ...]:
        own = points[study.selected.index(main)]
        doubt = (ends_text(own.quality.these_prompts, CellKind.SHARE),) if doubted else ()
        costs = (points[study.selected.index(each)].cost for each in shown)
        return (k, *(each.quality for each in points), own.gain, *doubt, own.answers.value, *costs)

    one = PosthocPoint(0, first.single_quality, Estimate(None), first.single_cost, Estimate(1.0))
    rows = [row(0, [one] * len(study.selected))]
    rows += [row(k, [each.posthoc.points[k - 1] for each in study.selected]) for k in shown_steps(study.most)]
    notes = [
        f"k = 0: one answer of the best single model, {first.single}, not judged; gains are over it.",
        _scope(study),
        *(_harm(each) for each in study.selected if study.most > 1),
    ]
    if doubted:
        notes.insert(
            1,
            "On these prompts: what so few answers leave unknown of them, and of a measured judge's rates.",
        )
    title = "All are made, the judge selects: quality, %"
    return ReportTable("selection", title, tuple(columns), tuple(rows), tuple(notes))


def _key(label: str) -> str:
    return "_".join(re.findall(r"[a-z0-9]+", label.lower()))


def _scope(study: PosthocStudy) -> str:
    rule = "one taken uniformly" if study.wish.rule == "uniform" else "the first, best models first,"
    among = {
        "all_models": "k answers of every model",
        "per_prompt_best": "k answers of the model that an oracle knows to be best for the prompt",
        "fixed_best": "k answers of the best single model",
    }[study.wish.scope]
    basis = (
        "from counts, unbiased up to the recorded answers"
        if study.basis == "counts"
        else f"from draws of {study.basis}"
    )
    return (
        f"Among {among}; of those accepted {rule} is returned, and where none is, the best single's first; "
        f"{basis}."
    )


def _harm(found: Selected) -> str:
    curve = found.posthoc
    best = curve.points[curve.best_k - 1].quality.value or 0.0
    head = f"{found.judge.label}: best at k = {curve.best_k} ({100 * best:.1f} %)"
    if curve.worse_after is None:
        return f"{head}; more answers do not hurt."
    if (curve.fall.value or 0.0) < SEEN:
        return f"{head}; more answers change nothing that shows here."
    lost, ends = 100 * (curve.fall.value or 0.0), curve.fall.over_prompts
    spread = "" if ends is None else f" ({ends_text(ends, CellKind.SHARE)})"
    return (
        f"{head}; from k = {curve.worse_after} on more answers hurt, {lost:.1f} points{spread} at "
        f"k = {curve.points[-1].k}."
    )


def break_even_lines(study: PosthocStudy) -> Sequence[str]:
    """Return at which error of the judge selection stops paying, a sentence for each k."""
    found = []
    for each in study.break_even:
        whose = "a model" if study.wish.scope == "all_models" else f"of {each.single}"
        head = f"Selection among {counted(each.k, 'answer')} {whose}"
        value, ends = each.error.value, each.error.over_prompts
        if value is None or value > HALF:
            told = "pays at every error up to 50 %, where a judge says nothing"
        elif value == 0.0:
            told = "does not pay even without errors"
        else:
            spread = "" if ends is None else f" ({100 * ends.low:.1f} to {100 * ends.high:.1f})"
            told = (
                f"pays while a free judge errs on less than {100 * value:.1f} %{spread} of right and wrong "
                "answers alike"
            )
        found.append(f"{head} {told}.")
    return found


def carriers_table(found: Carriers, *, groups: bool = False) -> ReportTable:
    """Return who carries the frontier, the greatest Shapley value first."""
    columns = (
        ReportColumn("model", "group" if groups else "model"),
        ReportColumn("shapley", "Shapley value, points", CellKind.SHARE, bounds=True),
        ReportColumn("share", "of the oracle, %", CellKind.SHARE, bounds=True),
        ReportColumn("leave_one_out", "lost without it, points", CellKind.SHARE, bounds=True),
        ReportColumn("alone", "alone at the top, % of prompts", CellKind.SHARE, bounds=True),
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
    return ReportTable("groups" if groups else "carriers", title, columns, rows, notes)


def sets_table(study: PosthocStudy) -> ReportTable:
    """Return the cheapest set that keeps enough of the gain, and the best sets of each size."""
    found = study.cheapest
    unit = study.main.posthoc.unit
    columns = (
        ReportColumn("set", "set"),
        ReportColumn("size", "models", CellKind.COUNT),
        ReportColumn("kept", "gain kept, %", CellKind.SHARE, bounds=True),
        ReportColumn("quality", "oracle within it, %", CellKind.SHARE, bounds=True),
        ReportColumn("cost", f"its choices' cost, {unit}", CellKind.COST, bounds=True),
        ReportColumn("models", "which"),
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
        f"it: {counted(len(found.chosen.models), 'model')} {_do(found)}."
    ]
    if found.held_out.value is not None:
        least, most = found.sizes[0], found.sizes[-1]
        sizes = counted(most, "model") if least == most else f"{least} to {counted(most, 'model')}"
        notes.append(
            f"Sets chosen so on half of the prompts ({sizes}) keep {100 * found.held_out.value:.1f} % on the "
            "other half: what to expect on new prompts."
        )
    return ReportTable("sets", "The cheapest set of models", columns, rows, tuple(notes))


def _do(found: Cheapest) -> str:
    """Say whether fewer models could do, as far as it is known."""
    size = len(found.chosen.models)
    if found.least_size >= size:
        return "do, and no fewer" if size > 1 else "does"
    return f"do, chosen greedily with swaps; fewer than {found.least_size} cannot"
