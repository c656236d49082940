"""The stories of time-varying confounding: a measure taken twice, and a reading in between."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from assay.causal.wording.graphs import sentence


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    The measure is taken or not at a first time and again at a second; `reading` is what was read in between.
    `reacts` says that the first measure moves the reading, `inert` that it cannot; `guides` that the second
    decision looked at the reading, `blind` that it did not. `u` names a thing that nobody recorded, and
    `hidden` says that it bears on reading and outcome. All sentences come without the full stop.
    """

    name: str
    setting: str
    units: str
    first: str
    first_no: str
    second: str
    second_no: str
    y: str
    reading: str
    low: str
    high: str
    reacts: str
    inert: str
    guides: str
    blind: str
    u: str
    hidden: str

    def words(self) -> dict[str, str]:
        """Return what templates are filled with: every field, capitalised under its capitalised name."""
        found = asdict(self)
        return found | {name.capitalize(): sentence(text) for name, text in found.items()}


SCENES = (
    Scene(
        "olives",
        "an olive growers' research station",
        "groves",
        "were pruned in the first winter",
        "were left unpruned in the first winter",
        "were pruned in the second winter",
        "were left unpruned in the second winter",
        "bore a full crop in the third year",
        "crown density",
        "open",
        "dense",
        "Pruning in the first winter leaves its mark on the density of the crown in summer",
        "Crown density was read in the lower tier, which no pruner touches and which pays no heed to the "
        "rest",
        "Before the second winter growers looked at the density and decided accordingly",
        "Before the second winter growers went by what they had done in the first, and did not look up at "
        "any crown",
        "the depth of the soil",
        "The depth of the soil, on no map, makes for dense crowns and full crops",
    ),
    Scene(
        "patrols",
        "a city police statistics bureau",
        "quarters",
        "had extra patrols in spring",
        "had usual patrols in spring",
        "had extra patrols in autumn",
        "had usual patrols in autumn",
        "ended the year with fewer burglaries",
        "volume of summer complaints",
        "few complaints",
        "many complaints",
        "Patrols in spring change how often people complain in summer",
        "Complaints concern noise from the airport, on which patrols in spring have no influence whatever",
        "When the autumn patrols were planned, the file of complaints was on the table and was followed",
        "When the autumn patrols were planned, the spring list was on the table, and the file of "
        "complaints was locked away",
        "the turnover of tenants",
        "The turnover of tenants, which is not counted, gives rise to complaints and to burglaries",
    ),
    Scene(
        "dose-steps",
        "a rheumatology ward",
        "patients",
        "got the high dose in month one",
        "got the low dose in month one",
        "got the high dose in month two",
        "got the low dose in month two",
        "were free of pain after a year",
        "blood count",
        "normal count",
        "abnormal count",
        "The dose of month one acts on the count taken at its end",
        "The count taken at the end of month one is of a cell that lives for half a year, made long "
        "before the dose",
        "Doctors chose the dose of month two with that count in hand",
        "Doctors chose the dose of month two from the chart of month one, while counts lay unread in the "
        "laboratory",
        "a dormant infection",
        "A dormant infection, for which nobody tested, disturbs the count and makes for pain",
    ),
    Scene(
        "tutoring",
        "a district school board",
        "pupils",
        "were tutored in the first term",
        "were not tutored in the first term",
        "were tutored in the second term",
        "were not tutored in the second term",
        "passed the leaving examination",
        "the midyear mark",
        "low",
        "high",
        "Tutoring in the first term alters the midyear mark",
        "The midyear mark is for gymnastics, where tutoring in the first term can alter nothing",
        "Places for the second term went out by the midyear mark",
        "Places for the second term went out by the list of the first, without regard to any mark",
        "a pupil's stamina",
        "A pupil's stamina, which no test covers, shows in the midyear mark and in the examination",
    ),
    Scene(
        "reservoirs",
        "a hydropower company",
        "reservoirs",
        "were lowered in May",
        "were kept full in May",
        "were lowered in September",
        "were kept full in September",
        "met the year's output target",
        "silt level in July",
        "little silt",
        "much silt",
        "Lowering the water in May changes how much silt there is in July",
        "The silt was gauged in a side basin behind a dam of its own, to which the lowering in May did "
        "not extend",
        "Engineers settled the September levels after reading the silt gauge",
        "Engineers settled the September levels in keeping with those of May; the silt gauge reports to "
        "another department",
        "the state of the forests upstream",
        "The state of the forests upstream, never surveyed, governs the silt and the flow that drives output",
    ),
    Scene(
        "promotions",
        "a chain of toy shops",
        "products",
        "were discounted in October",
        "kept their price in October",
        "were discounted in December",
        "kept their price in December",
        "sold out by the new year",
        "tone of the November reviews",
        "poor reviews",
        "good reviews",
        "A discount in October changes what reviews appear in November",
        "The November reviews are by a magazine that tests samples sent in summer, at no price at all",
        "The December discounts were set by someone who had read the November reviews and took them into "
        "account",
        "The December discounts were set by someone who knew what had been discounted in October and read "
        "no reviews",
        "the fun of a toy",
        "The fun of a toy, which has no scale, makes for good reviews and for sales",
    ),
    Scene(
        "reefs",
        "a marine park",
        "reef sections",
        "were closed to divers in year one",
        "stayed open to divers in year one",
        "were closed to divers in year two",
        "stayed open to divers in year two",
        "had young coral in year four",
        "algae cover after year one",
        "thin algae",
        "thick algae",
        "Closing a section in year one changes the algae found after it",
        "The algae were judged on aerial pictures from the year before anything was closed",
        "Rangers studied the algae and closed sections in year two in the light of what they saw",
        "Rangers closed sections in year two by a scheme that knew what had been closed in year one and "
        "nothing about algae",
        "the current along the bottom",
        "The current along the bottom, unmeasured, thins the algae and carries coral larvae",
    ),
    Scene(
        "on-call",
        "an operator of data centres",
        "server clusters",
        "were patched in the first quarter",
        "were skipped in the first quarter",
        "were patched in the second quarter",
        "were skipped in the second quarter",
        "ran without an outage to the end of the year",
        "error rate in spring",
        "low rate",
        "high rate",
        "A patch in the first quarter changes the error rate in spring",
        "The error rate in spring is that of the cooling units, which share no software with what was "
        "patched",
        "The team picked clusters for the second quarter from the list of error rates",
        "The team picked clusters for the second quarter from the log of the first, with error rates "
        "hidden from it",
        "the age of the cabling",
        "The age of the cabling, missing from the inventory, raises error rates and brings about outages",
    ),
    Scene(
        "volunteers",
        "a federation of food banks",
        "branches",
        "ran a radio appeal before Easter",
        "ran no appeal before Easter",
        "ran a radio appeal before Christmas",
        "ran no appeal before Christmas",
        "could open daily the following year",
        "number of helpers in summer",
        "few helpers",
        "many helpers",
        "An appeal before Easter changes how many helpers there are in summer",
        "Helpers in summer are counted among exchange students, who had been assigned abroad before any "
        "appeal",
        "Whether there was an appeal before Christmas was decided in view of the helpers in summer",
        "Whether there was an appeal before Christmas was decided in view of the Easter programme, and "
        "helpers were not considered",
        "the cohesion of the neighbourhood",
        "The cohesion of the neighbourhood, for which there is no figure, brings helpers and keeps "
        "branches open",
    ),
    Scene(
        "strings",
        "an orchestra academy",
        "violinists",
        "practised with a metronome in the autumn",
        "practised freely in the autumn",
        "practised with a metronome in the spring",
        "practised freely in the spring",
        "won an audition in the summer",
        "winter recital score",
        "low score",
        "high score",
        "How they practised in the autumn is heard at the winter recital",
        "The winter recital is judged from recordings made on the first day of the academic year, before "
        "any practice",
        "Teachers settled how to practise in the spring on the strength of the recital score",
        "Teachers settled how to practise in the spring from the autumn's rota, and were told no scores",
        "a player's hearing",
        "A player's hearing, which was not examined, shows at recitals and at auditions",
    ),
)
