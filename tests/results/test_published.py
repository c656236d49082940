"""A published result is declared once: documents, schemas and tables are derived from its fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import IntEnum
from typing import Annotated

import pytest
from jsonschema import Draft202012Validator
from schemas import FOLDER

from assay.results.figure import Figure, Flat, Hidden, Listed, Timestamp
from assay.results.published import document, schema
from assay.results.schemas import schema_texts
from assay.results.table import Table, record


@dataclass(frozen=True, slots=True)
class Score:
    """One model's score."""

    model: Annotated[str, Figure("Model")]
    score: Annotated[float | None, Figure("Score", unit="points", digits=1, missing="none", of="cases")]
    rate: Annotated[float, Figure("Rate", share=True)]
    samples: Annotated[int, Figure("Samples")]
    simulated: Annotated[bool, Figure("Simulated")]
    at: Annotated[datetime, Figure("Time")]
    judges: Annotated[tuple[str, ...], Figure("Judges")] = ()


AT = datetime(2026, 11, 23, 6, 0, tzinfo=UTC)
ROW = Score("a/b", 93.04, 0.25, 12345, True, AT, ("x", "y"))
BARE = Score("c", None, 1.0, 0, False, AT)


def test_a_document_holds_each_field_as_it_is() -> None:
    """No value is rounded, and times are in UTC."""
    assert document(ROW) == {
        "model": "a/b",
        "score": 93.04,
        "rate": 0.25,
        "samples": 12345,
        "simulated": True,
        "at": "2026-11-23T06:00:00Z",
        "judges": ["x", "y"],
    }


def test_a_schema_requires_every_field_and_explains_it() -> None:
    """Descriptions come from the figures; a document with more or fewer fields is invalid."""
    made = schema(Score, "scores")
    assert made["properties"]["score"]["description"] == "Score; points; of cases"
    assert made["required"] == list(document(ROW))
    validator = Draft202012Validator(made)
    assert validator.is_valid(document(ROW))
    assert validator.is_valid(document(BARE))
    assert not validator.is_valid({**document(ROW), "more": 1})
    assert not validator.is_valid({name: value for name, value in document(ROW).items() if name != "model"})


def test_a_table_is_formatted_by_its_figures() -> None:
    """Tables format digits, thousands, shares and None, and align numbers to the right."""
    table = Table(Score)
    assert table.cells([ROW, BARE]) == [
        ("a/b", "93.0", "25%", "12,345", "yes", "2026-11-23T06:00:00Z", "x, y"),
        ("c", "none", "100%", "0", "", "2026-11-23T06:00:00Z", "-"),
    ]
    assert table.right == ("Score", "Rate", "Samples")
    assert Table(Score, ("samples", "model")).headings == ("Samples", "Model")


@dataclass(frozen=True, slots=True)
class Ends:
    """An interval with a field that is not published."""

    low: Annotated[float, Figure("low")]
    high: float
    level: Annotated[float, Hidden()] = 0.95


@dataclass(frozen=True, slots=True)
class Part:
    """A score of some cases."""

    name: Annotated[str, Figure("name", name="part")]
    score: Score | None


@dataclass(frozen=True, slots=True)
class Measured:
    """A result with flat parts, with and without a prefix."""

    score: Annotated[Score, Flat(only=("model",))]
    interval: Annotated[Ends | None, Flat("score")]
    part: Part
    parts: tuple[Part, ...] = ()

    @property
    def last(self) -> Annotated[Part | None, Flat("last")]:
        """The last part, beside the other fields."""
        return self.parts[-1] if self.parts else None


def test_the_fields_of_a_flat_part_are_beside_the_others() -> None:
    """Their names have the prefix; if the part is None, so are all of them."""
    whole = Measured(ROW, Ends(1.0, 2.0), Part("x", None), (Part("y", BARE),))
    assert document(whole) == {
        "model": "a/b",
        "score_low": 1.0,
        "score_high": 2.0,
        "part": {"part": "x", "score": None},
        "parts": [{"part": "y", "score": document(BARE)}],
        "last_part": "y",
        "last_score": document(BARE),
    }
    without = document(Measured(ROW, None, Part("x", ROW)))
    assert (without["score_low"], without["score_high"], without["last_part"]) == (None, None, None)
    validator = Draft202012Validator(schema(Measured, "measured"))
    assert validator.is_valid(document(whole))
    assert validator.is_valid(without)
    assert not validator.is_valid({**without, "score_low": "1"})
    assert not validator.is_valid({**without, "score_level": 0.95})


