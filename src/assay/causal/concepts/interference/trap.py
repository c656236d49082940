"""Trap: what a half-treated trial foretells for treating all, where closeness and distance mislead."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.interference.scenes import Scene
from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.draws import chance
from assay.causal.proof.proof import Claim
from assay.causal.queries import Compare, Fact, Term, p
from assay.causal.scm import Scm, binary
from assay.causal.wording.filled import filled

FORECASTS = ("same", "larger", "smaller", "none")
KINDS = {"same": Kind.REFLEX, "larger": Kind.MISAPPLIED, "smaller": Kind.PARTIAL, "none": Kind.REVERSED}
WHY = {
    "same": "Nothing passes from one to the other, however close they are: an untreated one fares as if "
    "the pair were untreated, so treating all brings what the contrast shows.",
    "larger": "The untreated beside a treated one gained too, so the contrast leaves out that part, and "
    "treating all brings more.",
    "smaller": "A part of the contrast was taken from the untreated beside the treated; when all are "
    "treated both lose that part, and something remains.",
    "none": "The total per pair is given, so one's gain is the other's loss: with both treated the "
    "outcomes are as many as with neither.",
}


NEEDS = {
    "same": "It would be so if nothing passed between the two.",
    "larger": "It would be so if the untreated gained by a treated partner.",
    "smaller": "It would be so if the untreated lost by a treated partner, but less than the treated gain.",
    "none": "It would be so if the untreated lost all that a treated partner gains.",
}


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem and the four forecasts."""

    stem: str
    says: dict[str, str]


WORDINGS = (
    Words(
        "A pilot by {setting} treated one of the two {units} in every {pair}, whichever the toss of a "
        "coin named: the treated {x}, the others {x_no}. Afterwards a clearly larger share of the "
        "treated {y}. How the outcome comes about is known:\n\n{passes}. Whatever the treatment of one "
        "means for the other, be it nothing, it means as much to a treated as to an untreated "
        "one.\n\nThe plan is now to treat both members everywhere. Against a state of affairs in which "
        "neither is treated, how much should the share rise, measured by the difference seen in the "
        "pilot?",
        {
            "same": "By the whole of that difference",
            "larger": "By that difference and then some",
            "smaller": "By a fraction of that difference",
            "none": "By nothing of that difference",
        },
    ),
    Words(
        '"Our coin-flip study is a triumph," the director of {setting} writes. "Members of the same '
        "{pair} were set against each other, one treated and one not, and there was a wide margin in "
        'favour of {units} {who} {x} over those {who} {x_no}. We count those {who} {y}." An experienced '
        'colleague answers with a remark on how things go there: "{passes}." She adds that this is just '
        "the same where both are treated, and that the roll-out to all {pairs}, both members of each, "
        "will be set against a year with none treated.\n\nWhich margin should the director expect in "
        "that comparison?",
        {
            "same": "The margin of the study",
            "larger": "A wider margin",
            "smaller": "A narrower margin",
            "none": "No margin at all",
        },
    ),
    Words(
        "Known: (a) {passes}. (b) In an experiment one {unit} of the two in each {pair} was treated, "
        "selected by a random number; such {units} {x} while the rest {x_no}. (c) D, the share that {y} "
        "among the treated minus that share among the rest, came out well above zero. (d) The two "
        "treatments in a {pair} do not change each other's effects, which add up.\n\nWanted: T, the "
        "share that {y} if each and every one is treated, minus the share if no one is. Both refer to "
        "the long run, without sampling error, and members of a {pair} are alike apart from treatment. "
        "What can be said of T?",
        {
            "same": "T = D",
            "larger": "T > D",
            "smaller": "0 < T < D",
            "none": "T = 0",
        },
    ),
)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw which of four relations holds between the contrast in the pilot and the effect of treating all."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(FORECASTS)
    words = WORDINGS[number]
    passes = {"same": scene.apart, "larger": scene.lifts, "smaller": scene.takes, "none": scene.fixed}[state]
    return Draft(
        world(rng, state),
        filled(words.stem, scene, passes=passes),
        tuple(_answer(words.says[option], option, state) for option in FORECASTS),
        f"interference/trap/{number}",
        scene.name,
        state,
        (("contrast in the pilot", PILOT), ("effect of treating all", TOTAL)),
    )


PILOT: Term = p({"Y": 1}, {"A": 1}) - p({"Y": 1}, {"A": 0})
TOTAL: Term = p({"Y": 1}, do={"A": 1, "B": 1}) - p({"Y": 1}, do={"A": 0, "B": 0})


def world(rng: random.Random, state: str) -> Scm:
    """Return a model: A one's own treatment, B the other's (what A leaves, in the pilot), Y one's outcome.

    Where the total is given, one of two alike has the outcome: the share is a half.
    """
    step = Fraction(1, 20)
    low, own = chance(rng, 6 * step, 7 * step, step), chance(rng, 4 * step, 6 * step, step)
    low = Fraction(1, 2) if state == "none" else low
    loss = step * rng.randint(1, 3)
    passed = {"same": Fraction(0), "larger": loss, "smaller": -loss, "none": -own}[state]
    rows = {(a, b): low + own * a + passed * b for a in (0, 1) for b in (0, 1)}
    return Scm(
        (
            binary("A"),
            binary("B", "A", {0: Fraction(1), 1: Fraction(0)}),
            binary("Y", "A B", {(a, b): share for (a, b), share in rows.items()}),
        )
    )


def _claims(option: str) -> tuple[Claim, ...]:
    zero = TOTAL - TOTAL
    facts: dict[str, tuple[Fact, ...]] = {
        "same": (Compare(TOTAL, "=", PILOT),),
        "larger": (Compare(TOTAL, ">", PILOT),),
        "smaller": (Compare(TOTAL, "<", PILOT), Compare(TOTAL, ">", zero)),
        "none": (Compare(TOTAL, "=", zero),),
    }
    return tuple(Claim(fact, True) for fact in facts[option])


def _answer(text: str, option: str, state: str) -> Answer:
    if option == state:
        return right(f"{text}.", *_claims(option), why=WHY[state])
    return wrong(KINDS[option], f"{text}.", *_claims(option), why=f"{NEEDS[option]} {WHY[state]}")
