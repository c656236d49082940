"""Trap: values withheld for what they are and no harm to the slope, or few gaps that spoil everything."""

from __future__ import annotations

import random

from assay.causal.concepts.missing_data.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import Pair
from assay.causal.options.told import Facts, Wording, by_both, graphs, told
from assay.causal.proof.proof import Claim
from assay.causal.queries import Separated
from assay.causal.wording.telling import fields


def claims(pair: Pair) -> tuple[Claim, ...]:
    """Return what is claimed: of the outcome given the reading, and of the outcome overall."""
    return (
        Claim(Separated("Y", "R", ("X", "Z")), pair[0]),
        Claim(Separated("Y", "R", ("Z",)), pair[1]),
    )


SHARED = "Z>R Z>X Z>Y Y>B R>B"
"""The covariate is a cause of all; a later note is made in view of outcome and record."""

FACTS = Facts(
    graphs(
        f"{SHARED} U>X U>Y",
        f"{SHARED} U>X U>Y X>R",
        f"{SHARED} U>X U>Y V>X V>R",
        f"{SHARED} U>X U>Y X>R U>R",
        hidden="U V",
    ),
    claims,
    ("the relation", "the overall share"),
    (
        "Given the reading, a gap says nothing about the outcome: complete records show the relation as it "
        "is.",
        "Given the reading, a gap still says something about the outcome: complete records distort the "
        "relation.",
    ),
    (
        "Taken by itself a gap says nothing about the outcome: complete records show its share as it is.",
        "Taken by itself a gap says something about the outcome: complete records distort its share.",
    ),
    (None, True),
)

WORDINGS = (
    Wording(
        "For {units}, {setting} keeps a reading (of which {u} is one source) and whether they {y}, which "
        "the reading itself does not influence; {u} does. {Cue}. All that follows is done at one and the "
        "same {z}, since that plays into everything. (A remark that clerks add later, with an eye to gap "
        "and outcome, is not used.)\n\nOn the cause of the gaps in the reading, {z} apart, there is "
        "certainty: {cause}.\n\nFrom complete records alone two things are computed: (a) how the share "
        "{who} {y} varies with the reading; (b) the share {who} {y}, overall. Which of them holds for "
        "all "
        "{units} of that {z}?",
        {
            "cue": by_both(
                ("For fully {many}% there is no reading",),
                ("For some {mid}% there is no reading",),
                ("For some {mid}% there is no reading",),
                ("For a mere {few}% there is no reading, and a test for randomness raises no alarm",),
            ),
            "cause": by_both(
                (
                    "a machine dropped records without regard to their content",
                    "it lay in a misprinted batch of forms, handed out blindly",
                ),
                (
                    "high readings were withheld because they were high, and no other thing came into it",
                    "it was the reading: the lower it came out, the less readily it was disclosed, {u} "
                    "playing no part beyond what shows in the reading",
                ),
                (
                    "an old type of instrument, which no one noted, was apt to jam; such instruments also "
                    "read too high, and have no link with the outcome or {u}",
                    "it was the brand of the device, unnoted; one brand loses readings and shifts them, "
                    "though neither outcome nor {u} has to do with brands",
                ),
                (
                    "both the reading and {u} (not on file) had a part: with either out of line, the "
                    "reading was likelier to be withheld",
                    "high readings were withheld, and besides, at any reading, it was withheld more "
                    "often where {u}, of which there is no file, was unfavourable",
                ),
            ),
        },
        ("(a) holds", "(a) does not hold"),
        ("(b) holds", "(b) does not hold"),
    ),
    Wording(
        'Letter from a statistician to {setting}. "You told me that {cue} and asked if the rest will do. '
        "Let M be that measurement. It is a sign of {u}, not a cause of anything you study; the outcome "
        "is whether {units} {y}. You hold {z} fixed throughout, and rightly, for all else hangs on "
        "it; and you leave the reviewer's stamp out, which depends on outcome and gap. I have looked into "
        "the gaps. My finding is that {cause}. Hence, on complete cases: as for the curve of the outcome "
        "against M, and as for the plain proportion with the "
        'outcome, …" '
        "How does the sentence go on?",
        {
            "cue": by_both(
                ("{many} in a hundred cases lack a measurement",),
                ("{mid} in a hundred cases lack a measurement",),
                ("{mid} in a hundred cases lack a measurement",),
                ("no more than {few} in a hundred cases lack a measurement",),
            ),
            "cause": by_both(
                (
                    "they are the work of chance, pure and simple",
                    "a moth-eaten page was their cause, and moths cannot read",
                ),
                (
                    "M itself, and it alone, governs them: some values of M are more embarrassing than "
                    "others",
                    "they depend on the very number that is missing, and on nothing else",
                ),
                (
                    "the room where M was taken governs them; the room also colours M. Rooms were not "
                    "written down, and are irrelevant to {u} and outcome",
                    "they depend on who measured, and so does M. The person's name is lost. It has no "
                    "bearing on {u} or on the outcome",
                ),
                (
                    "M governs them together with {u}, which was not written down and is what shapes the "
                    "outcome",
                    "they depend on the number that is missing, and for equal numbers on {u} as well, of "
                    "which no account exists",
                ),
            ),
        },
        ("the curve is right", "the curve is wrong"),
        ("the proportion is right", "the proportion is wrong"),
        '"… {first}, {second}."',
    ),
    Wording(
        "Quiz for data stewards. Object: {units} ({setting}) within one level of {z}, a cause of "
        "everything below. Y = 1: they {y}. X: a proxy score that reflects {u}, a cause of Y; X has no "
        "effect on Y. X is missing for {gap}%. Cause of missingness: {cause}. W, written afterwards in the "
        "light of Y and of missingness, is disregarded.\n\nAmong complete pairs two estimates are formed: "
        "E[Y | X], and E[Y]. Compare with the values for the object as a whole.",
        {
            "gap": by_both(("{many}",), ("{mid}",), ("{mid}",), ("{few}",)),
            "cause": by_both(
                (
                    "every n-th line fell off the tape",
                    "noise in the line, independent of all contents",
                ),
                (
                    "a censor who sees X, and X only",
                    "X in person (values beyond a threshold are mostly blanked)",
                ),
                (
                    "a defect that afflicts some scorers; the same defect inflates X; it is unrelated to "
                    "{u} and Y and unrecorded",
                    "the edition of the questionnaire, unrecorded, unrelated to {u} and Y; it matters for "
                    "X too",
                ),
                (
                    "a censor who sees X and also has a feeling for {u}, unrecorded",
                    "X in person (values beyond a threshold are mostly blanked) and, at given X, the "
                    "unrecorded {u}",
                ),
            ),
        },
        ("E[Y | X] agrees", "E[Y | X] disagrees"),
        ("E[Y] agrees", "E[Y] disagrees"),
    ),
)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw what left the gaps; how many there are points the other way where both facts agree."""
    mid = rng.choice((rng.randint(3, 5), rng.randint(41, 58)))
    texts = fields(scene, many=str(rng.randint(41, 58)), mid=str(mid), few=str(rng.randint(3, 5)))
    return told(rng, "missing-data/trap", WORDINGS, FACTS, texts, scene.name)
