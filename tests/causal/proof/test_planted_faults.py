"""A fault planted in either route is caught: nothing is generated."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from every_row import every_row

from assay.causal import queries as q
from assay.causal.draft import Answer, Draft, Kind, Unproved, proved
from assay.causal.proof.counted.route import Counted
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim, Disagreement, Proof, Route
from assay.causal.scm import Dag, Scm, binary, dag

F = Fraction
CONFOUNDED = Scm(
    (
        binary("Z", "", F(2, 5)),
        binary("X", "Z", {0: F(1, 4), 1: F(3, 4)}),
        binary("Y", "X Z", {(0, 0): F(1, 10), (0, 1): F(2, 5), (1, 0): F(3, 10), (1, 1): F(7, 10)}),
    )
)


class Faulty:
    """A route that answers queries of one kind as if they were others."""

    def __init__(self, route: Route, instead: Callable[[q.Query], q.Query]) -> None:
        self.route, self.instead = route, instead

    def number(self, term: q.Term) -> Fraction:
        found = self.instead(term)
        assert isinstance(found, q.Term)
        if isinstance(found, q.Arithmetic):
            left, right = self.number(found.left), self.number(found.right)
            return left - right if found.sign == "-" else left / right
        return self.route.number(found)

    def holds(self, fact: q.Fact) -> bool:
        found = self.instead(fact)
        assert isinstance(found, q.Fact)
        return self.route.holds(found)


def conditions(query: q.Query) -> q.Query:
    """Take setting for seeing: the untruncated factorisation."""
    if isinstance(query, q.Probability) and query.do:
        return q.Probability(query.event, tuple(sorted((*query.given, *query.do))))
    return query


def blocks_everything(query: q.Query) -> q.Query:
    """Forget that colliders are opened."""
    return q.Separated(query.left, query.right) if isinstance(query, q.Separated) else query


def drops_weights(query: q.Query) -> q.Query:
    """Standardise with nothing."""
    if isinstance(query, q.Adjusted):
        return q.Adjusted(query.event, query.treatment, ())
    return query


def counts_all(query: q.Query) -> q.Query:
    """Count closed paths too."""
    if isinstance(query, q.PathCount):
        return q.PathCount(query.start, query.end, q.Paths.ALL)
    return query


def forgets_descendants(query: q.Query) -> q.Query:
    """Let what the treatment moved be adjusted for."""
    if isinstance(query, q.ValidAdjustment) and "M" in query.over:
        return q.ValidAdjustment(query.treatments, query.outcome, ())
    return query


def sees_what_is_hidden(query: q.Query) -> q.Query:
    """Take a hidden variable for a measured one."""
    return (
        q.Identifiable(query.treatment, query.outcome, ("U",)) if isinstance(query, q.Identifiable) else query
    )


def reads_arrows(query: q.Query) -> q.Query:
    """Take every arrow of the graph for one that data show."""
    return q.Causes(query.cause, query.effect) if isinstance(query, q.Compelled) else query


def looks_once(query: q.Query) -> q.Query:
    """Take association for adjacency."""
    return q.Not(q.Separated(query.left, query.right)) if isinstance(query, q.Adjacent) else query


M_GRAPH = dag("U>X U>M V>M V>Y X>Y")
CHAIN = dag("X>M M>Y X>Y")
FAULTS: list[tuple[str, Scm | Dag, q.Query, Callable[[q.Query], q.Query]]] = [
    ("effects", CONFOUNDED, q.effect("X", "Y"), conditions),
    ("separation", M_GRAPH, q.Separated("U", "V", ("M",)), blocks_everything),
    ("standardising", CONFOUNDED, q.adjusted_difference("X", "Y", ["Z"]), drops_weights),
    ("paths", M_GRAPH, q.PathCount("X", "Y", q.Paths.OPEN), counts_all),
    ("identification", dag("U>X U>Y X>Y", hidden="U"), q.Identifiable("X", "Y"), sees_what_is_hidden),
    ("equivalence", dag("A>B B>C"), q.Compelled("A", "B"), reads_arrows),
    ("adjacency", dag("A>B B>C"), q.Adjacent("A", "C"), looks_once),
    ("adjustment", CHAIN, q.ValidAdjustment(("X",), "Y", ("M",)), forgets_descendants),
]


@every_row("route", ["derived", "counted"])
@every_row("what, world, query, fault", FAULTS, ids=[fault[0] for fault in FAULTS])
def test_a_fault_in_either_route_is_caught(
    what: str, world: Scm | Dag, query: q.Query, fault: Callable[[q.Query], q.Query], route: str
) -> None:
    """Where one route errs, the answer is refused with both answers told; sound routes agree."""
    sound: tuple[Route, Route] = (Derived(world), Counted(world))
    broken: tuple[Route, Route] = (
        (Faulty(sound[0], fault), sound[1]) if route == "derived" else (sound[0], Faulty(sound[1], fault))
    )

    Proof(world, sound).answer(query)

    with pytest.raises(Disagreement, match=r"derived .* counted"):
        Proof(world, broken).answer(query)


def draft(crude: Fraction, adjusted: Fraction) -> Draft:
    """Return a question on the effect, whose key is the second answer when all is well."""
    answers = [(crude, Kind.REFLEX), (adjusted, None), (F(1, 2), Kind.REVERSED), (F(1), Kind.PARTIAL)]
    return Draft(
        CONFOUNDED,
        "What is the effect?",
        tuple(Answer(str(n), (Claim(q.effect("X", "Y"), n),), "because", kind) for n, kind in answers),
        "test/0",
        "scene",
        "state",
    )


def test_a_draft_is_proved() -> None:
    """By hand: 3/5 * 1/5 + 2/5 * 3/10 = 6/25; the second answer is the key."""
    assert proved(draft(F(2, 5), F(6, 25))) == 1


def test_a_draft_is_not_proved_by_a_broken_route() -> None:
    """A fault in a route stops the question, not only the query."""
    broken = Proof(CONFOUNDED, (Derived(CONFOUNDED), Faulty(Counted(CONFOUNDED), conditions)))

    with pytest.raises(Disagreement):
        proved(draft(F(2, 5), F(6, 25)), broken)


def test_a_wrong_key_is_refused() -> None:
    """An intended answer that is not true is refused, though both routes agree."""
    with pytest.raises(Unproved, match="meant to be"):
        proved(draft(F(6, 25), F(2, 5)))


def test_two_true_answers_are_refused() -> None:
    """Two answers that say the same thing in other words cannot both stand."""
    told = draft(F(2, 5), F(6, 25))
    twice = Answer("24 percentage points", told.answers[1].claims, "because", Kind.PARTIAL)

    with pytest.raises(Unproved, match=r"\[1, 2\] are true"):
        proved(Draft(told.world, told.stem, (*told.answers[:2], twice, told.answers[3]), "t", "s", "x"))


def test_a_figure_that_is_not_what_it_is_said_to_be_is_refused() -> None:
    """A distractor declared as the crude difference must be the crude difference."""
    told = draft(F(2, 5), F(6, 25))
    odd = Answer("2/5", told.answers[0].claims, "because", Kind.REFLEX, Claim(q.crude("X", "Y"), F(2, 5)))

    with pytest.raises(Unproved, match="is not"):
        proved(Draft(told.world, told.stem, (odd, *told.answers[1:]), "t", "s", "x"))
