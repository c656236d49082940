"""The parameters of judged graders: texts, some of which must be there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def text_faults(
    parameters: Mapping[str, Any], wanted: Mapping[str, str], optional: Sequence[str]
) -> tuple[str, ...]:
    """Return what is wrong with the parameters. `wanted` maps each text that must be there to what to do."""
    known = (*wanted, *optional)
    found = [
        f"unknown parameter {name!r}: write one of {sorted(known)}"
        for name in sorted(set(parameters) - set(known))
    ]
    for name in known:
        value = parameters.get(name)
        if name in wanted and (value is None or (isinstance(value, str) and not value.strip())):
            found.append(f"no {name}: {wanted[name]}")
        elif name in parameters and not isinstance(value, str):
            found.append(f"{name!r} is {value!r}: write a text")
        elif name in parameters and name in optional and not str(value).strip():
            found.append(f"{name!r} is empty: write a text or leave it out")
    return tuple(found)
