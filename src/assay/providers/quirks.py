"""Which parameters a model refuses or names otherwise; the knowledge is in `quirks.yaml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

SUFFIXES = (":free", ":nitro", ":thinking", ":online", ":extended", ":floor", ":exacto")


@dataclass(frozen=True, slots=True)
class Quirks:
    """What one model refuses (`drop`) and what it calls otherwise (`rename`)."""

    drop: frozenset[str] = frozenset()
    rename: Mapping[str, str] | None = None

    def apply(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters as this model wants them."""
        rename = self.rename or {}
        return {rename.get(name, name): value for name, value in parameters.items() if name not in self.drop}


@cache
def _rules() -> tuple[dict[str, Any], ...]:
    return tuple(_data()["rules"])


@cache
def _data() -> dict[str, Any]:
    text = files("assay.providers").joinpath("quirks.yaml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


def refusal_data() -> dict[str, Any]:
    """Return what refusals say, for `assay.providers.refusals`."""
    data: dict[str, Any] = _data()["refusals"]
    return data


def bare_name(upstream: str) -> str:
    """Return an upstream name without organisation and routing suffix: `openai/o3:nitro` is `o3`."""
    name = upstream.rsplit("/", 1)[-1].lower()
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return name


@cache
def quirks(upstream: str, dialect: str) -> Quirks:
    """Return the quirks of a model as one dialect serves it."""
    name = bare_name(upstream)
    drop: frozenset[str] | None = None
    rename: Mapping[str, str] | None = None
    for rule in _rules():
        if re.match(rule["match"], name):
            drop = frozenset(rule["drop"]) if drop is None and "drop" in rule else drop
            rename = rule["rename"] if rename is None and "rename" in rule else rename
    if dialect in _data()["translating_dialects"]:
        rename = None
    return Quirks(drop or frozenset(), rename)
