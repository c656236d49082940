"""Reading YAML into plain values with the line of every key and item, and writing YAML.

Scalars are read as in JSON, so `no`, `16:30`, `2024-01-31` and `007` stay text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from assay.core.errors import Problem

Place = tuple[str | int, ...]
DEEPEST = 64
TAG = "tag:yaml.org,2002:"
SCALARS = tuple(
    (TAG + kind, re.compile(pattern), list(first))
    for kind, pattern, first in (
        ("null", r"^(?:~|null|Null|NULL|)$", ("~", "n", "N", "")),
        ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
        ("int", r"^-?(?:0|[1-9][0-9]*)$", "-0123456789"),
        ("float", r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$", "-0123456789"),
    )
)


@dataclass(slots=True)
class Marked:
    """A document: its plain value, the file's name as shown to users, and the line of each place.

    `value` is None if the text could not be read; `problems` then says why. Later checks add problems.
    A place is the path of keys and positions from the top, as in `("cases", 0, "id")`.
    """

    file: str
    value: Any = None
    lines: dict[Place, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def line(self, place: Place) -> int | None:
        """Return the line, from 1, of a place or of the nearest part around it with a line, else None."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place)

    def in_order(self) -> list[Problem]:
        """Return the problems in the order of their lines."""
        return sorted(self.problems, key=lambda problem: problem.line or 0)

    def refuse(self, text: str, place: Place = ()) -> None:
        """Add a problem with the part at a place."""
        self.problems.append(Problem(text, self.file, self.line(place)))


def read(path: Path, shown: str) -> Marked:
    """Read a YAML file, called `shown` in messages. An unreadable file is a problem, not an error."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        return _refused(shown, None, f"the text is not UTF-8 at byte {error.start}: save the file as UTF-8")
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        return _refused(shown, None, f"cannot read the file ({reason}): check the name and the permissions")
    return parse(text, shown)


def parse(text: str, shown: str) -> Marked:
    """Read YAML text: one document, without aliases and tags."""
    try:
        problems = _forbidden(text, shown)
        node = None if problems else yaml.compose(text, Loader=Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = None if mark is None else mark.line + 1
        reason = (error.problem or error.context or "wrong syntax").removeprefix("but ")
        return _refused(shown, line, f"not valid YAML: {reason}; {_advice(reason)}")
    except yaml.YAMLError as error:
        at = getattr(error, "position", 0) or 0
        return _refused(
            shown,
            text.count("\n", 0, at) + 1,
            "not valid YAML: it has a forbidden character; remove it",
        )
    marked = Marked(shown, lines={(): 1}, problems=problems)
    if node is not None:
        marked.lines[()] = node.start_mark.line + 1
        marked.value = _Reader(marked).value(node, ())
    return marked


def _forbidden(text: str, shown: str) -> list[Problem]:
    """Return what must not reach the composer: deep nesting, and aliases, which can expand endlessly."""
    problems = []
    depth = 0
    for event in yaml.parse(text, Loader=Loader):
        line = 1 if event.start_mark is None else event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            text = f"aliases such as `*{event.anchor}` are not allowed: repeat the value"
            problems.append(Problem(text, shown, line))
        elif isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                text = f"the nesting is deeper than {DEEPEST} levels: use fewer levels"
                return [*problems, Problem(text, shown, line)]
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    return problems


def _advice(reason: str) -> str:
    if "tab" in reason or "\\t" in reason:
        return "indent with spaces"
    if "undefined alias" in reason:
        return "put text that starts with `*` in quotes"
    if "mapping values" in reason or "block end" in reason or "expected ':'" in reason:
        return "check the indentation, and quote text that contains `: ` or starts with a special character"
    return "check the indentation and the quotes"


def _refused(shown: str, line: int | None, text: str) -> Marked:
    return Marked(shown, problems=[Problem(text, shown, line)])


class _Reader:
    """A converter of YAML nodes into plain values that records lines and problems."""

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
                self.refuse(
                    key_node,
                    "a key must be text: write a name and a colon before the list or mapping",
                )
                continue
            key = str(key_node.value)
            if key in first:
                self.refuse(key_node, f"duplicate key {key!r} (first on line {first[key]}): keep one of them")
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
            node, f"the tag {node.tag!r} is not allowed: write plain text, a number, a list or a mapping"
        )
        return None

    def number(self, node: yaml.Node, text: str) -> int | None:
        if len(text) > 400:
            self.refuse(node, f"the number has {len(text)} digits, the limit is 400: put it in quotes")
            return None
        return int(text)

    def refuse(self, node: yaml.Node, text: str) -> None:
        self.marked.problems.append(Problem(text, self.marked.file, node.start_mark.line + 1))


try:
    from yaml import CSafeLoader as Base
except ImportError:  # PyYAML built without libyaml
    from yaml import SafeLoader as Base  # type: ignore[assignment]


class Loader(Base):
    """A loader that resolves only JSON's scalars."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012


class Dumper(yaml.SafeDumper):
    """A writer that quotes text which this loader or a common YAML reader would not read as text."""


for _tag, _pattern, _first in SCALARS:
    Loader.add_implicit_resolver(_tag, _pattern, _first)
    Dumper.add_implicit_resolver(_tag, _pattern, _first)


class BlockTextDumper(Dumper):
    """A writer that writes text of several lines as a literal block."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


BlockTextDumper.add_representer(str, _text)


def suite_text(document: Any) -> str:
    """Return a document of mappings, lists, texts and numbers as YAML, in the given order."""
    return yaml.dump(document, Dumper=BlockTextDumper, sort_keys=False, allow_unicode=True, width=100)
