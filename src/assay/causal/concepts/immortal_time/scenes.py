"""The stories of immortal time: an entry, a measure that comes later, and an event that ends the wait."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    Units are followed from `entry`; some later have the `measure`; some `failed`, which ends their story.
    `factor` is known at entry and bears on failing (`kind0` or `kind1`); `score` may be read early or late.
    `who` stands for units in relative clauses.
    """

    name: str
    setting: str
    units: str
    entry: str
    measure: str
    failed: str
    factor: str
    kind0: str
    kind1: str
    score: str
    who: str = "that"


SCENES = (
    Scene(
        "trams",
        "a tram depot",
        "tramcars",
        "delivery",
        "the new door motor",
        "had a breakdown on the line",
        "route type",
        "hill routes",
        "flat routes",
        "vibration score",
    ),
    Scene(
        "subscribers",
        "a streaming service",
        "subscribers",
        "sign-up",
        "the loyalty badge",
        "cancelled",
        "kind of contract",
        "monthly contracts",
        "yearly contracts",
        "viewing score",
        "who",
    ),
    Scene(
        "transplants",
        "a transplant registry",
        "patients",
        "listing",
        "the graft",
        "died",
        "age group",
        "patients under sixty",
        "patients of sixty or over",
        "fitness score",
        "who",
    ),
    Scene(
        "beehives",
        "a beekeepers' league",
        "colonies",
        "the spring count",
        "the mite strips",
        "collapsed",
        "kind of hive",
        "log hives",
        "box hives",
        "brood score",
    ),
    Scene(
        "trainees",
        "a police academy",
        "trainees",
        "enrolment",
        "the scholarship",
        "dropped out",
        "previous career",
        "school leavers",
        "career changers",
        "stress score",
        "who",
    ),
    Scene(
        "servers",
        "a data centre",
        "disk arrays",
        "installation",
        "the firmware patch",
        "lost data",
        "duty",
        "archive duty",
        "database duty",
        "temperature score",
    ),
    Scene(
        "conductors",
        "a society of orchestras",
        "conductors",
        "the first contract",
        "the state medal",
        "left the profession",
        "house",
        "opera houses",
        "concert halls",
        "press score",
        "who",
    ),
    Scene(
        "tenants",
        "a housing office",
        "tenancies",
        "signing",
        "the rent subsidy",
        "ended in eviction",
        "district",
        "inner districts",
        "outer districts",
        "arrears score",
    ),
    Scene(
        "goalkeepers",
        "a handball league",
        "goalkeepers",
        "the debut",
        "the captain's armband",
        "suffered a knee injury",
        "training regime",
        "a light regime",
        "a heavy regime",
        "agility score",
        "who",
    ),
    Scene(
        "orchards",
        "a citrus board",
        "groves",
        "planting",
        "the wind screen",
        "were lost to canker",
        "soil",
        "sandy soil",
        "clay soil",
        "leaf score",
    ),
    Scene(
        "bills",
        "a parliament's archive",
        "bills",
        "first reading",
        "the expert hearing",
        "were voted down",
        "sponsor",
        "government bills",
        "private bills",
        "press score",
    ),
)
