"""The keys of an answer that is one JSON object."""

from __future__ import annotations

import json

from assay.grading.constraint_kinds.kind import Finding, Kind, Parameters, flag, texts
from assay.grading.constraint_kinds.layout import bare_json


def _keys(answer: str, parameters: Parameters) -> Finding:
    keys = list(parameters["keys"])
    in_order = parameters.get("in_order", False)
    wanted = f"one JSON object with exactly the keys {keys!r}" + (" in this order" if in_order else "")
    try:
        # Pairs, not a dictionary: a key given twice must show.
        pairs = json.loads(bare_json(answer), object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as error:
        return Finding(False, str(error), wanted)
    if not isinstance(pairs, _Pairs):
        return Finding(False, f"JSON, but a {type(pairs).__name__}", wanted)
    found = [key for key, _ in pairs]
    followed = found == keys if in_order else sorted(found) == sorted(keys)
    return Finding(followed, found[:50], wanted)


class _Pairs(list[tuple[str, object]]):
    """The members of a JSON object, in order."""


KINDS = (Kind("assay:json_keys", (texts("keys"), flag("in_order")), _keys),)
