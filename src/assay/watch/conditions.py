"""Which conditions each day was measured under: what of it can be compared, and what changed since when.

Parameters and the judge are ours: days are compared only under equal ones. What the endpoint serves is the
model's: a change of it is shown beside the verdict, which judges it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from assay.core.conditions import Conditions
from assay.core.suite import Thresholds
from assay.watch.gaps import HAIR
from assay.watch.history import BoolArray, FloatArray, History, IntArray


@dataclass(frozen=True, slots=True)
class Basis:
    """What of ours a score rests on: the parameters sent, and in judged use cases the judge.

    None where it is not known.
    """

    parameters: str | None
    judge: str | None


@dataclass(frozen=True, slots=True)
class Bases:
    """The basis of each (model, use case, day), as a position in `known`; -1 on days without a score.

    `own` is what the day's score is under: samples under any other are left out of it (`left_out` counts
    them). `against` is that of its baseline: the same but on days for which there is no baseline of their own
    basis yet. `mixed` (models, use cases) marks where there was ever more than one. `scores` holds the case
    scores of mixed use cases (cases, days), 0-1, under each day's own basis.
    """

    known: tuple[Basis, ...]
    own: IntArray
    against: IntArray
    left_out: IntArray
    mixed: BoolArray
    scores: Mapping[tuple[int, int], FloatArray]

    @property
    def frozen(self) -> BoolArray:
        """The days whose baseline was measured on another basis: they may not change a state."""
        frozen: BoolArray = self.own != self.against
        return frozen


def bases(history: History, kept: BoolArray, thresholds: Thresholds) -> Bases:
    """Return what each day rests on, and is compared with.

    A day is scored under the basis of most of its samples that has a baseline of its own and most of the
    day's cases. Without such a one it is scored under that of most samples, against the most frequent basis
    of the window: then it is frozen.
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
            found = _settle(history, mine, code[mine], starts[place : place + 2], len(known), thresholds)
            own[model, place], against[model, place], left_out[model, place], scores[model, place] = found
    return Bases(known, own, against, left_out, mixed, scores)


