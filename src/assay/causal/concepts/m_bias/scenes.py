"""The stories of M-bias: something measured beforehand that reflects a cause of the choice and one of the "
"result."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    `x`, `x_no` and `y` go on after "units that", or "units who" (`who`). `m` is measured beforehand, with
    two levels; `u` and `v` stand behind it; `u_x` (u on the choice) and `v_y` (v on the result) are
    sentences without their stop. `w` is another covariate.
    """

    name: str
    setting: str
    units: str
    x: str
    x_no: str
    y: str
    m: str
    m_low: str
    m_high: str
    u: str
    u_x: str
    v: str
    v_y: str
    w: str
    who: str = "that"


SCENES = (
    Scene(
        "vineyards",
        "a winegrowers' institute",
        "vineyards",
        "switched to night harvesting",
        "kept harvesting by day",
        "sold out before spring",
        "the guide's rating",
        "one star",
        "two stars",
        "the owner's ambition",
        "Ambitious owners were readier to switch",
        "the quality of the soil",
        "Good soil makes wine that sells",
        "altitude",
    ),
    Scene(
        "chess-clubs",
        "a chess league",
        "young players",
        "joined the opening course",
        "stayed away from the opening course",
        "gained a title within two years",
        "the club trainer's mark",
        "a plain mark",
        "a distinction",
        "eagerness to please",
        "Players eager to please went to the course",
        "tactical vision",
        "Tactical vision brings titles",
        "the size of the club",
        "who",
    ),
    Scene(
        "ferries",
        "a ferry company",
        "crossings",
        "were sailed by the weather-routing program",
        "were sailed by the captain's own route",
        "arrived late",
        "the passenger forecast",
        "a half-empty ship",
        "a full ship",
        "the day of the week",
        "On certain days the office pressed for the program",
        "the state of the sea",
        "Rough seas delay ships",
        "the age of the vessel",
    ),
    Scene(
        "allotments",
        "an association of allotment gardens",
        "plots",
        "were watered by drip hoses",
        "were watered by can",
        "had blight by August",
        "the spring inspection",
        "minor remarks",
        "no remarks",
        "the tenant's free time",
        "Busy tenants laid hoses",
        "the shelter of the hedge",
        "Sheltered plots dry slowly and catch blight",
        "the variety grown",
    ),
    Scene(
        "web-shops",
        "a platform for web shops",
        "shops",
        "turned on one-click payment",
        "left one-click payment off",
        "doubled their turnover",
        "the rating on the platform",
        "under four points",
        "four points or more",
        "the owner's technical skill",
        "Skilled owners turned it on",
        "the appeal of the goods",
        "Appealing goods sell",
        "the country of the shop",
    ),
    Scene(
        "choirs",
        "a federation of choirs",
        "choirs",
        "rehearsed with a vocal coach",
        "rehearsed without a vocal coach",
        "were invited to the festival",
        "the audience of the year before",
        "small audiences",
        "large audiences",
        "the wealth of the parish",
        "Choirs of wealthy parishes could pay a coach",
        "the conductor's reputation",
        "A reputed conductor earns invitations",
        "the number of singers",
    ),
    Scene(
        "warehouses",
        "a logistics group",
        "warehouses",
        "introduced picking robots",
        "went on picking by hand",
        "met the delivery target",
        "last year's audit grade",
        "grade B",
        "grade A",
        "the manager's taste for novelty",
        "Managers with a taste for novelty ordered robots",
        "the calm of the labour market",
        "Where the labour market is calm, targets are met",
        "floor space",
    ),
    Scene(
        "cataract",
        "an eye hospital",
        "patients",
        "had the folding lens",
        "had the rigid lens",
        "read the bottom line after a month",
        "the referral letter's length",
        "a short letter",
        "a long letter",
        "the referring doctor's care",
        "Careful doctors asked for the folding lens",
        "illness in other organs",
        "Illness in other organs slows recovery",
        "age",
        "who",
    ),
    Scene(
        "bus-lines",
        "a city's transport office",
        "bus lines",
        "were given priority lights",
        "ran without priority lights",
        "gained passengers",
        "the number of complaints",
        "few complaints",
        "many complaints",
        "the vigour of the district council",
        "Vigorous councils obtained priority lights",
        "the extent of roadworks",
        "Roadworks drive passengers away",
        "the length of the line",
    ),
    Scene(
        "comets",
        "a network of amateur observatories",
        "nights of observation",
        "were recorded with the cooled camera",
        "were recorded with the uncooled camera",
        "brought a new comet",
        "the number of observers who signed up",
        "few names on the list",
        "many names on the list",
        "the enthusiasm of the local club",
        "Enthusiastic clubs had bought the cooled camera",
        "the clearness of the sky",
        "Clear skies bring comets to light",
        "the phase of the moon",
    ),
)