@dataclass(frozen=True, slots=True)
class Work:
    """Values that are published as objects, times, and a figure that is calculated."""

    languages: Annotated[tuple[str, ...], Figure("languages"), Listed("code")]
    reasons: Annotated[Counter[str], Figure("reasons"), Listed("reason", "count")]
    draws: Annotated[Mapping[str, float], Listed("name", "share")]
    topped: Annotated[tuple[tuple[str, int], ...], Listed("model", "case")]
    day: Annotated[date, Figure("day")]
    begun_at: Annotated[Timestamp, Figure("begun")]
    left_at: Annotated[Timestamp | None, Figure("left")]
    seconds: Annotated[float, Hidden()]

    @property
    def hours(self) -> Annotated[float, Figure("hours", digits=1)]:
        """The hours of work."""
        return self.seconds / 3600

    @property
    def days(self) -> float:
        """Not published: it has no figure."""
        return self.seconds / 86_400


WORK = Work(
    ("de", "fr"),
    Counter({"rare": 1, "often": 2}),
    {"a": 0.5},
    (("m", 1),),
    date(2026, 11, 23),
    0.0,
    None,
    5400.0,
)


def test_values_times_and_calculated_figures() -> None:
    """A value or an entry becomes an object, seconds a time, an annotated property a field."""
    made = document(WORK)
    assert made == {
        "languages": [{"code": "de"}, {"code": "fr"}],
        "reasons": [{"reason": "often", "count": 2}, {"reason": "rare", "count": 1}],
        "draws": [{"name": "a", "share": 0.5}],
        "topped": [{"model": "m", "case": 1}],
        "day": "2026-11-23",
        "begun_at": "1970-01-01T00:00:00Z",
        "left_at": None,
        "hours": 1.5,
    }
    shape = schema(Work, "work")
    validator = Draft202012Validator(shape)
    assert validator.is_valid(made)
    assert validator.is_valid({**made, "left_at": "1970-01-01T00:00:00Z"})
    assert shape["properties"]["day"]["format"] == "date"
    for name, wrong in {
        "languages": ["de"],
        "reasons": [{"reason": "x"}],
        "draws": [{"name": "a", "share": "b"}],
        "topped": [{"model": 1, "case": 1}],
    }.items():
        assert not validator.is_valid({**made, name: wrong})
    table = Table(Work, ("languages", "begun_at", "left_at", "hours"))
    assert table.cells([WORK]) == [("de, fr", "1970-01-01T00:00:00Z", "-", "1.5")]
    assert table.right == ("hours",)


class State(IntEnum):
    """A state that rules compare."""

    CALM = 0
    FALLEN = 1


@dataclass(frozen=True, slots=True)
class Day:
    """A day's state, None before the first."""

    state: Annotated[State | None, Figure("state")]


def test_states_that_are_numbers_are_published_by_name() -> None:
    """This holds for documents, schemas and tables."""
    assert document(Day(State.FALLEN)) == {"state": "FALLEN"}
    validator = Draft202012Validator(schema(Day, "day"))
    assert validator.is_valid({"state": "CALM"})
    assert validator.is_valid({"state": None})
    assert not validator.is_valid({"state": 1})
    assert Table(Day).cells([Day(State.CALM), Day(None)]) == [("CALM",), ("-",)]


def test_a_record_is_flat() -> None:
    """A part's fields are named after the part; lists are left out; a part that is None has its columns."""
    flat = record(Measured(ROW, None, Part("x", ROW), (Part("y", BARE),)))
    assert flat["part_part"] == "x"
    assert flat["part_score_score"] == 93.04
    assert "parts" not in flat
    assert list(record(Measured(ROW, None, Part("x", None)))) == list(flat)


def test_bounds_are_in_the_schema() -> None:
    """A share is 0-1; other figures declare their bounds."""
    assert schema(Score, "scores")["properties"]["rate"]["maximum"] == 1
    assert not Draft202012Validator(schema(Score, "scores")).is_valid({**document(ROW), "rate": 1.5})


def test_a_value_that_cannot_be_published_is_an_error() -> None:
    """No other value is converted to text by accident."""
    with pytest.raises(TypeError, match="object cannot be published"):
        document(object())


def test_a_column_without_a_figure_is_refused() -> None:
    """A field without a declared figure cannot be in a table."""

    @dataclass
    class Bare:
        n: int

    with pytest.raises(TypeError, match=r"Bare\.n has no Figure"):
        list(Table(Bare).headings)


def test_committed_schemas_are_up_to_date() -> None:
    """`python -m assay.results.schemas docs/reference/schemas` writes them."""
    committed = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    texts = schema_texts()
    assert sorted(committed) == sorted(texts)
    assert [name for name, text in texts.items() if committed[name] != text] == []
