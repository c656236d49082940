"""What the bank holds, as in seed 003, tables 5 and 6: by source and by discipline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Engine

from assay.core.question import SourceKind
from assay.questions.taxonomy import disciplines
from assay.store.bank.counts import (
    Held,
    States,
    count_duplicates,
    count_held,
    count_kinds,
    count_states,
)


@dataclass(frozen=True, slots=True)
class Growth:
    """How far expanding made a part of the bank grow. `rewritten` counts what stands after it.

    An original that has variants is replaced by them in that count, as in the seed; others stand as they are.
    """

    name: str
    original: int
    rewritten: int

    @property
    def increase(self) -> int:
        """How many more there are."""
        return self.rewritten - self.original

    @property
    def percentage(self) -> float | None:
        """The increase in per cent of the original count; None of nothing."""
        return 100 * self.increase / self.original if self.original else None


@dataclass(frozen=True, slots=True)
class SourceShare:
    """A kind of source: its questions before and after expanding, with its share of each, 0-100."""

    kind: SourceKind
    original: int
    original_share: float
    rewritten: int
    rewritten_share: float


@dataclass(frozen=True, slots=True)
class Stats:
    """The bank's tables. `held` counts originals and variants, neither rejected nor retired.

    `synthetic` of them come from sources that were labelled as such.
    """

    sources: tuple[SourceShare, ...]
    disciplines: tuple[Growth, ...]
    total: Growth
    kinds: dict[str, int]
    states: States
    held: int
    synthetic: int
    duplicates: int


def bank_stats(engine: Engine) -> Stats:
    """Return what the bank holds."""
    held = count_held(engine)
    names = {one.code: one.english for one in disciplines()}
    growths = sorted(
        (
            _growth(names.get(code, code), [each for each in held if each.discipline == code])
            for code in dict.fromkeys(each.discipline for each in held)
        ),
        key=lambda one: (-(one.percentage or 0.0), one.name),
    )
    return Stats(
        sources=by_source(held),
        disciplines=tuple(growths),
        total=_growth("Total", held),
        kinds=count_kinds(engine),
        states=count_states(engine),
        held=sum(each.originals + each.variants for each in held),
        synthetic=sum(each.synthetic for each in held),
        duplicates=count_duplicates(engine),
    )


def by_source(held: Iterable[Held]) -> tuple[SourceShare, ...]:
    """Return the counts and shares of each kind of source that there is anything of."""
    listed = list(held)
    whole = _growth("Total", listed)
    found = []
    for kind in SourceKind:
        part = _growth(kind.value, [each for each in listed if each.source == kind.value])
        if part.original or part.rewritten:
            found.append(
                SourceShare(
                    kind,
                    part.original,
                    _share(part.original, whole.original),
                    part.rewritten,
                    _share(part.rewritten, whole.rewritten),
                )
            )
    return tuple(found)


def _growth(name: str, held: Iterable[Held]) -> Growth:
    listed = list(held)
    original = sum(each.originals for each in listed)
    return Growth(name, original, original + sum(each.variants - each.expanded for each in listed))


def _share(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0
