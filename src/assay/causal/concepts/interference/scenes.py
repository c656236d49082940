"""The stories of interference: pairs of units, one or both of which are treated, and how one bears on the "
"other."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story of units in pairs, the pairs in places.

    Four whole sentences say how one's treatment bears on the other's outcome: `apart` not at all though they
    seem entangled, `lifts` for the better, `takes` for the worse but less than one's own gain, `fixed` by
    exactly one's own gain, because the total is given.
    """

    name: str
    setting: str
    units: str
    unit: str
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
        "both ran well",
    ),
    Scene(
        "orchard-rows",
        "a fruit growers' station",
        "trees",
        "tree",
        "the neighbouring tree",
        "row of two",
        "rows of two",
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
        "the partner courier",
        "beat shared by two",
        "beats shared by two",
        "cities",
        "had the route planner",
        "had a paper map",
        "met the weekly quota",
        "Two couriers work one beat, meet daily and compare notes, but parcels are allotted to each by "
        "house number before "
        "dawn, far more than either can carry, and the planner runs on the owner's fingerprint",
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
        "the stallholder opposite",
        "two-stall aisle",
        "two-stall aisles",
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
        "the brighter one",
    ),
    Scene(
        "repositories",
        "an open-source foundation",
        "modules",
        "module",
        "the sister module",
        "package of two modules",
        "packages of two modules",
        "ecosystems",
        "were scanned by the bug finder",
        "were not scanned",
        "went six months without a crash",
        "Both modules sit in one repository and have the same maintainers, but they run as separate "
        "programs that never "
        "call each other, and the finder's reports are applied mechanically to the scanned code",
        "The sister module calls into this one all the time, so a bug that is removed here can no longer "
        "bring it down there",
        "Time that goes into mending the scanned module is missing from the care of its sister, a loss "
        "that is real but "
        "smaller than the gain",
        "The crash monitor can watch one module per package and switches itself to the shakier, so it is "
        "that one, and "
        "never both or neither, that counts as having crashed",
    ),
    Scene(
        "hives",
        "a beekeepers' union",
        "hives",
        "hive",
        "the twin hive",
        "stand of two hives",
        "stands of two hives",
        "districts",
        "were treated with oxalic acid",
        "were left untreated",
        "came through the winter",
        "The hives stand wall to wall, but they were shut up with their mites before the treatment and "
        "stayed so "
        "until spring, each on its own store of sugar",
        "Foragers from both hives drift in and out of either, and mites that were killed in one do not "
        "climb over to the other",
        "A treated hive is strong enough in autumn to rob some of its twin's honey, to a lesser extent "
        "than the acid helps it",
        "There is sugar for a single hive on each stand, and the stronger of the two is the one that gets "
        "it and lives",
    ),
    Scene(
        "duets",
        "a conservatory",
        "singers",
        "singer",
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
        "the household next door",
        "semi-detached house",
        "semi-detached houses",
        "suburbs",
        "were visited by the energy adviser",
        "were not visited",
        "saved a tenth of their heating",
        "Next-door households talk over the fence about the visit, but all the adviser does is to adjust "
        "the boiler, a "
        "locked device, and the party wall is insulated",
        "The adviser's hints travel over the fence, and those next door turn their thermostat down as well",
        "Where one half of a house is kept cooler, the other loses heat through the party wall, less than "
        "was saved in the first",
        "The house has one meter; the office credits the saving to whichever household has the lower "
        "reading on its "
        "radiators, and to that one alone",
    ),
    Scene(
        "shelters",
        "an animal welfare society",
        "dogs",
        "dog",
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
