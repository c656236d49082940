"""Analyst: is the change counted from the reading that selected, and were the comparators as low to begin
with?"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.regression_to_the_mean.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.draws import chance
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.options.disputes import dispute
from assay.causal.proof.proof import Claim
from assay.causal.queries import Compare, Term, mean
from assay.causal.scm import Scm, levels
from assay.causal.wording.filled import filled

VALUES = (Fraction(10), Fraction(20), Fraction(30))


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: stem, the start of the change (fresh, used), the comparators (as low, ordinary), who
    is right."""

    stem: str
    start: tuple[str, str]
    others: tuple[str, str]
    same: str
    split: str


WORDINGS = (
    Words(
        "A year ago {setting} gave help to {units} on account of a very low {score}: they {x}. {P0} has "
        "been told to look at their change and {p1} at their distance from others, with {n0} as critic of "
        "the one and {n1} of the other. What one of the {units} shows depends on {lasting} and on {luck}, "
        "the latter independent from one occasion to another; nothing drifts.\n\n{start}. "
        "{others}.\n\n{p0} holds that the change which they would have shown without help is nil, on "
        "average; {n0} holds that it is not. {p1} holds that the helped and the others, at the last "
        "reading, differ by the effect of {action}; {n1} holds that they differ by something else besides. "
        "Who is right?",
        (
            "After picking them by one reading the staff took another at once, before any help, and the "
            "change is counted from this",
            "After picking them by one reading the staff helped at once, and the change is counted from "
            "the reading so used",
        ),
        (
            "The others had been every bit as low at the same reading and missed help since they drew "
            "blanks in a lottery",
            "The others had been in the middle at the same reading and served as a picture of what is normal",
        ),
        "{0} about the change, {0} about the distance.",
        "{0} about the change, {1} about the distance.",
    ),
    Words(
        "Subject: which of you is it?\n\nDear {p1}, dear {n1}, your two reports on {action} cannot both go "
        "to {setting}. You have the same data: {units} {who} had an awful {score} at the outset and "
        "were thereupon treated ({x}). {others}. {start}. You agree that the part of {luck} is new in "
        "every "
        "{period}, that the part of {lasting} is not, and that averages of all {units} are "
        "steady.\n\nReport by {n0}: the before-after line contains regression to the mean. Report by {p0}: "
        "it contains none.\nReport by {p1}: end values of the treated less end values of the reference, "
        "that is the effect. Report by {n1}: that is the effect and an old handicap.\n\nI shall forward "
        "what is right in each.",
        (
            "The 'before' of your before-after line is a second measurement, made once the list of the "
            "awful was closed",
            "The 'before' of your before-after line is the measurement that put a name on the list of the "
            "awful",
        ),
        (
            "The reference, drawn by lot, are names on the list of the awful for whom there was no money "
            "left",
            "The reference, drawn by lot, are names from the broad middle, which was never on the list",
        ),
        "Before-after line: {0}; end values: {0} too.",
        "Before-after line: {0}; end values: {1}, though.",
    ),
    Words(
        "Panel discussion, notes. Case: {units} at the very bottom by {score}, chosen from a first round; "
        "by order of {setting} they {x}. Given {lasting}, rounds are independent of each other. Speakers "
        "{p0} and {n0} argue about the slope of the line that joins starting and final values of those "
        "chosen. {N0} says that it would have gone upward anyway; {p0} says that it would have been flat. "
        "Then {p1} and {n1} argue about the final values of two sets of {units}. {P1} says that the "
        "treated set differs from the other one through {action}; {n1} says that it does so through their "
        "past too.\n\n"
        'Somebody in the audience has read the appendix: "{others}. {start}."\n\nWhich speakers does the '
        "appendix support?",
        (
            "For a starting value all of the chosen were scored anew, in a round held for no other purpose",
            "For a starting value the first round was taken, so that no further round had to be held",
        ),
        (
            "The other set was left untreated by the toss of a coin from among those at the very bottom",
            "The other set was left untreated and comes, by the toss of a coin, from among the average ones",
        ),
        "On the slope {0}, on the sets again {0}.",
        "On the slope {0}, on the sets now {1}.",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether the starting value is fresh, and whether the comparators were as low; apart from that,
    who says what."""
    number, state, quarrel = rng.randrange(len(WORDINGS)), rng.choice(PAIRS), dispute(rng)
    words = WORDINGS[number]
    stem = filled(
        words.stem,
        scene,
        p0=quarrel.holder(0, True),
        n0=quarrel.holder(0, False),
        p1=quarrel.holder(1, True),
        n1=quarrel.holder(1, False),
        start=words.start[not state[0]],
        others=words.others[not state[1]],
    )

    def say(option: Pair) -> str:
        who = quarrel.holders(option)
        return (words.same if who[0] == who[1] else words.split).format(*who)

    regression, bias = _terms(state)

    def claims(option: Pair) -> tuple[Claim, ...]:
        nil = regression - regression
        return (Claim(Compare(regression, "=", nil), option[0]), Claim(Compare(bias, "=", nil), option[1]))

    answers = crossed(
        state,
        say,
        claims,
        topics=("the change", "the comparison"),
        why=_why(state),
        kinds=reflexes(first=False, second=True),
    )
    return Draft(
        _world(rng),
        stem,
        answers,
        f"regression-to-the-mean/analyst/{number}",
        scene.name,
        f"fresh={state[0]} as low={state[1]}",
        (("change without help", regression), ("difference at the end without help", bias)),
        records=(("B", "M"), ("N", "M")),
    )


def _terms(state: Pair) -> tuple[Term, Term]:
    """Return, without help, the change of those chosen and their distance from the comparators at the end."""
    start = mean("B" if state[0] else "M", {"M": 0})
    end = mean("N", {"M": 0}, do={"X": 0})
    return end - start, end - mean("N", {"M": 0 if state[1] else 1}, do={"X": 0})


def _world(rng: random.Random) -> Scm:
    """Draw a model: T what lasts, M the first reading, X help (for the lowest), B a fresh reading, N the
    last."""
    tenth = Fraction(1, 10)
    right_ = chance(rng, 5 * tenth, 7 * tenth, tenth)
    near, far = (1 - right_) * Fraction(3, 4), (1 - right_) / 4
    half = (1 - right_) / 2
    read = {0: [right_, near, far], 1: [half, right_, half], 2: [far, near, right_]}
    gain = {0: read, 1: {0: [half, right_, half], 1: [far, near, right_], 2: [far, near, right_]}}
    return Scm(
        (
            levels("T", "", {(): [3 * tenth, 4 * tenth, 3 * tenth]}, values=VALUES, hidden=True),
            levels("M", "T", {(t,): row for t, row in read.items()}, values=VALUES),
            levels(
                "X", "M", {m: [Fraction(1, 2 if m == 0 else 1), Fraction(int(m == 0), 2)] for m in range(3)}
            ),
            levels("B", "T", {(t,): row for t, row in read.items()}, values=VALUES),
            levels("N", "T X", {(t, x): gain[x][t] for t in range(3) for x in (0, 1)}, values=VALUES),
        )
    )


def _why(state: Pair) -> str:
    first = (
        "A reading taken after the choice has luck of its own, so nothing is left to regress from it to "
        "the end."
        if state[0]
        else "The starting value is the one that selected, so its bad luck is in the change: they would "
        "have risen anyway."
    )
    second = (
        "The others were chosen by the same low reading, so both sets have the same true levels."
        if state[1]
        else "The others were never low, so they stand higher in true level, with or without help."
    )
    return f"{first} {second}"
