"""The stories of the ecological fallacy: units in groups, an exposure, an outcome, traits of both."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story: `units` live in `groups`. `x`, `x_no` and `y` are predicates in the past.

    `v` is a trait of a unit with two levels that follow "with", `d` a trait of a group; `who`
    stands for units in relative clauses.
    """

    name: str
    units: str
    unit: str
    who: str
    groups: str
    group: str
    x: str
    x_no: str
    y: str
    v: str
    v_high: str
    d: str


SCENES = (
    Scene(
        "orchards",
        "growers",
        "grower",
        "who",
        "valleys",
        "valley",
        "planted windbreaks",
        "planted no windbreaks",
        "lost their blossom to frost",
        "kind of slope",
        "a sunny slope",
        "altitude",
    ),
    Scene(
        "cycling",
        "commuters",
        "commuter",
        "who",
        "boroughs",
        "borough",
        "commuted by bicycle",
        "commuted by car",
        "reported a sick day",
        "fitness",
        "good fitness",
        "air quality",
    ),
    Scene(
        "tutoring",
        "pupils",
        "pupil",
        "who",
        "schools",
        "school",
        "attended the homework club",
        "stayed away from the homework club",
        "passed the final examination",
        "diligence",
        "great diligence",
        "school budget",
    ),
    Scene(
        "shops",
        "shops",
        "shop",
        "that",
        "high streets",
        "high street",
        "opened on Sundays",
        "stayed closed on Sundays",
        "ended the year in profit",
        "kind of trade",
        "a daily-needs trade",
        "tourist traffic",
    ),
    Scene(
        "teams",
        "programmers",
        "programmer",
        "who",
        "departments",
        "department",
        "wrote tests first",
        "wrote tests afterwards",
        "had a defect reported against them",
        "seniority",
        "long seniority",
        "code age",
    ),
    Scene(
        "vaccine",
        "residents",
        "resident",
        "who",
        "nursing homes",
        "nursing home",
        "had the flu vaccine",
        "declined the flu vaccine",
        "caught influenza",
        "frailty",
        "a marked frailty",
        "staffing",
    ),
    Scene(
        "players",
        "players",
        "player",
        "who",
        "clubs",
        "club",
        "did the balance exercises",
        "skipped the balance exercises",
        "missed a match through injury",
        "experience",
        "long experience",
        "pitch quality",
    ),
    Scene(
        "boats",
        "boats",
        "boat",
        "that",
        "harbours",
        "harbour",
        "carried the turtle device",
        "carried no turtle device",
        "met their quota",
        "boat size",
        "a large hull",
        "distance from the fishing grounds",
    ),
    Scene(
        "jurors",
        "tenants",
        "tenant",
        "who",
        "court districts",
        "court district",
        "were represented by counsel",
        "appeared without counsel",
        "kept their home",
        "paperwork",
        "complete paperwork",
        "rent level",
    ),
    Scene(
        "solar",
        "households",
        "household",
        "that",
        "villages",
        "village",
        "put up solar panels",
        "put up no solar panels",
        "lowered their peak demand",
        "kind of heating",
        "electric heating",
        "grid quality",
    ),
)
