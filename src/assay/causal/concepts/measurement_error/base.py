"""Base: a misrecorded exposure, with or without hindsight, and a coarse record of a confounder that may
suffice."""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.measurement_error.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.proof import Claim
from assay.causal.queries import Separated, ValidAdjustment
from assay.causal.scm import Dag, dag
from assay.causal.wording.filled import filled


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem and the halves of the answers."""

    stem: str
    even: str
    uneven: str
    enough: str
    lacking: str


WORDINGS = (
    Words(
        "In the files of {setting} it says which {units} {x} and which {x_no}, though some entries are "
        "wrong, and which of them {y}. {recorded}.\n\nThere is a third column, {z}, entered as {z_low} or "
        "{z_high} and likewise faulty; what {z} really is has a bearing on the outcome. {decided}.\n\nTwo "
        "questions arise before anything is computed. Among {units} that were truly treated alike, does "
        "the entry for treatment go with the outcome? And had treatment been entered without error, would "
        "splitting by the third column as it stands take care of {z}?",
        "The entry does not go with the outcome, given true treatment",
        "The entry goes with the outcome, given true treatment",
        "the split by recorded {z} takes care of it",
        "the split by recorded {z} does not take care of it",
    ),
    Words(
        "Data quality statement ({setting}).\n\nExposure: {units} {who} {x}; reference: those {who} "
        "{x_no}. Endpoint: whether they {y}, ascertained without error.\n\nOn misclassification of "
        "exposure. "
        "{recorded}.\n\nOn {z}, a determinant of the endpoint, classed as {z_low} or {z_high} with "
        "considerable error. {decided}.\n\nThe statement must close with a judgement on each: is the "
        "misclassification non-differential with regard to the endpoint, and does adjustment for the "
        "erroneous class of {z} leave residual confounding of the (true) exposure?",
        "Non-differential misclassification",
        "Differential misclassification",
        "no residual confounding after adjustment for the class",
        "residual confounding after adjustment for the class",
    ),
    Words(
        '"Two errors at once," sighs the new analyst at {setting}, whose table lists {units}: those {who} '
        "{x} and those {who} {x_no}, how many {y}, and in between a column for {z} ({z_low}, {z_high}) "
        "that "
        "everyone knows to "
        'be rough.\n\n"What do you know about the first column?" asks the old '
        'one.\n\n"{recorded}."\n\n"And about the rough '
        'one? {Z} matters a lot for the result, mind you."\n\n"{decided}."\n\n"Then tell me, first, whether '
        "the mistakes of the "
        "first column are tied to the result by more than the true state. And second, whether with rough "
        "{z} held fixed the true state would be "
        'as good as random."',
        "The mistakes have no tie of their own to the result",
        "The mistakes have a tie of their own to the result",
        "with rough {z} fixed the true state is as good as random",
        "with rough {z} fixed the true state is not as good as random",
    ),
    Words(
        "We analyse whether {units} {who} {x} fare differently from those {who} {x_no}; a mark is set "
        "against those {who} {y}. Our material comes from {setting}.\n\nLimitations. (1) {decided}. As "
        "{z} "
        "itself works upon the mark, critics have asked us to obtain its true value ({z_low} or {z_high}) "
        "before we adjust. (2) {recorded}. Critics have asked whether marked and unmarked {units} had "
        "their treatment misrecorded with the same frequency.\n\nAn honest reply to both critics would say "
        "what?",
        "To (2): errors of the same frequency",
        "To (2): errors of unlike frequency",
        "to (1): adjusting for the value on record is sufficient",
        "to (1): adjusting for the value on record is insufficient",
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether the exposure's error leans on the outcome, and whether the recorded z was what was
    used."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words = WORDINGS[number]
    recorded = scene.blind if state[0] else scene.hindsight
    decided = scene.by_record if state[1] else scene.by_truth
    stem = filled(words.stem, scene, recorded=recorded, decided=decided)

    def say(option: Pair) -> str:
        first = words.even if option[0] else words.uneven
        return filled(f"{first}; {words.enough if option[1] else words.lacking}.", scene)

    answers = crossed(
        state,
        say,
        _claims,
        topics=("the exposure's record", "the third quantity's record"),
        why=_why(scene, state),
        kinds=reflexes(first=True, second=False),
    )
    return Draft(
        world(state),
        stem,
        answers,
        f"measurement-error/base/{number}",
        scene.name,
        f"even={state[0]} enough={state[1]}",
        records=(("X", "W"), ("L", "V")),
    )


def world(state: Pair) -> Dag:
    """Return the graph: L the real z and V its record, X the real exposure and W its record, Y the
    outcome."""
    arrows = "L>V L>Y X>Y X>W" + ("" if state[0] else " Y>W") + (" V>X" if state[1] else " L>X")
    return dag(arrows, hidden="L")


def _claims(option: Pair) -> tuple[Claim, ...]:
    return (
        Claim(Separated("W", "Y", ("X",)), option[0]),
        Claim(ValidAdjustment(("X",), "Y", ("V",)), option[1]),
    )


def _why(scene: Scene, state: Pair) -> str:
    first = (
        "The exposure's entry depends on the true exposure and on chance: its errors are the same whatever "
        "the outcome."
        if state[0]
        else "The exposure's entry was made with the outcome in view: its errors differ with the outcome."
    )
    second = (
        f"The decision rested on {scene.z} as recorded, so fixing the record, faulty as it is, blocks all "
        f"confounding."
        if state[1]
        else f"The decision rested on the real {scene.z}, so fixing a faulty record of it blocks a part only."
    )
    return f"{first} {second}"
