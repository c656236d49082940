"""The stories of measurement error: an exposure, an outcome and a third quantity, each with a record of
its own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    Whole sentences: `blind` and `hindsight` say how the record of x came about, without or with an eye on
    the outcome; `by_record` and `by_truth` whether those who decided on x went by the recorded z or the
    real one. `score` is a numeric outcome; `who` stands for units in relative clauses.
    """

    name: str
    setting: str
    units: str
    x: str
    x_no: str
    y: str
    score: str
    z: str
    z_low: str
    z_high: str
    blind: str
    hindsight: str
    by_record: str
    by_truth: str
    who: str = "that"


SCENES = (
    Scene(
        "salmon",
        "a salmon farming company",
        "pens",
        "were fed the algae feed",
        "were fed the fishmeal feed",
        "had an outbreak of lice",
        "weight gain in grams",
        "current",
        "slow water",
        "fast water",
        "Feed was noted by deckhands in spring, in a scrawl that is easily misread, months before any lice",
        "Feed was reconstructed in autumn, and where lice had come people were quick to remember the new "
        "feed",
        "The new feed was allotted from an office with nothing to go by but the current as logged, one "
        "reading by a cheap buoy",
        "The new feed was allotted by divers according to the actual current, which they feel every "
        "day; the log has one "
        "reading by a cheap buoy",
    ),
    Scene(
        "payroll",
        "a hotel chain",
        "employees",
        "had worked on split shifts",
        "had worked on plain shifts",
        "handed in their notice",
        "income per week",
        "distance from home",
        "near",
        "far",
        "Shifts were taken from time clocks, which fail now and then, no matter who stamps a card or what "
        "comes of it",
        "Shifts were asked about by telephone, and those who had left were inclined to recall their "
        "shifts as split",
        "Rosters were made by a program that sees the distance by postcode and not one thing about "
        "anybody's real way",
        "Rosters were made by supervisors with an eye to everybody's real way; on file is the distance "
        "by postcode",
        "who",
    ),
    Scene(
        "potholes",
        "a highways department",
        "streets",
        "were laid with recycled asphalt",
        "were laid with virgin asphalt",
        "broke up within five years",
        "depth of ruts in millimetres",
        "traffic",
        "light traffic",
        "heavy traffic",
        "Which asphalt lies where was copied from delivery notes by a trainee, who slipped at times before "
        "the first crack showed",
        "Which asphalt lies where was judged by inspectors at the end, who put recycled wherever they saw "
        "a street broken up",
        "The engineers chose by the traffic in the register, a count of a single hour, since nothing else "
        "was at their disposal",
        "The engineers chose by years of watching the real traffic; the register has a count of a single "
        "hour",
    ),
    Scene(
        "translations",
        "a publishing house",
        "novels",
        "were translated by one hand",
        "were translated by a team",
        "were reprinted within a year",
        "copies sold per month",
        "length",
        "short",
        "long",
        "Who translated was typed in at the contract stage, with typing errors, long before anything was "
        "printed",
        "Who translated was looked up after the fact, and for a reprinted novel the house liked to name "
        "one hand",
        "Contracts were made by an agent who had only the catalogue's guess of the length, and went by it",
        "Contracts were made by editors according to the weight of the manuscript; the catalogue holds "
        "a guess of "
        "its length",
    ),
    Scene(
        "helmets",
        "an ice-hockey federation",
        "players",
        "wore the padded helmet",
        "wore the standard helmet",
        "suffered a concussion in the season",
        "headache score at the end of the season",
        "style of play",
        "cautious",
        "rough",
        "Helmets were read off team photographs taken in August, blurred ones included, without knowing "
        "any player's later fate",
        "Helmets were asked about in May, and concussed players tended to think that theirs must have been "
        "the standard one",
        "The padded helmets were given out by the federation's computer by style of play as entered on a "
        "form, and by nothing more",
        "The padded helmets were given out by coaches according to how each one really plays; the form "
        "holds a "
        "single word on style",
        "who",
    ),
    Scene(
        "batteries",
        "a maker of electric scooters",
        "scooters",
        "were charged at the fast station",
        "were charged at the slow station",
        "lost a fifth of their range",
        "range in kilometres",
        "mileage",
        "few kilometres",
        "many kilometres",
        "The station was logged by a radio tag that drops out at random, in good and in failing scooters "
        "alike",
        "The station was guessed by mechanics who knew the range, and who blame the fast one for whatever "
        "fails",
        "Fleet software chose the station from the odometer reading, which is all it has, wrong though "
        "that often is",
        "Riders chose the station by how far they had really gone, which they know; the data have the "
        "odometer, "
        "which is often wrong",
    ),
    Scene(
        "advocates",
        "a legal aid society",
        "tenants",
        "had a lawyer at the first hearing",
        "had no lawyer at the first hearing",
        "kept their home",
        "months in the home after judgment",
        "strength of the case",
        "weak",
        "strong",
        "Presence of a lawyer was ticked by ushers at the door, hurriedly, when nothing was decided",
        "Presence of a lawyer was filled in after judgment, and where a home was kept the clerk assumed a "
        "lawyer had been there",
        "Lawyers were assigned by the intake score of the case, a crude one, with no other knowledge of "
        "the case at hand",
        "Lawyers read all of the papers and picked cases by their real strength; what is left to us is "
        "the crude intake score",
        "who",
    ),
    Scene(
        "murals",
        "a heritage trust",
        "murals",
        "were sealed with wax",
        "were sealed with resin",
        "flaked within ten years",
        "area lost in square centimetres",
        "dampness",
        "dry wall",
        "damp wall",
        "The sealant was told apart by smell on the day of sealing, which is unreliable but says nothing "
        "about the years to come",
        "The sealant was told apart by a look at the result, and flaking murals were more readily put down "
        "as waxed",
        "The restorers worked from a sheet with the dampness as a surveyor had guessed it and were not let "
        "in beforehand",
        "The restorers felt the walls and chose by how damp they were; our sheet has the dampness as a "
        "surveyor had "
        "guessed it",
    ),
    Scene(
        "statins",
        "a national health insurer",
        "patients",
        "took the evening dose",
        "took the morning dose",
        "had a fall within two years",
        "blood pressure in the second year",
        "frailty",
        "robust",
        "frail",
        "The time of the dose comes from pill boxes with a chip that sometimes miscounts, whoever the "
        "patient and whatever follows",
        "The time of the dose comes from an interview afterwards, in which those who had fallen were "
        "more apt to say evening",
        "Doses were set by a rule that reads the frailty code from the insurer's file, a coarse one, and "
        "no doctor altered them",
        "Doses were set by doctors according to how frail they found the patient; for us there is the "
        "coarse frailty "
        "code in the insurer's file",
        "who",
    ),
    Scene(
        "telescopes",
        "an observatory",
        "frames",
        "were taken through the new filter",
        "were taken through the old filter",
        "showed the companion star",
        "brightness in counts",
        "haze",
        "clear sky",
        "hazy sky",
        "The filter was noted by an automaton whose wheel slips once in a while, before the plates were read",
        "The filter was noted by the plate reader, who wrote down the new one when in doubt and a "
        "companion could be seen",
        "A scheduler chose the filter by the haze that its sensor reported, a poor sensor, and looked at "
        "nothing else",
        "The night assistant chose the filter by the haze that could be seen overhead; stored is what a "
        "poor sensor reported",
    ),
)
