"""Which arrows a graph shares with all graphs that are Markov equivalent to it: Meek's rules.

Sources: Verma and Pearl (1990): graphs are equivalent where they have the same adjacencies and the same
v-structures; Meek, Causal Inference and Causal Explanation with Background Knowledge (1995), for the
rules, of which the first three are complete where nothing else is known.
"""

from __future__ import annotations

import itertools

import networkx as nx

from assay.causal.scm import Dag


def compelled(dag: Dag) -> frozenset[tuple[str, str]]:
    """Return the arrows that every equivalent graph has; all variables count as measured."""
    graph = nx.DiGraph(dag.edges)
    skeleton = graph.to_undirected()
    known: nx.DiGraph = nx.DiGraph()
    known.add_nodes_from(dag.names)
    for name in graph:
        for a, b in itertools.combinations(graph.predecessors(name), 2):
            if not skeleton.has_edge(a, b):
                known.add_edges_from([(a, name), (b, name)])
    while new := [
        (a, b) for a, b in graph.edges if not known.has_edge(a, b) and _follows(a, b, known, skeleton)
    ]:
        known.add_edges_from(new)
    return frozenset(known.edges)


def _follows(a: str, b: str, known: nx.DiGraph, skeleton: nx.Graph) -> bool:
    """Return whether an edge must point from a to b, lest there be a new v-structure or a cycle."""
    if any(not skeleton.has_edge(c, b) for c in known.predecessors(a)):
        return True  # rule 1
    if set(known.successors(a)) & set(known.predecessors(b)):
        return True  # rule 2
    between = [c for c in known.predecessors(b) if skeleton.has_edge(a, c) and not known.has_edge(c, a)]
    return any(not skeleton.has_edge(c, d) for c, d in itertools.combinations(between, 2))  # rule 3
