"""Trap: where the leaders will stand next time, by what makes leaders: luck, both, level alone, or
momentum."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.regression_to_the_mean.scenes import Scene
from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.proof.proof import Claim
from assay.causal.queries import Compare, Fact, mean, term
from assay.causal.scm import Scm, binary, levels
from assay.causal.wording.filled import filled

PLACES = ("average", "partly", "same", "further")
KINDS = {"average": Kind.REVERSED, "partly": Kind.REFLEX, "same": Kind.PARTIAL, "further": Kind.MISAPPLIED}
WHY = {
    "average": "What set the leaders apart is drawn anew, so nothing of it is left: they are expected at "
    "the mean of all.",
    "partly": "A part of the lead is lasting and a part is luck, so they are expected between their score "
    "and the mean.",
    "same": "All that sets them apart lasts and is measured without luck, so they are expected where they "
    "were.",
    "further": "Leads grow by a mechanism of their own and are measured without luck, so they are expected "
    "further ahead.",
}


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, the sentence for each truth, and the four forecasts."""

    stem: str
    truths: dict[str, str]
    says: dict[str, str]


WORDINGS = (
    Words(
        "{Setting} crowns the {units} with the best {score} in a {period}. {truth}. For the coming "
        "{period} {action} is suspended for everybody, and the mean over all {units} will be what it "
        "was.\n\nWhat {score} is to be expected, on average, of the present leaders?",
        {
            "average": "It honours what it calls their class, {lasting}; yet when the records were "
            "matched, {lasting} turned out to be alike in all of them and each lead to come from "
            "{luck}, a matter that is shuffled between any two rounds",
            "partly": "It honours what it calls their class, {lasting}, and is not mistaken, since this "
            "does vary from one {unit} to another; when records were matched, a part of {luck} was found "
            "as well, and that is shuffled between rounds",
            "same": "Sceptics smile, as the best of so many, they say, must have been lucky; yet the part "
            "of {luck} was taken out of the score by an exact correction, and nothing in the rest, "
            "{lasting}, changes between rounds",
            "further": "Sceptics smile, as the best of so many, they say, must have been lucky; yet the "
            "part of {luck} was taken out of the score by an exact correction, and whatever lead there is "
            "brings its owner the means to widen it by half each round",
        },
        {
            "average": "The mean of all {units}",
            "partly": "More than the mean of all, less than their last",
            "same": "Just as much as their last",
            "further": "More than their last",
        },
    ),
    Words(
        "Memo: expectations for the top list\n\nThe top list names the {units} whose {score} was highest "
        "this {period}. Before {setting} publishes it, the planning office wants a forecast for exactly "
        "those {units}: the average next {period}, no {unit} being given {action}. The overall average "
        "will not move. What we know of the origin of differences:\n\n{truth}.\n\nWhich line goes into the "
        "plan?",
        {
            "average": "Names on the list differ from others by their fortune with {luck}, dealt again "
            "every {period}; where it was made equal by way of trial, no difference remained, whatever the "
            "fans say about {lasting}",
            "partly": "Names on the list differ from others by {lasting}, a thing that persists; where "
            "fortune "
            "with {luck} was made equal by way of trial, about a half of the differences remained, "
            "whatever the fans say",
            "same": "Scores were taken over so many trials that {luck} cancelled to the last digit. "
            "Nothing is left but {lasting}, and this persists. That the list was picked from the extreme "
            "end worries "
            "some readers",
            "further": "Scores were taken over so many trials that {luck} cancelled to the last digit. "
            "Nothing is left but {lasting}, and those with more of it also gain more of it. That the "
            "list was "
            "picked from the extreme end worries some readers",
        },
        {
            "average": "They come out level with the others",
            "partly": "They stay ahead of the others, by less",
            "same": "They stay ahead of the others, by as much",
            "further": "They stay ahead of the others, by more",
        },
    ),
    Words(
        "Bet offered at the annual dinner of {setting}. Take the tenth of all {units} that has just had "
        "the best {score}. Their mean is written on a card. One {period} later their mean is taken "
        "again, "
        "with the field's mean unchanged and with {action} withheld from all. The guests may ask about the "
        "source of the spread between {units}. They learn:\n\n{truth}.\n\nA sober guest bets on what?",
        {
            "average": "Swapping two {units} in secret, as was done often, leaves each place in the table "
            "with its old result: it is {luck}, assigned by a new draw each time, and nothing in the "
            "{units} themselves, despite the host's speech on {lasting}",
            "partly": "Swapping two {units} in secret, as was done often, carries a part of the result "
            "along and leaves a part behind: the one is {lasting}, staying with its owner, the other "
            "{luck}, assigned by a new draw each time",
            "same": "Swapping two {units} in secret, as was done often, carries the entire result along, "
            "and a repeat under any circumstances gives it again: it is {lasting}, and there is no share "
            "in it of {luck}, of which so much is heard",
            "further": "Swapping two {units} in secret, as was done often, carries the entire result "
            "along. There is no share in it of {luck}. In the archive, each distance from the field's mean "
            "is larger one {period} later, above as below, in one and the same proportion for every {unit}",
        },
        {
            "average": "On the field's mean",
            "partly": "On less than the card, more than the field's mean",
            "same": "On the figure of the card",
            "further": "On more than the card",
        },
    ),
)
MIDDLE, TOP = Fraction(20), Fraction(30)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw what makes leaders, and so where they are expected next; each of four is as likely as another."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PLACES)
    words = WORDINGS[number]
    stem = filled(words.stem, scene, truth=filled(words.truths[state], scene))
    answers = tuple(_answer(filled(f"{words.says[option]}.", scene), option, state) for option in PLACES)
    derivation = (("expected of the leaders", mean("N", {"M": 2}, do={"A": 0})),)
    return Draft(
        world(state),
        stem,
        answers,
        f"regression-to-the-mean/trap/{number}",
        scene.name,
        state,
        derivation,
        records=(("N", "M"),),
    )


