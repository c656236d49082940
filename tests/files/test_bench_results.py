"""Files of public results."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from assay.core.errors import InvalidInput
from assay.files.bench_results import ResultsShape, bench_results
from assay.ranking.board.bench_score import WEIGHTS

GOOD = """\
sources:
  card: {url: "https://example.org/card", date: "2026-01-31"}
models:
  mine:
    lmarena_elo: {value: 1300, source: card}
    aime: {value: 0.66, source: card, note: AIME 2025}
"""


def written(folder: Path, text: str) -> Path:
    """Write a file of results."""
    path = folder / "results.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_results_come_with_their_source_and_day(tmp_path: Path) -> None:
    """The source's name is resolved; what is missing is not there."""
    (mine,) = bench_results(written(tmp_path, GOOD))
    assert mine.model == "mine"
    assert list(mine.results) == ["lmarena_elo", "aime"]
    cited = mine.results["aime"]
    assert (cited.value, cited.source, cited.date, cited.note) == (
        0.66,
        "https://example.org/card",
        date(2026, 1, 31),
        "AIME 2025",
    )


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("aime:", "amie:", "results.yaml:6: unknown key 'models.mine.amie': did you mean 'aime'?"),
        ("0.66", "66", "results.yaml:6: 'models.mine.aime.value' is 66: write a share from 0 to 1"),
        ("0.66", "-0.1", "results.yaml:6: 'models.mine.aime.value' is -0.1: write a share"),
        ("1300", "13000", "results.yaml:5: 'models.mine.lmarena_elo.value' is 13000: write an Elo"),
        ("1300", '"1300"', "results.yaml:5: 'models.mine.lmarena_elo.value' is '1300': write an Elo"),
        ("0.66, source: card", "0.66, source: crad", "results.yaml:6: unknown source 'crad': did you"),
        ("0.66, source: card", "0.66", "results.yaml:6: 'models.mine.aime.source' is missing"),
        ("2026-01-31", "2026-02-30", "results.yaml:2: 'sources.card.date' is '2026-02-30': write a date"),
        ("https://example.org/card", "a book", "results.yaml:2: 'sources.card.url' is not a web address"),
        ("sources:", "source:", "results.yaml:1: unknown key 'source'"),
    ],
    ids=range(10),
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, before: str, after: str, told: str) -> None:
    """Unknown keys, values out of range, sources that are not there."""
    with pytest.raises(InvalidInput) as raised:
        bench_results(written(tmp_path, GOOD.replace(before, after)))
    assert told in str(raised.value)


def test_a_model_without_results_is_refused(tmp_path: Path) -> None:
    """It would have no score."""
    with pytest.raises(InvalidInput, match=r"results.yaml:7: the model 'empty' has no result"):
        bench_results(written(tmp_path, GOOD + "  empty: {}\n"))


def test_the_benchmarks_of_a_file_are_those_of_the_score() -> None:
    """The two lists stand in packages that may not import each other."""
    assert list(ResultsShape.model_fields) == list(WEIGHTS)


def test_the_shipped_results_are_read() -> None:
    """A dozen models or more, each cited; figures as the documents print them."""
    found = {model.model: model.results for model in bench_results()}
    assert len(found) >= 12
    assert found["deepseek-r1"]["mmlu_pro"].value == 0.84
    assert found["o1-2024-12-17"].keys() == WEIGHTS.keys() - {"mmlu_pro"}
    assert all(cited.source.startswith("https://") for model in found.values() for cited in model.values())
