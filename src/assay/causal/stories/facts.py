"""The facts that a story states: what is on which list, what depends on which list, what was recorded.

A story gives its causal graph in two steps. Every factor stands on one or more lists, and a variable depends
on everything that is on one list. Which list is called what is drawn at random, so that no single fact says
anything about the answer: only two facts that name the same list do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.causal.scm import Dag
from assay.core.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Story:
    """What is told of a system.

    `on` gives the lists that each variable is on, `source` the list that a variable depends on; a variable
    without one depends on nothing here. `open` are variables of which it is not known on which of two lists
    they depend. `unrecorded` are the variables that nobody recorded, `spare`
    lists that may have nothing on them.
    """

    on: Mapping[str, frozenset[str]]
    source: Mapping[str, str]
    unrecorded: frozenset[str]
    open: Mapping[str, frozenset[str]]
    spare: frozenset[str] = frozenset()

    @property
    def lists(self) -> frozenset[str]:
        """All lists: those that are used, and `spare` ones."""
        used = {each for on in self.on.values() for each in on} | set(self.source.values())
        return self.spare | used | {each for choices in self.open.values() for each in choices}

    def dag(self) -> Dag:
        """Return the causal graph. InvalidInput for a cycle, or where a dependence is not known."""
        if self.open:
            raise InvalidInput(f"it is not known what {sorted(self.open)[0]!r} depends on")
        return graph(self.on, self.source, self.unrecorded)

    def completions(self) -> tuple[Story, ...]:
        """Return every story that fits what is told: one for each choice of the unknown lists."""
        stories = [self.source]
        for name, choices in sorted(self.open.items()):
            stories = [{**source, name: choice} for source in stories for choice in sorted(choices)]
        return tuple(Story(self.on, source, self.unrecorded, {}, self.spare) for source in stories)


def graph(
    on: Mapping[str, frozenset[str]], source: Mapping[str, str], hidden: frozenset[str] = frozenset()
) -> Dag:
    """Return the graph in which a variable's causes are what is on its list. InvalidInput for a cycle."""
    members: dict[str, list[str]] = {}
    for name, lists in on.items():
        for each in lists:
            members.setdefault(each, []).append(name)
    parents = {name: tuple(members.get(source[name], ())) if name in source else () for name in on}
    ordered: dict[str, tuple[str, ...]] = {}
    waiting = list(parents)
    while waiting:
        ready = [name for name in waiting if all(parent in ordered for parent in parents[name])]
        if not ready:
            raise InvalidInput(f"{', '.join(waiting)} depend on each other in a cycle")
        ordered |= {name: parents[name] for name in ready}
        waiting = [name for name in waiting if name not in ordered]
    return Dag(ordered, hidden & ordered.keys())
