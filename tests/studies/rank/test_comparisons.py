"""Where comparisons come from: tables of verdicts, and scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.core.errors import InvalidInput
from assay.ranking.comparison_ratings import RatingWish
from assay.ranking.comparisons import ComparisonSource
from assay.results.rank_comparisons import RatingScale
from assay.studies.rank.comparisons import (
    ComparisonOptions,
    bradley_terry,
    elo,
    rank_comparisons,
    read_comparisons,
)
from assay.studies.rank.source import SourceOptions, read_scores

SCORES = "prompt,model,quality\np,a,1\np,b,0\nq,a,1\nq,b,1\nr,a,0\nr,b,1\n"
VERDICTS = "item,a,b,winner,judge\np,x,y,x,j\nq,x,y,y,j\np,x,y,y,k\n"


def written(folder: Path, text: str) -> str:
    """Write a table and return its name."""
    path = folder / "table.csv"
    path.write_text(text)
    return str(path)


def read_file(source: str, options: ComparisonOptions | None = None) -> ComparisonSource:
    """Read the comparisons of a file."""
    options = options or ComparisonOptions()
    return read_comparisons([source], options, lambda: read_scores(source, options.source))


def test_a_table_of_comparisons_shows_by_its_columns(tmp_path: Path) -> None:
    """Judges can be chosen, and rows that are left out are noted."""
    source = written(tmp_path, VERDICTS)
    read = read_file(source)
    assert (read.comparisons.models, read.comparisons.judges) == (("x", "y"), ("j", "k"))
    assert read.comparisons.points.tolist() == [1.0, 0.0, 0.0]
    one = read_file(source, ComparisonOptions(SourceOptions(judges=("j",))))
    assert one.comparisons.points.tolist() == [1.0, 0.0]
    assert one.about.notes == ("1 of 3 rows do not meet the conditions",)


def test_scores_are_compared_on_each_item(tmp_path: Path) -> None:
    """The source says that its comparisons are derived."""
    read = read_file(written(tmp_path, SCORES))
    assert read.comparisons.points.tolist() == [1.0, 0.5, 0.0]
    assert read.about.notes[0].startswith("comparisons come from scores")


def test_a_ranking_is_the_same_each_time(tmp_path: Path) -> None:
    """The orders of Elo in turn are drawn with a fixed seed."""
    read = read_file(written(tmp_path, VERDICTS))
    wish = RatingWish(RatingScale.ELO)
    assert rank_comparisons(read, wish) == rank_comparisons(read, wish) == elo(read)
    assert elo(read, seed=1) != elo(read)
    assert bradley_terry(read, baseline="y") == rank_comparisons(read, RatingWish(baseline="y"))


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            SCORES,
            ComparisonOptions(tie=0.0),
            "has scores: --preference-range and --tie-value",
        ),
        (SCORES, ComparisonOptions(comparisons=True), "missing column 'a': choose it by --column a=COLUMN"),
        (VERDICTS, ComparisonOptions(SourceOptions(value_range=(0, 1))), "--range is for tables of scores"),
    ],
)
def test_options_of_another_kind_of_source(
    tmp_path: Path, text: str, options: ComparisonOptions, message: str
) -> None:
    """Each message says what the option is for."""
    with pytest.raises(InvalidInput, match=message):
        read_file(written(tmp_path, text), options)


def test_comparisons_are_one_file() -> None:
    """A run is no table of comparisons."""
    with pytest.raises(InvalidInput, match="'run:1' is not one file"):
        read_file("run:1", ComparisonOptions(comparisons=True))
