"""Whether an effect can be computed from what is measured: the complete algorithm for hidden variables.

Sources: Verma and Pearl (1990) for the projection; Tian and Pearl, On the Identification of Causal
Effects (2002), for the decomposition into districts; Shpitser and Pearl (2006) and Huang and Valtorta
(2006), who prove that what it fails on cannot be identified.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import networkx as nx

from assay.causal.scm import Dag
from assay.core.errors import InvalidInput


class Projection:
    """A graph over measured variables; two with a common hidden cause are joined by a two-headed edge."""

    def __init__(self, dag: Dag, measured: Collection[str]) -> None:
        self.directed: nx.DiGraph = nx.DiGraph()
        self.directed.add_nodes_from(measured)
        self.joined: nx.Graph = nx.Graph()
        self.joined.add_nodes_from(measured)
        full = nx.DiGraph(dag.edges)
        full.add_nodes_from(dag.names)
        for name in dag.names:
            reached = _reached(full, name, set(measured))
            if name in self.directed:
                self.directed.add_edges_from((name, other) for other in reached)
            else:
                self.joined.add_edges_from((a, b) for a in reached for b in reached if a < b)

    def identifiable(self, treatment: str, outcome: str) -> bool:
        """Return whether P(outcome | do(treatment)) is a function of the measured distribution.

        Each district of the outcome's ancestors, in the graph without the treatment, must be computable.
        """
        without = self.directed.copy()
        without.remove_node(treatment)
        needed = nx.ancestors(without, outcome) | {outcome}
        return all(
            self._computable(district, self._district(self.directed, district))
            for district in nx.connected_components(self.joined.subgraph(needed))
        )

    def _computable(self, wanted: set[str], known: set[str]) -> bool:
        """Return whether the factor of `wanted` follows from the factor of the district `known` around it."""
        part = self.directed.subgraph(known)
        above = wanted.union(*(nx.ancestors(part, name) for name in wanted))
        if above == wanted:
            return True
        if above == known:
            return False
        return self._computable(wanted, self._district(above, wanted))

    def _district(self, within: Iterable[str], part: set[str]) -> set[str]:
        """Return the district, among some variables, that a connected part of it belongs to."""
        found: set[str] = nx.node_connected_component(self.joined.subgraph(within), min(part))
        return found


def identifiable(dag: Dag, treatment: str, outcome: str, also: Collection[str] = ()) -> bool:
    """Return whether an effect is identifiable where `also` is measured too.

    InvalidInput where treatment or outcome is not measured.
    """
    measured = {*dag.observed, *also}
    if unmeasured := sorted({treatment, outcome} - measured):
        raise InvalidInput(f"{unmeasured[0]!r} is not measured: ask about {', '.join(sorted(measured))}")
    return Projection(dag, measured).identifiable(treatment, outcome)


def _reached(graph: nx.DiGraph, start: str, measured: set[str]) -> set[str]:
    """Return the measured variables to which a path leads from `start` on which all between are hidden."""
    open_ = graph.copy()
    open_.remove_edges_from([edge for edge in graph.edges if edge[0] in measured - {start}])
    found: set[str] = nx.descendants(open_, start) & measured
    return found