def _codes(history: History) -> tuple[tuple[Basis, ...], IntArray]:
    """Return the bases there are, and the position of each row's.

    Unknown parameters count as those that were sent most often.
    """
    rows = history.rows
    sent_ones = dict.fromkeys(each.parameters for each in history.conditions if each.parameters is not None)
    parameters = [None, *sent_ones]
    judges = list(dict.fromkeys([None, *(run.judge for run in history.runs)]))
    place = {value: number for number, value in enumerate(parameters)}
    under = np.array([0, *(place[each.parameters] for each in history.conditions)], dtype=np.int64)
    sent = np.zeros(len(rows.run), dtype=np.int64)
    if rows.conditions is not None:
        sent = under[rows.conditions + 1]
        for model in np.unique(rows.model[sent == 0]):
            told = sent[(rows.model == model) & (sent > 0)]
            if told.size:
                sent[(rows.model == model) & (sent == 0)] = np.bincount(told).argmax()
    judge = np.array([judges.index(run.judge) for run in history.runs], dtype=np.int64)
    judged = np.repeat(history.judged, np.diff(history.starts))
    by = np.where(judged[rows.case], judge[rows.run], 0) if len(judges) > 1 else np.zeros_like(sent)
    code = sent * len(judges) + by
    used = np.unique(code)
    known = tuple(
        Basis(parameters[each // len(judges)], judges[each % len(judges)]) for each in used.tolist()
    )
    return known, np.searchsorted(used, code)


def _settle(
    history: History,
    rows: IntArray,
    code: IntArray,
    cases: tuple[int, ...],
    count: int,
    thresholds: Thresholds,
) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    """Return a use case's own basis, that of its baseline and the samples left out by day, and its scores."""
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


class Kind(StrEnum):
    """What of the conditions can change."""

    PARAMETERS = "parameters"
    JUDGE = "judge"
    MODEL = "served model"
    FINGERPRINT = "fingerprint"


@dataclass(frozen=True, slots=True)
class SeenChange:
    """A value that was never seen in the window before `since` (a day's position), and is seen this day.

    `before` are the values of that window, most frequent first; `samples` of `known` samples of the day,
    those whose value is known, have the new one.
    """

    kind: Kind
    before: tuple[str, ...]
    after: str
    since: int
    samples: int
    known: int


Seen = Mapping[tuple[int, int], tuple[SeenChange, ...]]


def changes(history: History, thresholds: Thresholds) -> Seen:
    """Return the changes that each (model, day) is to be shown with: as long as the window is from before."""
    found: dict[tuple[int, int], list[SeenChange]] = {}
    for kind in Kind:
        for model, days in _values(history, kind).items():
            if len({value for counts in days.values() for value in counts}) > 1:
                for change, day in _news(kind, days, thresholds):
                    found.setdefault((model, day), []).append(change)
    return {place: tuple(seen) for place, seen in found.items()}


def value_of(kind: Kind, conditions: Conditions) -> str | None:
    """Return what conditions say of a kind; None where they do not."""
    return {
        Kind.PARAMETERS: conditions.parameters,
        Kind.JUDGE: None,
        Kind.MODEL: conditions.model,
        Kind.FINGERPRINT: conditions.fingerprint,
    }[kind]


def _values(history: History, kind: Kind) -> dict[int, dict[int, Counter[str]]]:
    """Return how many samples had each value, by model and day."""
    rows = history.rows
    answered = rows.ok + rows.invalid + rows.ungraded
    if kind is Kind.JUDGE:
        texts: list[str | None] = [run.judge for run in history.runs]
        judged = np.repeat(history.judged, np.diff(history.starts))
        number, chosen = rows.run, judged[rows.case] & (answered > 0)
    elif rows.conditions is None:
        return {}
    else:
        texts = [value_of(kind, each) for each in history.conditions]
        number, chosen = rows.conditions, (rows.conditions >= 0) & (answered > 0)
    if len(set(texts) - {None}) < 2:
        return {}
    values = list(dict.fromkeys(texts))
    code = np.array([values.index(text) for text in texts], dtype=np.int64)
    day = np.array([run.day for run in history.runs], dtype=np.int64)
    cell = rows.model[chosen].astype(np.int64) * history.days + day[rows.run[chosen]]
    keys, place = np.unique(cell * len(values) + code[number[chosen]], return_inverse=True)
    counts = np.bincount(place, weights=answered[chosen], minlength=len(keys)).astype(np.int64)
    found: dict[int, dict[int, Counter[str]]] = {}
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        (model, when), text = divmod(key // len(values), history.days), values[key % len(values)]
        if text is not None:
            found.setdefault(model, {}).setdefault(when, Counter())[text] += count
    return found


def _news(
    kind: Kind, days: Mapping[int, Counter[str]], thresholds: Thresholds
) -> list[tuple[SeenChange, int]]:
    """Return what is new on each day against the window before the value first appeared.

    Some providers' fingerprints rotate: one is new only against as many days as a baseline has.
    """
    found, window = [], thresholds.window_days
    least = thresholds.least_days if kind is Kind.FINGERPRINT else 1
    new: dict[str, tuple[int, tuple[str, ...]]] = {}
    for day in sorted(days):
        past = [days[each] for each in range(day - window, day) if each in days]
        earlier: Counter[str] = sum(past, Counter())
        for value, samples in days[day].items():
            if value not in earlier:
                new.pop(value, None)
                if len(past) >= least:
                    new[value] = day, tuple(text for text, _ in earlier.most_common())
            if value in new and day - new[value][0] < window:
                since, before = new[value]
                found.append((SeenChange(kind, before, value, since, samples, days[day].total()), day))
    return found
