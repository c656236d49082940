"""Tables of a study of selection after the fact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from assay.frontier.carriers import Carriers
from assay.frontier.cheapest import SHOWN as SETS
from assay.frontier.cheapest import Cheapest
from assay.frontier.sequential import Sequential
from assay.report.frontier_table import Column, Kind, Table, Value
from assay.studies.frontier.posthoc_result import PosthocStudy, Selected

UNCOSTED = "generations"
"""The unit of a source without costs."""

EACH = 20
PLAN_SHOWN = 10
"""So many steps of a plan are named; the rest are counted."""


def posthoc_tables(study: PosthocStudy) -> tuple[Table, ...]:
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


def shown_steps(steps: int) -> tuple[int, ...]:
    """Return each step to 20, then 1, 2 and 5 of each power of ten, and the last."""
    grid = [lead * 10**power for power in range(1, 6) for lead in (1, 2, 5)]
    kept = {*range(1, min(steps, EACH) + 1), *(each for each in grid if each < steps), steps}
    return tuple(sorted(kept))


def selection_table(study: PosthocStudy) -> Table:
    """Return quality by k for every judge, with what all answers were paid."""
    unit = study.selected[0].posthoc.unit
    costed = unit != UNCOSTED
    columns = [Column("k", "k", Kind.COUNT)]
    for place, each in enumerate(study.selected):
        columns.append(Column(f"quality_{place}", f"{each.judge.label}, %", Kind.SHARE, bounds=True))
    columns.append(Column("answers", "answers paid", Kind.COUNT))
    priced = [each for each in study.selected if costed]
    shown = [each for each in priced if each.judge.kind != "example"] or priced[:1]
    for each in shown:
        name = f"cost, {unit}" if len(shown) == 1 else f"cost with {each.judge.label}, {unit}"
        columns.append(Column(f"cost_{study.selected.index(each)}", name, Kind.COST, bounds=True))
    first = study.selected[0].posthoc
    rows: list[tuple[Value, ...]] = []
    for k in shown_steps(study.most):
        points = [each.posthoc.points[k - 1] for each in study.selected]
        costs = [each.posthoc.points[k - 1].cost for each in shown]
        rows.append((k, *(each.quality for each in points), points[0].answers.value, *costs))
    single = [first.single_quality] * len(study.selected)
    rows.insert(0, (0, *single, 1.0, *([first.single_cost] * len(shown))))
    notes = (
        f"k = 0: one answer of the best single model, {first.single}, which nobody judges.",
        _scope(study),
        *(_harm(each) for each in study.selected),
    )
    return Table(
        "selection", "All answers are made, and the judge selects one", tuple(columns), tuple(rows), notes
    )


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
    last = curve.points[-1].quality.value or 0.0
    return (
        f"{head}; from k = {curve.worse_after} on more answers hurt, {100 * (best - last):.1f} points at "
        f"k = {curve.points[-1].k}."
    )


def sequences_table(study: PosthocStudy) -> Table:
    """Return what asking one model after the other reaches and pays, by judge, beside asking everybody."""
    unit = study.main.sequential.unit
    costed = unit != UNCOSTED
    columns = (
        Column("judge", "judge"),
        Column("quality", "sequence, %", Kind.SHARE, bounds=True),
        Column("answers", "answers", Kind.NUMBER, bounds=True),
        Column("cost", f"cost, {unit}", Kind.COST, bounds=True),
        Column("latency", "seconds", Kind.NUMBER, bounds=True),
        Column("everybody_quality", "everybody, %", Kind.SHARE, bounds=True),
        Column("everybody_answers", "its answers", Kind.COUNT),
        Column("everybody_cost", f"its cost, {unit}", Kind.COST, bounds=True),
        Column("saving", "saved, %", Kind.SHARE, bounds=True),
        Column("at_single_cost", "at the single's price, %", Kind.SHARE, bounds=True),
        Column("matched_saving", "saved at its quality, %", Kind.SHARE, bounds=True),
    )
    rows = []
    for each in study.selected:
        found = each.sequential
        last, total = found.points[-1], found.everybody
        rows.append(
            (
                each.judge.label,
                last.quality,
                last.answers,
                last.cost if costed else None,
                last.latency,
                total.quality,
                total.answers.value,
                total.cost if costed else None,
                found.saving,
                found.at_single_cost if costed else None,
                found.matched_saving if costed else None,
            )
        )
    main = study.main.sequential
    notes = [
        "Models are asked one after the other, and the first answer that the judge accepts is returned; only "
        "answers that were made are paid, with their judgements.",
        "Everybody: all answers are made, judged and paid, and the first that is accepted is returned, those "
        "of the best models first.",
    ]
    if main.unit != UNCOSTED:
        notes.append(
            "The single's price: what such a sequence reaches when it is cut where it costs as much as one "
            f"answer of {main.single}; its quality: what is saved of that price where it reaches as much."
        )
    if main.cross_fitted:
        notes.append("Plans are made on one half of the prompts and valued on the other.")
    if main.saving.value is None and len(main.points) < main.everybody.steps:
        notes.append(
            f"The plan is cut after {len(main.points):,} of {main.everybody.steps:,} answers: nothing is "
            "said of the saving against asking everybody."
        )
    return Table("sequences", "One after the other, with early return", columns, tuple(rows), tuple(notes))


def steps_table(study: PosthocStudy) -> Table:
    """Return the plan for the judge that is meant, cut after so many answers."""
    found, label = study.main.sequential, study.main.judge.label
    columns = (
        Column("step", "at most", Kind.COUNT),
        Column("model", "the next to be asked"),
        Column("quality", "quality, %", Kind.SHARE, bounds=True),
        Column("answers", "answers made", Kind.NUMBER, bounds=True),
        Column("cost", f"cost, {found.unit}", Kind.COST, bounds=True),
        Column("latency", "seconds", Kind.NUMBER, bounds=True),
    )
    costed = found.unit != UNCOSTED
    rows: list[tuple[Value, ...]] = [
        (
            each.steps,
            found.plan[each.steps - 1],
            each.quality,
            each.answers,
            each.cost if costed else None,
            each.latency,
        )
        for each in (found.points[step - 1] for step in shown_steps(len(found.points)))
    ]
    notes = [f"The plan: {', '.join(told_plan(found))}."]
    if found.cross_fitted:
        notes.append("Names are those chosen on all prompts; figures are of plans valued on other prompts.")
    return Table("steps", f"The sequence step by step: judge {label}", columns, tuple(rows), tuple(notes))


def told_plan(found: Sequential, shown: int = PLAN_SHOWN) -> Iterator[str]:
    """Yield the plan's models in order, repeats of one counted, and how many more steps there are."""
    told = 0
    for number, (name, run) in enumerate(groupby(found.plan)):
        if number == shown:
            yield f"and {len(found.plan) - told} more"
            return
        times = len(list(run))
        told += times
        yield name if times == 1 else f"{name} x {times}"


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
        sizes = f"{found.sizes[0]} to {found.sizes[-1]} models" if found.sizes else ""
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


def break_even_lines(study: PosthocStudy) -> Sequence[str]:
    """Return at which error of the judge selection stops paying, a sentence for each k."""
    found = []
    for each in study.break_even:
        whose = "a model" if study.wish.scope == "all_models" else f"of {each.single}"
        head = f"Selection among {each.k} {'answer' if each.k == 1 else 'answers'} {whose}"
        value, ends = each.error.value, each.error.over_prompts
        if value is None:
            told = "pays at every error up to 50 %"
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
