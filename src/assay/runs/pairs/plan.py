"""What a comparison of runs asks: the answers that are compared, by whom, and in which places of the run."""

from __future__ import annotations

import hashlib
import random
import secrets
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, NamedTuple

from sqlalchemy import Engine

from assay.calls.asking import MAX_TOKENS
from assay.core.ask import CallStatus
from assay.core.errors import InvalidInput
from assay.core.model import Model
from assay.core.suite import Suite
from assay.core.wording import counted
from assay.grading.model_family import excluded
from assay.grading.pairs import VERSION
from assay.runs.board.names import named
from assay.store.ledger import subject_calls
from assay.store.runs import StoredRun, read_run
from assay.store.samples import list_samples
from assay.store.suites import read_suite

KINDS = ("run", "import", "watch")
"""The kinds of runs that have models' answers."""
ORDERS = (0, 1)
"""The two orders of a pair: its first model shown as A, or as B."""


class Contestant(NamedTuple):
    """A model whose answers are compared, with its row, and the run that has them."""

    run: int
    row: int


class PairEntry(NamedTuple):
    """The answers to one case in one epoch: their positions in the contestants' runs, None without one.

    `visible` says which of them have visible text.
    """

    case: int
    epoch: int
    positions: tuple[int | None, ...]
    visible: tuple[bool, ...]


class PairJob(NamedTuple):
    """One verdict to ask for. `pair` is the number of the pair of answers in the run."""

    pair: int
    order: int
    judge: int


@dataclass(frozen=True, slots=True)
class PairRequest:
    """What is to be compared: each model with the `baseline`, or every two models (None).

    `n` prompts are drawn with `seed`, None for all. A judge of several does not judge answers of its own
    model, or of its family (`exclude`).
    """

    baseline: str | None = None
    n: int | None = None
    seed: int = 0
    exclude: Literal["self", "family"] = "self"


@dataclass(frozen=True, slots=True)
class PairPlan:
    """The plan of a comparison, as the run stores it.

    `pairs` are the contestants compared with each other, by number. `left_out` are the judges (by number)
    that do not judge a contestant. `secret` is drawn after the answers were written; the fences of all
    questions follow from it, so that a reply that was paid for can be read after a crash.
    """

    suite: Suite
    contestants: tuple[Contestant, ...]
    models: tuple[Model, ...]
    entries: tuple[PairEntry, ...]
    pairs: tuple[tuple[int, int], ...]
    judges: int
    left_out: frozenset[tuple[int, int]]
    secret: str

    @property
    def names(self) -> tuple[str, ...]:
        """The contestants' names."""
        names = named(self.subjects)
        return tuple(names[contestant.row] for contestant in self.contestants)

    @property
    def subjects(self) -> dict[int, Model]:
        """The contestants' models by row."""
        rows = (contestant.row for contestant in self.contestants)
        return dict(zip(rows, self.models, strict=True))

    @property
    def prompts(self) -> int:
        """The number of prompts whose answers are compared."""
        return len({entry.case for entry in self.entries})

    def locate(self, pair: int) -> tuple[PairEntry, int, int]:
        """Return the entry of a pair of answers, and its two contestants."""
        entry, place = divmod(pair, len(self.pairs))
        return self.entries[entry], *self.pairs[place]

    def position(self, job: PairJob) -> int:
        """Return the position of a verdict's calls in the run."""
        return (len(ORDERS) * job.pair + job.order) * self.judges + job.judge

    def fence(self, job: PairJob) -> str:
        """Return the fence of a question: 16 hexadecimal digits that follow from the secret."""
        text = f"{job.pair} {job.order} {job.judge}"
        return hashlib.blake2b(text.encode(), key=self.secret.encode(), digest_size=8).hexdigest()

    def jobs(self) -> Iterator[PairJob]:
        """Yield all verdicts to ask for; both orders of a pair follow each other."""
        for number, entry in enumerate(self.entries):
            for place, (one, other) in enumerate(self.pairs):
                if entry.positions[one] is None or entry.positions[other] is None:
                    continue
                for judge in range(self.judges):
                    if (judge, one) in self.left_out or (judge, other) in self.left_out:
                        continue
                    for order in ORDERS:
                        yield PairJob(number * len(self.pairs) + place, order, judge)

    def by_rule(self, pair: int) -> float | None:
        """Return the first model's share of a win if an answer has no visible text: that answer loses."""
        entry, one, other = self.locate(pair)
        if entry.visible[one] and entry.visible[other]:
            return None
        return 0.5 + 0.5 * (entry.visible[one] - entry.visible[other])

    def described(self) -> dict[str, Any]:
        """Return the plan in the form in which a run stores it."""
        return {
            "contestants": [list(contestant) for contestant in self.contestants],
            "entries": [[entry.case, entry.epoch, entry.positions, entry.visible] for entry in self.entries],
            "pairs": self.pairs,
            "left_out": sorted(self.left_out),
            "secret": self.secret,
            "version": VERSION,
            "max_tokens": MAX_TOKENS,
        }


def stored_plan(engine: Engine, run: StoredRun) -> PairPlan:
    """Return the plan of a stored comparison."""
    plan = run.plan
    contestants = tuple(Contestant(*contestant) for contestant in plan["contestants"])
    runs = {number: read_run(engine, number) for number in {contestant.run for contestant in contestants}}
    return PairPlan(
        read_suite(engine, run.suite),
        contestants,
        tuple(dict(runs[contestant.run].models)[contestant.row] for contestant in contestants),
        tuple(
            PairEntry(case, epoch, tuple(positions), tuple(visible))
            for case, epoch, positions, visible in plan["entries"]
        ),
        tuple((one, other) for one, other in plan["pairs"]),
        len(run.models),
        frozenset((judge, contestant) for judge, contestant in plan["left_out"]),
        plan["secret"],
    )


