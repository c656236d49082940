"""Effects that can and cannot be computed from what is measured, from the literature and on random graphs."""

from __future__ import annotations

import random

import pytest
from causal_worlds import graph
from every_row import every_row

from assay.causal.proof.counted.route import Counted
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Proof, Route, answer
from assay.causal.queries import AdjustmentExists, Identifiable, ValidFrontDoor
from assay.causal.scm import Dag, dag
from assay.causal.solvers.naive import adjusting, marginal
from assay.core.errors import InvalidInput

BOW = dag("U>X U>Y X>Y", hidden="U")
NAPKIN = dag("W>Z Z>X X>Y U>W U>X V>W V>Y", hidden="U V")
HAND_WORKED: list[tuple[str, Dag, bool]] = [
    ("bow (Pearl 2009, figure 3.9a)", BOW, False),
    ("hidden cause of X and a mediator (figure 3.9b)", dag("X>Z Z>Y U>X U>Z", hidden="U"), False),
    ("instrument", dag("Z>X X>Y U>X U>Y", hidden="U"), False),
    ("front door (Pearl 1995)", dag("X>Z Z>Y U>X U>Y", hidden="U"), True),
    ("front door spoilt", dag("X>Z Z>Y U>X U>Y V>Z V>Y", hidden="U V"), False),
    ("front door with a second arrow", dag("X>Z Z>Y X>Y U>X U>Y", hidden="U"), False),
    ("napkin (Pearl and Mackenzie 2018)", NAPKIN, True),
    ("confounder on record", dag("Z>X Z>Y X>Y"), True),
    ("M graph", dag("U>X U>M V>M V>Y X>Y", hidden="U V"), True),
    ("M graph in which M is a cause of X as well", dag("U>X U>M V>M V>Y X>Y M>X", hidden="U V"), False),
    ("M graph in which M confounds as well", dag("U>X U>M V>M V>Y X>Y M>X M>Y", hidden="U V"), False),
    ("no effect", dag("U>X U>Y", hidden="U"), True),
    ("hidden mediator", dag("X>U U>Y", hidden="U"), True),
    ("hidden mediator between two effects", dag("X>U U>Y U>Z", hidden="U"), True),
]


def random_graph(seed: int) -> tuple[Dag, str, str]:
    """Return a graph of 4 to 8 variables, up to 4 hidden, with a treatment that comes before the outcome."""
    rng = random.Random(f"identification {seed}")
    names = "ABCDEFGH"[: 4 + seed % 5]
    hidden = rng.sample(names[:-1], rng.randint(1, min(4, len(names) - 2)))
    found = graph(rng, list(names), rng.choice([0.4, 0.5, 0.6, 0.8]), hidden=hidden)
    treatment, outcome = sorted(rng.sample(found.observed, 2), key=found.names.index)
    return found, treatment, outcome


@every_row("what, world, identifiable", HAND_WORKED, ids=[row[0] for row in HAND_WORKED])
def test_graphs_of_the_literature(what: str, world: Dag, identifiable: bool) -> None:
    """Both routes find what is known of the textbooks' graphs."""
    assert Proof(world).holds(Identifiable("X", "Y")) is identifiable


def test_the_napkin_needs_more_than_adjustment_and_front_door() -> None:
    """The effect is a ratio of two adjusted quantities; no simpler criterion holds."""
    proof = Proof(NAPKIN)

    assert proof.holds(Identifiable("X", "Y"))
    assert not proof.holds(AdjustmentExists(("X",), "Y"))
    assert not any(proof.holds(ValidFrontDoor("X", "Y", (name,))) for name in "WZ")


def test_one_more_record_makes_the_effect_identifiable() -> None:
    """With two hidden common causes either record alone is not enough."""
    proof = Proof(dag("U>X U>Y V>X V>Y X>Y", hidden="U V"))

    assert not proof.holds(Identifiable("X", "Y", ("U",)))
    assert proof.holds(Identifiable("X", "Y", ("U", "V")))


def test_the_routes_agree_on_random_graphs() -> None:
    """The algorithm and the search for two models that look alike agree, and both answers occur."""
    answers = []
    for seed in range(300):
        world, treatment, outcome = random_graph(seed)
        proof = Proof(world)
        answers.append(proof.holds(Identifiable(treatment, outcome)))
        proof.holds(Identifiable(treatment, outcome, (min(world.hidden),)))

    assert 40 < sum(answers) < 260


@pytest.mark.parametrize("route", [Derived(BOW), Counted(BOW)], ids=["derived", "counted"])
def test_an_unmeasured_treatment_is_refused(route: Route) -> None:
    """What is not measured has no effect that the distribution could tell."""
    with pytest.raises(InvalidInput, match="measured"):
        route.holds(Identifiable("U", "Y"))


def test_naive_readers_find_effects_identifiable() -> None:
    """For one it always is; the other asks whether something measured lies on each back-door path."""
    covered = dag("U>X U>M V>M V>Y X>Y X>Z Z>Y W>Z W>X", hidden="U V W")

    assert answer(Derived(BOW), marginal(Identifiable("X", "Y"), BOW)) is True
    assert answer(Derived(BOW), adjusting(Identifiable("X", "Y"), BOW)) is False
    assert answer(Derived(covered), adjusting(Identifiable("X", "Y"), covered)) is True
    assert not Proof(covered).holds(Identifiable("X", "Y"))
