"""The mechanical screening: format and redundancy checks over what is raw, and what they find by kind."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Engine

from assay.core.question import QuestionState
from assay.core.sealed import Sealer, key_about, read_key
from assay.questions.validate import Finding, Severity, validate
from assay.store.bank.counts import count_waiting
from assay.store.bank.questions import StoredQuestion, walk_questions
from assay.store.bank.reviews import Disputed, disputed, near_duplicates

EXAMPLES: Final = 3
EACH: Final = 1000
DOUBLED: Final = Finding("near-duplicate", Severity.WARNS, "it reads nearly like another question")
SCREENED: Final = (QuestionState.RAW, QuestionState.REVIEWED)


@dataclass(slots=True)
class Found:
    """A kind of finding: how bad, what it says, in how many questions, and the uuids of the first few."""

    severity: Severity
    text: str
    questions: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Screened:
    """What the screening came to: of the questions `looked` at, `clean` rows have no finding.

    A question can have findings of several kinds. `blocked` ones have one that blocks. `disputed` wait for a
    third reviewer, and `waiting` for a second one.
    """

    looked: int = 0
    clean: list[int] = field(default_factory=list)
    blocked: int = 0
    kinds: dict[str, Found] = field(default_factory=dict)
    waiting: int = 0
    disputed: list[Disputed] = field(default_factory=list)


def findings(stored: StoredQuestion, sealer: Sealer) -> tuple[Finding, ...]:
    """Return what is wrong with a question of the bank by itself. Raises Denied for another sealing key."""
    key = read_key(sealer.open(stored.sealed, key_about(stored.question.uuid, stored.version)))
    return validate(stored.question, key)


def screen_bank(
    engine: Engine,
    sealer: Sealer,
    *,
    disciplines: Collection[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Screened:
    """Look at every raw question, and at those that wait for a second reviewer; nothing is changed.

    A near-duplicate that was found and that nobody has resolved is a finding too: of two raw ones the later
    has it. Raises Denied where a key cannot be opened.
    """
    told = Screened(waiting=count_waiting(engine), disputed=disputed(engine))
    doubled = near_duplicates(engine)
    for stored in walk_questions(engine, states=SCREENED, disciplines=disciplines, retired=False):
        told.looked += 1
        found = findings(stored, sealer)
        if stored.id in doubled:
            found = (*found, DOUBLED)
        if not found:
            told.clean.append(stored.id)
        else:
            _count(told, stored, found)
        if progress is not None and told.looked % EACH == 0:
            progress(told.looked)
    return told


def _count(told: Screened, stored: StoredQuestion, found: tuple[Finding, ...]) -> None:
    told.blocked += any(each.severity is Severity.BLOCKS for each in found)
    for kind, each in {each.kind: each for each in found}.items():
        counted = told.kinds.setdefault(kind, Found(each.severity, each.text))
        counted.questions += 1
        if len(counted.examples) < EXAMPLES:
            counted.examples.append(stored.question.uuid)