def world(state: str) -> Scm:
    """Return a model: T what lasts, H zeal, M first score, A the action that zeal brings, N the next score.

    Zeal has mean 0 in the next score, and what the action adds does not count while nobody has it.
    """
    tenth, values = Fraction(1, 10), (Fraction(10), MIDDLE, TOP)
    third = [3 * tenth, 4 * tenth, 3 * tenth]
    first = {t: [Fraction(m == t) for m in range(3)] for t in range(3)}
    if state == "average":
        first = dict.fromkeys(range(3), third)
    elif state == "partly":
        first = {
            0: [5 * tenth, 4 * tenth, tenth],
            1: [3 * tenth, 4 * tenth, 3 * tenth],
            2: [tenth, 4 * tenth, 5 * tenth],
        }
    stretch = Fraction(3, 2) if state == "further" else Fraction(1)

    def score(t: int, h: int, a: int) -> Fraction:
        return MIDDLE + stretch * (values[t] - MIDDLE) + 8 * (2 * h - 1) + 3 * a

    keys = [(t, h, a) for t in range(3) for h in (0, 1) for a in (0, 1)]
    scores = sorted({score(*key) for key in keys})
    return Scm(
        (
            levels("T", "", {(): third}, values=values, hidden=True),
            binary("H", hidden=True),
            levels("M", "T", {(t,): row for t, row in first.items()}, values=values),
            binary("A", "H", {0: tenth, 1: 9 * tenth}),
            levels(
                "N",
                "T H A",
                {key: [Fraction(score(*key) == s) for s in scores] for key in keys},
                values=scores,
            ),
        )
    )


def _claims(option: str) -> tuple[Claim, ...]:
    expected, middle, top = mean("N", {"M": 2}, do={"A": 0}), term(MIDDLE), term(TOP)
    facts: dict[str, tuple[Fact, ...]] = {
        "average": (Compare(expected, "=", middle),),
        "partly": (Compare(expected, ">", middle), Compare(expected, "<", top)),
        "same": (Compare(expected, "=", top),),
        "further": (Compare(expected, ">", top),),
    }
    return tuple(Claim(fact, True) for fact in facts[option])


def _answer(text: str, option: str, state: str) -> Answer:
    if option == state:
        return right(text, *_claims(option), why=WHY[state])
    return wrong(
        KINDS[option], text, *_claims(option), why=f"That needs another origin of leads. {WHY[state]}"
    )
