"""Facts of a causal graph by search: separation, adjustment, instruments, front doors."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence

import networkx as nx

from assay.causal.scm import Dag


class Graph:
    """A causal graph, searched. Criteria are named where they are used."""

    def __init__(self, dag: Dag) -> None:
        self.dag = dag
        self.nx: nx.DiGraph = nx.DiGraph()
        self.nx.add_nodes_from(dag.names)
        self.nx.add_edges_from(dag.edges)

    def separated(
        self, left: Iterable[str], right: str, given: Iterable[str], do: Collection[str] = ()
    ) -> bool:
        """d-separation (Pearl 1988), after the arrows into `do` are cut; those variables are held fixed."""
        cut = self.nx.copy()
        cut.remove_edges_from([edge for edge in self.nx.edges if edge[1] in do])
        seen = set(given) | (set(do) - {*left, right})
        return bool(nx.is_d_separator(cut, set(left), {right}, seen))

    def causes(self, cause: str, effect: str) -> bool:
        """Whether a directed path leads from one to the other."""
        return bool(nx.has_path(self.nx, cause, effect))

    def adjacent(self, left: str, right: str) -> bool:
        """Whether an arrow joins two variables."""
        return bool(self.nx.has_edge(left, right) or self.nx.has_edge(right, left))

    def valid_adjustment(self, treatments: Sequence[str], outcome: str, over: Sequence[str]) -> bool:
        """Return whether the set satisfies the adjustment criterion (Shpitser and others 2010).

        No member descends from a variable on a proper causal path, and the set separates treatments from
        outcome once those paths' first arrows are cut (the proper back-door graph, van der Zander 2014).
        """
        xs = set(treatments)
        if {outcome, *xs} & set(over):
            return False
        proper = self.nx.copy()
        proper.remove_edges_from([edge for edge in self.nx.edges if edge[1] in xs])
        on_path = {
            name
            for name in self.nx
            if name not in xs
            and any(nx.has_path(proper, x, name) for x in xs)
            and nx.has_path(self._without_arrows_out_of(xs), name, outcome)
        }
        forbidden = set(on_path).union(*(nx.descendants(self.nx, name) for name in on_path))
        if forbidden & set(over):
            return False
        cut = self.nx.copy()
        cut.remove_edges_from([(a, b) for a, b in self.nx.edges if a in xs and b in on_path])
        return bool(nx.is_d_separator(cut, xs, {outcome}, set(over)))

    def valid_sets(self, treatments: Sequence[str], outcome: str) -> list[frozenset[str]]:
        """Return all sets of measured variables that are valid for adjustment, small ones first."""
        rest = [name for name in self.dag.observed if name != outcome and name not in treatments]
        return [
            frozenset(over)
            for size in range(len(rest) + 1)
            for over in itertools.combinations(rest, size)
            if self.valid_adjustment(treatments, outcome, over)
        ]

    def minimal(self, sets: Sequence[frozenset[str]]) -> list[frozenset[str]]:
        """Return those sets of which no other one is a proper subset."""
        return [each for each in sets if not any(other < each for other in sets)]

    def valid_instrument(self, instrument: str, treatment: str, outcome: str, given: Sequence[str]) -> bool:
        """Return whether the graphical criterion for an instrument holds (Pearl 2009, definition 7.4.1).

        It is connected with the treatment and separated from the outcome once the arrows out of the treatment
        are cut; neither it nor what is given descends from the treatment.
        """
        if instrument in given or {instrument, *given} & nx.descendants(self.nx, treatment):
            return False
        cut = self._without_arrows_out_of({treatment})
        apart = bool(nx.is_d_separator(cut, {instrument}, {outcome}, set(given)))
        return apart and not self.separated({instrument}, treatment, given)

    def valid_front_door(self, treatment: str, outcome: str, mediators: Sequence[str]) -> bool:
        """Return whether the front-door criterion holds (Pearl 2009, definition 3.3.3)."""
        ms = set(mediators)
        blocked = self.nx.copy()
        blocked.remove_nodes_from(ms)
        if nx.has_path(blocked, treatment, outcome):
            return False
        if not nx.is_d_separator(self._without_arrows_out_of({treatment}), {treatment}, ms, set()):
            return False
        return bool(nx.is_d_separator(self._without_arrows_out_of(ms), ms, {outcome}, {treatment}))

    def _without_arrows_out_of(self, names: set[str]) -> nx.DiGraph:
        cut = self.nx.copy()
        cut.remove_edges_from([edge for edge in self.nx.edges if edge[0] in names])
        return cut
