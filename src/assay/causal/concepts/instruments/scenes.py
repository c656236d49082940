"""The stories of instruments: an offer that moved some to take something up, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    `drawn` and `picked` say how it was settled who had the offer, by chance or with an eye on prospects;
    `sealed` and `leaks` whether the offer does anything by itself. All four are whole sentences. `that` is
    the pronoun that follows the units.
    """

    name: str
    setting: str
    units: str
    offered: str
    offer: str
    x: str
    x_no: str
    y: str
    drawn: str
    picked: str
    sealed: str
    leaks: str
    that: str = "that"


SCENES = (
    Scene(
        "soil-tests",
        "a farm advisory service",
        "farms",
        "were sent a coupon for a free soil test",
        "the coupon",
        "had their soil tested",
        "went without a soil test",
        "cut their fertiliser bill by a tenth",
        "Coupons went to the farms whose registration number ended in a digit that a notary pulled from a "
        "bag",
        "Coupons went to farms that the advisers judged to be close to changing their ways already",
        "The coupon is a slip with a bar code, and a farm that left it in the drawer went on as if none "
        "had come",
        "Printed on the back is a dosing chart, and plenty of farms spread by that chart without booking a "
        "test",
    ),
    Scene(
        "trial-tickets",
        "a regional transport agency",
        "commuters",
        "were mailed a trial ticket for the train",
        "the ticket",
        "switched to the train",
        "kept driving to work",
        "gave up a second car within the year",
        "The mailing used every ninth address of an alphabetical list, starting from a number rolled with "
        "dice",
        "The mailing was aimed at people who had asked the agency about living with fewer cars",
        "Whoever did not board a train with it could do nothing else with the ticket, and most threw it away",
        "The stub of the ticket pays a bonus for scrapping a car, to drivers and train passengers alike",
        "who",
    ),
    Scene(
        "pairing",
        "a software house",
        "teams",
        "were invited to a workshop on pair programming",
        "the invitation",
        "took up pair programming",
        "went on programming singly",
        "shipped the spring release on time",
        "The workshop organisers let a script shuffle the list of teams and invited the upper half of it",
        "Heads of department put forward the teams whose release already looked safe",
        "The invitation is two lines of mail, and teams that stayed away had nothing from it",
        "With the invitation came two days free of meetings, which absent teams spent on the release too",
    ),
    Scene(
        "museum-tours",
        "a museum of natural history",
        "members",
        "were handed a voucher for a guided tour",
        "the voucher",
        "went on a guided tour",
        "looked round by themselves",
        "renewed their membership",
        "Vouchers were stuck to every second page of the members' book before the doors opened",
        "Attendants gave the vouchers to members whom they knew as the most devoted ones",
        "A voucher not used for a tour is worth nothing at any desk, and it is soon forgotten",
        "The voucher also takes a fifth off the next year's fee, tour or no tour",
        "who",
    ),
    Scene(
        "homework-club",
        "a school district",
        "pupils",
        "were allotted a seat in the homework club",
        "the seat",
        "attended the homework club",
        "stayed away from the homework club",
        "passed the spring mathematics test",
        "Seats followed the date of birth: pupils born on an even day had one and the others had none",
        "Seats were allotted by class teachers with the autumn marks in front of them",
        "Apart from the afternoons in the club itself, nothing in a pupil's day was altered by having a seat",
        "Pupils with a seat were lent a graphing calculator, to keep until summer even if they never came",
        "who",
    ),
    Scene(
        "selective-nets",
        "a fisheries board",
        "boats",
        "were offered the loan of a selective net",
        "the loan offer",
        "fished with the selective net",
        "fished with their ordinary net",
        "stayed within the bycatch limit",
        "Harbour numbers were written on corks, and the corks that a child fished out of a barrel got the "
        "offer",
        "The board approached skippers with a spotless record of keeping within limits",
        "Skippers who turned the loan down heard no more from the board and fished as before",
        "Boats with the loan offer were inspected weekly from then on, including those that declined",
    ),
    Scene(
        "mediation",
        "a county court",
        "litigants",
        "were telephoned by the mediation office",
        "the call",
        "went to mediation",
        "did without mediation",
        "settled before the hearing",
        "The office rang those whose file number left no remainder when divided by three",
        "The office rang those whose letters to the court sounded ready to give way",
        "The caller reads out the mediator's opening hours, answers no questions and rings off",
        "In the call people also learn what hearings like theirs usually cost, and that alone made some "
        "settle",
        "who",
    ),
    Scene(
        "thermostats",
        "an electricity supplier",
        "households",
        "were promised a free smart thermostat",
        "the promise",
        "had a smart thermostat fitted",
        "kept their old dial",
        "used less power than in the winter before",
        "Meters were sorted by the last two digits of their serial number to decide who got the promise",
        "The promise went to households that had been asking the hotline how to save",
        "The promise reached people as a one-line note on the bill, without any other advice or reward",
        "The promise came as a booklet full of other ways to heat less, and many read it who never had a "
        "fitter in",
    ),
    Scene(
        "endgames",
        "an online chess platform",
        "players",
        "were shown a pop-up for the endgame trainer",
        "the pop-up",
        "used the endgame trainer",
        "left the endgame trainer alone",
        "gained a hundred rating points",
        "The server flipped a fair virtual coin for each account on the day of the campaign",
        "The campaign was tuned to accounts whose rating was on the rise anyway",
        "Closing the pop-up leaves an account precisely as it was",
        "Closing the pop-up unlocks the opening library, whatever the player then does about endgames",
        "who",
    ),
    Scene(
        "knee-walks",
        "a hospital group",
        "patients",
        "were reminded of the walking course",
        "the reminder",
        "joined the walking course",
        "did not join the walking course",
        "were free of knee pain a year later",
        "Whether a patient is reminded hangs on the second at which the discharge form was stamped, odd or "
        "even",
        "Ward staff reminded the patients who seemed to be recovering fastest",
        "The reminder is a date and a room number, of no use to anybody who does not walk with the group",
        "The reminder links to a set of home exercises, which many did who never came to a walk",
        "who",
    ),
)
