"""Formal questions: four options are laid out first, then a graph is sought in which exactly one is true."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.draft import Draft, Kind, right, wrong
from assay.causal.draws import until
from assay.causal.options.crossed import PAIRS
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim, answer
from assay.causal.queries import Causes, Fact, Term
from assay.causal.scm import Dag
from assay.causal.solvers import naive
from assay.causal.solvers.solver import Solver, chances
from assay.causal.wording.graphs import arrows, braces, listed

LETTERS = "ABCDEFGHJKLMNQTV"
ADJUSTING_RIGHT = 0.45
MARGINAL_RIGHT = 0.12
PATIENCE = 4


@dataclass(frozen=True, slots=True)
class Option:
    """One option before it is known which is true; `why` ends the sentence "to choose it is to say that"."""

    text: str
    claims: tuple[Claim, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Formal:
    """Four options, the graphs that may be drawn, the stem for the graph found.

    `kind` says what is wrong with an option, given the graph, its place and the right one's.
    """

    options: tuple[Option, ...]
    draw: Callable[[], Dag]
    stem: Callable[[Dag], str]
    kind: Callable[[Dag, int, int], Kind]


def letters(rng: random.Random, count: int) -> list[str]:
    """Draw so many different letters."""
    return rng.sample(LETTERS, count)


def ordered(
    rng: random.Random, names: Sequence[str], density: float, *, first: str, then: str, leaf: str = ""
) -> Dag:
    """Draw a graph over shuffled names in which `first` comes before `then`, and `leaf` causes nothing.

    A leaf has at least one cause where anything comes before it.
    """
    order = [name for name in rng.sample(list(names), len(names)) if name != leaf]
    here, there = order.index(first), order.index(then)
    if here > there:
        order[here], order[there] = then, first
    order += [leaf] if leaf else []
    parents = {
        name: tuple(cause for cause in order[:place] if rng.random() < density)
        for place, name in enumerate(order)
    }
    if leaf and not parents[leaf]:
        parents[leaf] = (rng.choice(order[:-1]),)
    return Dag(parents)


def written(dag: Dag, rng: random.Random, way: int) -> str:
    """Write a graph as arrows (0), as each variable's parents (1), or as what each points to (2)."""
    if way == 0:
        return arrows(dag, rng)
    names = rng.sample(dag.names, len(dag.names))
    if way == 1:
        return "; ".join(f"pa({name}) = {braces(dag.parents[name])}" for name in names)
    lines = []
    for name in names:
        children = sorted(effect for cause, effect in dag.edges if cause == name)
        lines.append(f"{name} points to {listed(children) if children else 'nothing'}")
    return "; ".join(lines)


def drawn(rng: random.Random, question: Formal, template: str) -> Draft:
    """Choose the option to be true, every one being as likely, and seek a graph that makes it the only one.

    How often the naive solvers are right is drawn as well, so that their scores are stable from form to form.
    """
    target = rng.randrange(len(question.options))
    wanted = {
        Solver.ADJUSTING: rng.random() < ADJUSTING_RIGHT,
        Solver.MARGINAL: rng.random() < MARGINAL_RIGHT,
    }
    patience = iter(range(PATIENCE))

    others = [place for place in range(len(question.options)) if place != target]

    def attempt() -> Draft | None:
        dag = question.draw()
        route = Derived(dag)

        def true(place: int) -> bool:
            return all(answer(route, c.query) == c.answer for c in question.options[place].claims)

        if not true(target) or any(map(true, others)):
            return None
        found = _draft(question, dag, target, template)
        skilled = all((chances(found, s)[target] > 0.5) == is_right for s, is_right in wanted.items())
        return found if skilled or next(patience, None) is None else None

    return until(attempt)


def _draft(question: Formal, dag: Dag, target: int, template: str) -> Draft:
    route, answers = Derived(dag), []
    for place, option in enumerate(question.options):
        if place == target:
            answers.append(right(option.text, *option.claims, why=f"Here {option.why}."))
            continue
        readings = [(naive.adjusting(c.query, dag), c.answer) for c in option.claims]
        believed = all(answer(route, read) == said for read, said in readings)
        kind = Kind.REFLEX if believed else question.kind(dag, place, target)
        why = f"To choose this is to say that {option.why}; it is not so."
        answers.append(wrong(kind, option.text, *option.claims, why=why))
    return Draft(dag, question.stem(dag), tuple(answers), template, "formal", f"option {target}")


def set_options(
    sets: Sequence[Collection[str]], claims: Callable[[tuple[str, ...]], tuple[Claim, ...]], why: str
) -> tuple[Option, ...]:
    """Return an option for each set; `{set}` in `why` stands for it."""
    return tuple(
        Option(braces(each), claims(tuple(sorted(each))), why.format(set=braces(each))) for each in sets
    )


def set_kind(sets: Sequence[Collection[str]], treatment: str) -> Callable[[Dag, int, int], Kind]:
    """Return what is wrong with a set: part of it is right, it holds a consequence fixed, or all is wrong.

    A set that would do if holding something fixed could only block is a reflex; `drawn` finds these.
    """

    def kind(dag: Dag, place: int, target: int) -> Kind:
        one, key = set(sets[place]), set(sets[target])
        route = Derived(dag)
        if any(route.holds(Causes(treatment, each)) for each in one):
            return Kind.MISAPPLIED
        return Kind.PARTIAL if one & key else Kind.REVERSED

    return kind


def count_options(start: int, term: Term, why: str) -> tuple[Option, ...]:
    """Return four consecutive counts from `start`; `{count}` in `why` stands for the number."""
    return tuple(
        Option(str(n), (Claim(term, Fraction(n)),), why.format(count=n)) for n in range(start, start + 4)
    )


def count_kind(_: Dag, place: int, target: int) -> Kind:
    """Return what is wrong with a count: far too few or many, some missed, or blocked ones counted."""
    if abs(place - target) > 1:
        return Kind.REVERSED
    return Kind.PARTIAL if place < target else Kind.MISAPPLIED


def fact_options(texts: Sequence[str], one: Fact, other: Fact, whys: Sequence[str]) -> tuple[Option, ...]:
    """Return the four combinations of two facts, in the order of `PAIRS`."""
    return tuple(
        Option(text, (Claim(one, pair[0]), Claim(other, pair[1])), why)
        for pair, text, why in zip(PAIRS, texts, whys, strict=True)
    )


def fact_kind(_: Dag, place: int, target: int) -> Kind:
    """Return what is wrong with a combination of two facts: both, the first or the second."""
    said, true = PAIRS[place], PAIRS[target]
    if said[0] != true[0] and said[1] != true[1]:
        return Kind.REVERSED
    return Kind.REFLEX if said[0] != true[0] else Kind.PARTIAL
