"""The stories of regression to the mean: a score that is high when things go well, taken period after
period."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    `x` is what was done with those that scored low, `action` the same as a noun. Whole sentences: `noisy`
    says that a single score owes much to passing luck, `firm` that it owes nothing to it. `luck` and
    `lasting` name what passes and what stays; `who` stands for units in relative clauses.
    """

    name: str
    setting: str
    units: str
    unit: str
    score: str
    period: str
    x: str
    action: str
    luck: str
    lasting: str
    noisy: str
    firm: str
    who: str = "that"


SCENES = (
    Scene(
        "driving-tests",
        "a licensing authority",
        "test centres",
        "test centre",
        "pass rate",
        "month",
        "had their examiners retrained",
        "the retraining",
        "the mix of candidates",
        "the examiners' strictness",
        "A centre sees forty candidates a month, whoever happens to book, and its rate for May says little "
        "about June",
        "A centre sees thousands of candidates a month, allotted by a quota of every sort, and chance has "
        "no hand in its rate",
    ),
    Scene(
        "goalkeepers",
        "a football league",
        "goalkeepers",
        "goalkeeper",
        "save percentage",
        "half-season",
        "were given a private coach",
        "private coaching",
        "deflections and the wind",
        "the keeper's reflexes",
        "A couple of deflected shots suffice to move a keeper from the top of the list to the bottom",
        "The list is made by a machine that fires ten thousand identical balls at each keeper, and a "
        "second go agrees with the first",
        "who",
    ),
    Scene(
        "wards-falls",
        "a hospital trust",
        "wards",
        "ward",
        "safety score",
        "quarter",
        "received a safety consultant",
        "the consultant's visit",
        "which patients happen to lie there",
        "the ward's routines",
        "The score hangs on a handful of falls, which strike now here and now there",
        "The score counts fixed features of the building, and two surveyors always arrive at the same number",
    ),
    Scene(
        "potatoes",
        "a growers' association",
        "fields",
        "field",
        "yield",
        "season",
        "were dressed with compost",
        "the compost",
        "hail and showers",
        "the soil",
        "Hail and showers, which hit another corner of the plain each year, make and unmake a field's yield",
        "The fields lie under glass, with weather shut out, and two halves of a field always agree to the "
        "kilogram",
    ),
    Scene(
        "call-agents",
        "an insurer's call centre",
        "agents",
        "agent",
        "customer rating",
        "week",
        "had to repeat the induction course",
        "the repeated course",
        "the callers who come through",
        "the agent's manner",
        "A weekly rating is the mean of five callers, each in a mood of his own",
        "The rating is worked out from entire phone logs by fixed rules, and odd and even hours give the "
        "same figure",
        "who",
    ),
    Scene(
        "juries",
        "a wine fair",
        "estates",
        "estate",
        "jury mark",
        "year",
        "were advised by an oenologist",
        "the oenologist's advice",
        "who sits on the jury",
        "the vineyard",
        "Blind re-tastings show jurors giving the same bottle marks that are worlds apart",
        "The mark is a chemical index of the standing blend, and any two samples of it agree",
    ),
    Scene(
        "servers",
        "a cloud provider",
        "data centres",
        "data centre",
        "uptime index",
        "month",
        "had their load balancer replaced",
        "the new load balancer",
        "outages in the public grid",
        "the quality of the hardware",
        "Most of what separates two centres in a given month is where the public grid happened to fail",
        "The index is computed from wiring plans alone, so that no outage can touch it",
    ),
    Scene(
        "libraries-visits",
        "a county's library service",
        "branches",
        "branch",
        "visitor count",
        "fortnight",
        "put on a reading festival",
        "the festival",
        "rain and road works",
        "the branch's location",
        "Counts jump about with rain and road works, which trouble one branch today and another tomorrow",
        "Visitors come by subscription, so that neither weather nor chance moves a branch's count",
    ),
    Scene(
        "anglers",
        "an angling club",
        "anglers",
        "angler",
        "catch",
        "weekend",
        "were lent an echo sounder",
        "the echo sounder",
        "where the shoals happen to be",
        "the angler's experience",
        "Shoals wander, and whoever had a miserable weekend may find them under the boat on the next",
        "Each angler has a closed pond from which all fish are taken every time, so that luck has no part "
        "in it",
        "who",
    ),
    Scene(
        "canvassers",
        "a charity",
        "canvassers",
        "canvasser",
        "sum raised",
        "night",
        "were paired with a veteran",
        "the pairing",
        "which streets are drawn",
        "the canvasser's charm",
        "Streets are drawn afresh each evening, and generous streets make for large sums whoever walks them",
        "The canvassers collect standing orders from donors of their own, so that luck has no part in a sum",
        "who",
    ),
)
