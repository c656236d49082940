"""The conditions of each day: which days can be compared, and what changed since when.

Parameters and the judge are set by us: days are compared only if they are equal. A change of the served model
or fingerprint is the provider's: it is shown beside the verdict and does not prevent a comparison.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assay.core.conditions import Conditions
from assay.core.suite import Thresholds
from assay.results.watch import ConditionKind
from assay.watch.gaps import HAIR
from assay.watch.history import BoolArray, FloatArray, History, IntArray


@dataclass(frozen=True, slots=True)
class ScoreBasis:
    """The basis of a score that we set: the parameters sent, and in judged use cases the judge.

    None stands for unknown.
    """

    parameters: str | None
    judge: str | None


@dataclass(frozen=True, slots=True)
class Bases:
    """The basis of each (model, use case, day), as a position in `known`; -1 on days without a score.

    `own` is the basis of the day's score; samples under another basis are left out and counted in `left_out`.
    `against` is the basis of its baseline, which differs from `own` only on days without a baseline of their
    own basis yet. `mixed` (models, use cases) is true if there was ever more than one basis. `scores` holds
    the case scores of mixed use cases (cases, days), 0-1, under each day's own basis.
    """

    known: tuple[ScoreBasis, ...]
    own: IntArray
    against: IntArray
    left_out: IntArray
    mixed: BoolArray
    scores: Mapping[tuple[int, int], FloatArray]

    @property
    def frozen(self) -> BoolArray:
        """A mask of the days whose baseline has another basis: they may not change a state."""
        frozen: BoolArray = self.own != self.against
        return frozen


def bases(history: History, kept: BoolArray, thresholds: Thresholds) -> Bases:
    """Return the basis of each day and that of its baseline.

    A day is scored under the basis with the most samples, among those that have their own baseline and most
    of the day's cases. If there is none, it is scored under the basis with the most samples and compared with
    the most frequent basis of the window: then it is frozen.
    """
    size = (len(history.subjects), len(history.use_cases), history.days)
    own, against = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    left_out, mixed = np.zeros(size, dtype=np.int64), np.zeros(size[:2], dtype=bool)
    known, code = _codes(history)
    scores: dict[tuple[int, int], FloatArray] = {}
    if len(known) > 1:
        rows, starts = history.rows, history.starts
        chosen = np.flatnonzero(kept & (rows.ok + rows.invalid > 0))
        use_case = np.searchsorted(starts, rows.case[chosen], side="right") - 1
        pair = rows.model[chosen].astype(np.int64) * size[1] + use_case
        pairs = np.unique(pair * len(known) + code[chosen]) // len(known)
        several = np.unique(pairs[1:][pairs[1:] == pairs[:-1]])
        for number in several.tolist():
            model, place = divmod(number, size[1])
            mixed[model, place] = True
            mine = chosen[pair == number]
            chosen_bases = _choose(
                history, mine, code[mine], starts[place : place + 2], len(known), thresholds
            )
            own[model, place], against[model, place], left_out[model, place], scores[model, place] = (
                chosen_bases
            )
    return Bases(known, own, against, left_out, mixed, scores)


def _codes(history: History) -> tuple[tuple[ScoreBasis, ...], IntArray]:
    """Return all bases, and the position of each row's basis.

    Unknown parameters count as those sent most often to the model.
    """
    rows = history.rows
    used_parameters = [conditions.parameters for conditions in history.conditions]
    parameters = list(dict.fromkeys([None, *used_parameters]))
    judges = list(dict.fromkeys([None, *(run.judge for run in history.runs)]))
    place = {value: number for number, value in enumerate(parameters)}
    under = np.array([0, *(place[sent] for sent in used_parameters)], dtype=np.int64)
    sent = np.zeros(len(rows.run), dtype=np.int64)
    if rows.conditions is not None:
        sent = under[rows.conditions + 1]
        for model in np.unique(rows.model[sent == 0]):
            reported = sent[(rows.model == model) & (sent > 0)]
            if reported.size:
                sent[(rows.model == model) & (sent == 0)] = np.bincount(reported).argmax()
    judge = np.array([judges.index(run.judge) for run in history.runs], dtype=np.int64)
    judged = np.repeat(history.judged, np.diff(history.starts))
    by = np.where(judged[rows.case], judge[rows.run], 0) if len(judges) > 1 else np.zeros_like(sent)
    code = sent * len(judges) + by
    used = np.unique(code)
    pairs = (divmod(number, len(judges)) for number in used.tolist())
    known = tuple(
        ScoreBasis(parameters[sent_place], judges[judge_place]) for sent_place, judge_place in pairs
    )
    return known, np.searchsorted(used, code)


def _choose(
    history: History,
    rows: IntArray,
    code: IntArray,
    cases: tuple[int, ...],
    count: int,
    thresholds: Thresholds,
) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    """Return, by day, a use case's own basis, that of its baseline, the samples left out, and the scores."""
    low, high = cases
    table, days = history.rows, history.days
    day = np.array([run.day for run in history.runs], dtype=np.int64)[table.run[rows]]
    at = (code, table.case[rows] - low, day)
    samples, total = np.zeros((count, high - low, days)), np.zeros((count, high - low, days))
    np.add.at(samples, at, table.ok[rows] + table.invalid[rows])
    np.add.at(total, at, table.total[rows] / 100.0)
    scored = samples > 0
    by_basis, width = samples.sum(axis=1), scored.sum(axis=1)
    whole = scored.any(axis=0).sum(axis=0)
    own, against = np.full(days, -1), np.full(days, -1)
    for when in np.flatnonzero(whole).tolist():
        order = np.argsort(-by_basis[:, when], kind="stable")
        order = order[by_basis[order, when] > 0]
        window = own[max(0, when - thresholds.window_days) : when]
        times = np.bincount(window[window >= 0], minlength=count)
        own[when] = against[when] = order[0]
        if times.sum() >= thresholds.least_days:
            wide = width[order, when] >= thresholds.common_share * whole[when] - HAIR
            able = order[(times[order] >= thresholds.least_days) & wide]
            own[when] = able[0] if able.size else order[0]
            against[when] = own[when] if able.size else times.argmax()
    picked, here = np.maximum(own, 0), np.arange(days)
    mine = samples[picked, :, here].T
    scores = np.full(mine.shape, np.nan)
    np.divide(total[picked, :, here].T, mine, out=scores, where=mine > 0)
    left_out = (by_basis.sum(axis=0) - mine.sum(axis=0)).astype(np.int64)
    return own, against, left_out, scores


