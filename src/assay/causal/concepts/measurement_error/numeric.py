"""Numeric: correcting recorded rates with sensitivity and specificity, then standardising over two strata."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.measurement_error.scenes import Scene
from assay.causal.draft import Answer, Draft, Kind
from assay.causal.draws import chance, until
from assay.causal.options.asked import asked
from assay.causal.options.numbered import Figure
from assay.causal.queries import Term, effect, p
from assay.causal.scm import Scm, binary
from assay.causal.wording.figures import percent, points
from assay.causal.wording.filled import filled
from assay.causal.wording.tables import table

Quality = tuple[Fraction, Fraction]
"""Sensitivity and specificity."""
STATES = ("1 1", "1 2", "2 1", "2 2")


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, the table's head, and which tool was used for the treated and the untreated."""

    stem: str
    header: tuple[str, str, str]
    used: dict[str, str]


WORDINGS = (
    Words(
        "For {setting}, two examiners, Mr One and Ms Two, decided from papers which {units} {y}. Put to "
        "the test, One recognised {se1} of the true cases and cleared {sp1} of the others; Two recognised "
        "{se2} and cleared {sp2}. {used}\n\nIn each class of {z} chance decided about the treatment, "
        "though not at the same rate, and {share} of the {units} are in the class {z_high}. Shares that "
        "were declared cases:\n\n{table}\n\nTreated means that they {x}; untreated, that they {x_no}. By "
        "how much does the treatment really change the share of cases, taken over all {units}?",
        ("{Z}", "treated", "untreated"),
        {
            "1 1": "All papers, of treated and untreated alike, went to One; Two was ill.",
            "1 2": "Papers of treated ones went to One and papers of untreated ones to Two.",
            "2 1": "Papers of untreated ones went to One and papers of treated ones to Two.",
            "2 2": "All papers, of treated and untreated alike, went to Two; One was ill.",
        },
    ),
    Words(
        "Positive readings among {units}, by {z} and by whether they {x} (exposed) or {x_no} (not "
        "exposed), were reported to {setting} as follows:\n\n{table}\n\nPositive should mean that they "
        "{y}, and would if the readers were perfect. Device 1 has a sensitivity of {se1} and a specificity "
        "of {sp1}; device 2 has {se2} and {sp2}. {used} Within each line exposure is as good as random; "
        "lines differ in how common it is. The line {z_high} stands for {share} of the whole.\n\nWhat is "
        "the difference, exposed minus not exposed, that perfect readers would have found after "
        "standardisation to the whole?",
        ("Line", "exposed", "not exposed"),
        {
            "1 1": "The exposed had been read by device 1, and so had the others.",
            "1 2": "The exposed had been read by device 1, but device 2 read the others.",
            "2 1": "The exposed had been read by device 2, but device 1 read the others.",
            "2 2": "The exposed had been read by device 2, and so had the others.",
        },
    ),
    Words(
        "Problem 7. There are two ways of finding out whether {units} are among those {who} {y}: an "
        "inspection, which says yes for {se1} of those {who} are and no for {sp1} of those {who} are "
        "not, "
        "and a register, for which these figures are {se2} and {sp2}. A study by {setting} had two arms "
        "(arm A: {x}; arm B: {x_no}), randomised with different odds in two strata of {z}. {used} The "
        "proportions of yes were\n\n{table}\n\nand {share} of the population belong to the stratum "
        "{z_high}. Both ways err independently of everything else. Find the average effect, A minus B, on "
        "the true proportion in the population.",
        ("Stratum", "arm A", "arm B"),
        {
            "1 1": "In arm A the inspection was used; in arm B it was the inspection too.",
            "1 2": "In arm A the inspection was used; in arm B it was the register instead.",
            "2 1": "In arm A the register was used; in arm B it was the inspection instead.",
            "2 2": "In arm A the register was used; in arm B it was the register too.",
        },
    ),
)


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw recorded rates and two tools; which tool was used on whom is drawn apart, and is the question."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(STATES)
    words = WORDINGS[number]
    seen, tools, share, world, answers = until(lambda: _drawn(rng, state))
    header = [name.format(Z=scene.z.capitalize()) for name in words.header]
    rows = [
        (name, percent(seen[w, 1]), percent(seen[w, 0])) for w, name in ((1, scene.z_high), (0, scene.z_low))
    ]
    stem = filled(
        words.stem,
        scene,
        table=table(header, rows),
        used=words.used[state],
        share=percent(share, 0),
        **{f"se{k}": percent(tools[k][0], 0) for k in (1, 2)},
        **{f"sp{k}": percent(tools[k][1], 0) for k in (1, 2)},
    )
    recorded = recorded_difference()
    derivation = (("recorded difference, standardised", recorded), ("true effect", effect("X", "Y")))
    template = f"measurement-error/numeric/{number}"
    return Draft(world, stem, answers, template, scene.name, state, derivation, records=(("Y", "R"),))


