"""Base: would the low scorers have risen by themselves, and is the untreated part of them a fair
comparison?"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.regression_to_the_mean.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.proof import Claim
from assay.causal.queries import Compare, ValidAdjustment, mean, term
from assay.causal.scm import Scm, Variable, binary, levels
from assay.causal.wording.filled import filled

TRUE = (Fraction(10), Fraction(20), Fraction(30))
"""The true levels, which are the values of a first score as well."""


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, who of the low scorers was treated (by chance, by heading), and the halves
    of answers."""

    stem: str
    chance: str
    zeal: str
    rise: str
    stay: str
    fair: str
    unfair: str


WORDINGS = (
    Words(
        "After the first {period} {setting} listed the {units} with the lowest {score}. Some of the listed "
        "ones {x}, while the others on the list were left alone. {split}. A few of the listed could not be "
        "scored again, "
        "for want of a form. In the second {period} the treated had improved by a good deal.\n\nOn "
        "{score}: {nature}. The mean over all {units} does not move.\n\nTwo things are to be settled: how "
        "the list as a whole would have changed, on average, without any treatment, and whether its "
        "treated and untreated members make a fair comparison.",
        "A dealt card had separated the ones from the others",
        "Some of the listed were on their way up and as many, as fast, on their way down, and the former "
        "were those treated",
        "Untreated, the list as a whole would have gone up",
        "Untreated, the list as a whole would have stayed put",
        "treated and untreated of the list are a fair comparison",
        "treated and untreated of the list are an unfair comparison",
    ),
    Words(
        "Audit note 12. Programme: {action}. Owner: {setting}. Entry criterion: {score} in the bottom "
        "tenth at the first count. Evidence offered: (a) a before-and-after gain among {units} {who} {x}; "
        "(b) a lead of these, at the second count, over bottom-tenth {units} without the programme. Times "
        "are quiet: the mean over all is what it was.\n\nThe auditor established two facts. {nature}. As "
        "to admission from the bottom tenth: {split}.\n\nFor evidence (a), what should be expected of the "
        "bottom tenth had there been no programme? And is evidence (b) free of bias?",
        "places were filled in the order of a shuffled list",
        "half the tenth was in slow ascent and half in equally slow decline, and places went to the "
        "ascending",
        "(a): a gain is expected even so",
        "(a): no gain is expected then",
        "(b): free of bias",
        "(b): not free of bias",
    ),
    Words(
        '"We took the weakest {units}, by {score}, and look where they are now!" Such was the message from '
        "{setting}, or rather "
        'from its press office, on {action}. A reader asked back what else was known. "{nature}," came the '
        'reply. "And not '
        "all of the weakest {x}. {split}. Those {who} had to do without are not so far up as the rest of "
        "the weakest "
        'now." The average of all {units} had not moved in the meantime.\n\nOne claim is in what the press '
        "office says first, that the weakest, all taken together, would still be where they were; another "
        "in what it says last, that the gap among the weakest is due to {action}. How do the claims fare?",
        "It was left to the throw of a die",
        "One half of them was growing and the other shrinking at the same pace, and it was the growing "
        "ones {who} had it",
        "The first claim fails, for they would have come up",
        "The first claim holds, for they would be where they were",
        "the claim about the gap stands",
        "the claim about the gap falls",
    ),
    Words(
        "To be discussed in class. {Units} are scored twice, a {period} apart; the quantity is the "
        "{score}. All those under a threshold at the first scoring are set apart. Of these a portion {x}. "
        "All {units} together keep their average. {nature}. {split}.\n\nStudent 1 doubts that those set "
        "apart, portion and remainder taken together, would have kept their average without {action}. "
        "Student 2 doubts that the remainder of those set apart can serve as controls. The example was "
        "adapted from {setting}. Whose doubts are justified?",
        "Which ones made up the portion depended on a coin that the teacher flipped",
        "The portion was made up of those on the rise, the remainder of as many that were falling at "
        "the same rate",
        "Student 1's are justified",
        "Student 1's are unjustified",
        "Student 2's are unjustified",
        "Student 2's are justified",
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether luck is in the first score, and whether chance chose those who were treated."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words = WORDINGS[number]
    split = filled(words.chance if state[1] else words.zeal, scene)
    stem = filled(words.stem, scene, split=split, nature=scene.noisy if state[0] else scene.firm)

    def say(option: Pair) -> str:
        first = words.rise if option[0] else words.stay
        return f"{first}; {words.fair if option[1] else words.unfair}."

    answers = crossed(
        state,
        say,
        _claims,
        topics=("the change without treatment", "the comparison"),
        why=_why(state),
        kinds=reflexes(first=True),
    )
    return Draft(
        world(state),
        stem,
        answers,
        f"regression-to-the-mean/base/{number}",
        scene.name,
        f"noisy={state[0]} fair={state[1]}",
        (("second score without treatment", mean("N", {"M": 0}, do={"X": 0})),),
    )


def world(state: Pair) -> Scm:
    """Return the model: T true level, H which way each is heading, M first score, X treatment, N second
    score."""
    tenth = Fraction(1, 10)
    exact: dict[tuple[int, ...] | int, list[Fraction]] = {
        t: [Fraction(m == t) for m in range(3)] for t in range(3)
    }
    noisy: dict[tuple[int, ...] | int, list[Fraction]] = {
        0: [6 * tenth, 3 * tenth, tenth],
        1: [2 * tenth, 6 * tenth, 2 * tenth],
        2: [tenth, 3 * tenth, 6 * tenth],
    }
    offered: dict[tuple[int, ...] | int, Fraction] = {0: 5 * tenth, 1: Fraction(0), 2: Fraction(0)}
    keen: dict[tuple[int, ...] | int, Fraction] = {
        (m, h): offered[m] * Fraction(2 + 6 * h, 5) for m in range(3) for h in (0, 1)
    }
    return Scm(
        (
            levels("T", "", {(): [3 * tenth, 4 * tenth, 3 * tenth]}, values=TRUE, hidden=True),
            binary("H", hidden=True),
            levels("M", "T", noisy if state[0] else exact, values=TRUE),
            binary("X", "M", offered) if state[1] else binary("X", "M H", keen),
            second(3),
        )
    )


def second(gain: int) -> Variable:
    """Return the second score: the true level, one more or less by heading, and the gain where treated."""

    def score(t: int, h: int, x: int) -> Fraction:
        return TRUE[t] + 2 * h - 1 + gain * x

    keys = [(t, h, x) for t in range(3) for h in (0, 1) for x in (0, 1)]
    values = sorted({score(*key) for key in keys})
    return levels(
        "N", "T H X", {key: [Fraction(score(*key) == v) for v in values] for key in keys}, values=values
    )


def _claims(option: Pair) -> tuple[Claim, ...]:
    rises = Compare(mean("N", {"M": 0}, do={"X": 0}), ">", term(TRUE[0]))
    return (Claim(rises, option[0]), Claim(ValidAdjustment(("X",), "N", ("M",)), option[1]))


def _why(state: Pair) -> str:
    first = (
        "The lowest were low partly by bad luck, which does not repeat, so they would have risen untreated."
        if state[0]
        else "There is no luck in this score, so the lowest would have scored as before: there is nothing "
        "to regress."
    )
    second_part = (
        "Chance chose among equally low ones, so the untreated show what would have happened."
        if state[1]
        else "Those heading up were treated and those heading down were not, so the untreated are no fair "
        "comparison."
    )
    return f"{first} {second_part}"
