"""Judge-Bench: which published figures follow from the recorded annotations, and which cannot be checked.

The judges' answers were not recorded. For the one set with two categories (CoLA) a published kappa and
correlation still determine the table of counts, because the people's labels are known.
"""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.ranking.judge_choice import compare_with_reference
from assay.stats.agreement import cohen_kappa, krippendorff_alpha
from assay.stats.rank_correlation import correlate_ranks
from assay.stats.reference_agreement import correlation
from assay.studies.reference_marks import read_reference_marks

pytestmark = pytest.mark.real

ITEMS, GRAMMATICAL = 1043, 719
UNCHECKED = {"medical-safety": 44, "newsroom": 88, "recipe-crowd-sourcing-data": 126}
"""Rows of judges' figures that would need the judges' answers: more than two categories, or graded marks."""
SEVERAL_TABLES = {("CoT", "Mixtral-8x7B-Instruct-v0.1"), ("CoT", "OLMo-7B-0724-Instruct-hf")}
"""Judges with so many unreadable answers that more than one table of counts has their figures."""


class Published(NamedTuple):
    """One judge's figures on CoLA: valid answers, kappa, and three correlations."""

    valid: int
    kappa: float
    pearson: float
    spearman: float
    kendall: float


class Counts(NamedTuple):
    """Answers of a judge: `n` counted, of which people and the judge call so many grammatical, and both."""

    n: int
    people: int
    judge: int
    both: int

    def labels(self) -> tuple[list[str], list[str]]:
        """Return the people's and the judge's labels, in some order of the items."""
        neither = self.n - self.people - self.judge + self.both
        sizes = (self.both, self.people - self.both, self.judge - self.both, neither)
        return tuple(  # type: ignore[return-value]
            [label for label, size in zip(labels, sizes, strict=True) for _ in range(size)]
            for labels in (("Yes", "Yes", "No", "No"), ("Yes", "No", "Yes", "No"))
        )


@pytest.fixture(scope="module")
def published(shared_data: Path) -> dict[tuple[str, str], Published]:
    """The 23 rows of CoLA by prompting and judge."""
    path = shared_data / "judgebench20_published_scores.parquet"
    rows = duckdb.sql(
        "select prompting, split_part(model, ' ', 1), valid, kappa, pearson, spearman, kendall "
        f"from '{path}' where dataset = 'cola'"
    ).fetchall()
    return {(row[0], row[1]): Published(*row[2:]) for row in rows}


@pytest.fixture(scope="module")
def tables(published: dict[tuple[str, str], Published]) -> dict[tuple[str, str], list[Counts]]:
    """All tables of whole counts that have a judge's published kappa and Pearson correlation.

    With regular prompting the authors replaced unreadable answers by random ones, so all items count; with
    CoT they left them out, so that an unknown part of the people's labels counts.
    """
    found = {}
    for (prompting, judge), row in published.items():
        left_out = 0 if prompting == "regular" else ITEMS - row.valid
        people = np.arange(GRAMMATICAL - left_out, GRAMMATICAL + 1)
        found[prompting, judge] = counts_with(row, ITEMS - left_out, people)
    return found


def counts_with(row: Published, n: int, people: np.ndarray) -> list[Counts]:
    """Return the tables of `n` answers with the published figures; `people` are the possible counts."""
    h, y = np.meshgrid(people[(people > 0) & (people < n)], np.arange(1, n), indexing="ij")
    by_chance = (h * y + (n - h) * (n - y)) / n**2
    both = (n * (by_chance + row.kappa * (1.0 - by_chance)) - n + h + y) / 2.0
    whole = np.round(both)
    phi = (n * whole - h * y) / np.sqrt(1.0 * h * (n - h) * y * (n - y))
    possible = (whole >= 0) & (whole <= np.minimum(h, y)) & (h + y - whole <= n)
    fits = possible & (np.abs(both - whole) < 1e-6) & (np.abs(phi - row.pearson) < 1e-9)
    return [
        Counts(n, *(int(value) for value in cell)) for cell in zip(h[fits], y[fits], whole[fits], strict=True)
    ]


def test_every_kappa_and_correlation_on_cola_is_that_of_whole_counts(
    published: dict[tuple[str, str], Published], tables: dict[tuple[str, str], list[Counts]]
) -> None:
    """All 23 judges: kappa, Pearson, Spearman and Kendall of the counts are the published four."""
    assert len(published) == 23
    for key, row in published.items():
        people, judge = tables[key][0].labels()
        codes = [np.array([float(label == "Yes") for label in labels]) for labels in (people, judge)]
        n, rng = len(people), np.random.default_rng(0)
        pearson = correlation(*codes, np.ones(n), np.arange(n), np.zeros((0, n))).value
        ranks = correlate_ranks(*codes, rng)
        assert ranks is not None
        ours = (cohen_kappa(people, judge).value, pearson, ranks.rho, ranks.tau)
        assert ours == pytest.approx((row.kappa, row.pearson, row.spearman, row.kendall), abs=1e-9)


def test_the_counts_are_certain_but_for_two_judges(tables: dict[tuple[str, str], list[Counts]]) -> None:
    """Exactly one table has a judge's figures, unless CoT left out a third or more of the items."""
    assert {key for key, found in tables.items() if len(found) != 1} == SEVERAL_TABLES


