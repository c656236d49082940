"""Tables of published results: columns, flat records, and the legend of abbreviated headings."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from dataclasses import dataclass
from typing import Annotated

import assay.cli
import assay.results
from assay.results.figure import Figure, Listed
from assay.results.table import Column, Table, legend_of

PLAIN = {"id", "by", "at"}
"""Short headings that are words."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A row with a field of each kind that a record treats differently."""

    place: Annotated[str, Figure("place")]
    n: Annotated[int, Figure("n", meaning="visitors", of="all")]
    guides: Annotated[tuple[str, ...], Figure("guides")]
    marks: Annotated[Counter[str], Figure("marks"), Listed("mark", "count")]
    times: tuple[float, ...] = ()


VISIT = Visit("Kelm", 3, ("ada", "bob"), Counter(good=2, bad=1), (1.0, 2.0))


def test_a_column_may_be_made_of_several_fields() -> None:
    """Its cell is computed from the row."""
    table = Table(Visit, ("place", Column("who", lambda row: f"{row.n} + {len(row.guides)}", right=True)))
    assert table.cells([VISIT]) == [("Kelm", "3 + 2")]
    assert table.right == ("who",)


def test_a_record_has_texts_joined_and_mappings_spread() -> None:
    """Numbers in lists are left out."""
    table = Table(Visit, ("place",))
    assert table.records([VISIT]) == [
        {"place": "Kelm", "n": 3, "guides": "ada; bob", "marks_good": 2, "marks_bad": 1}
    ]
    assert table.names == ("place", "n", "guides")


def test_a_named_column_is_in_the_record_too() -> None:
    """This holds if the row has no field of the same name."""
    table = Table(Visit, ("place", Column("first", lambda row: row.guides[0], name="first_guide")))
    assert table.names[-1] == "first_guide"
    assert table.records([VISIT])[0]["first_guide"] == "ada"


def test_abbreviated_headings_are_explained_in_one_line() -> None:
    """The legend has the figure's meaning and denominator; other headings are words."""
    table = Table(Visit, ("place", "n", Column("eff.", str, legend="efficiency; per hour")))
    assert table.abbreviations == "n = visitors, of all; eff. = efficiency, per hour"
    assert Table(Visit, ("place",)).abbreviations == ""
    assert legend_of(Visit, "n") == "visitors; of all"


def test_every_abbreviated_heading_has_a_legend() -> None:
    """This holds for all tables of published results."""
    unexplained = set()
    for package in (assay.results, assay.cli):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for table in vars(importlib.import_module(module.name)).values():
                if isinstance(table, Table):
                    unexplained |= {
                        (table.row.__name__, column.heading)
                        for column in table.columns
                        if column.abbreviated and not column.legend and column.heading not in PLAIN
                    }
    assert unexplained == set()
