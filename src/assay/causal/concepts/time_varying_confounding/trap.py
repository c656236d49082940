"""Trap: date and averages mislead about what moved a reading, and the second decision misleads too."""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.time_varying_confounding.base import claims, why, world
from assay.causal.concepts.time_varying_confounding.scene import Scene
from assay.causal.draft import Draft, Kind
from assay.causal.options.crossed import PAIRS, Pair, crossed
from assay.causal.wording.graphs import sentence


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem; a reading untouched or moved, a second decision blind or not; the facts.

    Each telling suggests the opposite of what it says.
    """

    stem: str
    untouched: str
    moved: str
    blind: str
    sighted: str
    fixed: tuple[str, str]
    omitted: tuple[str, str]


WORDINGS = (
    Words(
        "Two decisions on each of the {units} of {setting}, and {reading} noted in between. First, as a "
        "die fell, some {first}, the rest {first_no}. Second, some {second}, the rest {second_no}. What "
        "matters is how many {y} under each pair of decisions, had the pair been imposed.\n\nThe note on "
        "{reading}. {moved}. {hidden}.\n\nThe second decision. {steered}. The first decision had some "
        "influence on it as well.\n\nThat is the complete causal story. May the pairs be compared with "
        "{reading} held equal, averaging over it? May they be compared without {reading}?",
        "It bears a date after the first decision and stands in the same file; but it was read off "
        "material that had been put under seal before the first decision",
        "Averages of it are alike, to the last digit, whatever the first decision was; but that is "
        "because the decision raised it where {u} was of one sort and lowered it by as much where it was "
        "of the other",
        "Staff made it at their discretion, with a sheet before them that was headed with this very item; "
        "but by a mix-up, found out years later, the sheets were those of some other organisation",
        "It was made by drawing a slip; but the drawer took the slip from a full urn where the entry "
        "was '{high}' and from a nearly empty one where it was '{low}', so that the odds differed",
        ("at equal level they may", "at equal level they may not"),
        ("without it they may", "without it they may not"),
    ),
    Words(
        "To whom it may concern: {setting} wishes to publish the joint effect of two steps on the share "
        "of its {units} {who} {y}. Step one was randomised (they {first}; they {first_no}). For step two "
        "(they {second}; they {second_no}) the following has been certified, along with some weight that "
        "it gave to step one: {steered}. Regarding {reading}, on file as '{low}' or '{high}', we certify: "
        "{moved}. We further certify: {hidden_low}; and that this list is exhaustive. The publisher's "
        "form has two lines. Line 1: the analysis that puts {reading} into the model is correct. Line 2: "
        "the analysis that keeps it out of the model is correct.",
        "the clerks entered it after step one, in the column for consequences, although the probe that "
        "they entered had been taken, and stored cold, ahead of step one",
        "a test of the means found no difference at all between the arms of step one, the increases that "
        "step one caused where {u} leaned one way having been offset exactly by its decreases elsewhere",
        "officers were free to decide, and a display showed them a value under that name, although the "
        "display had been stuck on a demonstration value all the time",
        "officers had no freedom, since a generator of random numbers decided, although it was set to "
        "favour one side for '{high}' and the other for '{low}'",
        ("line 1 can be signed", "line 1 cannot be signed"),
        ("line 2 can be signed", "line 2 cannot be signed"),
    ),
    Words(
        "The examiner reads a case aloud. '{Setting}. Its {units} pass two gates. At gate one, where "
        "coins are tossed: they {first}, or they {first_no}. At gate two, where the side taken at gate "
        "one counts somewhat: they {second}, or they {second_no}. You shall tell me what the sides at "
        "both gates together do to the number {who} {y}. Between the gates hangs a board with {reading}. "
        "{hidden}. {moved}. And at gate two: {steered}. You have heard all.' The candidate may answer "
        "with two cards. Card one: condition on the board. Card two: disregard the board. Each card is to "
        "be called valid or invalid.",
        "The board is lettered anew after gate one, but from a ledger that was closed before it",
        "On the whole the board looks no different for the two sides of gate one, but only since that "
        "gate shifts entries up where {u} is on one side, and just as far down where it is on the other",
        "the keeper is his own master and looks at a board, but someone had hung a stranger's board there",
        "the keeper spins a wheel and has no say, but the wheel's sectors are wide or narrow as the board "
        "has it",
        ("card one is valid", "card one is invalid"),
        ("card two is valid", "card two is invalid"),
    ),
)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether the reading was moved and whether it steered; both tellings suggest the opposite."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words, fields = WORDINGS[number], scene.words()
    stem = words.stem.format(
        moved=(words.untouched if state[0] else words.moved).format(**fields),
        steered=(words.blind if state[1] else words.sighted).format(**fields),
        hidden_low=scene.hidden[:1].lower() + scene.hidden[1:],
        **fields,
    )

    def say(option: Pair) -> str:
        return sentence(f"{words.fixed[not option[0]]}; {words.omitted[not option[1]]}.")

    answers = crossed(
        state,
        say,
        claims,
        topics=("holding the reading fixed", "leaving it out"),
        why=why(scene, state),
        kinds=_kind,
    )
    told = f"fixed={state[0]} omitted={state[1]}"
    drawn = world(reacts=not state[0], guides=not state[1])
    return Draft(drawn, stem, answers, f"time-varying-confounding/trap/{number}", scene.name, told)


def _kind(option: Pair, state: Pair) -> Kind:
    """Say what a wrong answer follows: both of the misleading tellings, or one of them."""
    if option[0] != state[0] and option[1] != state[1]:
        return Kind.REFLEX
    return Kind.PARTIAL if option[0] != state[0] else Kind.MISAPPLIED
