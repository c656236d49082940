"""Trap: who took part looks decisive and is not, or the other way round, depending on the measure."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.external_validity.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.draws import chance, until
from assay.causal.options.crossed import PAIRS
from assay.causal.options.two_facts import Point, combined
from assay.causal.queries import Compare, Term, effect, p
from assay.causal.scm import Scm, binary
from assay.causal.wording.figures import percent
from assay.causal.wording.tables import table

SHARES = ((4, 60, 10, 8), (5, 40, 10, 8), (6, 10, 60, 2), (5, 10, 40, 2))
STEP = Fraction(1, 20)


@dataclass(frozen=True, slots=True)
class Words:
    """One wording; each of `remarks` leads astray: it holds that an answer is right, the last one first."""

    stem: str
    remarks: tuple[str, str, str, str]
    difference: str
    not_difference: str
    ratio: str
    not_ratio: str


WORDINGS = (
    Words(
        "Some of {whole} volunteered for a trial in which lots settled which of them {x} and which "
        "{x_no}. Among the volunteers the share that {y} was:\n\n{table}\n\nOf the volunteers {pv} have "
        "{v_high} and {pw} have {w_high}; of {whole} altogether {qv} and {qw}. {V} and {w} are "
        "unrelated, {w} has no connection with the outcome, and given {v} volunteers and others respond "
        "alike. A mark for contentment, taken afterwards, goes with treatment and outcome both. "
        "{remark}\n\nTwo figures of the trial, both computed over all volunteers, might be stated for "
        "{whole} as a whole: the difference between the shares with and without treatment, and the ratio "
        "of the two. For which of them is that correct?",
        (
            "A newspaper jokes that with such odd volunteers the trial speaks for nobody but themselves.",
            "The press office, having heard that ratios travel well, wants to announce the ratio.",
            "The press office, which finds points easier to grasp, wants to announce the difference.",
            "A newspaper praises the trial since as to {w} the volunteers are a mirror of the population.",
        ),
        "the difference can be stated for all",
        "the difference cannot be stated for all",
        "the ratio can be stated for all",
        "the ratio cannot be stated for all",
    ),
    Words(
        "“I have two numbers from the trial,” the director said: “a risk difference and a risk ratio. May I "
        "use them for {whole}, or do they belong to those who enrolled?” The trial had randomised the "
        "enrolled ({x} or {x_no}) and recorded who {y}. The clerk laid out the "
        "rates:\n\n{table}\n\n“{V_high}: {pv} of the enrolled, {qv} of the population. {W_high}: {pw} and "
        "{qw}. The two traits do not go together, and {w} is of no consequence for the outcome. Enrolling "
        "changes nothing for {units} alike in {v}.” The enrolled were later asked for their opinion, "
        "which varied with arm and success. {remark} What is the answer to the director's question?",
        (
            "“Look how unlike the enrolled are, and how the rates jump about. Hopeless,” said the deputy.",
            "“Take the ratio. The whole literature pools ratios for that very reason,” said the deputy.",
            "“Take the difference. It is collapsible, a ratio is suspect,” said the deputy.",
            "“The enrolled have the population's {w} to the letter. Use both,” said the deputy.",
        ),
        "the risk difference may be used for the population",
        "the risk difference may not be used for the population",
        "the risk ratio may be used for it",
        "the risk ratio may not be used for it",
    ),
    Words(
        "A sample enrolled itself out of {whole}. Arms were randomised within the sample. Denote by D the "
        "sample's difference in the proportion that {y} between those {who} {x} and those {who} {x_no}, by Q "
        "the corresponding quotient. Proportions by {v}:\n\n{table}\n\nComposition of the sample: {v_high} "
        "{pv}, {w_high} {pw}. Composition of the population: {v_high} {qv}, {w_high} {qw}. Independent "
        "traits; the outcome ignores {w}; conditional on {v}, enrolment and response are independent. Also "
        "on file: a closing interview, influenced by arm and outcome. {remark}\n\nCompare D and Q with "
        "their counterparts in the population.",
        (
            "It has been argued that a sample so unrepresentative can match on neither count.",
            "It has been argued that a quotient is the natural invariant.",
            "It has been argued that a difference is the natural invariant.",
            "It has been argued that a sample so representative in {w} matches on both counts.",
        ),
        "D agrees with its counterpart",
        "D departs from its counterpart",
        "Q agrees with its own",
        "Q departs from its own",
    ),
)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw which measures carry over to the population; the remark points to another answer."""
    number = rng.randrange(len(WORDINGS))
    words, state = WORDINGS[number], rng.choice(PAIRS)
    scm = until(lambda: _model(rng, state))
    fields = {name: getattr(scene, name) for name in Scene.__slots__}
    fields |= {
        name.capitalize(): fields[name][0].upper() + fields[name][1:] for name in ("v", "v_high", "w_high")
    }
    astray = [text for says, text in zip(reversed(PAIRS), words.remarks, strict=True) if says != state]
    remark = rng.choice(astray).format(**fields)
    stem = words.stem.format(table=_table(scm, scene), remark=remark, **_shares(scm), **fields)
    return Draft(
        scm,
        stem,
        combined(*_points(words, scene, state), state),
        f"external-validity/trap/{number}",
        scene.name,
        f"difference={state[0]} ratio={state[1]}",
        (
            ("difference in participants", effect("X", "Y", given={"P": 1})),
            ("difference in all", effect("X", "Y")),
            ("ratio in participants", ratio({"P": 1})),
            ("ratio in all", ratio({})),
        ),
    )


