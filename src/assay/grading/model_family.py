"""Families of models: a judge must not mark answers of its own model or family."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Literal

from assay.core.model import Model
from assay.grading.text.lexicon import table

_ROUTES = re.compile(r":(?:free|nitro|thinking|online|extended|floor|exacto|beta|batch|latest)$")
_REGION = re.compile(r"^(?:us|eu|apac|ap|jp|au|ca|global)\.(?=[a-z0-9]+\.)")
_VENDOR = re.compile(
    r"^(?:anthropic|amazon|meta|mistral|cohere|ai21|openai|qwen|google|nvidia|moonshot|minimax)\.(?=[a-z])"
)
_BEDROCK = re.compile(r"-v\d+:\d+(?::\d+k)?$")
_AT = re.compile(r"@[\w.-]+$")
_POINT = re.compile(r"v(\d+)p(\d+)(?![a-z0-9])")
_YEAR = r"20[12]\d"
_MONTH = r"(?:0[1-9]|1[0-2])"
_DAY = r"(?:0[1-9]|[12]\d|3[01])"
_DATES = re.compile(
    rf"[-_](?:{_YEAR}-?{_MONTH}-?{_DAY}|{_YEAR}[-_]{_MONTH}|{_MONTH}-{_YEAR}|{_MONTH}-?{_DAY}|2\d{_MONTH}(?:{_DAY})?|00\d)$"
)
_STAGES = re.compile(r"[-_](?:latest|preview|exp|experimental|stable)$")
_PACKING = re.compile(
    r"[-_.](?:fp8|fp4|nvfp4|mxfp4|fp16|bf16|int4|int8|awq|gptq|gguf|mlx|exl2|bnb|4bit|8bit|\d\.\d+bpw|i?q\d(?:_[a-z0-9]+)*)$"
)
_SIGNS = re.compile(r"[^a-z0-9]+")


def same_model(a: Model, b: Model) -> bool:
    """Return whether two models have the same weights, ignoring provider, alias, date and quantisation.

    Snapshots of one model count as the same: a judge must not mark an earlier version of itself.
    """
    return a.name == b.name or _weights(a.upstream) == _weights(b.upstream)


def family(model: Model) -> str | None:
    """Return the family of a model, None if it is unknown.

    That is its declared `family`, else its declared `organisation`, else the family in the table of name
    patterns, else the organisation at the beginning of the upstream name. Declared words in the tables are
    replaced by the tables' names (`Claude` and `Anthropic` both give `anthropic`). A model made from
    another's weights or answers belongs to the organisation that trained it last.
    """
    for declared in (model.family, model.organisation):
        if declared is not None and declared.strip():
            return family_of_organisation(declared) or family_of_name(declared) or declared.strip().casefold()
    return _family(model.upstream)


def excluded(judge: Model, subject: Model, exclude: Literal["self", "family"]) -> str | None:
    """Return the reason why a judge must not mark a subject's answers, None if it may.

    `exclude` is `self` (the same model only) or `family` (the same model or its family). Models of unknown
    family are never in the same family.
    """
    if same_model(judge, subject):
        return "is the model itself"
    if exclude == "family" and (kin := family(judge)) is not None and kin == family(subject):
        return f"is of the model's own family ({kin})"
    return None


@lru_cache(maxsize=4096)
def _weights(upstream: str) -> str:
    """Return the part of an upstream name that identifies the weights."""
    name = upstream.strip().lower()
    while _ROUTES.search(name):
        name = _ROUTES.sub("", name)
    name = _AT.sub("", name.rpartition("/")[2])
    name = _BEDROCK.sub("", _VENDOR.sub("", _REGION.sub("", name)))
    name = _POINT.sub(r"\1-\2", name)
    before = None
    while before != name:
        before = name
        for ending in (_PACKING, _STAGES, _DATES):
            shorter = ending.sub("", name)
            name = shorter if _SIGNS.sub("", shorter) else name
    name = name.removeprefix("meta-")
    return _SIGNS.sub("", name) or upstream


@lru_cache(maxsize=4096)
def _family(upstream: str) -> str | None:
    owner, _, name = upstream.rpartition("/")
    return family_of_name(name) or family_of_organisation(owner.rpartition("/")[2])


def family_of_name(name: str) -> str | None:
    """Return the family of a model's name by the table of patterns, or None."""
    lower = name.lower()
    return next((family for pattern, family in _names() if pattern.search(lower)), None)


def family_of_organisation(name: str) -> str | None:
    """Return the family of an organisation by any of its usual spellings, or None."""
    return _organisations().get(_SIGNS.sub("", name.lower()))


@cache
def _names() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of `lexicon/families.txt`; `<` and `>` match if no letter is next to them."""
    return tuple(
        (re.compile(pattern.replace("<", r"(?<![a-z])").replace(">", r"(?![a-z])")), family)
        for pattern, family in table("families", "names")
    )


@cache
def _organisations() -> dict[str, str]:
    rows = table("families", "organisations")
    return {name: family for names, family in rows for name in names.split()}
