"""The stories of external validity: one population, and those of it that took part in a trial."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story: `whole` is the population, `sites` where its units are found, both plural.

    `x`, `x_no` and `y` are predicates in the past; `v` and `w` are traits with two levels that follow "with";
    `who` stands for units in relative clauses.
    """

    name: str
    units: str
    who: str
    whole: str
    sites: str
    x: str
    x_no: str
    y: str
    v: str
    v_low: str
    v_high: str
    w: str
    w_low: str
    w_high: str


SCENES = (
    Scene(
        "allotments",
        "gardeners",
        "who",
        "the city's allotment gardeners",
        "garden colonies",
        "were sent the watering calendar",
        "were sent nothing",
        "cut their water use",
        "plot size",
        "a small plot",
        "a large plot",
        "distance from home",
        "a short walk to the plot",
        "a long walk to the plot",
    ),
    Scene(
        "choirs",
        "singers",
        "who",
        "the region's choir singers",
        "choirs",
        "warmed up with the app",
        "warmed up as usual",
        "held the pitch in the test piece",
        "training",
        "a self-taught voice",
        "a trained voice",
        "way to rehearsal",
        "a short way to rehearsal",
        "a long way to rehearsal",
    ),
    Scene(
        "pickers",
        "pickers",
        "who",
        "the retailer's order pickers",
        "warehouses",
        "wore the vibrating wristband",
        "worked without a wristband",
        "ended the month without a mispick",
        "experience",
        "little experience",
        "long experience",
        "kind of contract",
        "a part-time contract",
        "a full-time contract",
    ),
    Scene(
        "patches",
        "contributors",
        "who",
        "the foundation's contributors",
        "projects",
        "got the automatic review",
        "got the manual review",
        "had their patch merged within a week",
        "size of the patch",
        "a small patch",
        "a large patch",
        "time zone",
        "an eastern time zone",
        "a western time zone",
    ),
    Scene(
        "comet",
        "observers",
        "who",
        "the society's amateur astronomers",
        "observing grounds",
        "used the new finder chart",
        "used the old atlas",
        "found the comet",
        "telescope",
        "a small telescope",
        "a large telescope",
        "kind of subscription",
        "a paper subscription",
        "an electronic subscription",
    ),
    Scene(
        "dairies",
        "farms",
        "that",
        "the canton's dairy farms",
        "valleys",
        "were lent cooling mats",
        "were lent no mats",
        "kept their milk yield through the heatwave",
        "kind of barn",
        "an open barn",
        "a closed barn",
        "tenure",
        "a lease",
        "a title deed",
    ),
    Scene(
        "swimmers",
        "swimmers",
        "who",
        "the federation's club swimmers",
        "clubs",
        "trained with the metronome",
        "trained without a metronome",
        "beat their best time of the season",
        "training load",
        "a light training week",
        "a heavy training week",
        "membership",
        "an annual membership",
        "a monthly membership",
    ),
    Scene(
        "heat-letters",
        "tenants",
        "who",
        "the housing company's tenants",
        "estates",
        "received the comparison letter",
        "received the bare bill",
        "used less heat than the year before",
        "size of the flat",
        "a small flat",
        "a large flat",
        "way of paying",
        "a standing order",
        "a payment book",
    ),
    Scene(
        "inhalers",
        "patients",
        "who",
        "the county's asthma patients",
        "practices",
        "were shown the video",
        "were handed the leaflet",
        "used the inhaler correctly after a month",
        "time since diagnosis",
        "a recent diagnosis",
        "an old diagnosis",
        "insurance",
        "statutory insurance",
        "private insurance",
    ),
    Scene(
        "small-claims",
        "litigants",
        "who",
        "the province's small-claims litigants",
        "courts",
        "were invited to online mediation",
        "were given a hearing date",
        "settled within a month",
        "size of the claim",
        "a small claim",
        "a large claim",
        "way of filing",
        "a paper filing",
        "an online filing",
    ),
)
