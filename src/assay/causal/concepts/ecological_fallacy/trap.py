"""Trap: averages can be right when the question is about groups, and agreement proves nothing."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.ecological_fallacy.base import INSIDE, slope
from assay.causal.concepts.ecological_fallacy.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS
from assay.causal.options.two_facts import Point, combined
from assay.causal.queries import Compare, Term, effect, p
from assay.causal.scm import Scm, binary, levels
from assay.causal.wording.figures import points
from assay.causal.wording.graphs import sentence

HUNDREDTH = Fraction(1, 100)
ASTRAY = ((0, 1, 2), (1,), (0, 2), (0, 1, 2))
"""By state: which of a wording's remarks (for the slope is the second) do not point to the right answer."""
TWISTS = ((20, 25, 2), (10, 50, 2), (20, 50, 4), (10, 25, 1))


@dataclass(frozen=True, slots=True)
class Words:
    """One wording. By state: how shares and exposures came about; remarks that lead astray, see `ASTRAY`."""

    stem: str
    facts: tuple[str, str, str, str]
    single: str
    whole: str
    remarks: tuple[str, str, str]
    inside: str
    not_inside: str
    slope: str
    not_slope: str


WORDINGS = (
    Words(
        "In {groups} of three kinds, 30%, 50% and 70% of the {units} {x}; the rest {x_no}. Figure I comes "
        "from records of single {units} in {groups} of the middle kind: those exposed {y} at a rate that "
        "differs by {inside} from the rate of those not exposed. Figure II comes from averages: a {group}'s "
        "rate differs by {slope} for every hundred points of difference in its share.\n\n{facts} A mark "
        "given afterwards, which depends on exposure and outcome, is not used in either.\n\nSought is "
        "{asked}. {remark} Which of the two figures is the one sought?",
        (
            "The shares had been drawn by lot among the {groups}, the exposed by lot inside them; the share "
            "has no effect but through each one's own exposure.",
            "The shares had been drawn by lot among the {groups}, the exposed by lot inside them; the "
            "share, besides, acts on all who live with it.",
            "Lots had decided about the share of each {group}, and lots, inside it, about each of its "
            "{units}; apart from own exposure, the company of the exposed matters to everybody.",
            "Shares are high where {d} is favourable to the outcome, and inside a {group} it is rather "
            "{units} with {v_high} that are exposed, whose outcome differs anyway; nobody is affected by "
            "others.",
        ),
        "the average effect on a {unit} of that {unit}'s own exposure, all others staying as they are",
        "the effect on the rate of a {group} of moving its share from 30% to 70%, expressed per hundred "
        "points",
        (
            "A reviewer strikes out Figure II, since averages tell nothing of individuals.",
            "A reviewer prefers Figure II, as it rests on complete counts and not on a few files.",
            "A reviewer strikes out Figure II: “ecological fallacy, take individual data.”",
        ),
        "Figure I is",
        "Figure I is not",
        "Figure II is",
        "Figure II is not",
    ),
    Words(
        "Memo. We must quote a number for {asked}. On the desk are two. First, {inside}: exposed ({x}) "
        "minus unexposed ({x_no}), success meaning that they {y}, {units} of medium-share {groups}, one by "
        "one. Second, {slope}: the slope of the rates of whole {groups} on their shares (these being 30%, "
        "50% or 70%). What we know: {facts} Satisfaction was measured later and responds to all of this; it "
        "went into neither. {remark}\n\nMay the first be quoted, and may the second?",
        (
            "the government had allotted shares at random, the local office had drawn the {units} at "
            "random, and no {unit} is touched by what others do.",
            "the government had allotted shares at random, the local office had drawn the {units} at "
            "random, and every {unit} is touched by how many others do it.",
            "random numbers fixed the shares and, locally, the {units}; the outcome answers to own exposure "
            "and to the share of the {group} as well.",
            "shares went with {d}, which tells on the outcome; locally, {v} decided, which tells on it too "
            "and is spread alike everywhere; there is no contagion of any sort.",
        ),
        "the change in a {unit}'s own chance when that {unit} alone is switched from unexposed to exposed",
        "the change in a {group}'s overall rate when its share is brought from 30% up to 70%, scaled to a "
        "hundred points",
        (
            "Our lawyer calls anything that is based on averages a fallacy.",
            "Our lawyer would rather rely on the official averages than on files of individuals.",
            "Our lawyer calls for data on individuals, as is taught everywhere.",
        ),
        "the first may be quoted",
        "the first may not be quoted",
        "the second may be quoted",
        "the second may not be quoted",
    ),
    Words(
        "Let w be the difference in outcome (namely that they {y}) between {units} {who} {x} and {units} "
        "{who} {x_no} inside {groups} with a share of one half, and b the gradient of outcome rates over "
        "{groups} whose shares are 30%, 50% and 70%. Observed: w = {inside}, b = {slope} per hundred "
        "points. Background: {facts} (A later survey, affected by exposure and outcome, is ignored.) Let t "
        "denote {asked}. {remark} Decide whether w = t and whether b = t, up to chance.",
        (
            "both levels randomised; no interference.",
            "both levels randomised; a {group}'s share enters the outcome of each member in addition to "
            "own exposure.",
            "randomisation of shares and, within them, of {units}; members respond to own exposure plus the "
            "share around them.",
            "neither level randomised: {d} → share, {d} → outcome, {v} → exposure, {v} → outcome, {v} "
            "balanced across {groups}; no interference.",
        ),
        "the mean individual effect of own exposure at given exposure of the others",
        "the effect on the rate of setting the share to 70% and not to 30%, per hundred points of share",
        (
            "It is claimed that b cannot bear on individuals.",
            "It is claimed that b, being free of individual noise, is preferable.",
            "It is claimed that b commits the ecological fallacy.",
        ),
        "the claim w = t is true",
        "the claim w = t is false",
        "the claim b = t is true",
        "the claim b = t is false",
    ),
)