def plan_pairs(
    engine: Engine, numbers: Sequence[int], judges: Sequence[Model], request: PairRequest
) -> PairPlan:
    """Plan the comparison of the stored answers of some runs of one suite. Nothing is sent or stored.

    Raises NotFound for an unknown run; InvalidInput for runs of different suites or without samples, for a
    model in two runs, fewer than two models, an unknown baseline, and if no two models answered a prompt.
    """
    runs = [read_run(engine, number) for number in dict.fromkeys(numbers)]
    _check_runs(runs)
    contestants = _contestants(runs)
    models = {row: model for run in runs for row, model in run.models}
    names = named({contestant.row: models[contestant.row] for contestant in contestants})
    contestants = sorted(contestants, key=lambda contestant: names[contestant.row])
    ordered = [names[contestant.row] for contestant in contestants]
    pairs = _pairs(ordered, request.baseline)
    entries = _entries(engine, contestants, pairs)
    if not entries:
        raise InvalidInput(f"no two of these models answered the same prompt: {', '.join(ordered)}")
    subjects = tuple(models[contestant.row] for contestant in contestants)
    return PairPlan(
        read_suite(engine, runs[0].suite),
        tuple(contestants),
        subjects,
        _drawn(entries, request),
        pairs,
        len(judges),
        _left_out(judges, subjects, request.exclude),
        secrets.token_hex(16),
    )


def _check_runs(runs: Sequence[StoredRun]) -> None:
    for run in runs:
        if run.kind not in KINDS:
            raise InvalidInput(
                f"run {run.id} is of kind {run.kind!r}: give runs that measured models, see `assay runs`"
            )
        if run.suite != runs[0].suite:
            raise InvalidInput(
                f"run {runs[0].id} is of {runs[0].suite_name} {runs[0].suite_version} and run {run.id} of "
                f"{run.suite_name} {run.suite_version}: compare runs of one suite (with the same digest)"
            )


def _contestants(runs: Sequence[StoredRun]) -> list[Contestant]:
    first: dict[int, int] = {}
    for run in runs:
        for row, model in run.models:
            if row in first:
                raise InvalidInput(
                    f"model {model.name!r} is in runs {first[row]} and {run.id}: give one of the two"
                )
            first[row] = run.id
    if len(first) < 2:
        raise InvalidInput(
            f"{counted(len(first), 'model')} in these runs: a comparison needs two, so give another run"
        )
    return [Contestant(run, row) for row, run in first.items()]


def _pairs(names: Sequence[str], baseline: str | None) -> tuple[tuple[int, int], ...]:
    if baseline is None:
        return tuple(combinations(range(len(names)), 2))
    if baseline not in names:
        raise InvalidInput(f"unknown baseline {baseline!r}: give one of {', '.join(names)}")
    fixed = names.index(baseline)
    return tuple((min(fixed, place), max(fixed, place)) for place in range(len(names)) if place != fixed)


def _entries(
    engine: Engine, contestants: Sequence[Contestant], pairs: Sequence[tuple[int, int]]
) -> list[PairEntry]:
    """Return the answers by case and epoch where a pair has two; samples that errored do not count."""
    by_case: dict[tuple[int, int], dict[int, tuple[int, bool]]] = defaultdict(dict)
    place = {contestant: number for number, contestant in enumerate(contestants)}
    for number in sorted({contestant.run for contestant in contestants}):
        for line in list_samples(engine, number):
            row = line.row
            contestant = place.get(Contestant(number, row.model))
            if contestant is not None and row.status != CallStatus.ERROR:
                answer = (row.position, row.status == CallStatus.OK)
                by_case[row.case_ordinal, row.epoch][contestant] = answer
    entries = []
    for (case, epoch), answers in sorted(by_case.items()):
        if not any(one in answers and other in answers for one, other in pairs):
            continue
        cells = [answers.get(number, (None, False)) for number in range(len(contestants))]
        positions, visible = zip(*cells, strict=True)
        entries.append(PairEntry(case, epoch, positions, visible))
    return entries


def _drawn(entries: Sequence[PairEntry], request: PairRequest) -> tuple[PairEntry, ...]:
    """Return the entries of `n` prompts, drawn at random."""
    cases = sorted({entry.case for entry in entries})
    if request.n is not None and request.n < len(cases):
        cases = sorted(random.Random(request.seed).sample(cases, request.n))
    chosen = set(cases)
    return tuple(entry for entry in entries if entry.case in chosen)


def _left_out(
    judges: Sequence[Model], subjects: Sequence[Model], exclude: Literal["self", "family"]
) -> frozenset[tuple[int, int]]:
    """Return which of several judges do not judge which contestants; a single judge judges all."""
    if len(judges) < 2:
        return frozenset()
    return frozenset(
        (place, number)
        for place, judge in enumerate(judges)
        for number, subject in enumerate(subjects)
        if excluded(judge, subject, exclude) is not None
    )


def read_answers(engine: Engine, plan: PairPlan, entries: Sequence[PairEntry]) -> Iterator[Mapping[int, str]]:
    """Yield the texts of the answers of each entry, by contestant; those without visible text are empty."""
    for entry in entries:
        texts: dict[int, str] = {}
        by_run: dict[int, dict[int, int]] = defaultdict(dict)
        for number, at in enumerate(entry.positions):
            if at is not None:
                by_run[plan.contestants[number].run][at] = number
        for run, numbers in by_run.items():
            rows = subject_calls(engine, run, sorted(numbers))
            for at, number in numbers.items():
                texts[number] = (rows[at].answer or "") if at in rows and entry.visible[number] else ""
        yield texts
