"""The stories of confounding: a choice that people made, what came of it, and what was known beforehand."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    `z` has two levels, `z_low` and `z_high`; `before` says how z came to bear on the choice, `after` how the
    choice came to bear on z; both are sentences without their stop, as is `bears` (z on the outcome).
    `follow_up` says which records remain. `x`, `x_no`, `y` and `follow_up` go on after "units that", or after
    `that` where the units are people.
    """

    name: str
    setting: str
    units: str
    x: str
    x_no: str
    y: str
    z: str
    z_low: str
    z_high: str
    before: str
    after: str
    bears: str
    follow_up: str
    that: str = "that"


SCENES = (
    Scene(
        "dialysis",
        "a network of dialysis clinics",
        "patients",
        "switched to home dialysis",
        "stayed at the clinic",
        "were admitted to hospital within a year",
        "residual kidney function",
        "low function",
        "preserved function",
        "Nephrologists looked at the function measured at intake and were guided by it in offering the "
        "switch",
        "How much function was left was measured half a year in, and the gentler home sessions had preserved "
        "it",
        "Function of that kind matters for who ends up in hospital, whatever the place of treatment",
        "answered the twelve-month questionnaire",
        "who",
    ),
    Scene(
        "harbour",
        "a container port",
        "crane crews",
        "were moved to the new roster",
        "kept the old roster",
        "had a lifting incident during the quarter",
        "experience",
        "under five years together",
        "five years or more together",
        "Foremen, who knew how long each crew had worked together, filled the new roster with that in mind",
        "How long a crew had been together was noted at the end of the quarter, and the new roster had "
        "swapped long-serving hands for newcomers",
        "Joint service has its own bearing on incidents",
        "filed the closing safety form",
    ),
    Scene(
        "orchards",
        "an apple growers' cooperative",
        "orchards",
        "were sprayed with kaolin clay",
        "were left unsprayed",
        "lost more than a tenth of the crop to sunburn",
        "leaf cover",
        "thin cover",
        "dense cover",
        "Growers decided about the clay after walking their rows, and how thick the leaves stood weighed "
        "heavily",
        "Leaf cover was surveyed in late summer, when sprayed trees had kept more of their leaves than "
        "others",
        "How much shade the leaves give affects sunburn by itself",
        "had a harvest record on file",
    ),
    Scene(
        "helpdesk",
        "a software vendor",
        "support tickets",
        "were answered by the drafting assistant",
        "were answered by hand",
        "were reopened within a week",
        "breadth",
        "a single product",
        "several products",
        "The router reads how many products a ticket touches and hands tickets to the assistant accordingly",
        "Breadth is noted on closing, and the assistant's habit of bringing up further products broadens a "
        "ticket",
        "How many products a ticket touches has its own bearing on whether it comes back",
        "got a satisfaction rating from the customer",
    ),
    Scene(
        "night-trains",
        "a railway operator",
        "sleeper services",
        "ran with the refitted bogies",
        "ran with the original bogies",
        "arrived over thirty minutes late",
        "route profile",
        "over the plain",
        "over the mountains",
        "The depot assigned the refitted sets with the profile of each service's route in view",
        "As refitted sets may take the summit curves, dispatchers sent those trains by another route than "
        "the one first planned, and it is the route taken that was noted",
        "The profile of the route has an influence of its own on delays",
        "had a complete driver's log",
    ),
    Scene(
        "library",
        "a city's library service",
        "members",
        "joined the reading circle",
        "did not join",
        "renewed their card the next year",
        "borrowing habit",
        "a few loans a year",
        "loans every month",
        "Librarians invited members to the circle after a look at the previous year's loans",
        "The circle got people to borrow at another pace, and the loans counted are those made after joining",
        "How much people borrow affects renewal in its own right",
        "returned the members' survey",
        "who",
    ),
    Scene(
        "greenhouses",
        "a seed company",
        "trial beds",
        "were inoculated with the soil fungus",
        "were left untreated",
        "reached the market grade",
        "drainage",
        "poor drainage",
        "good drainage",
        "Gardeners chose the beds to inoculate with the drainage test of early spring in hand",
        "The fungus changes the soil's structure, and drainage was tested only when the beds were cleared",
        "Drainage affects the grade directly as well",
        "were photographed at the final inspection",
    ),
    Scene(
        "apprentices",
        "a guild of electricians",
        "apprentices",
        "were paired with a mentor",
        "worked without a mentor",
        "passed the journeyman examination at the first attempt",
        "workshop score",
        "a low score",
        "a high score",
        "Masters gave out mentors after seeing the workshop score of the first term",
        "The score was taken in the second year, after mentors had changed how their apprentices practised "
        "and what they scored",
        "What the score measures affects the examination independently of mentors",
        "took part in the exit interview",
        "who",
    ),
    Scene(
        "turbines",
        "an operator of wind farms",
        "turbines",
        "received the blade coating",
        "went without the coating",
        "needed an unplanned repair within two years",
        "exposure",
        "a sheltered site",
        "an exposed site",
        "The maintenance planners picked turbines for coating from the exposure map drawn before the "
        "programme",
        "Coated machines were moved to other sites than planned, and exposure was entered after the moves",
        "Exposure has its own effect on repairs",
        "transmitted sensor data to the end",
    ),
    Scene(
        "bakeries",
        "a bakery franchise",
        "shops",
        "adopted the frozen-dough line",
        "kept baking from scratch",
        "ended the year with a loss",
        "footfall",
        "a quiet street",
        "a busy street",
        "Franchisees made up their minds with the footfall count of the previous year on the table",
        "Footfall was counted well after the change, when the smell of baking, or its absence, had done its "
        "work",
        "Footfall bears on the year's result whatever is baked",
        "handed in audited books",
    ),
)
