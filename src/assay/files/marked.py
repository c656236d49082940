"""YAML read into plain values, with the line of every key and item kept for the messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from assay.core.errors import Problem
from assay.files.loader import TAG, Loader

Place = tuple[str | int, ...]
DEEPEST = 64


@dataclass(slots=True)
class Marked:
    """A document: its plain value, the file's name as shown to users, and the line of each place.

    `value` is None when the text could not be read; `problems` then says why, and later checks add to it.
    A place is the path of keys and positions from the top, as in `("cases", 0, "id")`.
    """

    file: str
    value: Any = None
    lines: dict[Place, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def line(self, place: Place) -> int | None:
        """Return the line (from 1) of a place, or of the nearest above that has one; None without lines."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place)

    def in_order(self) -> list[Problem]:
        """Return the problems in the order of their lines."""
        return sorted(self.problems, key=lambda problem: problem.line or 0)

    def refuse(self, text: str, place: Place = ()) -> None:
        """Add a problem that stands at a place."""
        self.problems.append(Problem(text, self.file, self.line(place)))


def read(path: Path, shown: str) -> Marked:
    """Read a YAML file; `shown` is how messages name it. An unreadable file is a problem, not an error."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        return _refused(shown, None, f"is not UTF-8 text at byte {error.start}: save the file as UTF-8")
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        return _refused(shown, None, f"cannot be read ({reason}): check the name and the permissions")
    return parse(text, shown)


def parse(text: str, shown: str) -> Marked:
    """Read YAML text (one document, without anchors, aliases and tags) with its lines and its problems."""
    try:
        refused = _unreadable(text, shown)
        node = None if refused else yaml.compose(text, Loader=Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = None if mark is None else mark.line + 1
        reason = (error.problem or error.context or "it cannot be read").removeprefix("but ")
        return _refused(shown, line, f"not valid YAML: {reason}; {_advice(reason)}")
    except yaml.YAMLError as error:
        at = getattr(error, "position", 0) or 0
        return _refused(
            shown, text.count("\n", 0, at) + 1, "not valid YAML: a character that YAML forbids; remove it"
        )
    marked = Marked(shown, lines={(): 1}, problems=refused)
    if node is not None:
        marked.lines[()] = node.start_mark.line + 1
        marked.value = _Reader(marked).value(node, ())
    return marked


def _unreadable(text: str, shown: str) -> list[Problem]:
    """Return what must not reach the composer: aliases (they may expand without end) and too deep nesting."""
    problems = []
    depth = 0
    for event in yaml.parse(text, Loader=Loader):
        line = 1 if event.start_mark is None else event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            problems.append(
                Problem(f"the alias `*{event.anchor}` is not read: write the value out again", shown, line)
            )
        elif isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                return [
                    *problems,
                    Problem(f"is nested more than {DEEPEST} deep: write it flatter", shown, line),
                ]
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    return problems


def _advice(reason: str) -> str:
    if "tab" in reason or "\\t" in reason:
        return "indent with spaces"
    if "undefined alias" in reason:
        return "put text that starts with `*` in quotes"
    if "mapping values" in reason or "block end" in reason or "expected ':'" in reason:
        return "check the indentation, and put text that holds `: ` or starts with a sign in quotes"
    return "check the indentation and the quotes"


def _refused(shown: str, line: int | None, text: str) -> Marked:
    return Marked(shown, problems=[Problem(text, shown, line)])


class _Reader:
    """Turns YAML nodes into plain values, noting lines, repeated keys and what is not read."""

    def __init__(self, marked: Marked) -> None:
        self.marked = marked

    def value(self, node: yaml.Node, place: Place) -> Any:
        if isinstance(node, yaml.MappingNode):
            return dict(self.entries(node, place))
        if isinstance(node, yaml.SequenceNode):
            items = []
            for position, item in enumerate(node.value):
                here = (*place, position)
                self.marked.lines[here] = item.start_mark.line + 1
                items.append(self.value(item, here))
            return items
        return self.scalar(node)

    def entries(self, node: yaml.MappingNode, place: Place) -> Iterator[tuple[str, Any]]:
        first: dict[str, int] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self.refuse(key_node, "a key must be text: put the list or mapping on the right of a name")
                continue
            key = str(key_node.value)
            if key in first:
                self.refuse(key_node, f"{key!r} stands twice (first on line {first[key]}): keep one of them")
                continue
            first[key] = line
            self.marked.lines[(*place, key)] = line
            yield key, self.value(value_node, (*place, key))

    def scalar(self, node: yaml.Node) -> Any:
        text = str(node.value)
        match node.tag.removeprefix(TAG):
            case "str":
                return text
            case "null":
                return None
            case "bool":
                return text.lower() == "true"
            case "int":
                return self.number(node, text)
            case "float":
                return float(text)
        self.refuse(
            node, f"the tag {node.tag!r} is not read: write plain text, a number, a list or a mapping"
        )
        return None

    def number(self, node: yaml.Node, text: str) -> int | None:
        if len(text) > 400:
            self.refuse(node, f"a number of {len(text)} digits is not read: put it in quotes")
            return None
        return int(text)

    def refuse(self, node: yaml.Node, text: str) -> None:
        self.marked.problems.append(Problem(text, self.marked.file, node.start_mark.line + 1))
