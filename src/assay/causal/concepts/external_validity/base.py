"""Base: do those who took part gain like the rest, and does the file show what those who took part gained?"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.external_validity.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS
from assay.causal.options.two_facts import Point, combined
from assay.causal.queries import Compare, crude, effect
from assay.causal.scm import Scm, binary

TENTH = Fraction(1, 10)
JOINED, STAYED = {"P": 1}, {"P": 1, "R": 1}


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: `same`/`other` tell how the gain depends on v, `chance`/`choosy` who was lost."""

    stem: str
    same: tuple[str, ...]
    other: tuple[str, ...]
    chance: tuple[str, ...]
    choosy: tuple[str, ...]
    everybody: str
    not_everybody: str
    file: str
    not_file: str


WORDINGS = (
    Words(
        "All of {whole} were invited to a trial; about a fifth joined, {v_high} being far more usual among "
        "them than among those {who} stayed away. In other respects the two do not differ. A coin decided "
        "which of the participants {x} and which {x_no}, and in the end it was counted how many {y}. "
        "{one}\n\nNot every participant could be traced at the end. {two}\n\nTwo statements are to be "
        "judged. First, that treatment changes the share that {y}, in percentage points, by the same amount "
        "among participants and among all of {whole}. Second, that the traced participants display the "
        "amount by which it changed among participants. What is right?",
        (
            "Those with {v_low} and those with {v_high} {y} at very unlike rates, yet treatment adds the "
            "same number of points to either rate.",
            "How often {units} {y} depends a good deal on {v}; how many points treatment adds to that does "
            "not.",
        ),
        (
            "Treatment adds three times as many points for those with {v_high} as for those with {v_low}.",
            "How many points treatment adds depends a good deal on {v}.",
        ),
        (
            "The missing were those whose sheets were soaked when a pipe burst in the office.",
            "A fault in the telephone system cut off calls without regard to who was being called.",
        ),
        (
            "Untreated participants mostly reported back whatever had happened, treated ones when it had "
            "gone well.",
            "It took both to lose sight of somebody: having been treated, and not having succeeded.",
        ),
        "the first statement is true",
        "the first statement is false",
        "the second is true",
        "the second is false",
    ),
    Words(
        "Letter to the editor. “The authors invited {whole}, let volunteers come forward, let chance "
        "decide which of them {x} and which {x_no}, and report a difference in the share that {y}. Two "
        "matters deserve a word. Volunteers are a peculiar lot: {v_high} prevails among them, {v_low} "
        "in the rest, though in nothing else are they set apart. {one} And the difference was worked out "
        "from the volunteers who handed in the closing form. {two}”\n\nThe letter goes on to ask whether "
        "the volunteers' gain, in points, is the gain that everybody invited would have had, and whether "
        "the closing forms give the volunteers' gain. Which reply is correct?",
        (
            "The authors show the two kinds starting from different levels and rising by equal steps.",
            "In the authors' tables {v} shifts both arms up or down together, by one and the same distance.",
        ),
        (
            "The authors show that the step upwards is steep for one of these two kinds and slight for the "
            "other.",
            "In the authors' tables {v} separates those who respond from those who hardly do.",
        ),
        (
            "Which forms reached the authors was a matter of a mailbag lost between two post offices.",
            "Forms had been requested from every second name of an alphabetical list.",
        ),
        (
            "Failures in one arm tended to keep their form to themselves, failures in the other did not.",
            "Whether a form came in reflected the arm, and also whether there was a success to be told.",
        ),
        "everybody's gain is the volunteers' gain",
        "everybody's gain is not the volunteers' gain",
        "the closing forms reveal the latter faithfully",
        "the closing forms reveal the latter distortedly",
    ),
    Words(
        "Protocol review, trial among {whole}\n1. Entry: by answering a call. Share with {v_high}: high "
        "among those {who} answered, low among those {who} did not; no further difference.\n2. Arms: {x} / "
        "{x_no}, drawn by computer after entry.\n3. Endpoint: whether they {y}; measure: risk "
        "difference.\n4. Role of {v}: {one}\n5. Data lost between entry and endpoint: {two}\n\nThe reviewer "
        "distinguishes the step from those who entered to all of {whole} (A) from the step from the data "
        "kept to those who entered (B). Which finding is justified?",
        (
            "changes the endpoint's frequency and leaves the risk difference alone.",
            "prognostic; risk differences agree across its levels.",
        ),
        (
            "changes the risk difference itself.",
            "risk differences disagree across its levels, manifestly.",
        ),
        (
            "a random tenth, through a disk error.",
            "whatever had been typed in by one clerk, who had been handed every fourth record.",
        ),
        (
            "chiefly failures of the treated arm.",
            "depending on the arm together with the endpoint reached.",
        ),
        "step A is safe",
        "step A is unsafe",
        "step B is safe",
        "step B is unsafe",
    ),
)


def model(state: tuple[bool, bool]) -> Scm:
    """Return a model in which v changes the gain or not, and being lost depends on arm and outcome or not."""
    gain = {0: 2 * TENTH, 1: 2 * TENTH} if state[0] else {0: TENTH, 1: 3 * TENTH}
    lost: dict[tuple[int, ...] | int, Fraction] = {
        (x, y): TENTH * (8 if state[1] else 4 + 3 * y if x else 8) for x in (0, 1) for y in (0, 1)
    }
    return Scm(
        (
            binary("V", "", 3 * TENTH),
            binary("P", "V", {0: TENTH, 1: 4 * TENTH}),
            binary("X", "P", {0: TENTH, 1: 5 * TENTH}),
            binary("Y", "X V", {(x, v): (2 + 3 * v) * TENTH + x * gain[v] for x in (0, 1) for v in (0, 1)}),
            binary("R", "X Y", lost),
        )
    )


MODELS = {state: model(state) for state in PAIRS}


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw which of the two steps is safe, each of four combinations being as likely as another."""
    number = rng.randrange(len(WORDINGS))
    words, state = WORDINGS[number], rng.choice(PAIRS)
    fields = {name: getattr(scene, name) for name in Scene.__slots__}
    one = rng.choice(words.same if state[0] else words.other).format(**fields)
    two = rng.choice(words.chance if state[1] else words.choosy).format(**fields)
    first = Point(
        words.everybody,
        words.not_everybody,
        ((Compare(effect("X", "Y", given=JOINED), "=", effect("X", "Y")), True),),
        f"who took part differs in {scene.v}, which moves the level but not the difference."
        if state[0]
        else f"who took part differs in {scene.v}, and the difference changes with it.",
        False,
    )
    second = Point(
        words.file,
        words.not_file,
        ((Compare(crude("X", "Y", given=STAYED), "=", effect("X", "Y", given=JOINED)), True),),
        "those lost were lost without regard to arm and outcome, so the arms stay comparable."
        if state[1]
        else "being lost depended on arm and outcome together, so the remaining arms are no longer "
        "comparable.",
        False,
    )
    return Draft(
        MODELS[state],
        words.stem.format(one=one, two=two, **fields),
        combined(first, second, state),
        f"external-validity/base/{number}",
        scene.name,
        f"prognostic={state[0]} random loss={state[1]}",
        (
            ("effect in all", effect("X", "Y")),
            ("effect in participants", effect("X", "Y", given=JOINED)),
            ("difference on file", crude("X", "Y", given=STAYED)),
        ),
    )
