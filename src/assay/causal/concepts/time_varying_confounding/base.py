"""Base: may the reading in between be held fixed, and may it be left out, for two measures at once?"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.time_varying_confounding.scene import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import Dag, dag
from assay.causal.wording.graphs import sentence

BOTH = ("A", "B")


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, and both facts affirmed and denied."""

    stem: str
    fixed: tuple[str, str]
    omitted: tuple[str, str]


WORDINGS = (
    Words(
        "{Setting} has data on {units}, treated or not at two times. At the first, by lot, some {first} "
        "and some {first_no}. At the second, some {second} and some {second_no}. It asks what a course of "
        "two decisions does to the share {who} {y}, for instance both times against neither.\n\nIn between "
        "there is {reading} ({low} or {high}). {moved}. {steered}; what had been done the first time "
        "played a part too. {hidden}. No further causes are shared.\n\nTwo regressions of the outcome on "
        "both decisions and their product are proposed: P, averaged over {reading} as a covariate; Q, "
        "with no covariate. Which of them recover the effects of the courses?",
        ("P recovers them", "P does not recover them"),
        ("Q recovers them", "Q does not recover them"),
    ),
    Words(
        "From the diary of a statistician. 'Spent the day with {setting}. Two rounds. Round one had been "
        "drawn from a drum: {units} {who} {first}, {units} {who} {first_no}. Round two had not: here "
        "are those {who} {second}, there those {who} {second_no}, and the result of round one had its "
        "weight. I "
        "was told about {reading}, which was read between the rounds as {low} or {high}. {steered}. "
        "{moved}. I was told, besides: {hidden_low}. I pressed them for more and am satisfied that there "
        "is none. They want the four combinations of rounds compared as to how many {y}. I wonder whether "
        "to cross-classify by {reading} and weight the strata by their size, and whether I could do "
        "without {reading}.'\n\nWhat should the entry for the next day say?",
        ("cross-classifying would be right", "cross-classifying would be wrong"),
        ("doing without would be right", "doing without would be wrong"),
    ),
    Words(
        "Checklist, joint effects of a repeated measure, filled in by {setting}\n[1] Population: "
        "{units}\n[2] Occasion one, randomised: they {first} / they {first_no}\n[3] Occasion two, with an "
        "eye to occasion one: they {second} / they {second_no}\n[4] Result: whether they {y}\n[5] "
        "Intermediate record: {reading}, '{low}' or '{high}'\n[6] Known about [5] and [3]: {steered}\n[7] "
        "Known about [2] and [5]: {moved}\n[8] Known about [5] and [4]: {hidden_low}\n[9] Otherwise "
        "known: nothing to report, and nothing is hidden\nThe target is the effect of setting [2] and [3] "
        "together. Two tools are in the box: one standardises over [5], whatever [2] was; the other "
        "ignores [5].",
        ("the first tool fits", "the first tool does not fit"),
        ("the second tool fits", "the second tool does not fit"),
    ),
)


def world(reacts: bool, guides: bool) -> Dag:
    """Return the graph: measures A and B, the reading L in between, its hidden cause U, the outcome Y."""
    arrows = "A>B A>Y B>Y U>L U>Y" + (" A>L" if reacts else "") + (" L>B" if guides else "")
    return dag(arrows, hidden="U")


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether the first measure moves the reading, and whether the reading steers the second."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words = WORDINGS[number]
    stem = words.stem.format(
        moved=scene.inert if state[0] else scene.reacts,
        steered=scene.blind if state[1] else scene.guides,
        hidden_low=scene.hidden[:1].lower() + scene.hidden[1:],
        **scene.words(),
    )

    def say(option: Pair) -> str:
        return sentence(f"{words.fixed[not option[0]]}; {words.omitted[not option[1]]}.")

    answers = crossed(
        state,
        say,
        claims,
        topics=("holding the reading fixed", "leaving it out"),
        why=why(scene, state),
        kinds=reflexes(True, None),
    )
    told = f"fixed={state[0]} omitted={state[1]}"
    drawn = world(reacts=not state[0], guides=not state[1])
    return Draft(drawn, stem, answers, f"time-varying-confounding/base/{number}", scene.name, told)


def claims(option: Pair) -> tuple[Claim, ...]:
    """Return what is claimed by saying that the reading may be held fixed, and that it may be left out."""
    return (
        Claim(ValidAdjustment(BOTH, "Y", ("L",)), option[0]),
        Claim(ValidAdjustment(BOTH, "Y", ()), option[1]),
    )


def why(scene: Scene, state: Pair) -> str:
    """Explain which of the two may be done."""
    first = (
        f"The first measure does not move {scene.reading}, so holding that fixed takes nothing away and "
        "opens nothing."
        if state[0]
        else (
            f"The first measure moves {scene.reading}: holding that fixed blocks part of its effect and "
            f"ties it to {scene.u}."
        )
    )
    second = (
        f"The second decision did not look at {scene.reading}, so leaving that out confounds nothing."
        if state[1]
        else (
            f"The second decision looked at {scene.reading}, which goes with {scene.u}: leaving it out "
            "confounds that decision."
        )
    )
    return f"{first} {second}"
