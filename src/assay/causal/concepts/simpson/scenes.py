"""The stories of Simpson's paradox: two ways of doing a thing, three groups, and a mark, early or late."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story. `x`, `x_no` and `y` are predicates in the past; the levels of `g` follow "with".

    Both `g` and the mark `w` are of a kind that may be there beforehand or come about afterwards; `who`
    stands for units in relative clauses.
    """

    name: str
    units: str
    keeper: str
    x: str
    x_no: str
    y: str
    g: str
    g1: str
    g2: str
    g3: str
    w: str
    who: str = "that"


SCENES = (
    Scene(
        "ferries",
        "crossings",
        "a ferry company",
        "were run on the new timetable",
        "were run on the old timetable",
        "arrived on time",
        "passenger load",
        "a light load",
        "a medium load",
        "a heavy load",
        "priority code",
    ),
    Scene(
        "translations",
        "manuscripts",
        "a publishing house",
        "were translated with the memory tool",
        "were translated by hand",
        "passed the proofreader at once",
        "length",
        "a short text",
        "a middling text",
        "a long text",
        "difficulty mark",
    ),
    Scene(
        "castings",
        "castings",
        "a glassworks",
        "were cooled by the slow programme",
        "were cooled by the fast programme",
        "came out without a crack",
        "wall thickness",
        "a thin wall",
        "a medium wall",
        "a thick wall",
        "quality code",
    ),
    Scene(
        "loans",
        "loans",
        "a savings bank",
        "were arranged by the mobile team",
        "were arranged at the counter",
        "were repaid in full",
        "loan size",
        "a small sum",
        "a medium sum",
        "a large sum",
        "risk grade",
    ),
    Scene(
        "archers",
        "archers",
        "an archery federation",
        "shot with the new stabiliser",
        "shot without a stabiliser",
        "reached the final",
        "draw weight",
        "a light bow",
        "a medium bow",
        "a heavy bow",
        "ranking class",
        who="who",
    ),
    Scene(
        "trenches",
        "trenches",
        "an archaeological service",
        "were opened after a radar survey",
        "were opened after a field walk",
        "yielded a dated find",
        "depth",
        "a shallow floor",
        "a middling floor",
        "a deep floor",
        "promise score",
    ),
    Scene(
        "forest",
        "plots",
        "a forest estate",
        "were planted with mixed seedlings",
        "were planted with a single species",
        "were fully stocked after five years",
        "soil moisture",
        "a dry soil",
        "a fresh soil",
        "a wet soil",
        "site class",
    ),
    Scene(
        "wounds",
        "wounds",
        "a burns unit",
        "were dressed with honey gauze",
        "were dressed with plain gauze",
        "closed within three weeks",
        "area",
        "a small area",
        "a medium area",
        "a large area",
        "urgency code",
    ),
    Scene(
        "applicants",
        "recruits",
        "a staffing office",
        "were interviewed by video",
        "were interviewed in person",
        "were still employed after a year",
        "starting wage",
        "a low wage",
        "a medium wage",
        "a high wage",
        "suitability grade",
        who="who",
    ),
    Scene(
        "deployments",
        "deployments",
        "a cloud provider",
        "went out through the staged pipeline",
        "went out through the direct pipeline",
        "ran a week without a rollback",
        "change size",
        "a small change",
        "a medium change",
        "a large change",
        "risk label",
    ),
)
