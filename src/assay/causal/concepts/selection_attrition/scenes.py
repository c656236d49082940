"""The stories of selection and attrition: two arms, an early sign, and units lost before the end."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    Units had `arm1` or `arm0` and then `y` or not. `sign` is noted for all, `low` or `high`: `before` says
    how it steered the arm, `after` how the arm had moved it. Some units `lost`, the others `kept`. `u` is a
    cause of the outcome on which nothing is recorded; `v` leaves a trace in the sign and may bear on losses,
    but not on the outcome. `that` is the pronoun that follows the units.
    """

    name: str
    setting: str
    units: str
    arm1: str
    arm0: str
    y: str
    sign: str
    low: str
    high: str
    before: str
    after: str
    lost: str
    kept: str
    u: str
    v: str
    that: str = "who"


SCENES = (
    Scene(
        "vineyards",
        "a wine-growing cooperative",
        "growers",
        "drip irrigation",
        "sprinkler irrigation",
        "brought in a full crop",
        "soil moisture",
        "dry",
        "moist",
        "advisers read the moisture probes in March and went by them in recommending drip lines",
        "the probes were read in July, and by then the drip lines had left the soil in another state",
        "stopped answering the cooperative's letters",
        "still answered in October",
        "patience with pruning",
        "the diligence of the local technician",
    ),
    Scene(
        "language-app",
        "the maker of a language app",
        "learners",
        "spoken drills",
        "written drills",
        "passed the closing test",
        "weekly practice",
        "under an hour",
        "an hour or more",
        "the app went by the practice of the week before in offering spoken drills",
        "practice was counted in the third week, and spoken drills had changed how long people stayed on",
        "deleted the app",
        "kept the app to the end",
        "musicality",
        "free space on the phone",
    ),
    Scene(
        "couriers",
        "a bicycle courier firm",
        "riders",
        "the zone roster",
        "the open roster",
        "delivered nine in ten parcels on time",
        "average speed",
        "slow",
        "fast",
        "dispatchers looked at last season's speed when they filled the zone roster",
        "speed was taken from the trackers in week five, and shorter zone trips had altered it",
        "handed back the tracker",
        "carried the tracker all season",
        "knowledge of back lanes",
        "the age of the charger",
    ),
    Scene(
        "heat-pumps",
        "a municipal energy agency",
        "households",
        "the smart thermostat",
        "the plain thermostat",
        "cut their gas use by a fifth",
        "room temperature",
        "under 20 degrees",
        "20 degrees or more",
        "installers went by the room temperatures of the winter before in proposing the smart model",
        "room temperature was logged in December, once the smart model had begun to steer it",
        "withdrew consent to the meter readings",
        "let their meters be read throughout",
        "thrift",
        "the make of the sensor",
        "that",
    ),
    Scene(
        "academy",
        "a football academy",
        "juniors",
        "small-sided training",
        "full-pitch training",
        "made the first squad",
        "sprint time",
        "above four seconds",
        "below four seconds",
        "coaches had the autumn sprint times before them when they formed the small-sided groups",
        "sprints were timed in February, and months of small-sided play had left their mark on them",
        "left the academy in spring",
        "stayed through the season",
        "reading of the game",
        "the length of the journey to training",
    ),
    Scene(
        "call-centre",
        "a telephone bank",
        "recruits",
        "scripted onboarding",
        "shadowing",
        "reached the service target",
        "typing accuracy",
        "below par",
        "above par",
        "supervisors sorted recruits into the two courses with the entry test of typing accuracy in hand",
        "typing accuracy was tested after the first month, when the course had done its part",
        "resigned before the audit",
        "were there for the audit",
        "calm under complaint",
        "the length of the commute",
    ),
    Scene(
        "salmon",
        "a federation of salmon farms",
        "farms",
        "the algae feed",
        "the meal feed",
        "brought their fish to sale weight",
        "lice count",
        "few lice",
        "many lice",
        "managers chose the feed after the April lice count and with an eye to it",
        "lice were counted in August, after the feed had changed how well the fish shook them off",
        "sent no report in autumn",
        "reported to the end",
        "the strength of the stock",
        "the software in use for the records",
        "that",
    ),
    Scene(
        "fibre",
        "a chamber of commerce",
        "shops",
        "the fibre line",
        "the copper line",
        "opened a web store",
        "card turnover",
        "low",
        "high",
        "the carrier let the previous year's card turnover decide where fibre was laid first",
        "card turnover was taken half a year on, when the new line had already shifted payments",
        "skipped the closing survey",
        "filled in the closing survey",
        "the owner's curiosity",
        "the thoroughness of the accountant",
        "that",
    ),
    Scene(
        "guides",
        "a museum of natural history",
        "volunteers",
        "object-based coaching",
        "lecture-based coaching",
        "were rated excellent by visitors",
        "knowledge score",
        "modest",
        "strong",
        "curators gave out object-based coaching in view of the knowledge score at application",
        "the score comes from a quiz half-way, which the kind of coaching had affected",
        "were no longer on the rota when ratings were taken",
        "were on the rota when ratings were taken",
        "warmth with children",
        "the amount of spare time",
    ),
    Scene(
        "shoulder",
        "a rehabilitation clinic",
        "patients",
        "home exercise",
        "group exercise",
        "lifted the arm freely at six months",
        "pain level",
        "mild pain",
        "marked pain",
        "therapists assigned home exercise in the light of the pain reported at intake",
        "pain was asked about at week eight, after the exercise had worked on it",
        "missed the six-month visit",
        "came to the six-month visit",
        "stamina",
        "the distance to the clinic",
    ),
    Scene(
        "chess",
        "a chess federation",
        "club players",
        "engine lessons",
        "book lessons",
        "gained fifty rating points",
        "puzzle score",
        "under 1,500",
        "1,500 or over",
        "teachers steered players to one kind of lesson or the other by an earlier puzzle score",
        "the puzzle score was set mid-course, and the lessons themselves had shifted it",
        "did not play the rating event",
        "played the rating event",
        "composure",
        "the quality of the internet line",
    ),
)