@dataclass(frozen=True, slots=True)
class SeenChange:
    """A value of this day that did not occur in the window before `since` (a day's position).

    `before` are the values of that window, most frequent first; `samples` of the day's `known` samples, whose
    value is known, have the new value.
    """

    kind: ConditionKind
    before: tuple[str, ...]
    after: str
    since: int
    samples: int
    known: int


Seen = Mapping[tuple[int, int], tuple[SeenChange, ...]]


def changes(history: History, thresholds: Thresholds) -> Seen:
    """Return the changes to show with each (model, day), while the window reaches back before the change."""
    seen_changes: dict[tuple[int, int], list[SeenChange]] = {}
    for kind in ConditionKind:
        for model, days in _values(history, kind).items():
            if len({value for counts in days.values() for value in counts}) > 1:
                for change, day in _new_values(kind, days, thresholds):
                    seen_changes.setdefault((model, day), []).append(change)
    return {place: tuple(seen) for place, seen in seen_changes.items()}


def value_of(kind: ConditionKind, conditions: Conditions) -> str | None:
    """Return the value of one kind of condition, or None if it is unknown."""
    return {
        ConditionKind.PARAMETERS: conditions.parameters,
        ConditionKind.JUDGE: None,
        ConditionKind.MODEL: conditions.model,
        ConditionKind.FINGERPRINT: conditions.fingerprint,
    }[kind]


def _values(history: History, kind: ConditionKind) -> dict[int, dict[int, Counter[str]]]:
    """Return the number of samples with each value, by model and day."""
    rows = history.rows
    answered = rows.ok + rows.invalid + rows.ungraded
    if kind is ConditionKind.JUDGE:
        texts: list[str | None] = [run.judge for run in history.runs]
        judged = np.repeat(history.judged, np.diff(history.starts))
        number, chosen = rows.run, judged[rows.case] & (answered > 0)
    elif rows.conditions is None:
        return {}
    else:
        texts = [value_of(kind, conditions) for conditions in history.conditions]
        number, chosen = rows.conditions, (rows.conditions >= 0) & (answered > 0)
    if len(set(texts) - {None}) < 2:
        return {}
    values = list(dict.fromkeys(texts))
    code = np.array([values.index(text) for text in texts], dtype=np.int64)
    day = np.array([run.day for run in history.runs], dtype=np.int64)
    cell = rows.model[chosen].astype(np.int64) * history.days + day[rows.run[chosen]]
    keys, place = np.unique(cell * len(values) + code[number[chosen]], return_inverse=True)
    counts = np.bincount(place, weights=answered[chosen], minlength=len(keys)).astype(np.int64)
    values_of: dict[int, dict[int, Counter[str]]] = {}
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        (model, when), text = divmod(key // len(values), history.days), values[key % len(values)]
        if text is not None:
            values_of.setdefault(model, {}).setdefault(when, Counter())[text] += count
    return values_of


def _new_values(
    kind: ConditionKind, days: Mapping[int, Counter[str]], thresholds: Thresholds
) -> list[tuple[SeenChange, int]]:
    """Return the new values of each day, compared with the window before a value first appeared.

    Some providers' fingerprints rotate, so a new one needs a window with as many days as a baseline.
    """
    changed, window = [], thresholds.window_days
    least = thresholds.least_days if kind is ConditionKind.FINGERPRINT else 1
    new: dict[str, tuple[int, tuple[str, ...]]] = {}
    for day in sorted(days):
        past = [days[earlier_day] for earlier_day in range(day - window, day) if earlier_day in days]
        earlier: Counter[str] = sum(past, Counter())
        for value, samples in days[day].items():
            if value not in earlier:
                new.pop(value, None)
                if len(past) >= least:
                    new[value] = day, tuple(text for text, _ in earlier.most_common())
            if value in new and day - new[value][0] < window:
                since, before = new[value]
                changed.append((SeenChange(kind, before, value, since, samples, days[day].total()), day))
    return changed
