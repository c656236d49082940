"""The stories of interference: pairs of units, one or both of them treated, how one bears on the other."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story of units in pairs, the pairs in places.

    `who` stands for units in relative clauses. Four whole sentences say how one's treatment bears on the
    other's outcome: `apart` not at all though they seem entangled, `lifts` for the better, `takes` for the
    worse but less than one's own gain, `fixed` by exactly one's own gain, because the total is given.
    """

    name: str
    setting: str
    units: str
    unit: str
    who: str
    other: str
    pair: str
    pairs: str
    places: str
    x: str
    x_no: str
    y: str
    apart: str
    lifts: str
    takes: str
    fixed: str


SCENES = (
    Scene(
        "flats",
        "an epidemiology institute",
        "flatmates",
        "flatmate",
        "who",
        "the other flatmate",
        "flat",
        "flats",
        "towns",
        "were given the iron tablets",
        "were given no tablets",
        "passed the stair test",
        "The two share a kitchen, a bathroom and every meal, but tablets are swallowed under a nurse's "
        "eyes, and blood "
        "iron, on which the test depends, does not pass from one body to another",
        "A flatmate with more breath proposes the stairs instead of the lift, and whoever is asked along "
        "gets fitter too",
        "A flatmate with more breath takes over the carrying and climbing for both, which costs the other "
        "a part of the "
        "training, though less than the tablets bring",
        "The examiner was told to pass one person per flat, the better of the two, and did so even where "
        "both ran well or both badly",
    ),
    Scene(
        "orchard-rows",
        "a fruit growers' station",
        "trees",
        "tree",
        "that",
        "the neighbouring tree",
        "row",
        "rows",
        "valleys",
        "were given the root stimulant",
        "were given plain water",
        "bore fruit of the top grade",
        "Branches of the two mingle, yet both stand in sealed tubs of their own, the stimulant stays in "
        "the tub, and light "
        "and bees are in excess for all",
        "Roots of the two grow into each other, and a good share of the stimulant seeps into whatever "
        "stands beside",
        "A stimulated tree draws water from the soil that both stand in, so the one beside suffers a "
        "little, not as much as "
        "the stimulated one gains",
        "The label for the top grade goes by contract to one tree in a row, whichever of the two is the "
        "finer",
    ),
    Scene(
        "desk-mates",
        "a school board",
        "pupils",
        "pupil",
        "who",
        "the desk-mate",
        "desk",
        "desks",
        "schools",
        "got the vocabulary app",
        "got no app",
        "passed the Spanish oral",
        "Desk-mates chat all morning, but the app's words were taken from films that nobody else could "
        "get, and the oral, "
        "taken alone with an examiner from abroad, tests each pupil's own list",
        "Pupils with the app try out its words on whoever sits beside them, and those words turn up in the "
        "oral",
        "Pupils with the app talk so much in the practice hour that whoever sits beside them gets to speak "
        "somewhat less, "
        "a smaller loss than the app's gain",
        "By decree one pupil at each desk passes the oral, namely the one who speaks better on the day",
    ),
    Scene(
        "couriers",
        "a parcel company",
        "couriers",
        "courier",
        "who",
        "the partner courier",
        "beat",
        "beats",
        "cities",
        "had the route planner",
        "had a paper map",
        "met the weekly quota",
        "Two couriers work one beat and have their breakfast together, but parcels are allotted to each by "
        "street before dawn, far more than either can carry, and a plan for one's own streets is of no "
        "use in another's",
        "A courier with the planner passes on closures and short cuts over the radio, from which the "
        "partner's round gains as well",
        "A courier with the planner skims some of the easy parcels off the common pile, leaving the "
        "partner a bit short, "
        "though by less than the planner adds",
        "Quotas are ranks: on every beat whoever of the two carried more has met the quota and the other "
        "has not",
    ),
    Scene(
        "stalls",
        "a market hall's management",
        "stallholders",
        "stallholder",
        "who",
        "the stallholder opposite",
        "aisle",
        "aisles",
        "halls",
        "put up the new lamps",
        "kept the old lamps",
        "sold out before noon",
        "The two call out prices to each other across the aisle all day, but each sells to order only, to "
        "customers who "
        "were signed up in advance and come to that stall alone, and a partition stops the light",
        "Lit goods draw people into the aisle, and people in the aisle buy on both of its sides",
        "Lit goods draw some customers over from the opposite side, besides the new ones that they bring in",
        "Each aisle is sent one crowd of a given size, enough for one stall to sell out, and it empties "
        "the brighter of the two, however slight the difference",
    ),
    Scene(
        "repositories",
        "an open-source foundation",
        "modules",
        "module",
        "that",
        "the sister module",
        "package",
        "packages",
        "ecosystems",
        "were scanned by the bug finder",
        "were not scanned",
        "went six months without a crash",
        "Both modules sit in one repository and have the same maintainers, but they run as separate "
        "programs that never "
        "call each other, and the finder's reports are applied mechanically to the scanned code",
        "The sister module calls into this one all the time, so a bug that is removed here can no longer "
        "bring it down there",
        "The maintainers' hours spent on mending a scanned module are taken from the upkeep of its sister, "
        "which is the worse for it, if by less than the mending does for the module mended",
        "Within six months one of the two is bound to crash, the shakier one, and at that moment the "
        "package is withdrawn, before the other can crash as well",
    ),
    Scene(
        "hives",
        "a beekeepers' union",
        "hives",
        "hive",
        "that",
        "the twin hive",
        "stand",
        "stands",
        "districts",
        "were given oxalic acid",
        "were given none",
        "came through the winter",
        "The hives stand wall to wall, but they were shut up with their mites before the treatment and "
        "stayed so "
        "until spring, each on its own store of sugar",
        "Foragers from both hives drift in and out of either and carry mites along, fewer of them where one "
        "of the hives has been cleaned",
        "A treated hive is strong enough in autumn to rob some of its twin's honey, to a lesser extent "
        "than the acid helps it",
        "There is sugar for a single hive on each stand; the stronger of the two gets it and lives, the "
        "other starves",
    ),
    Scene(
        "duets",
        "a conservatory",
        "singers",
        "singer",
        "who",
        "the duet partner",
        "duet",
        "duets",
        "faculties",
        "had coaching in breathing",
        "had no coaching",
        "won a place in the summer course",
        "They rehearse together day and night, but places go by a lung test on a machine, as many as reach "
        "its mark, and the "
        "coach binds everybody to silence about the method, an oath that was kept",
        "Places go to as many as sing well, and a coached singer carries the partner along, phrase by phrase",
        "Places go to as many as impress the jury, and next to a coached singer the partner seems a little "
        "paler, though "
        "the coaching adds more than that",
        "The course takes precisely one singer from each duet, whoever sounds better next to the other",
    ),
    Scene(
        "solar-roofs",
        "a municipal energy office",
        "households",
        "household",
        "that",
        "the household next door",
        "semi-detached house",
        "semi-detached houses",
        "suburbs",
        "were visited by the energy adviser",
        "were not visited",
        "saved a tenth of their heating",
        "Next-door households talk over the fence about the visit, but all that the adviser does is adjust "
        "the boiler, a locked device, and the party wall lets no heat through",
        "The adviser's hints travel over the fence, and those next door turn their thermostat down as well",
        "Households with advice keep their half cooler, so the other half loses heat through the party wall "
        "and saves less, though the loss is smaller than what the advice brings",
        "A house has a single meter, so by the office's rule one household in each house, neither more nor "
        "fewer, is entered as having saved the tenth: the one with the colder radiators",
    ),
    Scene(
        "shelters",
        "an animal welfare society",
        "dogs",
        "dog",
        "that",
        "the kennel-mate",
        "kennel",
        "kennels",
        "shelters",
        "were photographed by a professional",
        "were shown in a snapshot",
        "found a home within a month",
        "The two dogs in a kennel sleep in a heap, but families choose on a website where each dog is "
        "shown by itself, on "
        "days of its own, to visitors who have applied for that size of dog",
        "Families who come for a well-photographed dog see its kennel-mate too, and some take that one "
        "home besides",
        "Some families who would have come for the kennel-mate ask for the well-photographed dog, though "
        "most of its "
        "visitors are new",
        "Each kennel is assigned a single family, who must take one of its two dogs and pick it by the "
        "picture",
    ),
)
