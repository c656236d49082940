"""The stories of survivorship: a practice, a hidden sturdiness, and a census that only finds what is left."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    Units start out under `x` or `x_no`; some are `gone` before the census, the others `left`, of which some
    `y`. `frail` and `sturdy` are the kinds told apart by a `trait`. `mark` is a feature that some units
    bear from the start, `gauge` a reading (`low` or `high`) that may be taken early or late; `who`
    stands for units in relative clauses.
    """

    name: str
    setting: str
    units: str
    x: str
    x_no: str
    gone: str
    left: str
    y: str
    trait: str
    frail: str
    sturdy: str
    mark: str
    gauge: str
    low: str
    high: str
    who: str = "that"


SCENES = (
    Scene(
        "start-ups",
        "a chamber of commerce",
        "start-ups",
        "borrowed capital",
        "own savings",
        "had closed",
        "were still trading",
        "turned a profit in the fifth year",
        "founder experience",
        "firms of untried founders",
        "firms of seasoned founders",
        "a second office",
        "credit rating",
        "weak",
        "strong",
    ),
    Scene(
        "probes",
        "a space agency",
        "small satellites",
        "the steep orbit",
        "the flat orbit",
        "had fallen silent",
        "were still sending",
        "returned sharp images in year three",
        "build quality",
        "rushed builds",
        "careful builds",
        "a fold-out panel",
        "battery reading",
        "weak",
        "full",
    ),
    Scene(
        "oysters",
        "a shellfish station",
        "oyster bags",
        "the tidal racks",
        "the sunken racks",
        "had died off",
        "were alive",
        "reached market size",
        "brood vigour",
        "weak broods",
        "vigorous broods",
        "a ribbed shell",
        "shell thickness",
        "thin",
        "thick",
    ),
    Scene(
        "murals",
        "a city's heritage office",
        "murals",
        "mineral paint",
        "acrylic paint",
        "had been painted over",
        "could still be seen",
        "won a place in the city guide",
        "site standing",
        "murals in side streets",
        "murals in main squares",
        "a gilded border",
        "contrast reading",
        "dull",
        "bright",
    ),
    Scene(
        "plugins",
        "a registry of software packages",
        "packages",
        "weekly releases",
        "yearly releases",
        "had been abandoned",
        "were still maintained",
        "had no open security report",
        "maintainer skill",
        "packages of novices",
        "packages of experts",
        "a command-line tool",
        "test coverage",
        "patchy",
        "thorough",
    ),
    Scene(
        "rowers",
        "a rowing federation",
        "squads",
        "altitude camps",
        "sea-level camps",
        "had disbanded",
        "were still racing",
        "reached a final in the fourth season",
        "bench depth",
        "thin squads",
        "deep squads",
        "a foreign coach",
        "ergometer score",
        "low",
        "high",
    ),
    Scene(
        "elms",
        "a forestry service",
        "elms",
        "yearly pruning",
        "no pruning",
        "had been felled",
        "were standing",
        "bore a full crown",
        "inborn resistance",
        "susceptible trees",
        "resistant trees",
        "a forked trunk",
        "sap flow",
        "slow",
        "fast",
    ),
    Scene(
        "ferries",
        "a shipping register",
        "ferries",
        "winter service",
        "summer service",
        "had been scrapped",
        "were in service",
        "passed the hull inspection",
        "steel grade",
        "cheap-steel hulls",
        "fine-steel hulls",
        "a bow visor",
        "vibration reading",
        "rough",
        "smooth",
    ),
    Scene(
        "cohort",
        "a health board",
        "dialysis patients",
        "the daily schedule",
        "the thrice-weekly schedule",
        "had died",
        "were alive",
        "could walk a mile in the third year",
        "general robustness",
        "frail people",
        "robust people",
        "a pacemaker",
        "grip strength",
        "weak",
        "firm",
        who="who",
    ),
    Scene(
        "newspapers",
        "a press archive",
        "local newspapers",
        "a paywall",
        "free access",
        "had ceased",
        "were still appearing",
        "won a reporting prize",
        "reader loyalty",
        "papers with fickle readers",
        "papers with loyal readers",
        "a Sunday edition",
        "recall score",
        "low",
        "high",
    ),
    Scene(
        "batteries",
        "a bus operator",
        "battery packs",
        "fast charging",
        "slow charging",
        "had failed",
        "were in use",
        "held nine tenths of their charge",
        "cell purity",
        "packs of impure cells",
        "packs of pure cells",
        "a cooling plate",
        "voltage drift",
        "small",
        "large",
    ),
)
