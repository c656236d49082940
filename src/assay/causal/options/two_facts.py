"""Answers made of two facts, each true or not: all four combinations are offered, whatever is the case."""

from __future__ import annotations

from dataclasses import dataclass

from assay.causal.draft import Answer, Kind
from assay.causal.options.crossed import Pair, crossed
from assay.causal.proof.proof import Claim
from assay.causal.queries import Fact
from assay.causal.wording.graphs import sentence


@dataclass(frozen=True, slots=True)
class Point:
    """One fact: the words that affirm and deny it, what they claim, and what is true in this story.

    `facts` pairs queries with their answers if the fact holds; whoever denies it claims the opposite.
    `reflex` is the side that a textbook reflex takes.
    """

    holds: str
    fails: str
    facts: tuple[tuple[Fact, bool], ...]
    why: str
    reflex: bool

    def words(self, side: bool) -> str:
        """Return what is said by an option that takes this side."""
        return self.holds if side else self.fails

    def claims(self, side: bool) -> tuple[Claim, ...]:
        """Return what is claimed by an option that takes this side."""
        return tuple(Claim(fact, answer == side) for fact, answer in self.facts)


def combined(
    first: Point, second: Point, state: Pair, joint: str = "{first}; {second}."
) -> tuple[Answer, ...]:
    """Return the four answers; the one that takes the state's two sides is the right one."""

    def say(option: Pair) -> str:
        return sentence(joint.format(first=first.words(option[0]), second=second.words(option[1])))

    def claims(option: Pair) -> tuple[Claim, ...]:
        return (*first.claims(option[0]), *second.claims(option[1]))

    def kind(option: Pair, state: Pair) -> Kind:
        if option[0] == state[0]:
            return Kind.PARTIAL
        if option[1] != state[1]:
            return Kind.REVERSED
        return Kind.REFLEX if option[0] == first.reflex else Kind.MISAPPLIED

    why = f"{sentence(first.why)} {sentence(second.why)}"
    topics = "the first point", "the second point"
    return crossed(state, say, claims, topics=topics, why=why, kinds=kind)
