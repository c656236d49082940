"""Trap: averages that hide or feign an indirect effect, and equals in the mediator a direct one."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.mediation.figured import Rows
from assay.causal.concepts.mediation.scene import Scene
from assay.causal.draft import Draft, Kind
from assay.causal.draws import until
from assay.causal.options.crossed import PAIRS, Pair, crossed
from assay.causal.proof.counted.route import Counted
from assay.causal.proof.proof import Claim
from assay.causal.queries import Compare, Term, counterfactual, crude, term
from assay.causal.scm import Scm, binary
from assay.causal.wording.figures import decimal
from assay.causal.wording.graphs import sentence

TENTH, HUNDREDTH = Fraction(1, 10), Fraction(1, 100)


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, each fact's story when it holds and when not, and how answers put it."""

    stem: str
    through: tuple[str, str]
    beside: tuple[str, str]
    indirect: tuple[str, str]
    direct: tuple[str, str]


WORDINGS = (
    Words(
        "{Setting} let chance divide its {units}: one half {x}, the other half {x_no}. The outcome is that "
        "they {y}; under suspicion as go-between is {m}. By {w} the {units} fall into '{w_low}' and "
        "'{w_high}', as many of the one as of the other; within a kind, all respond alike, luck "
        "apart.\n\nFirst finding. {through}.\n\nSecond finding. {shared}. {beside}.\n\nDoes the step have "
        "an indirect effect through {m} on the outcome, averaged over everybody? And has it a direct "
        "effect, averaged likewise?",
        (
            "On average the step leaves {m} where it was, and on average {m}, when set, does nothing to the "
            "outcome. Looked at by kind, the step turns '{m_low}' into '{m_high}' for some of the '{w_low}' "
            "and the reverse for equally many of the '{w_high}'; and '{m_high}' helps the former towards "
            "the outcome as much as it hinders the latter",
            "On average the step turns '{m_low}' into '{m_high}' for some, and on average '{m_high}', "
            "when set, favours the outcome. Looked at by kind, the former is entirely the doing of "
            "'{w_low}', whose outcome {m} does not touch; the latter is entirely the doing of '{w_high}', "
            "whose {m} the step does not touch",
        ),
        (
            "Among those found with '{m_high}' the outcome is exactly as frequent with the step as without. "
            "But once all alike were made to have '{m_low}', or all '{m_high}', the step still shifted the "
            "outcome, to the same degree in either case and for either kind",
            "Among those found with '{m_high}' the outcome differs by {gap} points between those with the "
            "step and those without. But once all alike were made to have '{m_low}', or all '{m_high}', the "
            "step ceased to shift the outcome, in either case and for either kind",
        ),
        ("an indirect effect exists", "no indirect effect exists"),
        ("a direct effect exists", "no direct effect exists"),
    ),
    Words(
        "Reviewer 2 on the manuscript by {setting}:\n\nThe design is sound, since which {units} {x} and "
        "which {x_no} was left to a random number. The end point is that they {y}. My concern is what the "
        "authors conclude about {m}. {shared}, as they themselves point out.\n\nOn the suspected route, "
        "through {m}: {through}.\n\nOn other routes: {beside}.\n\nThe two kinds by {w}, '{w_low}' and "
        "'{w_high}', are equally common, and each is homogeneous in its responses. The authors should be "
        "told, for the population as a whole, which routes carry an effect. Which statement should I "
        "recommend?",
        (
            "they see {m} level between the arms and, in an experiment that imposes {m}, an outcome that "
            "stays put, both as means over all. Their appendix has it that '{w_low}' gain '{m_high}' from "
            "the step as often as '{w_high}' lose it, and that imposing '{m_high}' makes the outcome "
            "likelier for '{w_low}' by what it takes from '{w_high}'",
            "they see {m} shift between the arms and, in an experiment that imposes {m}, a response to "
            "it, both as means over all. Their appendix has it that the shift leaves out '{w_high}' and "
            "the response leaves out '{w_low}'",
        ),
        (
            "they find the arms level within the stratum '{m_high}'. Their appendix has an experiment with "
            "{m} imposed on both arms, and there the arms differ for either kind, by the same amount at "
            "whatever level it was imposed",
            "they find the arms {gap} points apart within the stratum '{m_high}'. Their appendix has an "
            "experiment with {m} imposed on both arms, and there the arms are level for either kind, at "
            "whatever level it was imposed",
        ),
        ("the suspected route carries an effect", "the suspected route carries no effect"),
        ("some other route carries an effect", "no other route carries an effect"),
    ),
    Words(
        "A quiz for new staff at {setting}. You know: that {units} were allotted by lot to two courses "
        "(they {x}, or they {x_no}); that we count those {who} {y}; that 'way one' means by changing {m}, "
        "'way two' anything else; that {w} comes in two equally frequent forms, '{w_low}' and '{w_high}', "
        "and each reacts uniformly; and that {shared_low}.\nYou are told about way one: {through}.\nYou are "
        "told about way two: {beside}.\nTaking all {units} together, which ways make a difference?",
        (
            "{m}, averaged over the forms, is the same under both courses; and setting it by decree "
            "gives, averaged over the forms, no change in the count. In the form '{w_low}' the first "
            "course pushes up the frequency of '{m_high}' and '{m_high}' pushes up the count; in the form "
            "'{w_high}' the first course pulls that frequency down by as much, and '{m_high}' pulls the "
            "count down by as much",
            "{m}, averaged over the forms, differs between the courses; and setting it by decree gives, "
            "averaged over the forms, a change in the count. In the form '{w_low}' the course pushes up "
            "the frequency of '{m_high}' while decrees leave the count alone; in the form '{w_high}' "
            "decrees change the count while the course leaves the frequency alone",
        ),
        (
            "if one picks out the {units} {who} happen to have '{m_high}', the share that counts is the "
            "same under both courses. With {m} set by decree, the share under the first course differs from "
            "that under the second, by as much for either decree and in either form",
            "if one picks out the {units} {who} happen to have '{m_high}', the share that counts differs by "
            "{gap} points between the courses. With {m} set by decree, the share under the first course is "
            "that under the second, for either decree and in either form",
        ),
        ("way one does", "way one does not"),
        ("way two does", "way two does not"),
    ),
)

