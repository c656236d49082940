"""Base: is the trait that differs older than treatment, and does a second difference bear on the outcome?"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.transportability.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS
from assay.causal.options.two_facts import Point, combined
from assay.causal.queries import Causes, Separated
from assay.causal.scm import dag
from assay.causal.wording.graphs import sentence

GRAPHS = {
    (True, True): "S>A A>Y X>Y S>D D>X",
    (True, False): "S>A A>Y X>Y S>D D>Y",
    (False, True): "S>A X>A A>Y X>Y S>D D>X",
    (False, False): "S>A X>A A>Y X>Y S>D D>Y",
}


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: `before` and `after` date the trait, `idle` and `acts` tell what the difference does."""

    stem: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    idle: tuple[str, ...]
    acts: tuple[str, ...]
    weigh: str
    not_weigh: str
    harmless: str
    harmful: str


WORDINGS = (
    Words(
        "{Units} of {study} were assigned by coin: some {x}, the others {x_no}, and it was recorded whether "
        "they {y}. Now {target} want to know by how much the share would change if all of their {units} "
        "were treated in that way rather than none. So far none of them is, and nobody there may be "
        "assigned.\n\nThe places differ in two respects, and in no other that matters. For one, {a} "
        "({a_low} or {a_high}) is not spread alike; the share at {target} comes from a count made last "
        "month. {when} {A} bears on the outcome. For another, {d}. {other}\n\nA colleague wants to take the "
        "study's difference at each level of {a} and average these with the shares counted at {target}. "
        "What is the right reply?",
        (
            "In the study it was noted before the coin was tossed, and the treatment leaves it as it is.",
            "It is something that the {units} of the study brought along on the first day and that "
            "treatment does not move.",
        ),
        (
            "In the study it was noted at the close, and the treatment is one of the things that move it.",
            "In the study it is known from the last week only, and by then treatment had shifted it.",
        ),
        (
            "Left to themselves, people there would choose the treatment more often on account of it; the "
            "outcome does not depend on it in any other way.",
            "It matters for who would opt for treatment if there were a choice, and the outcome takes no "
            "further notice of it.",
        ),
        (
            "On account of it, treatment does more, or less, for {units} with the same {a}, and the study "
            "has no trace of it.",
            "It strengthens or weakens the treatment, to an extent that the study cannot show.",
        ),
        "those shares are proper weights as far as {a} goes",
        "those shares are the wrong weights where {a} is concerned",
        "the other difference can be disregarded",
        "the other difference bars the way for now",
    ),
    Words(
        "Question from {target}: “The experiment at {study} has been published. Lots decided which {units} "
        "{x} and which {x_no}. We have had none of this here and would like to know the effect on how many "
        "of ours {y}. Two things are unlike. {A} is one, and it plays a part in the outcome: ours have been "
        "surveyed, and {a_high} is found in another proportion here than there. {when} The second: {d}. "
        "{other} All else that counts is the same.”\n\nThe experimenters can give the effect separately for "
        "{units} with {a_low} and with {a_high}. {Target} would combine the two in the proportion of their "
        "own survey. Which answer fits?",
        (
            "The experiment read it off from the application forms, and it is not the kind of thing that "
            "the treatment could change.",
            "Whoever drew the lots already had it on the list; being treated or not makes no difference to "
            "it.",
        ),
        (
            "The experiment took it at the final inspection, and its own figures show that it answers to "
            "the treatment.",
            "What the experiment calls {a} was read afterwards, and part of the treatment's work is to "
            "alter it.",
        ),
        (
            "We gather that this steers who asks for the treatment where it is on offer, and that it steers "
            "nothing else.",
            "That only ever decided who would volunteer; where lots are drawn it has no role to play.",
        ),
        (
            "We gather that this alters what the treatment achieves, over and above everything that was "
            "measured.",
            "Among {units} alike in all that was recorded, this makes the treatment's benefit larger or "
            "smaller.",
        ),
        "the proportion surveyed is a legitimate basis for combining by {a}",
        "the proportion surveyed is no legitimate basis for combining by {a}",
        "the second point does no damage to the plan",
        "the second point does damage that the plan ignores",
    ),
    Words(
        "Note on carrying a result over\n\nOrigin: {study}; treatment drawn at random ({x} / "
        "{x_no}).\nDestination: {target}; treatment absent to date, to be given to all {units} or to "
        "none.\nOutcome: whether they {y}.\nKnown divergence 1: {a}, {a_low} against {a_high}; a cause of "
        "the outcome; current split at the destination known. {when}\nKnown divergence 2: {d}. "
        "{other}\nFurther divergences of any consequence: none.\nProposed method: effects at the origin by "
        "level of {a}, averaged over the destination's current split.\n\nWhich verdict on the proposed "
        "method is right?",
        (
            "Settled ahead of the draw and out of the treatment's reach.",
            "Older than the experiment itself; does not respond to it.",
        ),
        (
            "Settled after the draw, under the treatment's influence.",
            "A reading from the end of the experiment; responds to it.",
        ),
        (
            "Has to do with willingness to be treated and with nothing besides.",
            "Would show up among volunteers; touches the outcome through the choice of treatment alone.",
        ),
        (
            "Changes the size of the effect, at either level of {a}; nowhere recorded.",
            "Modifies how the outcome responds to treatment, whatever {a} is; not on file at the origin.",
        ),
        "divergence 1 is dealt with by this averaging",
        "divergence 1 is mishandled by this averaging",
        "divergence 2 is of no consequence",
        "divergence 2 remains a gap",
    ),
    Words(
        "“So we simply borrow the number?” asked the chair. “Not the number as it stands,” said the "
        "statistician. “At {study} chance decided which {units} {x} and which {x_no}. That is sound. But "
        "{target} are another story: {a_high} is rarer or commoner there, and {a} has a say in whether "
        "{units} {y}.” “Then take the effect for {a_low}, the effect for {a_high}, and mix them as they are "
        "found at {target} today, where the treatment is unknown,” said the chair. The field officer put in "
        "two remarks. About {a}: “{when}” And about something else: “Mind that {d}. {other}” There was "
        "nothing more in which the two differ to any effect.\n\nThe effect is meant to be that of treating "
        "everybody at {target} against treating nobody. Who listens well will conclude:",
        (
            "What is on record is how things stood before anyone was treated, and so they would stand "
            "afterwards.",
            "It had its value before chance spoke, and keeps it whatever is done.",
        ),
        (
            "What is on record is how things stood once the treatment had run, and the treatment had shifted "
            "them.",
            "It gets its value only after chance has spoken, and in part from what was done.",
        ),
        (
            "People pick the treatment with that in mind, when they may pick; that is all there is to it.",
            "It sways the appetite for treatment. It sways nothing that happens later.",
        ),
        (
            "That adds to what the treatment does or takes away from it, and we never wrote it down.",
            "With it the treatment works otherwise than without. {A} has no part in that.",
        ),
        "mixing by today's {a} is the right step",
        "mixing by today's {a} is the wrong step",
        "the field officer's other point may be dropped",
        "the field officer's other point may not be dropped",
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw which of the two obstacles are real, each of four combinations being as likely as another."""
    number = rng.randrange(len(WORDINGS))
    words, state = WORDINGS[number], rng.choice(PAIRS)
    fields = {name: getattr(scene, name) for name in Scene.__slots__}
    fields |= {name.capitalize(): sentence(fields[name]) for name in ("units", "target", "a")}
    when = rng.choice(words.before if state[0] else words.after)
    other = rng.choice(words.idle if state[1] else words.acts)
    stem = words.stem.format(when=when.format(**fields), other=other.format(**fields), **fields)
    first = Point(
        words.weigh.format(**fields),
        words.not_weigh.format(**fields),
        ((Causes("X", "A"), False),),
        f"{scene.a} was fixed before the treatment, so its spread at {scene.target} is the spread under "
        f"treatment too."
        if state[0]
        else f"{scene.a} is moved by the treatment: its spread at {scene.target}, untreated, is not what "
        f"treatment "
        "would make of it, and weighting by it drops that part of the effect.",
        True,
    )
    second = Point(
        words.harmless.format(**fields),
        words.harmful.format(**fields),
        ((Separated("D", "Y", ("A", "S", "X")), True),),
        "the other difference bears on who would take the treatment, which chance decided in the study."
        if state[1]
        else "the other difference changes what the treatment does and was not measured, so nothing adjusts "
        "for it.",
        False,
    )
    return Draft(
        dag(GRAPHS[state]),
        stem,
        combined(first, second, state),
        f"transportability/base/{number}",
        scene.name,
        f"covariate={state[0]} idle={state[1]}",
    )
