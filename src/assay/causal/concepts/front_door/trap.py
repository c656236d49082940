"""Trap: groups that look comparable and are not, a mediator that looks unfit and is not; or the reverse."""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.front_door.scene import Scene
from assay.causal.draft import Draft, Kind
from assay.causal.options.crossed import PAIRS, Pair, crossed
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment, ValidFrontDoor
from assay.causal.scm import dag
from assay.causal.wording.graphs import sentence


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, an assignment that looks even (`drawn`) or free (`chosen`), and both facts."""

    stem: str
    drawn: str
    chosen: str
    plain: tuple[str, str]
    door: tuple[str, str]


WORDINGS = (
    Words(
        "{Setting} looks at two groups of {units}: they {x}, or they {x_no}. Outcome: whether they "
        "{y}.\n\nHow the groups arose. {arose}.\n\nThe path between. The choice moves {m}, which moves "
        "the outcome. {sole}. {cause}.\n\nNo other links exist. Two estimates of the total effect lie on "
        "the table: one, the bare difference of the groups; two, the front-door estimate through {m}. "
        "Which are unbiased in large samples?",
        "A draw was held: those {who} came up in it were meant for the one course, the rest for the other. "
        "It was not binding, though, and the groups are what became of them, by the course followed. "
        "{hidden}",
        "No draw was held, nothing was assigned, and the groups differ visibly in their make-up. "
        "{whim}. Nothing else came into the choice",
        ("one is unbiased", "one is biased"),
        ("two is unbiased", "two is biased"),
    ),
    Words(
        "Question from the floor at a lecture: 'We are {setting}. Of our {units}, some {x} and some "
        "{x_no}; what interests us is whether they {y}. {arose}. Then there is {m}. It responds to the "
        "course followed, and the outcome responds to it. {sole}. {cause}. More there is not to be said "
        "about causes. May I trust the naive contrast of the two courses? And may I trust Pearl's "
        "front-door formula with {m} in the middle?'\n\nAnswer from the lectern:",
        "A raffle had named those {who} should follow the first course, yet this was not enforced one way "
        "or the other; our files sort them by what came of it. {hidden}",
        "Choice was free all round, and a glance tells the two camps apart. {whim}, and that was the whole "
        "story of who went where",
        ("trust the contrast", "distrust the contrast"),
        ("trust the formula", "distrust the formula"),
    ),
    Words(
        "Audit sheet for an observational study\nClient: {setting}\nSubjects: {units}\nExposure: they {x} "
        "(coded 1) or {x_no} (coded 0)\nEnd point: they {y}\nHow exposure came about: "
        "{arose}.\nIntermediate variable: {m}, affected by exposure, affecting the end point. "
        "{sole}.\nBackground of that variable: {cause}.\nOther causal links: none.\n\nThe auditor has two "
        "boxes to tick or to leave empty. Box P: the difference in means by exposure is the total effect. "
        "Box Q: the front-door functional of exposure, intermediate variable and end point is the total "
        "effect.",
        "by randomised invitation at first; the code, however, records exposure as it took place, and "
        "invitations were ignored in both directions. {hidden}",
        "by preference, with marked differences between the two sides. {whim}. "
        "This accounts for the preference in full",
        ("tick P", "leave P empty"),
        ("tick Q", "leave Q empty"),
    ),
)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw which of the two estimates are right; how the groups arose and what moves the mediator mislead."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words, fields = WORDINGS[number], scene.words()
    arose = (words.chosen if state[0] else words.drawn).format(**fields)
    stem = words.stem.format(arose=arose, cause=scene.stray if state[1] else scene.leak, **fields)

    def say(option: Pair) -> str:
        return sentence(f"{words.plain[not option[0]]}; {words.door[not option[1]]}.")

    def claims(option: Pair) -> tuple[Claim, ...]:
        return (
            Claim(ValidAdjustment(("X",), "Y", ()), option[0]),
            Claim(ValidFrontDoor("X", "Y", ("M",)), option[1]),
        )

    first = (
        "What made them choose has no bearing on the outcome, so the groups are comparable though nobody "
        "was assigned."
        if state[0]
        else (
            "The draw did not bind, and what made them follow a course bears on the outcome: the groups "
            "are not comparable."
        )
    )
    second = (
        f"What moves {scene.m} out of sight reaches the outcome through it alone, which the front door "
        "tolerates."
        if state[1]
        else (
            f"What moves {scene.m} out of sight bears on the outcome besides, which the front door does not "
            "tolerate."
        )
    )
    answers = crossed(
        state,
        say,
        claims,
        topics=("the plain difference", "the front door"),
        why=f"{first} {second}",
        kinds=_kind,
    )
    arrows = "X>M M>Y " + ("R>X" if state[0] else "U>X U>Y") + (" Q>M" if state[1] else " V>M V>Y")
    hidden = ("R " if state[0] else "U ") + ("Q" if state[1] else "V")
    told = f"plain={state[0]} door={state[1]}"
    return Draft(dag(arrows, hidden=hidden), stem, answers, f"front-door/trap/{number}", scene.name, told)


def _kind(option: Pair, state: Pair) -> Kind:
    """Say what a wrong answer follows: both of the misleading cues, or one of them."""
    if option[0] != state[0] and option[1] != state[1]:
        return Kind.REFLEX
    return Kind.PARTIAL if option[0] != state[0] else Kind.MISAPPLIED
