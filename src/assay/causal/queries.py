"""What can be asked of a causal model: probabilities, effects, counterfactuals, and facts of its graph.

A query is a value; it holds no way of answering itself. Two routes that share no code answer it (`proof`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from assay.core.errors import InvalidInput

Levels = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A query whose answer is a number; terms add, subtract, multiply and divide into terms."""

    def __add__(self, other: Term | Fraction | int) -> Term:
        return Arithmetic("+", self, term(other))

    def __sub__(self, other: Term | Fraction | int) -> Term:
        return Arithmetic("-", self, term(other))

    def __rsub__(self, other: Fraction | int) -> Term:
        return Arithmetic("-", term(other), self)

    def __mul__(self, other: Term | Fraction | int) -> Term:
        return Arithmetic("*", self, term(other))

    def __truediv__(self, other: Term | Fraction | int) -> Term:
        return Arithmetic("/", self, term(other))

    def __rtruediv__(self, other: Fraction | int) -> Term:
        return Arithmetic("/", term(other), self)


@dataclass(frozen=True, slots=True)
class Number(Term):
    """A given number."""

    number: Fraction


@dataclass(frozen=True, slots=True)
class Arithmetic(Term):
    """Two terms joined by +, -, * or /, or the larger (`max`) or smaller (`min`) of two."""

    sign: str
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Rounded(Term):
    """A term rounded to so many decimal places, halves away from zero."""

    term: Term
    places: int


@dataclass(frozen=True, slots=True)
class Root(Term):
    """The square root of a term that is the square of a fraction; InvalidInput of any other."""

    term: Term


@dataclass(frozen=True, slots=True)
class Probability(Term):
    """P(event | given) where the variables in `do` are set; `given` is seen in the world so made."""

    event: Levels
    given: Levels = ()
    do: Levels = ()


@dataclass(frozen=True, slots=True)
class Mean(Term):
    """The mean of a variable's numeric values, with `given` and `do` as in `Probability`."""

    variable: str
    given: Levels = ()
    do: Levels = ()


@dataclass(frozen=True, slots=True)
class Adjusted(Term):
    """Standardisation: the sum over z (levels of `over`) of P(event | treatment, z, within) P(z | weights).

    `within` is what every unit used has in common (a selected sample), `weights` the population whose
    mix of z counts.
    """

    event: Levels
    treatment: Levels
    over: tuple[str, ...]
    within: Levels = ()
    weights: Levels = ()


@dataclass(frozen=True, slots=True)
class Counterfactual(Term):
    """P(event had `do` been set, each mediator at the level it would have under its own setting | given).

    `mediators` pairs a mediator with the setting that fixes its level: natural direct and indirect effects
    are differences of such terms. `given` is seen in the actual world, where nothing was set.
    """

    event: Levels
    do: Levels
    mediators: tuple[tuple[str, Levels], ...] = ()
    given: Levels = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A query whose answer is yes or no."""


@dataclass(frozen=True, slots=True)
class Compare(Fact):
    """Whether two terms stand in a relation: <, =, >, <=, >= or !=."""

    left: Term
    relation: str
    right: Term


@dataclass(frozen=True, slots=True)
class Not(Fact):
    """Whether a fact does not hold."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class Separated(Fact):
    """Whether the graph makes two variables independent given others, whatever the numbers (d-separation).

    Variables in `do` are set, so that nothing affects them. InvalidInput where left, right and given overlap.
    """

    left: str
    right: str
    given: tuple[str, ...] = ()
    do: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len({self.left, self.right, *self.given}) < 2 + len(self.given):
            raise InvalidInput(f"{self.left!r}, {self.right!r} and {self.given!r} overlap: name each once")


@dataclass(frozen=True, slots=True)
class ValidAdjustment(Fact):
    """Whether adjusting for a set gives the treatments' total effect on the outcome, whatever the numbers.

    Criterion: the adjustment criterion of Shpitser, VanderWeele and Robins (2010), which is complete.
    """

    treatments: tuple[str, ...]
    outcome: str
    over: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MinimalAdjustment(Fact):
    """Whether a set is valid for adjustment and no proper subset of it is."""

    treatments: tuple[str, ...]
    outcome: str
    over: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AdjustmentExists(Fact):
    """Whether any set of measured variables is valid for adjustment."""

    treatments: tuple[str, ...]
    outcome: str


@dataclass(frozen=True, slots=True)
class ValidInstrument(Fact):
    """Whether a variable, given others, is tied to the treatment and to the outcome through it alone.

    Neither it nor what is given may be an effect of the treatment.
    """

    instrument: str
    treatment: str
    outcome: str
    given: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ValidFrontDoor(Fact):
    """Whether the mediators satisfy the front-door criterion (Pearl 1995) for the effect."""

    treatment: str
    outcome: str
    mediators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Causes(Fact):
    """Whether a directed path leads from one variable to another."""

    cause: str
    effect: str


@dataclass(frozen=True, slots=True)
class Identifiable(Fact):
    """Whether the measured variables' distribution determines the effect, whatever the mechanisms.

    Variables in `also` count as measured. InvalidInput where treatment or outcome is not measured. The
    distribution is positive, and hidden variables may have any number of levels (Tian and Pearl 2002,
    Shpitser and Pearl 2006).
    """

    treatment: str
    outcome: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Adjacent(Fact):
    """Whether an arrow joins two variables, either way: then no set of others separates them."""

    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Compelled(Fact):
    """Whether every Markov equivalent graph has the arrow from cause to effect.

    All variables count as measured. Graphs are equivalent where they have the same d-separations: the same
    adjacencies and the same v-structures (Verma and Pearl 1990). Under faithfulness the arrow can then be
    learned from data alone.
    """

    cause: str
    effect: str


Query = Term | Fact
Answered = Fraction | bool


def term(number: Term | Fraction | int) -> Term:
    """Return a number as a term; a term as it is."""
    return number if isinstance(number, Term) else Number(Fraction(number))
