"""Trap: which of four comparisons answers the question, where the story suggests another than it needs."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.instruments.scenes import Scene
from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.draws import chance, until
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim
from assay.causal.queries import Compare, Term, ValidAdjustment, counterfactual, crude, effect, p
from assay.causal.scm import Scm, binary, levels
from assay.causal.wording.filled import filled
from assay.causal.wording.graphs import sentence

SHARES = ("offer", "scaled", "treated", "package")
LUCK = ("treated", "package")
"""The comparisons that lean on takers being no different from others."""
KINDS = {"offer": Kind.REFLEX, "scaled": Kind.MISAPPLIED, "treated": Kind.REVERSED, "package": Kind.PARTIAL}
Chances = Fraction | Mapping[tuple[int, ...] | int, Fraction]
WHY = {
    "offer": "The question is about the offer as it works in practice, refusals included: the plain "
    "contrast of "
    "those with and without it answers that, and nothing has to be scaled.",
    "scaled": "The question is about those whom the offer brought to it. The offer was given by chance and "
    "acts by "
    "the uptake alone, while the uptake is self-chosen: the contrast of the offer over the change in "
    "uptake answers it.",
    "treated": "The offer moved nobody and went with prospects, while an accident settled the uptake: the "
    "uptake is what was randomised, so the groups by uptake are the fair ones.",
    "package": "The offer acts by itself too, and an accident settled the uptake among equals: the two "
    "packages "
    "compared are exactly those with both and those with neither.",
}


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: an opening, the four comparisons, and a close for each of the four truths."""

    opening: str
    says: dict[str, str]
    closes: dict[str, str]


