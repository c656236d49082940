"""The stories of missing data: a record with gaps, what is known of everyone, and who left the gaps."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    Of all `units` the register wants three things: `x` (`x1` or `x0`), a covariate `z` (`z1` or `z0`) and
    whether they `y`. `u` is nowhere recorded and bears on the outcome; `blank` says how a gap comes about.
    `who` stands for units in relative clauses.
    """

    name: str
    setting: str
    units: str
    x: str
    x1: str
    x0: str
    z: str
    z1: str
    z0: str
    y: str
    u: str
    blank: str
    who: str = "that"


SCENES = (
    Scene(
        "harvest",
        "an agricultural census",
        "farms",
        "tillage",
        "ploughing",
        "direct sowing",
        "farm size",
        "large",
        "small",
        "reported a good maize crop",
        "the farmer's age",
        "left the line empty",
    ),
    Scene(
        "game",
        "the studio of a strategy game",
        "players",
        "opening",
        "the rush opening",
        "the slow opening",
        "experience",
        "veteran",
        "novice",
        "won the ranked match",
        "patience",
        "hid the entry in their profile",
        "who",
    ),
    Scene(
        "court",
        "a court statistics office",
        "claims",
        "route",
        "mediation",
        "trial",
        "amount in dispute",
        "high",
        "low",
        "ended in a settlement",
        "the parties' temper",
        "lack the entry",
    ),
    Scene(
        "cargo",
        "a port authority",
        "shipments",
        "packing",
        "palletised packing",
        "loose packing",
        "distance",
        "long haul",
        "short haul",
        "arrived undamaged",
        "the skill of the stevedores",
        "came without the form",
    ),
    Scene(
        "choirs",
        "a choral association",
        "choirs",
        "rehearsal plan",
        "daily rehearsals",
        "weekly rehearsals",
        "average age",
        "older",
        "younger",
        "were invited back to the festival",
        "the conductor's charm",
        "skipped the question",
    ),
    Scene(
        "wells",
        "a water board",
        "wells",
        "casing",
        "steel casing",
        "plastic casing",
        "depth",
        "deep",
        "shallow",
        "gave clear water",
        "the crack pattern of the rock",
        "have a hole in the log",
    ),
    Scene(
        "sleep",
        "a sleep laboratory",
        "sleepers",
        "lighting",
        "amber lighting",
        "white lighting",
        "shift pattern",
        "night shift",
        "day shift",
        "slept seven hours",
        "worry",
        "switched the recorder off",
        "who",
    ),
    Scene(
        "stars",
        "an observatory",
        "stars",
        "spectral type",
        "the hot type",
        "the cool type",
        "field",
        "crowded field",
        "sparse field",
        "showed a planet's dip",
        "the tilt of the orbit",
        "fell into a gap in the plates",
    ),
    Scene(
        "leases",
        "a city planning office",
        "shops",
        "lease",
        "a long lease",
        "a short lease",
        "street",
        "main street",
        "side street",
        "stayed for ten years",
        "the owner's family plans",
        "did not return the slip",
    ),
    Scene(
        "pupils",
        "a school board",
        "pupils",
        "homework plan",
        "daily homework",
        "project homework",
        "school form",
        "full-day school",
        "half-day school",
        "passed the language test",
        "help at home",
        "were away when it was noted",
        "who",
    ),
)
