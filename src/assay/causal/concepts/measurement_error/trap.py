"""Trap: what an error of recording does to a difference: shrink it, leave it, stretch it or turn it round."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.measurement_error.scenes import Scene
from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.proof.proof import Claim
from assay.causal.queries import Compare, Fact, Term, mean
from assay.causal.scm import Scm, binary, levels
from assay.causal.wording.filled import filled

RESULTS = ("shrunk", "kept", "stretched", "turned")
KINDS = {"shrunk": Kind.REFLEX, "kept": Kind.PARTIAL, "stretched": Kind.MISAPPLIED, "turned": Kind.REVERSED}
ERRORS = {
    "shrunk": ("labels", "short"),
    "kept": ("noise", "shift"),
    "stretched": ("long", "favour"),
    "turned": ("swapped", "penalty"),
}
WHY = {
    "labels": "Labels mixed up at random, most of them right, put some of each group into the other and "
    "pull the means together.",
    "short": "Each reading is the same fraction of the truth, so the difference is that fraction of the "
    "true one.",
    "noise": "Errors of the numeric outcome that average out in both groups leave both means, and their "
    "difference, alone.",
    "shift": "The same amount is added to both means, so their difference is untouched, wrong as each "
    "value is.",
    "long": "Each reading is the same multiple of the truth, so the difference is multiplied as well.",
    "favour": "The first group's readings are raised and the other's are not, which adds to the difference.",
    "swapped": "With more labels wrong than right the recorded groups are nearer to each other's opposite: "
    "the sign turns.",
    "penalty": "The first group's readings lose more than the true difference, so the sign turns.",
}


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: stem, the sentence for each error, and the four results."""

    stem: str
    errors: dict[str, str]
    says: dict[str, str]


WORDINGS = (
    Words(
        "{Setting} let chance decide which {units} {x} and which {x_no}. The first kind has the higher "
        "true mean of the outcome, {score}; how much higher, everybody wants to know. There is a snag, "
        "though. {error}. Very many {units} were observed, so luck in the averages can be set "
        "aside.\n\nHow does the recorded difference in mean {score} between the recorded groups compare "
        "with the true one?",
        {
            "labels": "One label in ten, drawn without regard to anything, names the wrong group, which "
            "the team shrugs off as blind and therefore harmless",
            "short": "The instrument shows four fifths of what is there, in either group alike, so that "
            "the team takes the fault to cancel",
            "noise": "The instrument is dreadful: a single reading can be off by more than the whole "
            "difference, above as often and as far as below, in either group alike",
            "shift": "The instrument had not been set to zero and adds a large constant to each reading, "
            "so that no value in the file is right",
            "long": "The instrument shows six fifths of what is there, in either group alike, so that the "
            "team takes the fault to cancel",
            "favour": "The labels are beyond reproach; the readings were taken twice where a first one of "
            "the first kind looked low, and the higher one was kept",
            "swapped": "A clerk took the code for yes to mean no on most of the sheets, chosen by nothing "
            "but their place in the pile, so the team expects the usual dilution",
            "penalty": "The labels are right, and the device is precise; those of the first kind were read "
            "in the cold room, where it loses more than their lead",
        },
        {
            "shrunk": "It is smaller, with the same sign",
            "kept": "It is the same, with the same sign",
            "stretched": "It is larger, with the same sign",
            "turned": "It is of another sign than the true",
        },
    ),
    Words(
        "Lab meeting, {setting}. The randomised comparison of {units} ({x} / {x_no}, the former with the "
        "higher true mean) is complete. Measured quantity: {score}. Under 'errors' the minutes have this: "
        "{error}. With a sample of many thousands, what will the difference of means in the file be like, "
        "set against the one an error-free file would show?",
        {
            "labels": "a faulty plug let one in eight group codes flip by pure accident, so that all "
            "agreed that no bias can result",
            "short": "the scale has been compressing all readings by the same proportion, both groups' "
            "equally, so that all agreed that no bias can result",
            "noise": "readings scatter so wildly, symmetrically about the truth and equally in both "
            "groups, that all agreed that the difference will be blurred towards nothing",
            "shift": "each and every reading is too high by the same number of units, so that all agreed "
            "that the difference must be too high too",
            "long": "the scale has been magnifying all readings by the same proportion, both groups' "
            "equally, so that all agreed that no bias can result",
            "favour": "codes are fine, and only the former group is affected, whose values were rounded up "
            "while the latter's are to the point; some thought of this as noise that weakens a difference",
            "swapped": "seven in ten group codes were flipped, blind to results, so that all agreed that "
            "the difference will be blurred towards nothing",
            "penalty": "codes are fine; for those {who} {x} the sensor was mounted with a lens that takes "
            "off more than their true lead, and all agreed that this weakens the difference somewhat",
        },
        {
            "shrunk": "Of the right sign and too near zero",
            "kept": "Of the right sign and the right size",
            "stretched": "Of the right sign and too far from zero",
            "turned": "Of the wrong sign in any case",
        },
    ),
    Words(
        "Suppose D is the mean {score} of {units} {who} {x} minus that of {units} {who} {x_no}. Allocation "
        "was random and D is above zero. You do not see D; you see D*, which {setting} worked out from "
        "imperfect data in unlimited amount. Imperfect means this:\n\n{error}.\n\nWhere is D*?",
        {
            "labels": "About 15 percent of the allocations were copied wrongly. Results were unknown to "
            "the copyist, so it would be a mistake, we hear, to speak of bias",
            "short": "Values were converted with a factor that is too low by a quarter. It was one factor "
            "for all, so it would be a mistake, we hear, to speak of bias",
            "noise": "Values are noisy: zero-mean errors, not related to allocation, make up most of their "
            "variance. A noisy variable, we hear, always means attenuation",
            "shift": "Values contain the weight of the holder, which was not subtracted and is the same "
            "throughout. A systematic error, we hear, always means bias",
            "long": "Values were converted with a factor that is too high by a quarter. It was one factor "
            "for all, so it would be a mistake, we hear, to speak of bias",
            "favour": "Values of the first group have been corrected upward by an observer who knew the "
            "allocation, those of the second were not. Error, we hear, always means attenuation",
            "swapped": "About 65 percent of the allocations were copied wrongly. Results were unknown to "
            "the copyist, and blind errors, we hear, always mean attenuation",
            "penalty": "Values of the first group were taken after a delay in which more is lost than D, "
            "those of the second at once. Error, we hear, always means attenuation",
        },
        {
            "shrunk": "Above zero and below D",
            "kept": "Above zero and equal to D",
            "stretched": "Above zero and above D",
            "turned": "Below zero and below D",
        },
    ),
)
TRUE: Term = mean("Y", do={"X": 1}) - mean("Y", do={"X": 0})
SEEN: Term = mean("R", {"W": 1}) - mean("R", {"W": 0})


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw what the error does, each of four results as likely as another, and which error does it."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(RESULTS)
    words, error = WORDINGS[number], rng.choice(ERRORS[state])
    stem = filled(words.stem, scene, error=filled(words.errors[error], scene))
    answers = tuple(_answer(words.says[option], option, state, error) for option in RESULTS)
    derivation = (("true difference", TRUE), ("recorded difference", SEEN))
    return Draft(
        world(error),
        stem,
        answers,
        f"measurement-error/trap/{number}",
        scene.name,
        state,
        derivation,
        records=(("X", "W"), ("Y", "R")),
    )


