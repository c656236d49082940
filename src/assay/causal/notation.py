"""Queries in the field's notation, for explanations: `P(Y=1 | X=1)`, `E[Y | do(X=0)]`, `X ⊥ Y | {Z}`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from assay.causal import queries as q
from assay.causal.numbers.figures import decimal

_TIGHT = ("*", "/")


def braces(names: Collection[str]) -> str:
    """Return a set in braces, sorted; the empty set is ∅."""
    return "{" + ", ".join(sorted(names)) + "}" if names else "∅"


def written(query: q.Query) -> str:
    """Return a query in notation."""
    return _term(query) if isinstance(query, q.Term) else _fact(query)


def value(answer: q.Answered) -> str:
    """Return an exact answer with its decimal, or yes or no: `3/8 (0.3750)`."""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if answer.denominator == 1:
        return str(answer.numerator)
    if answer.denominator > 10**9:
        return f"{decimal(answer, 6)} (exact, {len(str(answer.denominator))} digits below the line)"
    return f"{answer} ({decimal(answer, 4)})"


def _term(term: q.Term) -> str:
    match term:
        case q.Number(number):
            return _plain(number)
        case q.Arithmetic("min" | "max" as sign, left, right):
            return f"{sign}({_term(left)}, {_term(right)})"
        case q.Arithmetic(sign, left, right):
            shown = {"*": "×", "-": "−"}.get(sign, sign)
            return f"{_operand(left, sign)} {shown} {_operand(right, sign, second=True)}"
        case q.Rounded(inner, places):
            return f"{_term(inner)}, rounded to {places} places"
        case q.Root(inner):
            return f"√({_term(inner)})"
        case q.Probability(event, given, do):
            return f"P({_bar(_levels(event), given, do)})"
        case q.Mean(variable, given, do):
            return f"E[{_bar(variable, given, do)}]"
        case q.Adjusted(event, treatment, over, within, weights):
            names = ", ".join(over)
            stratum = f"P({_levels(event)} | {_levels((*treatment, *within))}{', ' + names if names else ''})"
            if not over:
                return stratum
            below = f" | {_levels(weights)}" if weights else ""
            return f"Σ_{{{names}}} {stratum} P({names}{below})"
        case q.Counterfactual(event, do, mediators, given):
            fixed = [f"{name} as under {_levels(setting)}" for name, setting in mediators]
            world = ", ".join([_levels(do), *fixed])
            outcome = ", ".join(f"{name}[{world}]={level}" for name, level in event)
            return f"P({outcome}{' | ' + _levels(given) if given else ''})"
    raise TypeError(f"no notation for {type(term).__name__}")


def _fact(fact: q.Fact) -> str:
    match fact:
        case q.Compare(first, relation, second):
            shown = {"<=": "≤", ">=": "≥", "!=": "≠"}.get(relation, relation)
            return f"{_term(first)} {shown} {_term(second)}"
        case q.Not(inner):
            return f"not ({_fact(inner)})"
        case q.Separated(left, right, given, do):
            after = f" after setting {braces(do)}" if do else ""
            return f"{left} ⊥ {right}{_given(given)}{after}"
        case q.ValidAdjustment(treatments, outcome, over):
            return f"adjusting for {braces(over)} identifies {_on(treatments, outcome)}"
        case q.MinimalAdjustment(treatments, outcome, over):
            return f"{braces(over)} is a minimal adjustment set for {_on(treatments, outcome)}"
        case q.AdjustmentExists(treatments, outcome):
            return f"some measured set is valid for adjustment for {_on(treatments, outcome)}"
        case q.ValidInstrument(instrument, treatment, outcome, given):
            return f"{instrument} is an instrument for {treatment} on {outcome}{_given(given)}"
        case q.ValidFrontDoor(treatment, outcome, mediators):
            return f"{braces(mediators)} satisfies the front-door criterion for {treatment} on {outcome}"
        case q.Causes(cause, effect):
            return f"{cause} causes {effect}"
        case q.Identifiable(treatment, outcome, also):
            more = f" with {braces(also)} measured" if also else ""
            return f"{_on((treatment,), outcome)} is identifiable{more}"
        case q.Adjacent(left, right):
            return f"{left} and {right} are adjacent"
        case q.Compelled(cause, effect):
            return f"every Markov equivalent graph has {cause} → {effect}"
    raise TypeError(f"no notation for {type(fact).__name__}")


def _operand(term: q.Term, sign: str, *, second: bool = False) -> str:
    text = _term(term)
    if not isinstance(term, q.Arithmetic) or term.sign in ("min", "max"):
        return text
    looser = sign in _TIGHT and term.sign not in _TIGHT
    return f"({text})" if looser or (second and sign in ("-", "/")) else text


def _plain(number: Fraction) -> str:
    return str(number)


def _levels(levels: q.Levels) -> str:
    return ", ".join(f"{name}={level}" for name, level in levels)


def _bar(event: str, given: q.Levels, do: q.Levels) -> str:
    conditions = [part for part in (_levels(given), f"do({_levels(do)})" if do else "") if part]
    return f"{event} | {', '.join(conditions)}" if conditions else event


def _given(names: Sequence[str]) -> str:
    return f" given {braces(names)}" if names else ""


def _on(treatments: Sequence[str], outcome: str) -> str:
    return f"the effect of {', '.join(treatments)} on {outcome}"
