"""The stories of competing adjustment sets: an early circumstance, a later one that it shapes, and a "
"choice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    `x`, `x_no` and `y` go on after "units that", or "units who" (`who`). `a` shapes `b`, both come before
    the choice and have two levels; `a_b`, `b_x` and `a_y` are sentences without their stop that tell these
    links, `d` is a third variable that one may measure.
    """

    name: str
    setting: str
    units: str
    x: str
    x_no: str
    y: str
    a: str
    a_low: str
    a_high: str
    b: str
    b_low: str
    b_high: str
    a_b: str
    b_x: str
    a_y: str
    d: str
    who: str = "that"


SCENES = (
    Scene(
        "beehives",
        "a beekeepers' association",
        "hives",
        "were treated with formic acid",
        "were treated with oxalic acid",
        "came through the winter",
        "elevation",
        "the valley",
        "the hills",
        "the mite count",
        "a low count",
        "a high count",
        "Elevation has an influence on mites",
        "The mite count weighs in the choice of acid",
        "Elevation makes for harder or milder winters",
        "the strain of the bees",
    ),
    Scene(
        "data-centres",
        "a hosting company",
        "servers",
        "were moved to liquid cooling",
        "stayed on air cooling",
        "failed within a year",
        "age",
        "under three years",
        "three years or more",
        "load",
        "a light load",
        "a heavy load",
        "Work is given out by the servers' age",
        "Load was a point in deciding what to move",
        "Age tells on hardware",
        "the rack position",
    ),
    Scene(
        "marathon",
        "a running federation",
        "runners",
        "prepared with the interval plan",
        "prepared with the distance plan",
        "finished in under four hours",
        "running experience",
        "a beginner",
        "a veteran",
        "the spring time trial",
        "a slow trial",
        "a fast trial",
        "The time trial shows the running experience",
        "Coaches went by the time trial in handing out plans",
        "Experience pays off on the course",
        "the shoe model",
        "who",
    ),
    Scene(
        "mortgages",
        "a savings bank",
        "borrowers",
        "took the fixed rate",
        "took the floating rate",
        "fell behind with their payments",
        "job tenure",
        "a short tenure",
        "a long tenure",
        "the credit score",
        "a modest score",
        "a good score",
        "Tenure is an ingredient of the score",
        "The score had a part in which rate was taken",
        "Tenure protects against falling behind",
        "the branch",
        "who",
    ),
    Scene(
        "irrigation",
        "a water board",
        "fields",
        "were irrigated from sensors",
        "were irrigated by the calendar",
        "yielded above the average",
        "the soil type",
        "sandy soil",
        "loamy soil",
        "moisture in March",
        "dry in March",
        "moist in March",
        "March moisture depends on the soil",
        "Sensors were put up with March moisture in mind",
        "The soil has a say in the yield",
        "the seed lot",
    ),
    Scene(
        "exhibition",
        "a travelling exhibition",
        "school classes",
        "came with a guide",
        "came with an audio tour",
        "passed the quiz",
        "the grade level",
        "a lower grade",
        "an upper grade",
        "preparation in class",
        "no lesson",
        "at least one lesson",
        "Upper and lower grades get unlike preparation in class",
        "The preparation had a bearing on booking a guide",
        "The grade level matters in the quiz",
        "the hour of the visit",
    ),
    Scene(
        "recruiting",
        "an engineering firm",
        "recruits",
        "started in the rotation scheme",
        "started in a fixed team",
        "left within two years",
        "the degree",
        "a first degree",
        "a second degree",
        "the interview mark",
        "a fair mark",
        "a top mark",
        "The degree colours the interview mark",
        "The interview mark counted for getting into the scheme",
        "The degree opens other doors and so bears on leaving",
        "the month of entry",
        "who",
    ),
    Scene(
        "knees",
        "an orthopaedic clinic",
        "patients",
        "had keyhole surgery",
        "had physiotherapy",
        "climbed stairs without pain after a year",
        "body weight",
        "a lower weight",
        "a higher weight",
        "cartilage wear",
        "slight wear",
        "marked wear",
        "Weight wears cartilage",
        "The surgeons' advice took cartilage wear into account",
        "Weight is a matter for stairs in itself",
        "the day of admission",
        "who",
    ),
    Scene(
        "bridges",
        "a road authority",
        "bridges",
        "were given a new coating",
        "were given a patched coating",
        "showed rust after five winters",
        "the distance from the sea",
        "near the coast",
        "inland",
        "the inspection class",
        "class one",
        "class two",
        "The sea air is reflected in the inspection class",
        "The inspection class had its part in the kind of coating",
        "Sea air makes steel rust",
        "the contractor",
    ),
    Scene(
        "board-games",
        "a publisher of board games",
        "games",
        "were launched at the fair",
        "were launched online",
        "were reprinted within a year",
        "the designer's fame",
        "a newcomer",
        "a known name",
        "the print run",
        "a small run",
        "a large run",
        "Fame goes into planning the print run",
        "The print run was a factor in where to launch",
        "Fame helps a game to a reprint",
        "the colour of the box",
    ),
)