_BARE = counterfactual({"Y": 1}, {"X": 0})
INDIRECT: Term = counterfactual({"Y": 1}, {"X": 0}, mediators={"M": {"X": 1}}) - _BARE
DIRECT: Term = counterfactual({"Y": 1}, {"X": 1}, mediators={"M": {"X": 0}}) - _BARE


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw which of the two effects exist; averages and equals in the mediator say the opposite."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words = WORDINGS[number]
    model, gap = until(lambda: drawn(rng, state))
    fields = scene.words() | {"gap": decimal(abs(gap) * 100, 1)}
    stem = words.stem.format(
        through=words.through[not state[0]].format(**fields),
        beside=words.beside[not state[1]].format(**fields),
        shared_low=scene.shared[:1].lower() + scene.shared[1:],
        **fields,
    )

    def say(option: Pair) -> str:
        return sentence(f"{words.indirect[not option[0]]}; {words.direct[not option[1]]}.")

    def claims(option: Pair) -> tuple[Claim, ...]:
        return (
            Claim(Compare(INDIRECT, "!=", term(0)), option[0]),
            Claim(Compare(DIRECT, "!=", term(0)), option[1]),
        )

    first = (
        f"In each kind the step moves {scene.m} in the direction that favours the outcome, so the products "
        "agree in sign."
        if state[0]
        else f"Nobody has both links, step to {scene.m} and {scene.m} to outcome, so nothing passes through."
    )
    second = (
        f"With {scene.m} dictated the step still works; that those alike in it show nothing is the hidden "
        "common cause cancelling the effect."
        if state[1]
        else (
            f"With {scene.m} dictated the step does nothing; that those alike in it differ is the hidden "
            "common cause at work."
        )
    )
    answers = crossed(
        state,
        say,
        claims,
        topics=("the indirect effect", "the direct effect"),
        why=(f"{first} {second}"),
        kinds=_kind,
    )
    told = f"indirect={state[0]} direct={state[1]}"
    derivation = (("natural indirect effect", INDIRECT), ("natural direct effect", DIRECT))
    return Draft(model, stem, answers, f"mediation/trap/{number}", scene.name, told, derivation)


def drawn(rng: random.Random, state: Pair) -> tuple[Scm, Fraction] | None:
    """Draw a model in the state, with the difference at high mediator before any direct effect.

    A direct effect is made to cancel that difference to the last digit.
    """
    push, pull, lift = rng.choice((2, 3)) * TENTH, rng.choice((1, 2)) * TENTH, rng.choice((-3, 3)) * TENTH
    rise = (push, -push) if state[0] else (push, Fraction(0))
    gain = (pull, -pull) if state[0] else (Fraction(0), pull)
    start = 2 * TENTH, 2 * TENTH + (push if state[0] else 0)
    mediator: Rows = {
        (w, u, x): start[w] + rise[w] * x + 3 * u * TENTH for w in (0, 1) for u in (0, 1) for x in (0, 1)
    }
    level = 3 * TENTH if lift > 0 else 6 * TENTH

    def model(direct: Fraction) -> Scm:
        outcome: Rows = {
            (w, u, x, m): level + gain[w] * m + lift * u + direct * x
            for w in (0, 1)
            for u in (0, 1)
            for x in (0, 1)
            for m in (0, 1)
        }
        return Scm(
            (
                binary("W"),
                binary("U", hidden=True),
                binary("X"),
                binary("M", "W U X", mediator),
                binary("Y", "W U X M", outcome),
            )
        )

    gap = Counted(model(Fraction(0))).number(crude("X", "Y", given={"M": 1}))
    if abs(gap) < HUNDREDTH:
        return None
    direct = -gap if state[1] else Fraction(0)
    edges = [level + g + u + d for g in (*gain, 0) for u in (lift, 0) for d in (direct, 0)]
    return (model(direct), gap) if min(edges) >= 0 and max(edges) <= 1 else None


def _kind(option: Pair, state: Pair) -> Kind:
    """Say what a wrong answer follows: both of the misleading findings, or one of them."""
    if option[0] != state[0] and option[1] != state[1]:
        return Kind.REFLEX
    return Kind.PARTIAL if option[0] != state[0] else Kind.MISAPPLIED
