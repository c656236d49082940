"""The mechanical screening: format and redundancy checks of raw questions."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Engine

from assay.bank.redundancy import find_duplicates
from assay.bank.review import admit_clean
from assay.core.question import QuestionState
from assay.core.sealed import Sealer, open_key
from assay.questions.finding_kinds import FindingKind
from assay.questions.validate import QuestionProblem, validate
from assay.results.review import Disputed, FindingSummary, RedundancyCheck, Screening, Severity
from assay.store.bank.counts import count_waiting
from assay.store.bank.questions import StoredQuestion, walk_questions
from assay.store.bank.reviews import disputed, near_duplicates

EXAMPLES: Final = 3
EACH: Final = 1000
DUPLICATE: Final = QuestionProblem(
    FindingKind.NEAR_DUPLICATE, Severity.WARNS, "it is nearly the same as another question"
)
SCREENED: Final = (QuestionState.RAW, QuestionState.REVIEWED)


@dataclass(slots=True)
class Screened:
    """The result of a screening: of the questions `looked` at, those in `clean` (ids) have no finding.

    A question can have findings of several kinds; `blocked` questions have one that blocks. `disputed`
    questions wait for a third reviewer, `waiting` ones for a second.
    """

    looked: int = 0
    clean: list[int] = field(default_factory=list)
    blocked: int = 0
    kinds: dict[str, FindingSummary] = field(default_factory=dict)
    waiting: int = 0
    disputed: list[Disputed] = field(default_factory=list)


def findings(stored: StoredQuestion, sealer: Sealer) -> tuple[QuestionProblem, ...]:
    """Return the problems of a question by itself. Raises Denied for another sealing key."""
    return validate(stored.question, open_key(sealer, stored.sealed, stored.question.uuid, stored.version))


def screen_bank(
    engine: Engine,
    sealer: Sealer,
    *,
    disciplines: Collection[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Screened:
    """Check every raw question and those that wait for a second reviewer; nothing is changed.

    An unresolved near-duplicate is a finding too, of the later question if both are raw. Raises Denied if a
    key cannot be opened.
    """
    screened = Screened(waiting=count_waiting(engine), disputed=disputed(engine))
    duplicates = near_duplicates(engine)
    for stored in walk_questions(engine, states=SCREENED, disciplines=disciplines, retired=False):
        screened.looked += 1
        problems = findings(stored, sealer)
        if stored.id in duplicates:
            problems = (*problems, DUPLICATE)
        if not problems:
            screened.clean.append(stored.id)
        else:
            _count(screened, stored, problems)
        if progress is not None and screened.looked % EACH == 0:
            progress(screened.looked)
    return screened


def screen(
    engine: Engine, sealer: Sealer, *, disciplines: Collection[str] | None, accept_clean: bool, now: float
) -> Screening:
    """Search for near-duplicates and screen the bank; with `accept_clean` make clean questions drawable."""
    redundancy = find_duplicates(engine, now=now)
    screened = screen_bank(engine, sealer, disciplines=disciplines)
    return Screening(
        screened.looked,
        len(screened.clean),
        screened.blocked,
        tuple(sorted(screened.kinds.values(), key=lambda kind: -kind.questions)),
        RedundancyCheck(redundancy.questions, len(redundancy.pairs), redundancy.added, redundancy.faults),
        screened.waiting,
        tuple(screened.disputed),
        admit_clean(engine, screened.clean, now=now) if accept_clean else None,
    )


def _count(screened: Screened, stored: StoredQuestion, problems: tuple[QuestionProblem, ...]) -> None:
    screened.blocked += any(problem.severity is Severity.BLOCKS for problem in problems)
    for kind, problem in {problem.kind: problem for problem in problems}.items():
        summary = screened.kinds.setdefault(kind, FindingSummary(kind, problem.severity, problem.text))
        summary.questions += 1
        if len(summary.examples) < EXAMPLES:
            summary.examples.append(stored.question.uuid)
