"""The two routes on sixteen published networks: separation, adjustment, effects."""

from __future__ import annotations

import random
import tarfile
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import networkx as nx
import pytest
from bif import read_bif
from causal_queries import adjusted, adjusted_difference, effect, p

from assay.causal.proof.counted.generic import MOST, Numbers, separated
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Proof
from assay.causal.queries import Compare, Separated, ValidAdjustment
from assay.causal.scm import Scm

pytestmark = pytest.mark.real

NETWORKS = {
    "alarm": 37, "andes": 223, "asia": 8, "cancer": 5, "child": 20, "earthquake": 5, "hailfinder": 56,
    "hepar2": 70, "insurance": 27, "link": 724, "munin1": 186, "pigs": 441, "sachs": 11, "survey": 6,
    "water": 32, "win95pts": 76,
}  # fmt: skip
SMALL = ("asia", "cancer", "earthquake", "survey")
MIDDLE = ("asia", "cancer", "earthquake", "survey", "sachs", "child", "alarm", "insurance")


@lru_cache
def network(folder: Path, name: str) -> Scm:
    with tarfile.open(folder / "bnlearn_bif_networks.tar.gz") as archive:
        member = next(each for each in archive.getmembers() if Path(each.name).name == f"{name}.bif")
        file = archive.extractfile(member)
        assert file is not None
        return read_bif(file.read().decode())


@pytest.mark.parametrize(("name", "size"), NETWORKS.items())
def test_separation_by_search_is_independence_in_numbers(shared_data: Path, name: str, size: int) -> None:
    """Where few enough variables lie upstream to enumerate, both routes say the same of random questions."""
    dag = network(shared_data, name).dag
    graph = nx.DiGraph(dag.edges)
    graph.add_nodes_from(dag.names)
    route, numbers, rng = Derived(dag), Numbers(dag), random.Random(name)
    small = [node for node in dag.names if len(nx.ancestors(graph, node)) < 5]
    asked = found = 0
    for _ in range(400):
        left, right, *given = rng.sample(small, min(len(small), rng.randint(2, 5)))
        upstream = {left, right, *given}.union(*(nx.ancestors(graph, n) for n in (left, right, *given)))
        if len(upstream) > min(MOST, 12):
            continue
        asked += 1
        said = route.holds(Separated(left, right, tuple(given)))
        found += said
        assert said == separated(numbers, left, right, given)

    assert len(dag.names) == size
    assert asked > 100
    assert 0 < found < asked


def test_marginals_of_asia(shared_data: Path) -> None:
    """Lauritzen and Spiegelhalter's network by hand: lung 0.055, tub 0.0104, either 0.064828."""
    proof = Proof(network(shared_data, "asia"))

    assert proof.number(p({"lung": 0})) == Fraction(55, 1000)
    assert proof.number(p({"tub": 0})) == Fraction(104, 10_000)
    assert proof.number(p({"either": 0})) == 1 - (1 - Fraction(55, 1000)) * (1 - Fraction(104, 10_000))


@pytest.mark.parametrize("name", SMALL)
def test_effects_by_both_routes(shared_data: Path, name: str) -> None:
    """Every effect of one variable on another, and its adjustment by the cause's parents, agree exactly."""
    scm = network(shared_data, name)
    proof = Proof(scm)
    for x in scm.dag.names:
        for y in scm.dag.names:
            if x == y or y in scm.dag.parents[x]:
                continue
            proof.number(effect(x, y))
            parents = scm.dag.parents[x]
            assert proof.holds(ValidAdjustment((x,), y, parents))
            if name != "asia":  # there `either` is certain given its causes: some strata are empty
                assert proof.holds(Compare(adjusted_difference(x, y, parents), "=", effect(x, y)))


@pytest.mark.parametrize("name", MIDDLE)
def test_what_search_separates_is_independent_in_the_networks_own_tables(
    shared_data: Path, name: str
) -> None:
    """d-separation holds in the published probabilities, to the last fraction."""
    scm = network(shared_data, name)
    route, rng, checked = Derived(scm), random.Random(f"tables {name}"), 0
    for _ in range(300):
        left, right, *given = rng.sample(scm.dag.names, rng.randint(2, 4))
        if checked == 12 or not route.holds(Separated(left, right, tuple(given))):
            continue
        levels = dict.fromkeys(given, 0)
        if route.number(p({right: 0, **levels})) == 0:
            continue
        checked += 1
        assert route.number(p({left: 0}, {right: 0, **levels})) == route.number(p({left: 0}, levels))

    assert checked >= 5


@pytest.mark.parametrize("name", ["child", "alarm", "insurance"])
def test_adjustment_by_parents_gives_the_effect_in_larger_networks(shared_data: Path, name: str) -> None:
    """Truncated factorisation and standardisation over the parents agree where no stratum is empty."""
    scm = network(shared_data, name)
    route, rng, checked = Derived(scm), random.Random(f"effects {name}"), 0
    for _ in range(60):
        x, y = rng.sample(scm.dag.names, 2)
        parents = scm.dag.parents[x]
        rows = scm.by_name[x].table.values()
        if y in parents or not parents or min(row[0] for row in rows) == 0 or len(parents) > 2:
            continue
        checked += 1
        standardised = adjusted({y: 0}, {x: 0}, parents)
        assert route.number(standardised) == route.number(p({y: 0}, do={x: 0}))

    assert checked >= 5
