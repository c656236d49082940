"""Whether a judge and a model are the same, or of one family: then it must not mark that model's answers."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from assay.core.model import Model
from assay.grading.families import family_of_name, family_of_organisation

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
    """Return whether two names stand for the same weights, whatever provider, alias, date or packing.

    Snapshots of one model count as the same: a judge must not mark its own earlier self.
    """
    return a.name == b.name or _weights(a.upstream) == _weights(b.upstream)


def family(model: Model) -> str | None:
    """Return the family a model belongs to, None when it is unknown.

    Its declared `family` wins, then its declared `organisation`, then the table of name patterns, then the
    organisation that the upstream name begins with. Declared words that the tables know are told in the
    tables' words (`Claude` and `Anthropic` both give `anthropic`). A model made from another's weights or
    answers belongs to who trained it last.
    """
    for declared in (model.family, model.organisation):
        if declared is not None and declared.strip():
            return family_of_organisation(declared) or family_of_name(declared) or declared.strip().casefold()
    return _family(model.upstream)


def excluded(judge: Model, subject: Model, exclude: Literal["self", "family"]) -> str | None:
    """Return why a judge does not mark a subject's answers, None when it does.

    `exclude` is `self` (the same model only) or `family` (the same model or its family). Models of
    unknown family are of nobody's.
    """
    if same_model(judge, subject):
        return "is the model itself"
    if exclude == "family" and (kin := family(judge)) is not None and kin == family(subject):
        return f"is of the model's own family ({kin})"
    return None


@lru_cache(maxsize=4096)
def _weights(upstream: str) -> str:
    """Return what is left of an upstream name when all is gone that does not name weights."""
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
