"""The thresholds of a manifest: the seed's constants with what the suite overrides, checked together."""

from __future__ import annotations

from dataclasses import replace

from assay.core.suite import Bounds, Thresholds
from assay.files.marked import Marked
from assay.files.suite_shapes import BoundsShape, ThresholdsShape


def thresholds(shape: ThresholdsShape | None, marked: Marked) -> Thresholds:
    """Return the thresholds a manifest declares, with a problem where they contradict each other."""
    seed = Thresholds()
    if shape is None:
        return seed
    given = shape.model_dump(exclude_none=True, exclude={"deterministic", "judged"})
    made = replace(
        seed,
        deterministic=_bounds(seed.deterministic, shape.deterministic),
        judged=_bounds(seed.judged, shape.judged),
        **given,
    )
    for kind, bounds in (("deterministic", made.deterministic), ("judged", made.judged)):
        place = ("thresholds", kind)
        if bounds.cooked_z > bounds.suspicious_z:
            marked.refuse(
                f"cooked_z ({bounds.cooked_z:g}) is above suspicious_z ({bounds.suspicious_z:g}): lower it",
                place,
            )
        drops = (bounds.suspicious_drop, bounds.cooked_drop, bounds.collapse_drop)
        if sorted(drops) != list(drops):
            order = "suspicious_drop, cooked_drop, collapse_drop"
            marked.refuse(f"write {order} in rising order: they are {drops}", place)
    if not 2 <= made.least_days <= made.window_days:
        place = ("thresholds", "least_days")
        marked.refuse(
            f"least_days is {made.least_days}: write 2 up to window_days ({made.window_days})", place
        )
    return made


def _bounds(seed: Bounds, shape: BoundsShape | None) -> Bounds:
    return seed if shape is None else replace(seed, **shape.model_dump(exclude_none=True))