WORDINGS = (
    Words(
        "In a programme of {setting}, {offer} reached a part of the {units} and not the others. Later it "
        "was counted which of "
        "them {x}, which {x_no}, and which {y}.\n\n",
        {
            "offer": "All with {offer} against all without it, as the raw difference",
            "scaled": "All with {offer} against all without it, over the gap in uptake",
            "treated": "All {that} {x} against all {that} {x_no}, offers ignored",
            "package": "Those with {offer} {that} {x} against those without {that} {x_no}",
        },
        {
            "offer": "{drawn}. Sadly, adherence is in tatters: a good part of those addressed let it pass, "
            "and a number of "
            "the others got there without being asked, so everybody agrees that the figures are badly "
            "diluted. "
            "The board has to vote on one thing: should {offer} be given to all in future, knowing that "
            "people "
            "will respond to it as they did here? By which comparison is its benefit measured?",
            "scaled": "{drawn}. {sealed}. The statutes require that such programmes be analysed as "
            "allocated and the "
            "report is proud that nobody was moved from one arm to the other. People made up their own "
            "minds about "
            "the uptake, though, and none went against the offer. The board asks how much the uptake itself "
            "does for the ones who came to it through {offer} and would not have otherwise. Which "
            "comparison tells?",
            "treated": "{picked}. It turned out that {offer} changed nobody's uptake in the least: the "
            "uptake ran by a list "
            "which a faulty import had scrambled, so that being on it was a matter of luck for everybody "
            "alike, "
            "offer or not. Those on the list {x}, the others {x_no}. The board asks what the uptake does "
            "for an average "
            "member of the population. Which comparison tells?",
            "package": "{drawn}. {leaks}. Places were short, and a ticket machine blind to everything "
            "settled who {x}; it "
            "was loaded with more winning tickets for one arm than for the other. The auditors remind "
            "everyone that "
            "throwing out non-adherers is a cardinal sin. The board asks how a world in which everybody "
            "has both "
            "{offer} and the uptake differs from one in which nobody has either. Which comparison tells?",
        },
    ),
    Words(
        "Letter to the statistician of {setting}.\n\nDear colleague, we have two marks against the name of "
        "each of our "
        "{units}: one if they {offered}, another if they {x} (no mark: they {x_no}). We also know which of "
        "them {y}. ",
        {
            "offer": "Set first mark against no first mark and leave the result as it is",
            "scaled": "Set first mark against no first mark and divide by what it adds to uptake",
            "treated": "Set second mark against no second mark and pay no heed to the first",
            "package": "Set both marks against no mark and drop those with a single one",
        },
        {
            "offer": "The first mark: {drawn}. As for the second, people pleased themselves, and in either "
            "group you will "
            "find both sorts, which spoils the contrast. I am not curious about ideal users. {Offer} costs "
            "us money, "
            "and what I must defend before the treasurer is the change that it makes as things are, with "
            "takers and "
            "refusers as they come. What do I compute?",
            "scaled": "The first mark: {drawn}. {sealed}. The second was up to everybody's own taste, and "
            "the first never "
            "put anyone off. Our house rule says to report a trial by its arms and to add nothing, but a "
            "reader wants "
            "to hear what difference the uptake made for exactly those people who are takers on account of "
            "{offer}. "
            "What do I compute?",
            "treated": "The first mark, I fear, is worthless as a trial: {picked}. With the second "
            "something odd "
            "happened. A storm took out our booking lines, and the exchange put through calls in an order "
            "that nobody controlled and that took no note of first marks; so it came about who {x}. Both "
            "groups have equal "
            "shares of second marks. The treasurer asks what the second mark is worth to people in "
            "general. What do I "
            "compute?",
            "package": "The first mark: {drawn}. {leaks}. The second was raffled, with better odds for "
            "bearers of the first, "
            "which they could neither refuse nor improve. You will tell me that one never keeps the "
            "compliant alone. "
            "Still, the treasurer asks for the yield of the full package, {offer} plus uptake for all, as "
            "against "
            "doing away with both. What do I compute?",
        },
    ),
    Words(
        "Exercise from a training day at {setting}. You see records on {units} in two groups: "
        "some {offered}, "
        "others not. Within each you find some {that} {x} and some {that} {x_no}. Success means that they "
        "{y}.\n\n",
        {
            "offer": "Difference in success by offer, undivided",
            "scaled": "Difference in success by offer, divided by its effect on uptake",
            "treated": "Difference in success by uptake, the offer disregarded",
            "package": "Difference in success of offered takers and unoffered non-takers",
        },
        {
            "offer": "Facts: {drawn}. {leaks}. Uptake followed inclination, and inclined people succeed "
            "more anyway; the "
            "trainer laments a trial ruined by non-adherence. Task: say what {offer} brings about, on "
            "average over all, "
            "through whatever channel, if people go on using it as loosely as this. Which quantity is it?",
            "scaled": "Facts: {drawn}. {sealed}. Uptake followed inclination, except that nobody did less "
            "for being offered "
            "it; the trainer praises the clean comparison of arms, to which, in her view, nothing needs "
            "adding. Task: say "
            "what taking it up brings to people in whom the uptake hinges on {offer}. Which quantity is it?",
            "treated": "Facts: {picked}. By a mishap the envelopes were swapped over and over, until who "
            "could take it up was as "
            "random as the spots on dice and had come loose from the offer; nobody could choose. The trainer "
            "speaks of a textbook encouragement with self-selected takers. Task: say what taking it up "
            "brings, on "
            "average, to all. Which quantity is it?",
            "package": "Facts: {drawn}. {leaks}. Rationing by random numbers decided about the uptake, "
            "more generously on the "
            "offered side, with no regard to persons. The trainer warns of analyses restricted to the "
            "obedient. Task: "
            "say by how much success would differ between two policies, one that gives the offer and the "
            "uptake to all and "
            "one that gives neither to any. Which quantity is it?",
        },
    ),
)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw which of the four comparisons is the right one, each as likely as another."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(SHARES)
    words = WORDINGS[number]
    world = until(lambda: _world(rng, state))
    stem = filled(words.opening + words.closes[state], scene)
    answers = tuple(_answer(words, scene, state, option) for option in SHARES)
    derivation = (("asked for", target(state)), ("by offer", crude("Z", "Y")), ("by uptake", crude("X", "Y")))
    return Draft(world, stem, answers, f"instruments/trap/{number}", scene.name, state, derivation)


