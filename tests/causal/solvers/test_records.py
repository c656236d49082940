"""Naive reasoners who take records for the things recorded."""

from __future__ import annotations

from fractions import Fraction

import pytest
from every_row import every_row

from assay.causal import queries as q
from assay.causal.queries import adjusted, counterfactual, effect, mean, p
from assay.causal.scm import Scm, binary, dag
from assay.causal.solvers.records import Records
from assay.core.errors import InvalidInput

F = Fraction
READ = Records({"X": "W", "Y": "R"})


@every_row(
    "asked, heard",
    [
        (p({"Y": 1}, {"Z": 0}, do={"X": 1}), p({"R": 1}, {"Z": 0}, do={"W": 1})),
        (mean("Y", {"X": 0}), mean("R", {"W": 0})),
        (effect("X", "Y") - p({"R": 1}), effect("W", "R") - p({"R": 1})),
        (
            counterfactual({"Y": 1}, {"X": 1}, mediators={"X": {"Z": 0}}, given={"X": 0}),
            counterfactual({"R": 1}, {"W": 1}, mediators={"W": {"Z": 0}}, given={"W": 0}),
        ),
        (
            q.Not(q.Compare(mean("Y"), ">", q.term(1))),
            q.Not(q.Compare(mean("R"), ">", q.term(1))),
        ),
        (q.Rounded(p({"Y": 1}), 2), q.Rounded(p({"R": 1}), 2)),
        (q.Separated("X", "Z", ("Y",)), q.Separated("W", "Z", ("R",))),
        (q.PathCount("X", "Z", q.Paths.OPEN, ("Y",)), q.PathCount("W", "Z", q.Paths.OPEN, ("R",))),
        (q.ValidSets("X", "Y", True), q.ValidSets("W", "R", True)),
        (q.AdjustmentExists(("X",), "Y"), q.AdjustmentExists(("W",), "R")),
        (q.ValidInstrument("Z", "X", "Y", ("V",)), q.ValidInstrument("Z", "W", "R", ("V",))),
        (q.ValidFrontDoor("X", "Y", ("M",)), q.ValidFrontDoor("W", "R", ("M",))),
        (q.Causes("X", "Y"), q.Causes("W", "R")),
        (q.term(3), q.term(3)),
    ],
)
def test_every_name_becomes_its_records(asked: q.Query, heard: q.Query) -> None:
    """In a query of any kind, however deep."""
    assert READ.query(asked) == heard


@pytest.mark.parametrize(
    ("asked", "heard"),
    [
        (adjusted({"Y": 1}, {"X": 1}, ["W", "Z"]), adjusted({"R": 1}, {"W": 1}, ["Z"])),
        (q.ValidAdjustment(("X",), "Y", ("W", "R", "Z")), q.ValidAdjustment(("W",), "R", ("Z",))),
        (q.MinimalAdjustment(("X",), "Z", ("Y", "R")), q.MinimalAdjustment(("W",), "Z", ("R",))),
        (q.PathCount("X", "Z", q.Paths.OPEN, ("W",)), q.PathCount("W", "Z", q.Paths.OPEN)),
        (p({"Z": 1}, {"W": 1}, do={"X": 1}), p({"Z": 1}, do={"W": 1})),
        (p({"Z": 1}, {"W": 1, "X": 1}), p({"Z": 1}, {"W": 1})),
    ],
)
def test_what_is_named_twice_is_heard_once(asked: q.Query, heard: q.Query) -> None:
    """The treatment, its record among the covariates, is the treatment."""
    assert READ.query(asked) == heard


def test_given_itself_a_record_tells_nothing_more() -> None:
    """Whether a record depends on the outcome given the truth is no question to him: it does not."""
    assert READ.query(q.Separated("W", "Z", ("X",))) == q.Compare(q.term(1), "=", q.term(1))


@pytest.mark.parametrize(
    "asked",
    [
        p({"Z": 1}, {"W": 0, "X": 1}),
        p({"Z": 1}, {"W": 0}, do={"X": 1}),
        q.Separated("W", "X"),
        q.Causes("X", "W"),
        q.ValidAdjustment(("X",), "W", ()),
    ],
)
def test_what_cannot_be_is_refused(asked: q.Query) -> None:
    """A record at odds with the truth, and what joins the two, are beyond one who knows no difference."""
    with pytest.raises(InvalidInput, match="at face value"):
        READ.query(asked)


def test_a_reader_is_as_if_the_truth_had_not_been_measured() -> None:
    """True variables are hidden from him, in a graph and in a model."""
    scm = Scm((binary("X"), binary("W", "X", {0: F(1, 10), 1: F(9, 10)}), binary("Z")))

    assert Records({"X": "W"}).world(scm).dag.observed == ("W", "Z")
    assert Records({"X": "W"}).world(dag("X>W Z")).dag.observed == ("Z", "W")
    assert Records({}).world(dag("X>W Z")) == dag("X>W Z")


@pytest.mark.parametrize("taken", [{"X": "V"}, {"V": "X"}])
def test_a_record_of_nothing_is_refused(taken: dict[str, str]) -> None:
    """A slip in a name would make a solver better than it should be, so it is no silent matter."""
    with pytest.raises(InvalidInput, match="'V'"):
        Records(taken).world(dag("X>W"))
