"""The stories of mediators: a step that was taken, what it set in motion, and what came of both."""

from __future__ import annotations

from assay.causal.concepts.mediators.scene import Scene

SCENES = (
    Scene(
        "language-app",
        "the maker of a language-learning app",
        "new users",
        "got daily reminders",
        "got no reminders",
        "passed the placement test after a term",
        "practice time",
        "little practice",
        "much practice",
        "Reminders change how long people practise",
        "Practice time counts for the test",
        "How fond a user is of languages shows nowhere in the data; it lengthens practice and helps in "
        "the test as well",
        "Other differences in practice time come from train delays and the like, which have no bearing on "
        "the test",
        "People with long train rides accepted the reminders more often, and they practise longer; the "
        "rides bear on the test in no other way, and were not recorded",
        "motivation",
        "low",
        "high",
        "Motivation helps in the test whatever the practice",
        "A draw settled who would be reminded, and the welcome mail told them; motivation was asked a "
        "week later, still before the first reminder, and the mail had lifted it",
        "Motivation was typed in at the end of the term, but copied from the sign-up form, and that form "
        "is what the sales team looked at when it switched reminders on",
        "who",
    ),
    Scene(
        "compost",
        "an association of market gardens",
        "plots",
        "received green compost",
        "received no compost",
        "made a full harvest of leeks",
        "earthworm density",
        "few worms",
        "many worms",
        "Compost changes how many earthworms live in a plot",
        "Earthworms loosen the ground, and leeks respond to that",
        "Old field drains, which no map shows, keep earthworms alive and, separately, keep leeks from "
        "rotting",
        "Other differences in earthworms come from moles, and moles do nothing to leeks except through the "
        "worms they eat",
        "Plots near the hedge were composted more often, since the heap lies there, and blackbirds from "
        "the hedge eat worms; the hedge does nothing else to leeks, and nobody noted it",
        "weed cover",
        "sparse",
        "dense",
        "Weeds compete with leeks in their own right",
        "Numbered balls settled which plots would get compost; weeds were mapped a fortnight before it "
        "was spread, when the gardeners had already stopped hoeing the chosen plots",
        "Weeds appear in the survey made after spreading, but that sheet reproduces the autumn map, and "
        "it was the autumn map that guided where the compost went",
    ),
    Scene(
        "parcel-vans",
        "a parcel service",
        "delivery rounds",
        "were run with the new navigation",
        "were run with the old navigation",
        "finished within the shift",
        "turn count",
        "few turns",
        "many turns",
        "The new navigation changes how often a van turns across traffic",
        "The turns cost time, which tells on whether a shift suffices",
        "Road works that the depot never logs force vans into extra turns and also hold them up elsewhere",
        "Other differences in the turns come from the kerb at which a van happens to be parked, a thing of "
        "no other consequence",
        "Drivers from one training class liked the new navigation and took it; the class had also taught "
        "a habit of turning. Nothing else about the class bears on finishing, and classes are not on file",
        "parcel load",
        "light",
        "heavy",
        "A heavy load makes it harder to finish, whatever the route",
        "Rounds were picked for the new system by shuffling cards; loads were weighed two days before it "
        "went live, by which time dispatchers had shifted parcels towards the picked rounds",
        "The load stands in a list printed after the rounds were over, but it is the booked load of the "
        "week before, and dispatchers gave out the new system by it",
    ),
    Scene(
        "rowing",
        "a rowing federation",
        "junior rowers",
        "joined the altitude camp",
        "trained at home",
        "qualified for the regatta",
        "sleep",
        "short sleep",
        "long sleep",
        "Camp life changes how long juniors sleep",
        "Sleep shapes the time rowed in qualifying",
        "A calm temperament, which nobody assesses, makes for longer sleep and for steadier rowing quite "
        "apart from sleep",
        "Other differences in sleep come from the noise of the street a junior lives in, which does not "
        "touch rowing otherwise",
        "Children of shift workers went to the camp more often, and at home they sleep less; that background "
        "bears on the regatta in no other way and is unknown to the federation",
        "body weight",
        "light",
        "heavy",
        "Weight matters for boat speed by itself",
        "Lots were drawn for the camp in spring and posted; the weighing took place in May, the camp in "
        "June, and the drawn juniors had eaten differently since the posting",
        "Weights come from a form filled in after the camp, but they are those of the winter check, and "
        "coaches had filled the places with the winter check in hand",
        "who",
    ),
    Scene(
        "heat-pumps",
        "a municipal energy utility",
        "households",
        "had a heat pump installed",
        "kept the gas boiler",
        "cut their yearly energy bill",
        "room temperature",
        "cool rooms",
        "warm rooms",
        "A heat pump changes how warm people keep their rooms",
        "Warmer rooms cost money",
        "Having a baby, which the utility does not learn of, makes rooms warmer and raises other energy "
        "use at the same time",
        "Other differences in room temperature come from the taste for woollen jumpers, which does not touch "
        "the bill otherwise",
        "Households with retired members asked for a pump more often and keep rooms warmer; having "
        "retired members affects the bill in no other way, and age is not in the file",
        "insulation",
        "poor",
        "good",
        "Insulation shows in the bill directly",
        "The pumps went to addresses drawn by a notary; the insulation survey came after the drawing "
        "though before the fitting, and winners had by then sealed their attics",
        "The insulation entry is dated after the fitting, yet it quotes the building permit, and the "
        "installers' choice of addresses had followed the permits",
    ),
    Scene(
        "museum-guides",
        "a museum of natural history",
        "school classes",
        "were led by an actor in costume",
        "were led by a regular guide",
        "scored well in the quiz a month later",
        "length of stay",
        "short stay",
        "long stay",
        "The actor changes how long a class stays at the exhibits",
        "The longer the stay, the more is remembered",
        "A teacher's enthusiasm, of which there is no record, prolongs the stay and is also felt in the "
        "lessons afterwards",
        "Other differences in the stay come from the queue at the cloakroom, which has no part in "
        "what is remembered",
        "Classes from far away were given the actor more often, and they must leave early for the coach; "
        "distance is not kept and has no other link with the quiz",
        "prior knowledge",
        "slight",
        "solid",
        "Prior knowledge helps in the quiz in any case",
        "A wheel of fortune settled which classes would meet the actor, and schools heard of it; "
        "knowledge was tested before the visit, when those classes had begun reading about dinosaurs",
        "Knowledge is noted on a sheet handed in after the visit, but teachers copied it from last year's "
        "reports, the same reports by which the museum had booked the actor",
    ),
    Scene(
        "code-review",
        "a software company",
        "changes to the code",
        "were checked by the static analyser",
        "were not checked by the analyser",
        "caused an incident in production",
        "review length",
        "brief review",
        "long review",
        "The analyser's remarks change how long colleagues review",
        "The length of the review bears on what slips through",
        "How tangled the touched module is was never measured; tangled modules take longer to review and "
        "break more easily",
        "Other differences in length come from the meetings in a reviewer's calendar, irrelevant to "
        "incidents otherwise",
        "Teams in the eastern office enabled the analyser more often and, by custom, review at greater "
        "length; the office, not recorded, has no further bearing on incidents",
        "change size",
        "small",
        "large",
        "Larger changes fail more often on their own account",
        "Tickets were flagged for the analyser at random on creation; the size was logged at the first "
        "commit, before the analyser ran, and authors who saw the flag had split their work",
        "Size was logged when the change was closed, but from the estimate in the ticket, which the build "
        "system had consulted in deciding which changes to analyse",
    ),
    Scene(
        "salmon",
        "a river fisheries board",
        "tagged salmon",
        "were released above the weir",
        "were released below the weir",
        "came back to spawn",
        "time in the estuary",
        "a short time",
        "a long time",
        "The place of release changes how long a fish lingers in the estuary",
        "Lingering exposes fish to seals, so it bears on returning",
        "A parasite that was not screened for makes fish linger and weakens them at sea too",
        "Other differences in lingering come from the tide on the day, which has no say in a fish's later "
        "fate",
        "Fish from one hatchery pool were carried above the weir more often and, raised in still water, "
        "linger longer; the pool was not noted and matters for nothing else",
        "body length",
        "short",
        "long",
        "Longer fish survive better anyway",
        "Tank labels were shuffled to settle the place of release; length was taken a month before "
        "release, but tanks bound for the upper site had been fed for it since the shuffle",
        "Length appears in the log of the days after release, but the log repeats the hatchery's "
        "measurement, which the crew had sorted the fish by",
    ),
    Scene(
        "physiotherapy",
        "a rehabilitation clinic",
        "ligament patients",
        "started exercises in the first week",
        "rested for the first week",
        "were back at work after ten weeks",
        "swelling at week three",
        "slight swelling",
        "marked swelling",
        "Starting early changes the swelling at week three",
        "Swelling delays the return to work",
        "Undiagnosed cartilage damage adds to the swelling and by itself keeps people from working",
        "Other differences in swelling come from the weather of that week, which has no bearing on work",
        "Patients who live in flats without a lift were more willing to start early, and stairs make the "
        "knee swell; their homes are not on file and have no other part in returning to work",
        "fitness",
        "unfit",
        "fit",
        "Fit people return sooner in any case",
        "Sealed slips settled who would start early and were opened at the first visit; fitness was rated "
        "before the exercises began, when those with an early slip had already given up smoking",
        "Fitness was written down at discharge, but it is the figure of the sports record from before the "
        "injury, and the doctors had recommended exercises with that record before them",
        "who",
    ),
    Scene(
        "bus-lanes",
        "a city's transport office",
        "streets",
        "were given a bus lane",
        "were left as they were",
        "had fewer accidents than the year before",
        "car speed",
        "slow traffic",
        "fast traffic",
        "A bus lane changes how fast cars go",
        "Car speed governs accidents",
        "Sight lines at the corners, never surveyed, make drivers faster and by themselves prevent "
        "collisions",
        "Other differences in speed come from the phase of the lights, which otherwise has no bearing on "
        "accidents",
        "Streets under the northern depot got bus lanes more often, and its repaving makes cars faster; "
        "the depot is not recorded and does nothing else to accidents",
        "cyclist traffic",
        "few cyclists",
        "many cyclists",
        "Cyclists are involved in accidents of their own",
        "The council drew the streets from an urn and published them; cyclists were counted that summer, "
        "before a line was painted, when many had already switched to the streets drawn",
        "Cyclists come from a report that appeared after the painting, but the counts in it are five "
        "years old, and planners had laid the lanes by exactly these counts",
    ),
)