def world(error: str) -> Scm:
    """Return a model with this error: X and Y as they are, W and R as recorded."""
    tenth = Fraction(1, 10)
    flips = {"labels": tenth, "swapped": 7 * tenth}.get(error, Fraction(0))
    values = [Fraction(10), Fraction(20), Fraction(30)]
    factor = {"short": Fraction(4, 5), "long": Fraction(6, 5)}.get(error, Fraction(1))
    moved = {"favour": Fraction(4), "penalty": Fraction(-12)}.get(error, Fraction(0))
    shift = Fraction(15) if error == "shift" else Fraction(0)
    scatter = Fraction(10) if error == "noise" else Fraction(0)
    readings = sorted(
        {v * factor + shift + moved * x + s for v in values for x in (0, 1) for s in (-scatter, scatter)}
    )

    def row(y: int, x: int) -> list[Fraction]:
        ends = [values[y] * factor + shift + moved * x + s for s in (-scatter, scatter)]
        return [Fraction(ends.count(reading), 2) for reading in readings]

    return Scm(
        (
            binary("X"),
            levels(
                "Y",
                "X",
                {0: [5 * tenth, 3 * tenth, 2 * tenth], 1: [2 * tenth, 4 * tenth, 4 * tenth]},
                values=values,
            ),
            binary("W", "X", {0: flips, 1: 1 - flips}),
            levels("R", "Y X", {(y, x): row(y, x) for y in range(3) for x in (0, 1)}, values=readings),
        )
    )


def _claims(option: str) -> tuple[Claim, ...]:
    zero = TRUE - TRUE
    same, other = Compare(SEEN * TRUE, ">", zero), Compare(SEEN * TRUE, "<", zero)
    facts: dict[str, tuple[Fact, ...]] = {
        "shrunk": (Compare(SEEN, "<", TRUE), same),
        "kept": (Compare(SEEN, "=", TRUE), same),
        "stretched": (Compare(SEEN, ">", TRUE), same),
        "turned": (Compare(SEEN, "<", TRUE), other),
    }
    return tuple(Claim(fact, True) for fact in facts[option])


def _answer(text: str, option: str, state: str, error: str) -> Answer:
    if option == state:
        return right(f"{text}.", *_claims(option), why=WHY[error])
    return wrong(KINDS[option], f"{text}.", *_claims(option), why=f"Not with this error. {WHY[error]}")