def model(rng: random.Random, state: tuple[bool, bool]) -> Scm:
    """Draw a model: with both right nothing but exposure acts; with neither, two biases of one size agree."""
    lean, trait, shift = rng.choice(TWISTS)
    own = rng.choice((5, 10, 15))
    if state != (False, False):
        lean, shift = 0, 0 if state == (True, True) else rng.choice((2, 3, 4, 5))
    rates: dict[tuple[int, ...] | int, Fraction] = {
        (x, g, v): HUNDREDTH * (10 + own * x + shift * g + trait * v)
        for x in (0, 1)
        for g in range(3)
        for v in (0, 1)
    }
    shares: dict[tuple[int, ...] | int, Fraction] = {
        (g, v): HUNDREDTH * (30 + 20 * g + lean * (2 * v - 1)) for g in range(3) for v in (0, 1)
    }
    return Scm(
        (
            levels("G", "", {(): [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]}),
            binary("V", "", Fraction(1, 2)),
            binary("X", "G V", shares),
            binary("Y", "X G V", rates),
            binary("C", "X Y", {(x, y): Fraction(1 + x + 2 * y, 5) for x in (0, 1) for y in (0, 1)}),
        )
    )


def policy() -> Term:
    """Return what raising a group's share does to its rate, per unit of the share."""
    rise = p({"Y": 1}, do={"G": 2}) - p({"Y": 1}, do={"G": 0})
    return rise / (p({"X": 1}, do={"G": 2}) - p({"X": 1}, do={"G": 0}))


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw which of the two figures is the one sought; the remark points to another answer.

    Where nobody affects others, raising a group's share does to its rate what exposure does to a unit, so
    either may be asked for.
    """
    number = rng.randrange(len(WORDINGS))
    words, state = WORDINGS[number], rng.choice(PAIRS)
    scm = model(rng, state)
    place, asked = PAIRS.index(state), policy() if state == (False, True) else effect("X", "Y")
    whole = state == (False, True) or (state[0] == state[1] and rng.random() < 0.5)
    own = scm.by_name["Y"].table[(1, 0, 0)][1] - scm.by_name["Y"].table[(0, 0, 0)][1]
    shift = scm.by_name["Y"].table[(0, 1, 0)][1] - scm.by_name["Y"].table[(0, 0, 0)][1]
    steep = own + 5 * shift
    fields = {name: getattr(scene, name) for name in Scene.__slots__}
    asked_words = (words.whole if whole else words.single).format(**fields)
    facts = words.facts[place].format(**fields)
    shown = {"inside": points(steep if state == (False, False) else own), "slope": points(steep)}
    stem = words.stem.format(
        facts=sentence(facts) if number == 0 else facts,
        asked=asked_words,
        remark=words.remarks[rng.choice(ASTRAY[place])].format(**fields),
        **shown,
        **fields,
    )
    return Draft(
        scm,
        stem,
        combined(*_points(words, state, asked), state),
        f"ecological-fallacy/trap/{number}",
        scene.name,
        f"inside={state[0]} slope={state[1]}",
        (("asked for", asked), ("inside a group", INSIDE), ("slope of groups", slope())),
    )


def _points(words: Words, state: tuple[bool, bool], asked: Term) -> tuple[Point, Point]:
    whys = {
        (True, True): (
            "Nothing confounds, and nobody affects others.",
            "So units and groups show one and the same effect.",
        ),
        (True, False): (
            "Inside a group own exposure alone varies.",
            "averages add the influence of the share.",
        ),
        (False, True): (
            "Inside a group the share does not vary, so its influence is missed.",
            "averages hold it.",
        ),
        (False, False): (
            "Inside groups a trait of units confounds.",
            "between groups a trait of groups does.",
        ),
    }
    first = Point(
        words.inside,
        words.not_inside,
        ((Compare(INSIDE, "=", asked), True),),
        whys[state][0],
        True,
    )
    second = Point(
        words.slope, words.not_slope, ((Compare(slope(), "=", asked), True),), whys[state][1], False
    )
    return first, second
