"""The models a workspace lists, checked against its providers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from importlib import resources
from typing import Any

from assay.core.canonical import canonical
from assay.core.model import Exclusion, Model, Pin, Provider
from assay.core.money import Prices
from assay.files.marked import Marked, Place, parse
from assay.files.shape import near
from assay.files.workspace_shapes import ModelShape

IMPORTED = "imported"
"""What stands before the names of models whose answers were recorded elsewhere."""


def models(shapes: Sequence[ModelShape], known: Mapping[str, Provider], marked: Marked) -> dict[str, Model]:
    """Return the listed models by name; what is wrong with them is added to the file's problems."""
    made: dict[str, Model] = {}
    for position, shape in enumerate(shapes):
        place: Place = ("models", position)
        if is_imported(shape.name):
            _check_imported(shape, place, marked)
        else:
            check_name(shape.name, (*place, "name"), known, marked)
        if shape.name in made:
            marked.refuse(f"the model {shape.name!r} is listed twice: keep one entry", (*place, "name"))
        provider, _, upstream = shape.name.partition("/")
        if shape.pin and provider in known and known[provider].dialect != "openrouter":
            text = f"{shape.name!r} has a pin, but only OpenRouter routes: remove the pin"
            marked.refuse(text, (*place, "pin"))
        _check_parameters(shape, place, marked)
        made[shape.name] = Model(
            provider=provider,
            upstream=upstream,
            pin=Pin(tuple(shape.pin)) if shape.pin else None,
            parameters=shape.parameters,
            prices=Prices(**shape.prices.model_dump()) if shape.prices else None,
            organisation=shape.organisation,
            family=shape.family,
            series=shape.series,
            released=_date(shape.released, (*place, "released"), marked),
            weights=shape.weights,
            exclusions=tuple(Exclusion(one.suite, one.reason) for one in shape.exclusions),
        )
    return made


@cache
def _preset_models() -> tuple[dict[str, Any], ...]:
    text = resources.files("assay.files").joinpath("preset_models.yaml").read_text(encoding="utf-8")
    return tuple(parse(text, "preset_models.yaml").value)


def shipped_models(known: Mapping[str, Provider]) -> dict[str, Model]:
    """Return the models of `preset_models.yaml` by name, where their provider routes."""
    found = {}
    for entry in _preset_models():
        name, _, upstream = entry["name"].partition("/")
        if known[name].dialect == "openrouter":
            found[entry["name"]] = Model(name, upstream, pin=Pin(tuple(entry["pin"])))
    return found


def check_name(name: str, place: Place, known: Mapping[str, Provider], marked: Marked) -> None:
    """Refuse a name that is not `provider/model` with a known provider."""
    provider, _, upstream = name.partition("/")
    if not upstream:
        marked.refuse(f"{name!r} names no model: write `provider/model`, such as local/llama3", place)
    elif provider not in known:
        text = f"no provider is called {provider!r} (in {name!r}): {near(provider, known)}"
        marked.refuse(text, place)


def is_imported(name: str) -> bool:
    """Return whether a name is that of a model whose answers were recorded elsewhere."""
    return name.startswith(f"{IMPORTED}/")


def _check_imported(shape: ModelShape, place: Place, marked: Marked) -> None:
    """Refuse what would have no effect, as an imported model is never asked."""
    told = [key for key in shape.model_fields_set if key not in ("name", "exclusions")]
    for key in sorted(told):
        text = f"{shape.name!r} was imported and is never asked: keep `name` and `exclusions`, remove {key!r}"
        marked.refuse(text, (*place, key))


def _check_parameters(shape: ModelShape, place: Place, marked: Marked) -> None:
    try:
        canonical(shape.parameters)
    except ValueError as error:
        marked.refuse(f"'parameters': {error}: write finite numbers", (*place, "parameters"))
    reasoning = shape.parameters.get("reasoning")
    if isinstance(reasoning, dict) and {"effort", "max_tokens"} <= set(reasoning):
        text = "'parameters.reasoning' has both `effort` and `max_tokens`: keep one"
        marked.refuse(text, (*place, "parameters", "reasoning"))


def _date(text: str | None, place: Place, marked: Marked) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        marked.refuse(f"'released' is {text!r}, which is no day of the calendar: write one", place)
        return None
