"""Trap: much was lost and nothing is distorted, or hardly anything was lost and what is left misleads."""

from __future__ import annotations

import random

from assay.causal.concepts.survivorship.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import Pair
from assay.causal.options.told import Facts, Wording, by_both, graphs, told
from assay.causal.proof.proof import Claim
from assay.causal.queries import Separated
from assay.causal.wording.telling import fields


def claims(pair: Pair) -> tuple[Claim, ...]:
    """Return what is claimed: whether the mark is as frequent as at the start, and goes with the same."""
    return (
        Claim(Separated("M", "S", ("D",)), pair[0]),
        Claim(Separated("Y", "S", ("D", "M")), pair[1]),
    )


SHARED = "D>M D>S D>Y M>Y M>B Y>B S>B"
"""The year bears on mark, lasting and outcome; a medal is given for mark, outcome and lasting."""

FACTS = Facts(
    graphs(SHARED, f"{SHARED} U>S U>Y", f"{SHARED} M>S", f"{SHARED} M>S U>S U>Y", hidden="U"),
    claims,
    ("how frequent the mark was", "what goes with the mark"),
    (
        "Going had nothing to do with {mark}: its frequency among those left is that of the start.",
        "Going depended on {mark}: its frequency among those left is not that of the start.",
    ),
    (
        "Given {mark}, those left are like those gone in all that bears on the outcome.",
        "Even given {mark}, those left differ from those gone in {trait}, which bears on the outcome.",
    ),
    (False, True),
)


def _cues(few: str, most: str) -> tuple[tuple[str, ...], ...]:
    """Return how many are left, by state: mostly few where those left serve, many where they do not.

    A cue that stood with one state alone would be as good as the answer, so either stands with all.
    """
    return ((few, few, few, most), (few, most), (few, most), (few, most, most, most))


