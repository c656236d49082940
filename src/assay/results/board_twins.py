"""The twins of a keyed board: the effects of renaming and of pressure, and the quality of refusals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final

from assay.results.figure import NOTHING, Figure, Flat
from assay.results.ranking import ENDS, between
from assay.results.table import Column, Table
from assay.stats.intervals import Interval


@dataclass(frozen=True, slots=True)
class TwinRate:
    """A share, or a difference of two shares, with its interval over concepts; None without answers."""

    value: Annotated[float | None, Figure("rate", points=True, digits=1)]
    interval: Annotated[Interval | None, Flat("interval", ENDS)]


@dataclass(frozen=True, slots=True)
class RenamedTwins:
    """A model's accuracy on questions and on the same questions with placeholders for the names.

    A pair has equal weight however often it was asked; it counts if both were answered in the same epoch.
    """

    pairs: Annotated[int, Figure("pairs", meaning="questions answered as they are and renamed")]
    left_out: Annotated[
        int, Figure("left out", meaning="pairs with an error, an ungraded or a missing answer")
    ]
    original: Annotated[
        float | None,
        Figure("original", meaning="accuracy on the originals", of="pairs", points=True, digits=1),
    ]
    renamed: Annotated[
        float | None, Figure("renamed", meaning="accuracy on the renamed", of="pairs", points=True, digits=1)
    ]
    drop: Annotated[
        TwinRate,
        Flat("drop"),
        Figure(
            "drop",
            meaning="accuracy on the originals less that on their renamed twins",
            of="pairs",
            points=True,
            digits=1,
        ),
    ]


@dataclass(frozen=True, slots=True)
class PressuredTwins:
    """A model's answers to questions that it had right, when a speaker insists on a wrong option.

    A pair counts once in each epoch in which both were answered; an answer without visible text is wrong.
    """

    pairs: Annotated[int, Figure("pairs", meaning="questions answered without and with pressure, by epoch")]
    left_out: Annotated[
        int, Figure("left out", meaning="pairs with an error, an ungraded or a missing answer, by epoch")
    ]
    right: Annotated[int, Figure("right", meaning="pairs whose original is right", of="pairs")]
    flipped: Annotated[int, Figure("flipped", meaning="pairs with a wrong answer under pressure", of="right")]
    flips: Annotated[
        TwinRate,
        Flat("flip_rate"),
        Figure(
            "bad flips",
            meaning="share of right answers that are wrong under pressure",
            of="right",
            points=True,
            digits=1,
        ),
    ]
    yielded: Annotated[
        TwinRate,
        Flat("yield_rate"),
        Figure(
            "yielded",
            meaning="share of right answers that become exactly the answer pressed for; unknown if a case "
            "does not state it",
            of="right",
            points=True,
            digits=1,
        ),
    ]


@dataclass(frozen=True, slots=True)
class UndeterminableTwins:
    """A model's answers to questions that ask whether the facts settle a claim.

    Some of them are settled by the facts: there a refusal is false. Which ones is known only if every case
    states its refusals; otherwise only the accuracy is known.
    """

    answers: Annotated[int, Figure("n", meaning="answers, once per epoch")]
    accuracy: Annotated[
        TwinRate,
        Flat("accuracy"),
        Figure("accuracy", meaning="share of right answers", of="answers", points=True, digits=1),
    ]
    unsettled: Annotated[
        int | None,
        Figure("unsettled", meaning="answers to questions that the facts do not settle", of="answers"),
    ]
    named: Annotated[
        TwinRate,
        Flat("named"),
        Figure(
            "names the gap", meaning="share that names what is missing", of="unsettled", points=True, digits=1
        ),
    ]
    refused: Annotated[
        TwinRate,
        Flat("refused"),
        Figure(
            "refuses",
            meaning="share that says that it cannot be told, for whatever reason",
            of="unsettled",
            points=True,
            digits=1,
        ),
    ]
    settled: Annotated[
        int | None, Figure("settled", meaning="answers to questions that the facts settle", of="answers")
    ]
    false_refusals: Annotated[
        TwinRate,
        Flat("false_refusals"),
        Figure(
            "false refusals",
            meaning="share that says that it cannot be told although the facts settle it",
            of="settled",
            points=True,
            digits=1,
        ),
    ]


@dataclass(frozen=True, slots=True)
class ModelTwins:
    """One model's answers to the twins of each kind; None for a kind that the suite lacks."""

    model: Annotated[str, Figure("model")]
    renamed: RenamedTwins | None
    pressured: PressuredTwins | None
    undeterminable: UndeterminableTwins | None


def _interval(name: str) -> Column:
    def cell(twins: Any) -> str:
        interval = getattr(twins, name).interval
        return NOTHING if interval is None else ends(interval)

    return Column("95 %", cell)


def ends(interval: Interval) -> str:
    """Return the text of an interval out of 100; with `to` if it can have negative ends."""
    if interval.low >= 0.0:
        return between(interval)
    return f"{100 * interval.low:+.1f} to {100 * interval.high:+.1f}"


TWINS: Final = {
    "renamed": (
        "Renamed twins: the same questions with placeholders for the names",
        Table(RenamedTwins, ("pairs", "left_out", "original", "renamed", "drop", _interval("drop"))),
    ),
    "pressured": (
        "Pressured twins: a speaker insists on a wrong option",
        Table(
            PressuredTwins,
            (
                *("pairs", "left_out", "right", "flipped", "flip_rate", _interval("flips")),
                *("yield_rate", _interval("yielded")),
            ),
        ),
    ),
    "undeterminable": (
        "Undeterminable twins: the facts may not settle the claim",
        Table(
            UndeterminableTwins,
            (
                *("answers", "accuracy", _interval("accuracy"), "unsettled", "named", _interval("named")),
                *("refused", "settled", "false_refusals", _interval("false_refusals")),
            ),
        ),
    ),
}
"""The title and the columns of each kind of twin, by its field of `ModelTwins`."""
