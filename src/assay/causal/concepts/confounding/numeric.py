"""Numeric: one table, several estimands; what is asked, and when the covariate was recorded, decide."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.confounding.scenes import Scene
from assay.causal.draft import Draft, Kind
from assay.causal.draws import until
from assay.causal.options.numbered import Figure, figures
from assay.causal.queries import Term, adjusted_difference, counterfactual, crude, effect, p
from assay.causal.scm import Scm, binary
from assay.causal.wording.figures import points
from assay.causal.wording.tables import table
from assay.causal.wording.telling import fields

ASKED = ("all", "treated", "untreated", "crude")
WEIGHTS = (9, 4, 4, 3)
LEAST = Fraction(15, 1000)
Rows = dict[tuple[int, ...] | int, Fraction]
Cells = dict[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Words:
    """One wording; `when` and `ask` by what is asked, `{figures}` is the table or list of counts."""

    stem: str
    row: str
    all: str
    treated: str
    untreated: str


WORDINGS = (
    Words(
        "{Setting} has counted {units} by {z}, by what was done, and by result:\n\n{figures}\n\n{when}. "
        "{bears}. The choice was not otherwise linked to the result.\n\n{ask}",
        "",
        "Suppose all the {units} counted had been among those {that} {x}, or else all among those {that} "
        "{x_no}: by how much would the share {that} {y} differ, the former minus the latter?",
        "Take the {units} {that} {x}. By how much does the share of them {that} {y} differ from the share "
        "that would have been found in these same {units} had they been among those {that} {x_no}?",
        "Take the {units} {that} {x_no}. By how much would the share of them {that} {y} have been different "
        "from what it was if these same {units} had been among those {that} {x}?",
    ),
    Words(
        "From a report of {setting} on {units} and on the step by which some of them {x} while others "
        "{x_no}:\n\n{figures}\n\nA footnote adds: {bears}. {when}. Other causes of the outcome had no say "
        "in what was in which group.\n\n{ask}",
        '- {units} with {z} "{level}" {that} {group}: {n}, of which {hit} {y}',
        "The editor asks for one number: the difference that the step makes to the share {that} {y}, "
        "averaged over the whole of these {units}, with the step minus without. Which is it?",
        "The editor asks for one number: the difference that the step made to the share {that} {y} where it "
        "was taken, that is, averaged over {units} {that} {x}, with the step minus without. Which is it?",
        "The editor asks for one number: the difference that the step would have made to the share {that} "
        "{y} where it was omitted, averaged over {units} {that} {x_no}, with the step minus without. Which "
        "is it?",
    ),
    Words(
        "Exercise from a workshop at {setting}. Group A is made up of {units} {that} {x}, group B of those "
        "{that} {x_no}. A hit is one of the {units} {that} {y}. Background: {when}. {bears}. Treat "
        "everything else as irrelevant to the grouping, and the counts as free of chance "
        "error.\n\n{figures}\n\n{ask}",
        "",
        "Find the average causal effect on the share of hits, A against B, for groups A and B together.",
        "Find the average causal effect on the share of hits, A against B, for the members of group A.",
        "Find the average causal effect on the share of hits, A against B, for the members of group B.",
    ),
)


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw what is asked and the key's rank, then counts that put it there."""
    number, rank = rng.randrange(len(WORDINGS)), rng.randrange(4)
    asked, central = rng.choices(ASKED, WEIGHTS)[0], rng.random() < 0.5
    words = WORDINGS[number]

    def attempt() -> Draft | None:
        cells = draw(rng)
        world = model(cells, mediated=asked == "crude")
        key, others = estimands(asked, rng)
        target = targets()[asked]
        answers = figures(
            world, key, others, rank, show=points, places=3, least=LEAST, central=central, target=target
        )
        if answers is None:
            return None
        return Draft(
            world,
            tell(words, scene, cells, asked, rng),
            answers,
            f"confounding/numeric/{number}",
            scene.name,
            f"asked={asked}",
            (("crude difference", crude("X", "Y")), ("adjusted", adjusted_difference("X", "Y", ("Z",)))),
        )

    return until(attempt)