WORDINGS = (
    Wording(
        "Of the {units} once entered by {setting}, {cue}. Some of those to be seen have {mark}, borne from "
        "the first "
        "day; others do not. (A medal has since gone to some, in view of {mark}, of the outcome, and of "
        "their being "
        "there at all. Leave it aside.) The year of entry bears on everything, so each step below is taken "
        "among "
        "{units} of one and the same year.\n\nOne wants to infer two things from those to be seen: (a) how "
        "large a "
        "part of all {who} were entered had {mark}; (b) what share of all those with {mark} {y}, or would "
        "have if none "
        "had gone. Why the missing ones {gone} has been cleared up: year apart, {cause}.\n\nWhich "
        "inference is sound?",
        {
            "cue": by_both(
                *_cues(
                    "a mere {few}% are still to be seen, survivors of a great dying",
                    "no fewer than {most}% are still to be seen, so that hardly a gap remains",
                )
            ),
            "cause": by_both(
                (
                    "a fire in one wing, a flooded street, a wrong date: misfortunes that struck with no "
                    "regard to any "
                    "quality of theirs, {mark} and {trait} included",
                    "each year a number was pulled from a hat, and whatever bore it had to go, regardless "
                    "of its "
                    "features or fortunes",
                ),
                (
                    "it turned on {trait} (of which no record exists), a quality unrelated to {mark} but "
                    "of weight for "
                    "the outcome; {mark} itself made nobody go or stay",
                    "{mark} was irrelevant to it, {trait} was not; and the latter, nowhere on record and "
                    "spread alike "
                    "over those with and without {mark}, has a say in the outcome",
                ),
                (
                    "{mark} made them more likely to go; beyond that, nothing that has a bearing on the "
                    "outcome, such as "
                    "{trait}, was involved",
                    "an order went out that fell mainly on those with {mark}, and otherwise spared this "
                    "one and took that "
                    "one by mere chance",
                ),
                (
                    "both {mark} and {trait} (of which no record exists) bore on it, and the second of these "
                    "has weight for the outcome too",
                    "those with {mark} were likelier to go, and so were those of low {trait}, nowhere on "
                    "record and "
                    "with a say in the outcome",
                ),
            ),
        },
        ("(a) is sound", "(a) is not sound"),
        ("(b) is sound", "(b) is not sound"),
    ),
    Wording(
        'Exhibition text: "Remember the bombers that came home. Look at what did not come home!" A visitor '
        "thinks of "
        "the {units} of {setting} and of {mark}, which some had when they began. {Cue}. On those {who} "
        "{left} the "
        "visitor has counted (i) the share with {mark} and (ii) what share of those with it {y}; both "
        "within a "
        "single vintage, because vintages differ in all respects. A plaque at the door honours some, "
        "chosen for {mark}, "
        "for the outcome and for still being around, but the visitor pays no heed to it.\n\nThe curator "
        "knows the "
        "story of those of that vintage {who} {gone}: {cause}.\n\nCan (i) stand for the share among all "
        "that began, and "
        "can (ii) for the share with the outcome among all with {mark}, had every one lasted?",
        {
            "cue": by_both(
                *_cues(
                    "The parallel seems close: {few} in a hundred are left",
                    "The parallel seems remote: {most} in a hundred are left",
                )
            ),
            "cause": by_both(
                (
                    "they were taken blindly, and neither {mark} nor {trait} nor anything else about them "
                    "told for or "
                    "against",
                    "chance alone had its way with them",
                ),
                (
                    "they were picked without an eye to {mark}; {trait} did count, which nobody wrote down, "
                    "which has nothing to do with {mark}, and which also shapes the outcome",
                    "{trait} decided their fate and shapes the outcome as well (it went unwritten, and has "
                    "no link with "
                    "{mark}); {mark} had no voice in their fate",
                ),
                (
                    "they were picked with an eye to {mark} and to nothing else, in particular not to "
                    "{trait}",
                    "{mark} had a voice in their fate; after it, blind chance did, and no force behind the "
                    "outcome",
                ),
                (
                    "they were picked with an eye to {mark}, and {trait} counted too, which nobody wrote "
                    "down and which "
                    "also shapes the outcome",
                    "{mark} had a voice in their fate; {trait} did as well, and shapes the outcome (it "
                    "went unwritten)",
                ),
            ),
        },
        ("(i) can", "(i) cannot"),
        ("(ii) can too", "(ii) cannot"),
        "{first}, {second}.",
    ),
    Wording(
        '"Survivors lie," says the slogan on the wall of {setting}. Inspector\'s brief: decide whether '
        "they do here. "
        "Cohort: {units}, with or without {mark} from day one. Present at inspection: {cue}. Absent "
        "because they {gone}. "
        "Cause of absence within a cohort year, per inquest: {cause}. Year: a cause of all the rest, held "
        "fixed "
        "throughout. Hidden: {trait}. Certificate (awarded on presence, {mark} and outcome): "
        "ignored.\n\nUse 1: "
        "estimate the day-one prevalence of {mark} by its prevalence at inspection. Use 2: estimate, by "
        "the share "
        "that {y} of those present with {mark}, what that share would be with none absent.",
        {
            "cue": by_both(*_cues("{few}%", "{most}%")),
            "cause": by_both(
                (
                    "an accident blind to all characteristics",
                    "a lottery that knew neither merit nor {mark}",
                ),
                (
                    "low {trait}, a factor in the outcome; {mark} unconnected with it and without "
                    "influence on absence",
                    "{trait} (a factor in the outcome, distributed independently of {mark}), and no other",
                ),
                (
                    "{mark} as one factor, luck as the other; no factor in the outcome besides",
                    "a rule that looked at {mark} and then rolled dice",
                ),
                (
                    "{mark} as one factor, {trait} as the other, the latter being a factor in the outcome",
                    "low {trait}, a factor in the outcome, and also {mark}, which made absence likelier",
                ),
            ),
        },
        ("Use 1 is warranted", "Use 1 is unwarranted"),
        ("use 2 is warranted", "use 2 is unwarranted"),
    ),
)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw what made units go; how many went mostly points the other way where both facts agree."""
    texts = fields(scene, few=str(rng.randint(12, 24)), most=str(rng.randint(91, 97)))
    return told(rng, "survivorship/trap", WORDINGS, FACTS, texts, scene.name)
