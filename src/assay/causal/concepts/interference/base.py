"""Base: in half-treated pairs, who of the two was chosen, and does the one's treatment reach the other?"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.interference.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.proof import Claim
from assay.causal.queries import Causes, ValidAdjustment
from assay.causal.scm import Dag, dag
from assay.causal.wording.filled import filled


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, how one of two was chosen (by chance, by promise), and the halves of answers."""

    stem: str
    chance: str
    promise: str
    fair: str
    tilted: str
    alone: str
    reached: str


WORDINGS = (
    Words(
        "{Setting} looked at {units} that come in twos, the two of each {pair}. In each {pair} one of "
        "them was picked; those picked {x}, those left over {x_no}. Some results never arrived, for "
        "reasons that had to do with the post and nothing else. The share that {y} was then compared "
        "between the picked and the left over.\n\nOn the picking: {chosen}. On what passes between the "
        "two: {passes}.\n\nTwo uses of the result are debated: as a test between two that were alike, "
        "and as a record in which those left over fare as they would have, had nobody in their {pair} "
        "been treated. How do the two uses stand?",
        "an assistant spun a bottle set down between the two",
        "an assistant picked the one with the better prospects, which the assistant knew",
        "The two groups are alike to begin with",
        "The two groups differ to begin with",
        "those left over fare as they would with nobody treated",
        "those left over fare otherwise than with nobody treated",
    ),
    Words(
        "REFEREE REPORT. The paper studies {pairs}, half of each treated: in each, one {unit} is among "
        "those {who} {x}, {other} among those {who} {x_no}. The authors drop the few {pairs} in which a "
        "measurement failed, a failure they trace to faulty batteries, and I have no quarrel with that. "
        "They report the difference in how many {y}.\n\nI ask them to reconsider two matters. {passes}. "
        "Moreover, from the appendix I learn how one of two came to be treated: {chosen}. They should "
        "state whether the contrast is confounded, and whether its reference group is free of treatment "
        "in any sense that matters.",
        "the order in which the two had been entered in an old register, itself in no order, was used",
        "the staff on the spot could decide, and they went for the likelier success",
        "The contrast is not confounded",
        "The contrast is confounded",
        "its reference group is untouched by the treatment",
        "its reference group is touched by the treatment",
    ),
    Words(
        "Q: What have you got there?\nA: Results from {setting}. Units: {units}. They belong together in "
        "twos. In every one of the {pairs} there is one of those {who} {x} and one of those {who} {x_no}, "
        "and I count how many {y} on either side.\nQ: Any losses?\nA: A tenth of all records, wiped out by "
        "a disk fault.\nQ: How was it settled which of two would be treated?\nA: {chosen}.\nQ: And can the "
        "treatment of one make itself felt in the other?\nA: {passes}.\nQ: Then I would say two things "
        "about your difference: one about the choice of the treated, another about the untreated beside "
        "them.",
        "With a pack of cards; the higher card was treated",
        "With a good look at both; the one in better shape was treated",
        "The choice of the treated does not spoil it",
        "The choice of the treated spoils it",
        "the untreated fare as they would beside an untreated one",
        "the untreated fare otherwise than beside an untreated one",
    ),
    Words(
        "Field protocol, section 5 (as carried out by {setting}). 5.1 Unit of observation: the {unit}. 5.2 "
        "Cluster: the {pair}, of size two. 5.3 Arms: within a cluster one member was treated; treated "
        "members {x}, the rest {x_no}. 5.4 Selection of the treated member: {chosen}. 5.5 Contact between "
        "members: {passes}. 5.6 Response: that they {y}; a random sample of the responses was read "
        "off.\n\nSection 6 is to comment on the within-cluster difference in the response. May it be "
        "ascribed to treatment rather than to the choice? And does it leave out some effect of treatment "
        "that fell on the reference members?",
        "lots, folded and drawn unseen",
        "judgement of which would do well, which proved to be good judgement",
        "It may be ascribed to treatment rather than to the choice",
        "It may not be ascribed to treatment rather than to the choice",
        "no effect fell on the reference members",
        "some effect fell on the reference members",
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether chance chose the treated member, and whether treatment reaches the other."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words = WORDINGS[number]
    passes = scene.apart if state[1] else rng.choice((scene.lifts, scene.takes))
    stem = filled(words.stem, scene, chosen=words.chance if state[0] else words.promise, passes=passes)

    def say(option: Pair) -> str:
        first = words.fair if option[0] else words.tilted
        return filled(f"{first}; {words.alone if option[1] else words.reached}.", scene)

    answers = crossed(
        state,
        say,
        _claims,
        topics=("who was treated", "what reaches the other"),
        why=_why(state),
        kinds=reflexes(second=True),
    )
    return Draft(
        world(state),
        stem,
        answers,
        f"interference/base/{number}",
        scene.name,
        f"fair={state[0]} alone={state[1]}",
    )


def world(state: Pair) -> Dag:
    """Return the graph: A one's own treatment, B the other's, which is what A leaves; H one's promise."""
    return dag("A>B A>Y H>Y" + ("" if state[0] else " H>A") + ("" if state[1] else " B>Y"), hidden="H")


def _claims(option: Pair) -> tuple[Claim, ...]:
    return (
        Claim(ValidAdjustment(("A", "B"), "Y", ()), option[0]),
        Claim(Causes("B", "Y"), not option[1]),
    )


def _why(state: Pair) -> str:
    first = (
        "Chance chose between the two, so nothing but treatment separates the groups."
        if state[0]
        else "The more promising one was chosen, so promise is a common cause of treatment and outcome."
    )
    second = (
        "Nothing of the treatment passes over: close as they are, the untreated are truly untreated."
        if state[1]
        else "The treatment of one moves the other's outcome, so the untreated are no picture of an "
        "untreated pair."
    )
    return f"{first} {second}"
