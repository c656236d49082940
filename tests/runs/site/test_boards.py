"""Lines of boards, and two models of a board prompt by prompt."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest
from exam_rows import NOW
from exam_series import SatSeries
from fresh_database import fresh_sqlite
from stored_boards import apart, stored_board
from stored_keyed_boards import full
from watched_database import watched_work

from assay.core.errors import InvalidInput, NotFound
from assay.exam.results import results_of_main_judge
from assay.exam.tally import exclude_positions
from assay.runs.site.boards import board_line
from assay.runs.site.source import SiteSource
from assay.runs.work import Work, open_work
from assay.store.overview import last_ended
from assay.store.runs import read_run


def work_in(folder: Path) -> Work:
    """Return a workspace over the database in a folder."""
    return open_work(folder, environment={**os.environ, "ASSAY_DATABASE": str(folder / "assay.db")})


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> SiteSource:
    """Two runs of the causal suite: two models, then one of them again with two answers each."""
    work = work_in(tmp_path_factory.mktemp("compared"))
    suite = work.suite("causal")
    models = work.models(["simulated/steady", "simulated/degrading"])
    asyncio.run(work.run(work.plan(suite, models)))
    asyncio.run(work.run(work.plan(suite, models[:1], epochs=2)))
    return SiteSource(work)


def test_a_line_of_models_that_are_apart(tmp_path: Path) -> None:
    """One leader, all costs known; runs that do not exist have no end."""
    line = board_line(fresh_sqlite(tmp_path / "assay.db"), stored_board(apart()))
    assert (line.kind, line.models, line.leaders, line.priced) == ("judged", 3, ("a",), 3)
    assert line.ended is None


def test_a_line_counts_the_models_whose_cost_is_known(tmp_path: Path) -> None:
    """Of twelve models on a keyed board, one has an unknown cost; the best ones tie."""
    line = board_line(fresh_sqlite(tmp_path / "assay.db"), full())
    assert (line.kind, line.models, line.priced) == ("multiple choice", 12, 11)
    assert line.simulated
    assert 1 < len(line.leaders) < 12
    assert "provider/vendor/model-00" in line.leaders


def test_the_last_run_is_that_of_the_board(source: SiteSource) -> None:
    """The list has the time at which the board's newest run ended."""
    (line,) = source.boards()
    ends = [read_run(source.engine, number).finished_at for number in source.board("causal").runs]
    assert line.ended is not None
    assert line.ended.timestamp() == pytest.approx(max(end for end in ends if end is not None), abs=1e-3)


def test_a_run_that_goes_on_has_no_end(tmp_path: Path) -> None:
    """The end of no runs is none."""
    work = watched_work(tmp_path, days=2)
    assert last_ended(work.engine, []) is None
    first, second = (last_ended(work.engine, [number]) for number in (1, 2))
    assert first is not None
    assert second is not None
    assert last_ended(work.engine, [1, 2]) == second > first


def test_prompts_are_compared_by_the_boards_scores(source: SiteSource) -> None:
    """The largest differences come first, and each side's sample is of that model and prompt."""
    names = ("simulated/steady", "simulated/degrading")
    compared = source.compared_models("causal", names)
    sizes = [abs(pair.difference) for pair in compared.pairs]
    assert len(sizes) == 100
    assert sizes == sorted(sizes, reverse=True)
    assert sum(compared.better) == sum(size > 0 for size in sizes)
    for pair in compared.pairs[:10]:
        for name, chosen in zip(names, pair.samples, strict=True):
            assert chosen is not None
            page = source.sample(chosen.run, chosen.position, reveal=False)
            assert (page.sample.model, page.sample.case) == (name, pair.item)
    turned = source.compared_models("causal", (names[1], names[0]))
    assert turned.better == compared.better[::-1]
    assert turned.pairs[0].difference == -compared.pairs[0].difference


def test_other_models_are_refused(source: SiteSource) -> None:
    """Unknown names, and the same model twice."""
    with pytest.raises(NotFound, match="'x' is not on this board"):
        source.compared_models("causal", ("simulated/steady", "x"))
    with pytest.raises(InvalidInput, match="choose two different ones"):
        source.compared_models("causal", ("simulated/steady", "simulated/steady"))


def test_an_excluded_question_changes_the_exam_at_once(tmp_path: Path) -> None:
    """No run begins or ends, and still the series is read again."""
    engine = fresh_sqlite(tmp_path / "assay.db")
    first, *_ = SatSeries(engine).add("spring", {"one": [3, 3, 3, 0], "two": [0, 0, 3, 0]})
    source = SiteSource(work_in(tmp_path), results_of_main_judge)
    (line,) = source.boards()
    assert (line.kind, line.name, line.models, line.leaders) == ("exam", "spring", 2, ("lab/one",))
    assert line.ended is not None

    def score() -> float:
        best = source.exam_series("spring").models[0].score
        assert best is not None
        return best.mean

    before = score()
    exclude_positions(engine, first, [3, 7], reason="wrong key", by="op", now=NOW)
    for _ in range(200):
        if score() > before:
            break
        time.sleep(0.02)
    assert score() > before