def test_a_wrong_number_of_answers_has_no_counts(published: dict[tuple[str, str], Published]) -> None:
    """The check can fail: no table of another size or with another kappa has the figures."""
    row = published["regular", "gpt-4o"]
    people = np.arange(1, ITEMS)
    assert counts_with(row, ITEMS - 1, people) == []
    assert counts_with(row._replace(kappa=row.kappa + 1e-5), ITEMS, people) == []


def test_the_two_promptings_have_different_denominators(
    published: dict[tuple[str, str], Published],
) -> None:
    """Regular figures of judges with unreadable answers are not those of the readable ones, as in CoT."""
    for (prompting, _), row in published.items():
        if prompting == "regular" and row.valid < ITEMS:
            left_out = ITEMS - row.valid
            people = np.arange(GRAMMATICAL - left_out, GRAMMATICAL + 1)
            assert counts_with(row, row.valid, people) == []


def test_judges_are_chosen_by_the_published_kappas(
    tmp_path: Path, published: dict[tuple[str, str], Published], tables: dict[tuple[str, str], list[Counts]]
) -> None:
    """`assay judge choose` on the 12 regular judges' counts: the published kappas, best first."""
    with (tmp_path / "cola.csv").open("w", newline="") as file:
        write = csv.writer(file)
        write.writerow(["item", "judge", "mark"])
        for (prompting, judge), found in tables.items():
            if prompting == "regular":
                people, own = found[0].labels()
                yes = sorted(range(ITEMS), key=lambda place: people[place] != "Yes")
                write.writerows([item, judge, own[place]] for item, place in enumerate(yes))
        write.writerows([item, "human", "Yes" if item < GRAMMATICAL else "No"] for item in range(ITEMS))
    marks = read_reference_marks(str(tmp_path / "cola.csv")).marks
    found = compare_with_reference(marks, np.random.default_rng(0))
    kappas = {row.judge: row.kappa.value for row in found.judges if row.kappa is not None}
    assert kappas == pytest.approx(
        {judge: row.kappa for (prompting, judge), row in published.items() if prompting == "regular"}
    )
    assert list(kappas)[:2] == ["Mixtral-8x7B-Instruct-v0.1", "Mixtral-8x22B-Instruct-v0.1"]


def test_people_and_judges_of_two_codings_are_refused(tables: dict[tuple[str, str], list[Counts]]) -> None:
    """People's labels are Yes and No, judges' answers yes and no in small letters: recode first."""
    people, judge = tables["regular", "gpt-4o"][0].labels()
    with pytest.raises(InvalidInput, match="two codings"):
        cohen_kappa(people, [label.lower() for label in judge])


def test_only_these_rows_cannot_be_checked(shared_data: Path) -> None:
    """258 of 281 rows: their judges' answers were not recorded, and counts do not follow from the figures."""
    rows = duckdb.sql(
        f"select dataset from '{shared_data / 'judgebench20_published_scores.parquet'}'"
    ).fetchall()
    assert Counter(dataset for (dataset,) in rows) == {"cola": 23, **UNCHECKED}


@pytest.fixture(scope="module")
def annotations(shared_data: Path) -> dict[tuple[str, str], list[tuple[float, list[float]]]]:
    """The recorded mean and the single marks of each item with several people, by data set and metric."""
    marks = defaultdict(list)
    for dataset, metric, mean, individual in duckdb.sql(
        "select dataset, metric, mean_human::double, individual "
        f"from '{shared_data / 'judgebench20_human_annotations.parquet'}' "
        "where mean_human is not null order by all"
    ).fetchall():
        marks[dataset.replace("_", "-"), metric].append((mean, json.loads(individual)))
    return dict(marks)


def test_published_krippendorff_alpha(
    annotations: dict[tuple[str, str], list[tuple[float, list[float]]]], shared_data: Path
) -> None:
    """All 214 rows with an alpha of people repeat ten values, which are ours on the ordinal scale."""
    published = duckdb.sql(
        "select dataset, metric, krippendorff_alpha "
        f"from '{shared_data / 'judgebench20_published_scores.parquet'}' where krippendorff_alpha is not null"
    ).fetchall()
    ours = {}
    for key, items in annotations.items():
        table = np.full((max(len(marks) for _, marks in items), len(items)), np.nan)
        for place, (_, marks) in enumerate(items):
            table[: len(marks), place] = marks
        ours[key] = krippendorff_alpha(table, "ordinal").value
    assert (len(published), len(ours)) == (214, 10)
    assert [ours[dataset, metric] for dataset, metric, _ in published] == pytest.approx(
        [alpha for _, _, alpha in published]
    )


def test_recorded_means_are_those_of_the_marks(
    annotations: dict[tuple[str, str], list[tuple[float, list[float]]]],
) -> None:
    """1,992 means, rounded to two digits (newsroom) or three (recipes)."""
    assert sum(map(len, annotations.values())) == 1992
    for (dataset, _), items in annotations.items():
        half = 0.005 if dataset == "newsroom" else 0.0005
        for mean, marks in items:
            assert mean == pytest.approx(np.mean(marks), abs=half + 1e-9)
