"""Claims that options make about a story's graph: their wording, and the query that decides them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from assay.causal import queries as q
from assay.causal.proof.proof import Claim
from assay.causal.stories.language import Noun, fill, joined

Names = tuple[str, ...]
X, Y = "X", "Y"


@dataclass(frozen=True, slots=True)
class QueryKind:
    """One kind of query on a graph: the numbers of names that its arguments take, and how it is asked.

    `sizes` gives for each argument whether it is one name (1) or any number of names (None).
    """

    sizes: tuple[int | None, ...]
    query: Callable[..., q.Fact]


QUERIES: Mapping[str, QueryKind] = {
    "adjusts": QueryKind((None,), lambda over: q.ValidAdjustment((X,), Y, over)),
    "effect": QueryKind((None, 1, None), lambda xs, y, over: q.ValidAdjustment(xs, y[0], over)),
    "minimal": QueryKind((None,), lambda over: q.MinimalAdjustment((X,), Y, over)),
    "exists": QueryKind((), lambda: q.AdjustmentExists((X,), Y)),
    "separated": QueryKind((1, 1, None), lambda a, b, over: q.Separated(a[0], b[0], over)),
    "separated_after": QueryKind(
        (None, 1, 1, None), lambda do, a, b, over: q.Separated(a[0], b[0], over, do)
    ),
    "instrument": QueryKind((1, None), lambda z, over: q.ValidInstrument(z[0], X, Y, over)),
    "front_door": QueryKind((None,), lambda ms: q.ValidFrontDoor(X, Y, ms)),
    "causes": QueryKind((1, 1), lambda a, b: q.Causes(a[0], b[0])),
    "identified": QueryKind((1, 1, None), lambda x, y, also: q.Identifiable(x[0], y[0], also)),
    "unidentified": QueryKind((1, 1, None), lambda x, y, also: q.Not(q.Identifiable(x[0], y[0], also))),
    "adjacent": QueryKind((1, 1), lambda a, b: q.Adjacent(*sorted((a[0], b[0])))),
    "compelled": QueryKind((1, 1), lambda a, b: q.Compelled(a[0], b[0])),
    "not_compelled": QueryKind((1, 1), lambda a, b: q.Not(q.Compelled(a[0], b[0]))),
}


@dataclass(frozen=True, slots=True)
class Slot:
    """What a claim names: so many different factors, from those that were recorded or from all.

    `most` 0 stands for all of them; with `missing` only factors that nobody recorded are named.
    """

    least: int
    most: int
    recorded: bool
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of claim. `query` is a kind of query with its arguments: names of slots and of variables.

    `yes` and `no` are clauses that assert and deny it, `formal` the same in the language of graphs.
    """

    name: str
    query: str
    arguments: tuple[Names, ...]
    slots: Mapping[str, Slot]
    yes: str
    no: str
    formal: tuple[str, str]
    rung: str


@dataclass(frozen=True, slots=True)
class Assertion:
    """A claim about particular variables; `asserted` tells whether it asserts or denies."""

    template: Template
    bound: Mapping[str, Names]
    asserted: bool = True

    @property
    def query(self) -> q.Fact:
        """The query that decides it."""
        template = self.template
        names = [
            tuple(sorted({each for name in argument for each in self.bound.get(name, (name,))}))
            for argument in template.arguments
        ]
        return QUERIES[template.query].query(*names)

    @property
    def claim(self) -> Claim:
        """The query with the answer that is claimed."""
        return Claim(self.query, self.asserted)

    def denied(self) -> Assertion:
        """Return the opposite statement."""
        return Assertion(self.template, self.bound, not self.asserted)

    def text(self, nouns: Mapping[str, Noun], *, formal: bool = False) -> str:
        """Return it as a clause."""
        yes, no = self.template.formal if formal else (self.template.yes, self.template.no)
        words = dict(nouns)
        for slot, names in self.bound.items():
            ordered = sorted((nouns[name] for name in names), key=lambda noun: noun.text)
            braces = Noun(f"{{{', '.join(noun.text for noun in ordered)}}}")
            words[slot] = braces if formal and self.template.slots[slot].most != 1 else joined(ordered)
        return fill(yes if self.asserted else no, words)


def bind(
    template: Template, factors: Sequence[str], recorded: Sequence[str], rng: random.Random
) -> Assertion | None:
    """Draw the variables of a claim, all different; None where there are too few."""
    bound: dict[str, Names] = {}
    used: set[str] = set()
    for name, slot in template.slots.items():
        named = recorded if slot.recorded else factors
        free = [each for each in named if each not in used and not (slot.missing and each in recorded)]
        most = min(slot.most, len(free)) if slot.most else len(free)
        if most < slot.least:
            return None
        drawn = rng.sample(free, rng.randint(slot.least, most) if slot.most else most)
        used.update(drawn)
        bound[name] = tuple(sorted(drawn))
    return Assertion(template, bound)
