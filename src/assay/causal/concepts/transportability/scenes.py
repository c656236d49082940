"""The stories of transportability: a study in one place, and another place that wants its result."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story: `study` and `target` are the two populations, both plural.

    `x`, `x_no` and `y` are predicates in the past; `a` and `b` are two traits of a unit with two levels each,
    written to follow "with"; `d` is a further difference between the places, a clause; `that` is the pronoun
    that follows the units.
    """

    name: str
    study: str
    target: str
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
    d: str
    that: str = "that"


SCENES = (
    Scene(
        "vineyards",
        "the hillside estates",
        "the estates on the plain",
        "vineyard plots",
        "were hung with pheromone traps",
        "were left without traps",
        "brought in a full harvest",
        "canopy density",
        "an open canopy",
        "a dense canopy",
        "vine age",
        "a young vine stock",
        "an old vine stock",
        "the estates on the plain pick by machine, the hillside estates by hand",
    ),
    Scene(
        "museums",
        "the museums of three capitals",
        "the museums of small towns",
        "visitors",
        "were handed an audio guide",
        "went round without a guide",
        "came back within a year",
        "familiarity with the collection",
        "little familiarity with it",
        "much familiarity with it",
        "party size",
        "a small party",
        "a large party",
        "the museums of small towns have free parking, those of the capitals have not",
        "who",
    ),
    Scene(
        "onboarding",
        "the firms on the payroll product",
        "the firms on the invoicing product",
        "new users",
        "saw the guided set-up",
        "saw the plain set-up",
        "were still active after ninety days",
        "number of integrations",
        "a single integration",
        "a chain of integrations",
        "billing plan",
        "a monthly plan",
        "an annual plan",
        "the firms on the invoicing product are served from another data centre than the rest",
        "who",
    ),
    Scene(
        "trawlers",
        "the northern ports",
        "the southern ports",
        "trawlers",
        "were fitted with escape panels",
        "kept their old nets",
        "stayed under the by-catch limit",
        "towing speed",
        "a low towing speed",
        "a high towing speed",
        "crew size",
        "a small crew",
        "a large crew",
        "the southern ports hold their auctions before dawn, the northern ports at noon",
    ),
    Scene(
        "algebra",
        "the schools of the pilot district",
        "the schools across the river",
        "pupils",
        "were taught with worked examples",
        "were taught the usual way",
        "passed the algebra test",
        "homework habit",
        "irregular homework",
        "regular homework",
        "class size",
        "a small class",
        "a large class",
        "the schools across the river begin their year three weeks later",
        "who",
    ),
    Scene(
        "thermostats",
        "the inland towns",
        "the lakeside towns",
        "households",
        "received a learning thermostat",
        "kept their old thermostat",
        "cut their heating bill",
        "night-time setting",
        "a cool night setting",
        "a warm night setting",
        "kind of boiler",
        "a gas boiler",
        "an electric boiler",
        "the lakeside towns announce their tariffs in spring, the inland towns in autumn",
    ),
    Scene(
        "couriers",
        "the daytime depots",
        "the night depots",
        "drivers",
        "took the coaching course",
        "took no course",
        "finished the year without an accident",
        "rest between shifts",
        "a short rest",
        "a long rest",
        "seniority",
        "little seniority",
        "much seniority",
        "the night depots lie on the other side of the motorway",
        "who",
    ),
    Scene(
        "chess",
        "the online leagues",
        "the club leagues",
        "players",
        "trained with the puzzle programme",
        "trained as before",
        "gained rating over the season",
        "opening study",
        "little opening study",
        "much opening study",
        "kind of licence",
        "a junior licence",
        "a senior licence",
        "the club leagues play at weekends, the online leagues on weekday evenings",
        "who",
    ),
    Scene(
        "early-walking",
        "the university hospitals",
        "the rural hospitals",
        "patients",
        "followed the early-walking plan",
        "had the usual care",
        "went home within five days",
        "grip strength",
        "a weak grip",
        "a strong grip",
        "kind of anaesthesia",
        "a local anaesthetic",
        "a general anaesthetic",
        "the rural hospitals have another firm for their kitchens",
        "who",
    ),
    Scene(
        "apiaries",
        "the mountain apiaries",
        "the lowland apiaries",
        "colonies",
        "were moved into insulated hives",
        "stayed in standard hives",
        "survived the winter",
        "mite load",
        "a low mite load",
        "a high mite load",
        "age of the queen",
        "a young queen",
        "an old queen",
        "the lowland apiaries stand closer to motorways",
    ),
)
