"""Analyst: does a ratio survive misses, and does the disagreement of two records tell how often they err?"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.measurement_error.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.draws import chance
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.options.disputes import dispute
from assay.causal.proof.proof import Claim
from assay.causal.queries import Compare, Separated, p
from assay.causal.scm import Scm, binary
from assay.causal.wording.filled import filled


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: stem, the two facts when true and when false, and two ways to say who is right."""

    stem: str
    misses: tuple[str, str]
    apart: tuple[str, str]
    same: str
    split: str


WORDINGS = (
    Words(
        "{P0} and {n0} have been asked to comment on a randomised comparison by {setting}: {units} "
        "{who} {x} against {units} {who} {x_no}, counted by how many {y}. The treatment is known "
        "exactly, the "
        "outcome from two lists, A and B. {misses}. The same frequencies of error hold in both groups. "
        "{apart}.\n\n{p0} calculates the ratio of the two groups' rates from list A and calls it right "
        "even though the rates are not; {n0} calls it biased. As to list B, {p1} would infer how often A "
        "is wrong from how often A and B differ, with a formula for unrelated errors; {n1} says that this "
        "formula does not apply. Who is right?",
        (
            "Either list omits a fifth of the cases and contains nothing that is not one",
            "Either list omits a fifth of the cases and contains some that are not one",
        ),
        (
            "They were drawn up in two offices from sources of their own, and what is hard to tell in "
            "the one source is no harder than the rest in the other",
            "They were drawn up in two offices from the same sheet, hard to read in the same places",
        ),
        "{0} on the ratio; {0} on the formula as well.",
        "{0} on the ratio; {1} on the formula.",
    ),
    Words(
        "Chat log, {setting}.\n{P1}: two witnesses per case, so we get the error rate from their quarrels: "
        "conditional on the truth they are independent\n{N1}: conditional on the truth they are not, that "
        "is the trouble\n{P0}: anyway the relative risk stands as it is\n{N0}: it does not, it has "
        "moved towards 1\n\nContext. The {units} were split at random, some {x} and some {x_no}; an "
        "event is that "
        "they {y}; both witnesses report on every one. {apart}. {misses}. No witness was told the group, "
        "and none treated the groups unlike. The relative risk in the log is that of events as reported by "
        "the first witness.\n\nWho wins each quarrel?",
        (
            "A witness overlooks one event in four, and has no other fault, for what did not occur leaves "
            "nothing to report",
            "A witness overlooks one event in four, and besides reports some that did not occur",
        ),
        (
            "Each witness stands at a post of his own, and what hides an event at the one has nothing to "
            "do with the other",
            "Both witnesses stand at one post, and fog that hides an event from the one hides it from the "
            "other",
        ),
        "The relative risk goes to {0}, the witnesses too go to {0}.",
        "The relative risk goes to {0}, the witnesses go to {1}.",
    ),
    Words(
        "Two reviewers, {p1} and {n1}, disagree on a validation, and they disagree on a proportion as "
        "well. The paper, from {setting}, compares {units} {who} were assigned by lot ({x}; {x_no}). Its "
        "event ({y}) was coded by hand, with the coder kept in "
        'the dark about the arms.\n\nMethods, first excerpt: "{misses}." Second excerpt: '
        '"{apart}."\n\n{n0}: the quotient of the '
        "coded risks differs from the quotient of the true risks. {p0}: the two quotients agree. {n1}: "
        "given the truth, a second coding still depends on the first, so comparing them flatters both. "
        "{p1}: given the truth the codings are independent, and comparing them is fair.\n\nWhich reviewer "
        "should the editor follow on which matter?",
        (
            "Whatever was coded as an event proved to be one, while one true event in six went uncoded",
            "Of what was coded as an event a part proved to be none, while one true event in six went "
            "uncoded",
        ),
        (
            "The second coder worked from recordings made by another crew with another camera, whose "
            "weak spots were elsewhere and unrelated",
            "The second coder worked from the first one's notes, gaps and slips included",
        ),
        "On the quotient {0}; on the second coding again {0}.",
        "On the quotient {0}; on the second coding rather {1}.",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether errors are misses alone, and whether two records err apart; apart from that, who says
    what."""
    number, state, quarrel = rng.randrange(len(WORDINGS)), rng.choice(PAIRS), dispute(rng)
    words = WORDINGS[number]
    stem = filled(
        words.stem,
        scene,
        p0=quarrel.holder(0, True),
        n0=quarrel.holder(0, False),
        p1=quarrel.holder(1, True),
        n1=quarrel.holder(1, False),
        misses=words.misses[not state[0]],
        apart=words.apart[not state[1]],
    )

    def say(option: Pair) -> str:
        who = quarrel.holders(option)
        return (words.same if who[0] == who[1] else words.split).format(*who)

    answers = crossed(
        state,
        say,
        _claims,
        topics=("the ratio", "the second record"),
        why=_why(state),
        kinds=reflexes(first=False, second=True),
    )
    return Draft(
        _world(rng, state),
        stem,
        answers,
        f"measurement-error/analyst/{number}",
        scene.name,
        f"misses={state[0]} apart={state[1]}",
        (
            ("true ratio", p({"Y": 1}, {"X": 1}) / p({"Y": 1}, {"X": 0})),
            ("recorded ratio", p({"R": 1}, {"X": 1}) / p({"R": 1}, {"X": 0})),
        ),
        records=(("Y", "R"),),
    )


def _claims(option: Pair) -> tuple[Claim, ...]:
    true, recorded = ((p({name: 1}, {"X": 1}), p({name: 1}, {"X": 0})) for name in "YR")
    return (
        Claim(Compare(recorded[0] * true[1], "=", recorded[1] * true[0]), option[0]),
        Claim(Separated("R", "Q", ("Y",)), option[1]),
    )


def _world(rng: random.Random, state: Pair) -> Scm:
    """Draw a model: X treatment, Y the event, S the source that the records R and Q share, if they do."""
    tenth = Fraction(1, 10)
    low = chance(rng, tenth, 3 * tenth, tenth / 2)
    high = low + chance(rng, tenth, 3 * tenth, tenth / 2)
    false = Fraction(0) if state[0] else tenth
    if state[1]:
        kept: dict[tuple[int, ...] | int, Fraction] = {0: false, 1: 8 * tenth}
        records = [binary(name, "Y", dict(kept)) for name in "RQ"]
        return Scm((binary("X"), binary("Y", "X", {0: low, 1: high}), *records))
    shared = {(0, 0): false, (0, 1): false, (1, 0): 7 * tenth, (1, 1): 9 * tenth}
    records = [binary(name, "Y S", {tuple(key): rate for key, rate in shared.items()}) for name in "RQ"]
    return Scm((binary("X"), binary("Y", "X", {0: low, 1: high}), binary("S", hidden=True), *records))


def _why(state: Pair) -> str:
    first = (
        "With misses alone, equally frequent in both groups, both rates shrink by one factor, and their "
        "ratio stays."
        if state[0]
        else "False entries add the most where there are few events, so the ratio is pulled towards 1."
    )
    second = (
        "Given the truth the two records err apart, so their disagreement tells how often they err."
        if state[1]
        else "The two records err together, so they agree more than their errors warrant."
    )
    return f"{first} {second}"