def target(state: str) -> Term:
    """Return the quantity that is asked for."""
    match state:
        case "offer":
            one = counterfactual({"Y": 1}, {"Z": 1}, mediators={"X": {"Z": 1}})
            return one - counterfactual({"Y": 1}, {"Z": 0}, mediators={"X": {"Z": 0}})
        case "scaled":
            one = counterfactual({"Y": 1}, {"X": 1}, given={"C": 1})
            return one - counterfactual({"Y": 1}, {"X": 0}, given={"C": 1})
        case "treated":
            return effect("X", "Y")
    return p({"Y": 1}, do={"Z": 1, "X": 1}) - p({"Y": 1}, do={"Z": 0, "X": 0})


def gives(option: str, wanted: Term) -> Compare:
    """Return the fact that a comparison gives the wanted quantity; a ratio is compared multiplied out."""
    match option:
        case "offer":
            return Compare(crude("Z", "Y"), "=", wanted)
        case "scaled":
            return Compare(crude("Z", "Y"), "=", wanted * crude("Z", "X"))
        case "treated":
            return Compare(crude("X", "Y"), "=", wanted)
    both = p({"Y": 1}, {"Z": 1, "X": 1}) - p({"Y": 1}, {"Z": 0, "X": 0})
    return Compare(both, "=", wanted)


def _answer(words: Words, scene: Scene, state: str, option: str) -> Answer:
    text = sentence(filled(f"{words.says[option]}.", scene))
    by_luck = ValidAdjustment(("X",), "Y", ("Z", "H"))
    claims = (Claim(gives(option, target(state)), True), Claim(by_luck, option in LUCK))
    if option == state:
        return right(text, *claims, why=WHY[state])
    return wrong(KINDS[option], text, *claims, why=f"This is another comparison. {WHY[state]}")


def _world(rng: random.Random, state: str) -> Scm | None:
    """Draw a model of the state; None where two comparisons happen to agree.

    H prospects, Z offer, C what a unit does with and without it (0 refuses, 1 goes along, 2 takes it
    anyway), X uptake, Y success.
    """
    tenth = Fraction(1, 10)
    low, gain, by_kind, by_offer = (chance(rng, tenth, 2 * tenth, tenth / 2) for _ in range(4))
    luck = state in LUCK
    by_offer = by_offer if state == "package" or (state == "offer" and rng.random() < 0.5) else Fraction(0)
    mix = (5, 0, 5) if state == "treated" else rng.choice(((3, 4, 3), (4, 4, 2), (2, 5, 3), (3, 5, 2)))
    prospects, kinds = (0, 1) if state == "treated" else (0,), (0,) if luck else (0, 1, 2)
    given: Chances = Fraction(1, 2) if state != "treated" else {0: tenth * 3, 1: tenth * 7}
    world = Scm(
        (
            levels("H", "", {(): [Fraction(1, len(prospects))] * len(prospects)}, hidden=True),
            binary("Z", "H" if state == "treated" else "", given),
            levels("C", "", {(): [tenth * share for share in mix]}, hidden=True),
            binary(
                "X", "Z C", {(z, c): Fraction(c == 2 or (c == 1 and z)) for z in (0, 1) for c in (0, 1, 2)}
            ),
            binary(
                "Y",
                "X Z H" if luck else "X Z H C",
                {
                    (x, z, h, c)[: 3 if luck else 4]: low
                    + gain * x * (2 if c == 1 else 1)
                    + by_kind / 2 * c
                    + by_offer * z
                    + tenth * h
                    for x in (0, 1)
                    for z in (0, 1)
                    for h in prospects
                    for c in kinds
                },
            ),
        )
    )
    route, wanted = Derived(world), target(state)
    return world if sum(route.holds(gives(option, wanted)) for option in SHARES) == 1 else None