def ratio(given: dict[str, int]) -> Term:
    """Return the ratio of the outcome's chance with and without treatment."""
    return p({"Y": 1}, given, do={"X": 1}) / p({"Y": 1}, given, do={"X": 0})


def _points(words: Words, scene: Scene, state: tuple[bool, bool]) -> tuple[Point, Point]:
    same_mix = state == (True, True)
    mix = f"Those who took part have the same {scene.v} as the rest: every measure carries over."
    first = Point(
        words.difference,
        words.not_difference,
        ((Compare(effect("X", "Y", given={"P": 1}), "=", effect("X", "Y")), True),),
        mix
        if same_mix
        else "The two rows show the same difference."
        if state[0]
        else "The two rows show unlike differences, and the sample has too many of one row.",
        state != (False, True),
    )
    second = Point(
        words.ratio,
        words.not_ratio,
        ((Compare(ratio({"P": 1}), "=", ratio({})), True),),
        "The other trait is idle."
        if same_mix
        else "The two rows show the same ratio."
        if state[1]
        else "The two rows show unlike ratios, and the sample has too many of one row.",
        False,
    )
    return first, second


def _model(rng: random.Random, state: tuple[bool, bool]) -> Scm | None:
    """Draw rates by v and arm that agree in difference, in ratio or in neither, and who takes part."""
    both = state == (True, True)
    tenths, joined, others, _ = rng.choice(SHARES)
    lean: dict[tuple[int, ...] | int, Fraction] = {0: Fraction(others, 100), 1: Fraction(joined, 100)}
    level = Fraction(tenths, 10)
    plain = chance(rng, Fraction(3, 10), Fraction(7, 10), Fraction(1, 10))
    low, high = (chance(rng, 2 * STEP, 16 * STEP, STEP) for _ in range(2))
    if state == (True, False):
        gain = chance(rng, 2 * STEP, 8 * STEP, STEP)
        treated = (low + gain, high + gain)
    elif state == (False, True):
        factor = rng.choice((Fraction(2), Fraction(3), Fraction(3, 2), Fraction(5, 2)))
        treated = (low * factor, high * factor)
    else:
        treated = tuple(chance(rng, STEP, 19 * STEP, STEP) for _ in range(2))  # type: ignore[assignment]
    rates = (low, high, *treated)
    if abs(low - high) < 3 * STEP or max(rates) > 19 * STEP or any((20 * r).denominator > 1 for r in rates):
        return None
    gains, factors = (treated[0] - low, treated[1] - high), (treated[0] / low, treated[1] / high)
    apart = abs(gains[0] - gains[1]) >= 4 * STEP and abs(factors[0] - factors[1]) >= Fraction(1, 2)
    if state[0] == state[1] and not apart:
        return None
    v, w = (plain, level) if both else (level, plain)
    scm = Scm(
        (
            binary("V", "", v),
            binary("W", "", w),
            binary("P", "W" if both else "V", lean),
            binary(
                "X",
                "P V",
                {(p, v): Fraction(1, 2) if p else Fraction(1 + 2 * v, 10) for p in (0, 1) for v in (0, 1)},
            ),
            binary("Y", "X V", {(0, 0): low, (0, 1): high, (1, 0): treated[0], (1, 1): treated[1]}),
            binary("C", "X Y", {(x, y): Fraction(2 + x + 2 * y, 10) for x in (0, 1) for y in (0, 1)}),
        )
    )
    return scm if both or _fits(scm, state) else None


def _fits(scm: Scm, state: tuple[bool, bool]) -> bool:
    """Return whether the sample's two measures agree with the population's as they should."""
    rates = {key: row[1] for key, row in scm.by_name["Y"].table.items()}
    level, lean = scm.by_name["V"].table[()][1], scm.by_name["P"].table
    joined = level * lean[(1,)][1] / (level * lean[(1,)][1] + (1 - level) * lean[(0,)][1])
    sides = []
    for share in (level, joined):
        one, none = (rates[(x, 1)] * share + rates[(x, 0)] * (1 - share) for x in (1, 0))
        sides.append((one - none, one / none))
    return tuple(a == b for a, b in zip(*sides, strict=True)) == state


def _shares(scm: Scm) -> dict[str, str]:
    v, w, lean = scm.by_name["V"].table[()][1], scm.by_name["W"].table[()][1], scm.by_name["P"]
    shown = {"qv": percent(v, 0), "qw": percent(w, 0), "pv": percent(v, 0), "pw": percent(w, 0)}
    level, name = (v, "pv") if lean.parents == ("V",) else (w, "pw")
    joined = level * lean.table[(1,)][1]
    return shown | {name: percent(joined / (joined + (1 - level) * lean.table[(0,)][1]), 0)}


def _table(scm: Scm, scene: Scene) -> str:
    rates = scm.by_name["Y"].table
    rows = [
        (level, percent(rates[(1, v)][1], 0), percent(rates[(0, v)][1], 0))
        for v, level in enumerate((scene.v_low, scene.v_high))
    ]
    return table((scene.v, "treated", "untreated"), rows)
