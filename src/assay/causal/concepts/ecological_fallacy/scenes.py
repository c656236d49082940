"""The stories of the ecological fallacy: units in groups, an exposure, an outcome, traits of both."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story: `units` live in `groups`. `x`, `x_no` and `y` are predicates in the past.

    `v` is a trait of a unit with two levels that follow "with", `d` a trait of a group.
    """

    name: str
    units: str
    unit: str
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
        "boroughs",
        "borough",
        "commuted by bicycle",
        "commuted by car",
        "reported a sick day",
        "fitness",
        "a high fitness",
        "air quality",
    ),
    Scene(
        "tutoring",
        "pupils",
        "pupil",
        "schools",
        "school",
        "attended the homework club",
        "stayed away from the homework club",
        "passed the final examination",
        "diligence",
        "a great diligence",
        "school budget",
    ),
    Scene(
        "shops",
        "shops",
        "shop",
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
        "departments",
        "department",
        "wrote tests first",
        "wrote tests afterwards",
        "had a defect reported against them",
        "seniority",
        "a long seniority",
        "age of the code base",
    ),
    Scene(
        "vaccine",
        "residents",
        "resident",
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
        "clubs",
        "club",
        "did the balance exercises",
        "skipped the balance exercises",
        "missed a match through injury",
        "age",
        "an advanced age",
        "quality of the pitch",
    ),
    Scene(
        "boats",
        "boats",
        "boat",
        "harbours",
        "harbour",
        "carried the turtle device",
        "carried no turtle device",
        "met their quota",
        "size of the boat",
        "a large hull",
        "distance to the fishing grounds",
    ),
    Scene(
        "jurors",
        "tenants",
        "tenant",
        "court districts",
        "court district",
        "were represented by counsel",
        "appeared without counsel",
        "kept their home",
        "state of their papers",
        "a complete set of papers",
        "rent level",
    ),
    Scene(
        "solar",
        "households",
        "household",
        "villages",
        "village",
        "put up solar panels",
        "put up no solar panels",
        "lowered their peak demand",
        "kind of heating",
        "an electric heating",
        "state of the grid",
    ),
)
