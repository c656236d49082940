"""The stories of mediation: a step, what it may work through, and a covariate that bears on both ends."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from assay.causal.wording.graphs import sentence


@dataclass(frozen=True, slots=True)
class Scene:
    """One story.

    `m` is the thing in between, with two levels. `w` is a covariate with two levels that bears on m and on
    the outcome (`w_bears`); `before` says that it was settled ahead of the step, `moved` that the step
    changed it before m took its level. `shared` names an unrecorded cause of m and outcome, `alone` says
    that there is none. All sentences come without the full stop.
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
    w: str
    w_low: str
    w_high: str
    w_bears: str
    before: str
    moved: str
    shared: str
    alone: str

    def words(self) -> dict[str, str]:
        """Return what templates are filled with: every field, capitalised under its capitalised name."""
        found = asdict(self)
        return found | {name.capitalize(): sentence(text) for name, text in found.items()}


SCENES = (
    Scene(
        "choirs",
        "a league of amateur choirs",
        "singers",
        "took the breathing course",
        "took no course",
        "mastered the solo",
        "rehearsal attendance",
        "patchy attendance",
        "full attendance",
        "stage fright",
        "nervous",
        "calm",
        "Stage fright keeps singers from rehearsals and gets in the way of a solo",
        "It was rated by the conductors in the season before the course was announced",
        "It was rated after the second lesson of the course, which is known to soothe, and before "
        "rehearsals began",
        "Having a piano at home, which nobody asked about, draws singers to rehearsals and helps with the "
        "solo",
        "What else makes singers come to rehearsals is the parking situation, and that does nothing for a "
        "solo",
    ),
    Scene(
        "call-centre",
        "an insurer's call centre",
        "agents",
        "worked from home",
        "worked in the office",
        "were rated excellent by callers",
        "length of calls",
        "short calls",
        "long calls",
        "tiredness",
        "rested",
        "tired",
        "Tiredness affects how long agents talk and how friendly they sound",
        "It comes from a questionnaire of the month before anyone's place of work was settled",
        "It comes from a questionnaire filled in when agents had had their place of work for a month, and "
        "the missing commute had told on it; the calls studied came later",
        "A talkative nature, which no file records, makes calls longer and ratings better",
        "The remaining variation in length comes from the line's dropouts, for which callers do not blame "
        "agents",
    ),
    Scene(
        "bees",
        "a beekeepers' union",
        "hives",
        "were given insulated lids",
        "kept their plain lids",
        "came through the winter",
        "honey store in autumn",
        "small store",
        "large store",
        "mite load",
        "light load",
        "heavy load",
        "Mites sap the honey store and kill bees in winter as well",
        "Mites were counted in spring, months ahead of the lids",
        "Mites were counted in August, under lids whose warmth alters how fast they breed, and the store "
        "was weighed in October",
        "The age of the queen, which was not marked, governs both the store and the strength of the "
        "winter bees",
        "Otherwise the store varies with how much the keeper took for breakfast, a whim without further "
        "consequence",
    ),
    Scene(
        "probation",
        "a probation service",
        "clients",
        "were assigned to group meetings",
        "were assigned to single meetings",
        "stayed free of a new charge for two years",
        "employment",
        "out of work",
        "in work",
        "housing",
        "unsettled",
        "settled",
        "Housing matters for finding work and for keeping out of trouble",
        "Housing was noted at the first interview, when the form of the meetings was still open",
        "Housing was noted in the fourth month, by when group members had passed rooms on to each other; "
        "work was noted at the end of the year",
        "Old friendships that no form asks about cost people both their jobs and their freedom",
        "Whether there was work depended for the rest on a factory's order book, which has no dealings "
        "with charges",
    ),
    Scene(
        "football",
        "a football academy",
        "players",
        "followed the new diet",
        "ate as before",
        "were offered a contract",
        "sprint speed",
        "slow",
        "fast",
        "muscle mass",
        "slight",
        "strong",
        "Muscle mass counts for speed and impresses scouts by itself",
        "The figure for it was taken on the day of arrival, with the kitchen's plans still unwritten",
        "The figure for it was taken in week ten of the season, and what players ate had shaped it by "
        "then; sprints were timed in week twenty",
        "The year of a growth spurt, not on record, makes players fast and makes scouts take notice",
        "For the rest, sprint times reflect which of two stopwatches was at hand, of which scouts know "
        "nothing",
    ),
    Scene(
        "archives",
        "a national archive",
        "document boxes",
        "were indexed by machine",
        "were indexed by hand",
        "were cited by a historian within five years",
        "number of catalogue keywords",
        "few keywords",
        "many keywords",
        "state of the paper",
        "brittle",
        "sound",
        "The state of the paper limits the keywords and limits what historians can use",
        "The state of the paper was graded at a stocktaking that preceded the indexing by three years",
        "The state of the paper was graded once the indexing had handled it, gently or roughly as the "
        "case may be, and before keywords were released",
        "How famous the family is whose papers a box holds was never coded; fame attracts keywords and "
        "historians alike",
        "Beyond that, keywords vary with the limits of the input mask on the day, to which no historian "
        "is exposed",
    ),
    Scene(
        "insulin-pumps",
        "a diabetes outpatient unit",
        "patients",
        "were switched to the pump",
        "stayed with the pen",
        "reached the sugar target",
        "night-time sleep",
        "broken sleep",
        "sound sleep",
        "body weight",
        "normal",
        "high",
        "Weight affects sleep and affects sugar in itself",
        "Weight is the one from the referral letter, older than the decision between pump and pen",
        "Weight is from the visit at six weeks, when the pump's dosing had changed appetites; sleep was "
        "recorded at twelve weeks",
        "Worry about money, not part of the record, spoils sleep and spoils meals",
        "What is left of the differences in sleep goes back to neighbours' dogs, and they have no access "
        "to anyone's sugar",
    ),
    Scene(
        "trams",
        "a tramway company",
        "drivers",
        "were trained on the simulator",
        "were trained on the track",
        "drove a year without a complaint",
        "punctuality",
        "often late",
        "mostly on time",
        "self-assurance",
        "hesitant",
        "assured",
        "Self-assurance makes for punctual driving and for good manners with passengers",
        "It was judged at the job interview, before the places on the two trainings were given out",
        "It was judged in the last week of training, which had left its mark on it; punctuality was "
        "measured afterwards",
        "The line a driver lives along, unknown to the personnel office, makes for punctuality and "
        "familiar passengers",
        "Punctuality depends otherwise on the timetable of the freight trains at the crossing, and no "
        "passenger complains of that",
    ),
    Scene(
        "dark-skies",
        "a network of volunteer observatories",
        "stations",
        "received the cooled camera",
        "used the old camera",
        "confirmed a variable star",
        "observing hours",
        "few hours",
        "many hours",
        "enthusiasm",
        "lukewarm",
        "keen",
        "Enthusiasm lengthens the hours and sharpens the analysis of the images",
        "Enthusiasm was gauged in the application round, and cameras were allotted after it",
        "Enthusiasm was gauged when the crates had been unpacked, which thrilled those who found "
        "something new in them; the hours are those of the months thereafter",
        "Light from greenhouses, which was never surveyed, shortens the hours and blurs the images",
        "The rest of the variation in hours is due to the janitor's keys, which play no role in "
        "confirming stars",
    ),
    Scene(
        "board-games",
        "a publisher of board games",
        "test groups",
        "were taught by a video",
        "were taught by the rule book",
        "wanted to play a second round",
        "number of rule mistakes",
        "few mistakes",
        "many mistakes",
        "mood at the table",
        "subdued",
        "cheerful",
        "Mood affects how carefully rules are kept and whether people want more",
        "Mood was noted on arrival, with the rules still in the box",
        "Mood was noted when the teaching had ended, and the video had raised or dampened it; mistakes "
        "were counted during play",
        "Whether the players were close friends was not asked; friends make more mistakes and like to go on",
        "Mistakes depend otherwise on how the printer had collated the reference cards, which nobody "
        "noticed or minded",
    ),
)