def draw(rng: random.Random) -> Cells:
    """Draw for each treatment and covariate how many units there are, and how many have the outcome."""
    cells = {}
    for key in ((0, 0), (0, 1), (1, 0), (1, 1)):
        size = rng.randint(40, 400)
        cells[key] = size, rng.randint(size // 20, size - size // 20)
    return cells


def model(cells: Cells, *, mediated: bool) -> Scm:
    """Return the model that has exactly these counts, the covariate a common cause or a mediator."""
    size = {key: Fraction(n) for key, (n, _) in cells.items()}
    outcome = binary("Y", "X Z", {key: Fraction(hit, n) for key, (n, hit) in cells.items()})
    whole = sum(size.values())
    if mediated:
        by_x = {x: size[x, 0] + size[x, 1] for x in (0, 1)}
        split: Rows = {x: size[x, 1] / by_x[x] for x in (0, 1)}
        return Scm((binary("X", "", by_x[1] / whole), binary("Z", "X", split), outcome))
    by_z = {z: size[0, z] + size[1, z] for z in (0, 1)}
    taken: Rows = {z: size[1, z] / by_z[z] for z in (0, 1)}
    return Scm((binary("Z", "", by_z[1] / whole), binary("X", "Z", taken), outcome))


def targets() -> dict[str, Term]:
    """Return the causal quantities that can be asked for."""
    taken, not_taken = {"X": 1}, {"X": 0}
    return {
        "all": effect("X", "Y"),
        "treated": p({"Y": 1}, taken) - counterfactual({"Y": 1}, not_taken, given=taken),
        "untreated": counterfactual({"Y": 1}, taken, given=not_taken) - p({"Y": 1}, not_taken),
        "crude": effect("X", "Y"),
    }


def estimands(asked: str, rng: random.Random) -> tuple[Figure, list[Figure]]:
    """Return the figure asked for, and three others: the plain and the adjusted one are always there."""
    strata = [crude("X", "Y", given={"Z": level}) for level in (0, 1)]
    plain = Kind.REFLEX if asked != "crude" else Kind.PARTIAL
    whole = Kind.PARTIAL if asked != "crude" else Kind.REFLEX
    found = {
        "all": Figure(
            adjusted_difference("X", "Y", ("Z",)),
            "the difference standardised to the whole population's mix of the covariate",
            whole,
        ),
        "treated": Figure(
            adjusted_difference("X", "Y", ("Z",), weights={"X": 1}),
            "the difference standardised to the mix of those with the step",
            Kind.MISAPPLIED,
        ),
        "untreated": Figure(
            adjusted_difference("X", "Y", ("Z",), weights={"X": 0}),
            "the difference standardised to the mix of those without the step",
            Kind.MISAPPLIED,
        ),
        "crude": Figure(crude("X", "Y"), "the plain difference between the two groups", plain),
        "even": Figure(
            (strata[0] + strata[1]) / 2, "the unweighted mean of the differences within levels", Kind.PARTIAL
        ),
        "across": Figure(
            crude("Z", "Y"), "the difference by level of the covariate, not by the step", Kind.REVERSED
        ),
    }
    rest = sorted(found.keys() - {asked, "all", "crude"})
    shown = [name for name in ("all", "crude") if name != asked]
    shown += rng.sample(rest, 3 - len(shown))
    return found[asked], [found[name] for name in shown]


def tell(words: Words, scene: Scene, cells: Cells, asked: str, rng: random.Random) -> str:
    """Return the stem."""
    texts = fields(scene)
    rows = [(x, z, *cells[x, z]) for x in (1, 0) for z in (0, 1)]
    named = {"z": (scene.z_low, scene.z_high), "x": (scene.x_no, scene.x)}
    if words.row:
        shown = "\n".join(
            words.row.format(**texts, level=named["z"][z], group=named["x"][x], n=n, hit=hit)
            for x, z, n, hit in rng.sample(rows, 4)
        )
    elif "Group A" in words.stem:
        header: tuple[str, ...] = (scene.z, "group A", "hits in A", "group B", "hits in B")
        shown = table(
            header, [(named["z"][z], *map(str, (*cells[1, z], *cells[0, z]))) for z in rng.sample((0, 1), 2)]
        )
    else:
        header = (scene.z, f"{scene.units} {scene.that} …", "number", f"of which {scene.y}")
        shown = table(header, [(named["z"][z], named["x"][x], str(n), str(hit)) for x, z, n, hit in rows])
    question = {"treated": words.treated, "untreated": words.untreated}.get(asked, words.all)
    when = scene.after if asked == "crude" else scene.before
    return words.stem.format(**texts, figures=shown, when=when, ask=question.format(**texts))
