"""Tables of a study of selection after the fact."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.frontier.estimate import Estimate
from assay.frontier.selection.posthoc import PosthocPoint
from assay.report.frontier.posthoc_sequences import UNCOSTED, sequences_table, shown_steps, steps_table
from assay.report.frontier.posthoc_sets import carriers_table, sets_table
from assay.report.frontier.table import Column, Kind, Table, Value, ends_text
from assay.studies.frontier.posthoc_result import PosthocStudy, Selected

HALF = 0.4995
"""An error from here on is that of a judge that says nothing."""

SEEN = 0.0005
"""A loss of quality smaller than this is none."""


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


def selection_table(study: PosthocStudy) -> Table:
    """Return quality by k for every judge, the gain of the one that is meant, and what was paid."""
    main, first = study.main, study.selected[0].posthoc
    costed = first.unit != UNCOSTED
    priced = [each for each in study.selected if costed]
    shown = [each for each in priced if each.judge.kind != "example"] or priced[:1]
    doubted = main.posthoc.points[0].quality.these_prompts is not None
    columns = [Column("k", "k", Kind.COUNT)]
    columns += [
        Column(f"quality_{_key(each.judge.label)}", each.judge.label, Kind.SHARE, bounds=True)
        for each in study.selected
    ]
    columns.append(Column("gain", f"gain, {main.judge.label}", Kind.SHARE, bounds=True))
    if doubted:
        columns.append(Column("doubt", "its quality on these prompts"))
    columns.append(Column("answers", "answers paid", Kind.COUNT))
    for each in shown:
        name = f"{first.unit} paid" if len(shown) == 1 else f"{first.unit} paid, {each.judge.label}"
        columns.append(Column(f"cost_{_key(each.judge.label)}", name, Kind.COST, bounds=True))

    def row(k: int, points: Sequence[PosthocPoint]) -> tuple[Value, ...]:
        own = points[study.selected.index(main)]
        doubt = (ends_text(own.quality.these_prompts, Kind.SHARE),) if doubted else ()
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
    return Table("selection", title, tuple(columns), tuple(rows), tuple(notes))


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
    spread = "" if ends is None else f" ({ends_text(ends, Kind.SHARE)})"
    return (
        f"{head}; from k = {curve.worse_after} on more answers hurt, {lost:.1f} points{spread} at "
        f"k = {curve.points[-1].k}."
    )


def break_even_lines(study: PosthocStudy) -> Sequence[str]:
    """Return at which error of the judge selection stops paying, a sentence for each k."""
    found = []
    for each in study.break_even:
        whose = "a model" if study.wish.scope == "all_models" else f"of {each.single}"
        head = f"Selection among {each.k} {'answer' if each.k == 1 else 'answers'} {whose}"
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
