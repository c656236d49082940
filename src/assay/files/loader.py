"""How YAML scalars are read: as in JSON, so that `no`, `16:30`, `2024-01-31` and `007` stay text."""

from __future__ import annotations

import re

import yaml

try:
    from yaml import CSafeLoader as Base
except ImportError:  # PyYAML built without libyaml
    from yaml import SafeLoader as Base  # type: ignore[assignment]

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


class Loader(Base):
    """Resolves JSON's scalars only."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012


class Dumper(yaml.SafeDumper):
    """Puts text in quotes wherever this loader or a common YAML reader would take it for something else."""


for _tag, _pattern, _first in SCALARS:
    Loader.add_implicit_resolver(_tag, _pattern, _first)
    Dumper.add_implicit_resolver(_tag, _pattern, _first)
