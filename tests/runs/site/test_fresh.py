"""Kept values: computed once, computed again in the background when runs change."""

from __future__ import annotations

import gc
import threading
import time
from pathlib import Path

import pytest
from watched_database import MODELS, add_day, watched_work

from assay.core.errors import NotFound
from assay.runs.site.fresh import Fresh
from assay.runs.site.source import SiteSource
from assay.store.suites import find_digest, read_suite


def test_a_value_is_computed_once_until_the_runs_change(tmp_path: Path) -> None:
    """Readers get the last value while the new one is computed."""
    work = watched_work(tmp_path, days=6)
    computed: list[str] = []
    may_go_on = threading.Event()
    may_go_on.set()

    def compute(key: str) -> int:
        assert may_go_on.wait(10)
        computed.append(key)
        return len(computed)

    kept = Fresh(work.engine, compute)
    assert [kept.get("a"), kept.get("a"), kept.get("b")] == [1, 1, 2]
    suite = read_suite(work.engine, find_digest(work.engine, "small"))
    add_day(work.engine, suite, MODELS, 6, {})
    may_go_on.clear()
    assert [kept.get("a"), kept.get("a")] == [1, 1]
    may_go_on.set()
    for _ in range(200):
        if kept.get("a") == 3:
            break
        time.sleep(0.01)
    assert kept.get("a") == 3
    assert computed == ["a", "b", "a"]


def test_the_latest_value_waits(tmp_path: Path) -> None:
    """A caller that needs the present state gets it at once."""
    work = watched_work(tmp_path, days=6)
    source = SiteSource(work)
    assert source.overview().suites[0].watched is not None
    suite = read_suite(work.engine, find_digest(work.engine, "small"))
    add_day(work.engine, suite, MODELS, 6, {})
    for _ in range(500):
        watched = source.overview().suites[0].watched
        assert watched is not None
        if watched.verdicts.last_day.isoformat() == "2026-03-08":
            break
        time.sleep(0.01)
    assert watched.verdicts.last_day.isoformat() == "2026-03-08"


def test_large_values_are_kept_from_garbage_collection(tmp_path: Path) -> None:
    """The collector does not walk through a large value that was computed again; it does through others."""
    work = watched_work(tmp_path, days=6)
    suite = read_suite(work.engine, find_digest(work.engine, "small"))
    gc.unfreeze()
    for day, large in ((6, False), (7, True)):
        kept = Fresh(work.engine, lambda _: object(), large=large)
        first = kept.get("a")
        add_day(work.engine, suite, MODELS, day, {})
        for _ in range(500):
            if kept.get("a") is not first and (gc.get_freeze_count() > 0) is large:
                break
            time.sleep(0.01)
        assert kept.get("a") is not first
        assert (gc.get_freeze_count() > 0) is large
    gc.unfreeze()


def test_a_defect_in_a_thread_reaches_the_reader(tmp_path: Path) -> None:
    """Whoever waits for a value learns that it will not come, and the next reader begins another try."""
    work = watched_work(tmp_path, days=0)

    def compute(_: str) -> int:
        raise ZeroDivisionError

    kept = Fresh(work.engine, compute)
    assert kept.ready("a") is None
    with pytest.raises(ZeroDivisionError):
        for _ in range(500):
            kept.ready("a")
            time.sleep(0.01)


def test_errors_are_not_kept(tmp_path: Path) -> None:
    """A suite that is watched later can be read then."""
    work = watched_work(tmp_path, days=0)
    source = SiteSource(work)
    with pytest.raises(NotFound, match="is not watched here"):
        source.watched("small")
    suite = read_suite(work.engine, find_digest(work.engine, "small"))
    add_day(work.engine, suite, MODELS, 0, {})
    assert source.watched("small").verdicts.names() == ("simulated/falling", "simulated/steady")
