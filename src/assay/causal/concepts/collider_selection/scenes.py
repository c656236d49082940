"""The stories of collider selection: a step taken or not, its result, and who gets into the file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    `x`, `x_no`, `y` and `s` (getting into `file`) go on after "units that", or "units who" (`who`). `c` is
    a covariate with two levels, `u` something that nobody records; `c_bears` and `u_bears`, sentences
    without their stop, say that these influence the outcome.
    """

    name: str
    setting: str
    units: str
    x: str
    x_no: str
    y: str
    s: str
    file: str
    c: str
    c_low: str
    c_high: str
    c_bears: str
    u: str
    u_bears: str
    who: str = "that"


SCENES = (
    Scene(
        "start-ups",
        "a venture fund",
        "young firms",
        "hired a seasoned manager",
        "kept a founder in charge",
        "made a profit in their third year",
        "were portrayed in the fund's yearbook",
        "the yearbook",
        "cash in hand",
        "thin reserves",
        "ample reserves",
        "Reserves make a difference to profits in their own right",
        "founders' drive",
        "Drive is a help in getting into the black",
    ),
    Scene(
        "rowers",
        "a rowing federation",
        "junior rowers",
        "trained at altitude",
        "trained at sea level",
        "won a medal in the season",
        "were called to the national camp",
        "the camp register",
        "body weight",
        "the light class",
        "the heavy class",
        "Weight influences results on the water",
        "talent",
        "Talent wins medals",
        "who",
    ),
    Scene(
        "spectra",
        "an observatory",
        "stars",
        "were observed through the new grating",
        "were observed through the old grating",
        "showed a planet's signal",
        "were entered in the published catalogue",
        "the catalogue",
        "signal strength",
        "a weak signal",
        "a strong signal",
        "Signal strength has a bearing on whether planets show up",
        "stellar activity",
        "Active stars hide or mimic planets",
    ),
    Scene(
        "trawlers",
        "a coastal fisheries board",
        "boats",
        "fished with the wider mesh",
        "fished with the standard mesh",
        "landed a full hold",
        "were inspected on the quay",
        "the inspection log",
        "time at sea",
        "short trips",
        "long trips",
        "The longer the trip, the fuller the hold",
        "the skipper's skill",
        "Skill fills holds",
    ),
    Scene(
        "tapestries",
        "a federation of museums",
        "tapestries",
        "hung under the warm lamps",
        "hung under the cool lamps",
        "faded visibly",
        "went to the restorers",
        "the restorers' ledger",
        "dust load",
        "little dust",
        "much dust",
        "Dust dulls colours by itself",
        "fastness of the dye",
        "Poor dyes fade sooner",
    ),
    Scene(
        "pull-requests",
        "a software foundation",
        "pull requests",
        "were drafted with the code assistant",
        "were drafted by hand",
        "caused a regression",
        "were discussed at the weekly meeting",
        "the minutes of the meeting",
        "diff size",
        "a small diff",
        "a large diff",
        "Large and small changes differ in how often they break something",
        "haste",
        "Hasty work breaks things",
    ),
    Scene(
        "academy",
        "a district of secondary schools",
        "pupils",
        "practised with the tutoring app",
        "practised without the app",
        "passed the spring test",
        "applied to the summer academy",
        "the pile of applications",
        "homework time",
        "under an hour a day",
        "an hour a day or more",
        "Time spent on homework shows in the test",
        "curiosity",
        "Curious pupils do better in the test",
        "who",
    ),
    Scene(
        "stroke-units",
        "a county's ambulance service",
        "patients",
        "had the early scan",
        "had the scan later",
        "suffered a second stroke within ninety days",
        "were transferred to the university hospital",
        "the hospital's patient list",
        "blood pressure",
        "normal pressure",
        "raised pressure",
        "Blood pressure acts on the risk of a second stroke",
        "frailty",
        "Frail people have worse courses",
        "who",
    ),
    Scene(
        "solar-roofs",
        "a solar cooperative",
        "rooftop plants",
        "were built with tracking mounts",
        "were built with fixed mounts",
        "lost an inverter",
        "appeared at the service desk",
        "the service desk's records",
        "panel temperature",
        "cool panels",
        "hot panels",
        "Heat, or the lack of it, tells on inverters",
        "sloppiness of the wiring",
        "Sloppy wiring costs inverters",
    ),
    Scene(
        "small-claims",
        "a circuit of courts",
        "small claims",
        "went to mediation first",
        "went straight to a hearing",
        "ended in a settlement that held",
        "were reported in the law gazette",
        "the gazette",
        "sum in dispute",
        "a modest sum",
        "a substantial sum",
        "How much is at stake affects whether settlements hold",
        "the parties' stubbornness",
        "Stubborn parties do not keep settlements",
    ),
)
