"""Answers that two routes sharing no code agree on. Where they do not, nothing is published."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from assay.causal.proof.counted.route import Counted
from assay.causal.proof.derived.route import Derived
from assay.causal.queries import Answered, Fact, Query, Term
from assay.causal.scm import Dag, Scm
from assay.core.errors import AssayError


class Disagreement(AssayError):
    """The two routes give different answers: one of them, or the model, is wrong."""


class Route(Protocol):
    """One way of answering queries about one model or graph."""

    def number(self, term: Term) -> Fraction:
        """Return the value of a term."""

    def holds(self, fact: Fact) -> bool:
        """Return whether a fact holds."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A query with the answer that an option gives to it."""

    query: Query
    answer: Answered


class Proof:
    """Queries about one model or graph, each answered by derivation and by counting.

    Disagreement when the two differ in the least; all numbers are exact.
    """

    def __init__(self, world: Scm | Dag, routes: tuple[Route, Route] | None = None) -> None:
        self.world = world
        self.derived, self.counted = routes or (Derived(world), Counted(world))
        self._proved: dict[Query, Answered] = {}

    def number(self, term: Term) -> Fraction:
        """Return the value of a term."""
        return Fraction(self.answer(term))

    def holds(self, fact: Fact) -> bool:
        """Return whether a fact holds."""
        return bool(self.answer(fact))

    def answer(self, query: Query) -> Answered:
        """Return the answer that both routes give."""
        if query not in self._proved:
            one, other = answer(self.derived, query), answer(self.counted, query)
            if one != other or type(one) is not type(other):
                raise Disagreement(
                    f"the two routes disagree on {query!r}: derived {one}, counted {other}; "
                    "nothing is generated from this model: report it with the seed"
                )
            self._proved[query] = one
        return self._proved[query]

    def claims(self, claim: Claim) -> bool:
        """Return whether a claim is true."""
        return self.answer(claim.query) == claim.answer


def answer(route: Route, query: Query) -> Answered:
    """Return what one route answers."""
    return route.number(query) if isinstance(query, Term) else route.holds(query)