def recorded_difference() -> Term:
    """Return the standardised difference of the recorded rates, uncorrected."""
    return corrected(((Fraction(1), Fraction(1)), (Fraction(1), Fraction(1))))


def corrected(tools: tuple[Quality, Quality]) -> Term:
    """Return the standardised difference of rates corrected as if these tools had been used.

    The first is taken for the treated, the second for the untreated: (rate + sp - 1) / (se + sp - 1), as in
    Rogan and Gladen (1978).
    """

    def rate(w: int, x: int) -> Term:
        se, sp = tools[1 - x]
        return (p({"R": 1}, {"W": w, "X": x}) + (sp - 1)) / (se + sp - 1)

    return (rate(1, 1) - rate(1, 0)) * p({"W": 1}) + (rate(0, 1) - rate(0, 0)) * p({"W": 0})


def study(
    share: Fraction,
    exposed: tuple[Fraction, Fraction],
    true: Mapping[tuple[int, int], Fraction],
    tools: tuple[Quality, Quality],
) -> Scm:
    """Return the model: W stratum, X exposure, Y true and R recorded outcome.

    `true` is P(Y=1 | W, X); `tools` are those used for the treated and for the untreated.
    """
    return Scm(
        (
            binary("W", "", share),
            binary("X", "W", {0: exposed[0], 1: exposed[1]}),
            binary("Y", "W X", {tuple(key): rate for key, rate in true.items()}),
            binary(
                "R",
                "Y X",
                {(y, x): tools[1 - x][0] if y else 1 - tools[1 - x][1] for y in (0, 1) for x in (0, 1)},
            ),
        )
    )


Drawn = tuple[dict[tuple[int, int], Fraction], dict[int, Quality], Fraction, Scm, tuple[Answer, ...]]


def _drawn(rng: random.Random, state: str) -> Drawn | None:
    step, tenth = Fraction(1, 20), Fraction(1, 10)
    tools = {
        k: (chance(rng, 13 * step, 19 * step, step), chance(rng, 13 * step, 19 * step, step)) for k in (1, 2)
    }
    if tools[1][0] == tools[2][0] or tools[1][1] == tools[2][1] or sum(tools[1]) == sum(tools[2]):
        return None
    seen = {(w, x): chance(rng, 8 * step, 13 * step, Fraction(1, 100)) for w in (0, 1) for x in (0, 1)}
    for (se, sp), rate in itertools.product(tools.values(), seen.values()):
        if not step <= (rate + sp - 1) / (se + sp - 1) <= 1 - step:
            return None
    share, exposed = (
        chance(rng, 2 * tenth, 8 * tenth, tenth),
        (rng.choice((3, 6)) * tenth, rng.choice((4, 7)) * tenth),
    )
    used = tools[int(state[0])], tools[int(state[2])]
    true = {
        (w, x): (rate + used[1 - x][1] - 1) / (used[1 - x][0] + used[1 - x][1] - 1)
        for (w, x), rate in seen.items()
    }
    world = study(share, exposed, true, used)
    each = {
        name: Figure(
            effect("X", "Y") if name == state else corrected((tools[int(name[0])], tools[int(name[2])])),
            f"the standardised difference with {_tools(name)}",
            _kind(name, state),
        )
        for name in STATES
    }
    answers = asked(world, each, state, show=points, places=3, least=Fraction(1, 50))
    return None if answers is None else (seen, tools, share, world, answers)


def _tools(name: str) -> str:
    if name[0] == name[2]:
        return f"tool {name[0]}'s errors taken out of both groups"
    return f"tool {name[0]}'s errors taken out of the treated and tool {name[2]}'s out of the untreated"


def _kind(name: str, state: str) -> Kind:
    wrong = (name[0] != state[0]) + (name[2] != state[2])
    if wrong == 2:
        return Kind.REVERSED
    return Kind.REFLEX if name[0] == name[2] else Kind.MISAPPLIED if state[0] == state[2] else Kind.PARTIAL
