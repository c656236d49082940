"""Writing calls, samples and grades."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from fresh_database import EmptiedPostgres
from sqlalchemy import Engine, func, select

from assay.core.errors import AssayError
from assay.store.engine import reading
from assay.store.ledger import CHUNK, finished_positions, unread_answers, write
from assay.store.rows import Batch, CallRow, ConditionsRow, GradeRow, SampleRow
from assay.store.samples import read_sample
from assay.store.schema import calls, conditions, grades, samples
from assay.store.writer import LedgerWriter


def call(position: int, *, status: str = "ok", answer: str | None = "an answer") -> CallRow:
    """Return a row of the ledger."""
    return CallRow(
        run=1,
        position=position,
        purpose="subject",
        model=1,
        request_hash=bytes(32),
        attempt=1,
        status=status,
        error=None,
        detail=None,
        http_status=200,
        prompt_tokens=10,
        completion_tokens=5,
        reasoning_tokens=None,
        cached_tokens=None,
        cost=None,
        provider="Somebody",
        served_model="model",
        fingerprint="fp",
        finish_reason="stop",
        native_finish_reason=None,
        started_at=1.5,
        latency=0.25,
        answer=answer,
    )


def sample(position: int, *, status: str = "ok", score: float | None = 100.0) -> SampleRow:
    """Return a sample row."""
    return SampleRow(1, position, 1, position, 0, status, score, 0, 2.0)


def committed(engine: Engine, batch: Batch) -> None:
    """Commit a batch."""
    writer = LedgerWriter(engine)
    writer.commit(batch)
    writer.close()


@pytest.mark.parametrize("rows", [1, CHUNK - 1, CHUNK, 3 * CHUNK + 5])
def test_every_row_of_a_batch_arrives(engine: Engine, rows: int) -> None:
    """Batches of every size around a statement's are committed completely on both databases."""
    batch = Batch()
    for position in range(rows):
        batch.calls.append(call(position))
        batch.samples.append(sample(position))
        batch.grades.append(GradeRow(1, position, 0, "number", 1.0, None, "{}"))
    committed(engine, batch)
    with engine.connect() as connection:
        stored = [
            connection.execute(select(func.count()).select_from(table)).scalar()
            for table in (calls, samples, grades)
        ]
    assert stored == [rows, rows, rows]


def test_a_row_comes_back_as_it_went_in(engine: Engine) -> None:
    """Texts with every kind of character, unknown costs and exact times survive the database."""
    text = "naïve ⟨\U0001f600⟩ \u2028 'quoted' %s ? :name"
    batch = Batch()
    batch.calls.append(call(0, answer=text))
    batch.samples.append(sample(0, score=None))
    batch.grades.append(GradeRow(1, 0, 0, "exact", None, "no sandbox", '{"why":"x"}'))
    committed(engine, batch)
    stored = read_sample(engine, 1, 0)
    assert stored.calls == (call(0, answer=text),)
    assert stored.row == sample(0, score=None)
    assert stored.grades[0].reason == "no sandbox"
    assert stored.grades[0].evidence == {"why": "x"}


def test_a_sample_written_again_replaces_the_earlier_one(engine: Engine) -> None:
    """A repeated sample is stored once, with its new score; both calls are kept."""
    first, second = Batch(), Batch()
    first.calls.append(call(3, status="error", answer=None))
    first.samples.append(sample(3, status="error", score=None))
    second.calls.append(call(3))
    second.samples.append(sample(3))
    committed(engine, first)
    committed(engine, second)
    stored = read_sample(engine, 1, 3)
    assert stored.row.status == "ok"
    assert len(stored.calls) == 2


def test_a_batch_is_committed_whole_or_not_at_all(engine: Engine) -> None:
    """One invalid row rolls the whole batch back, and the writer can continue."""
    writer, batch = LedgerWriter(engine), Batch()
    batch.calls.append(call(0))
    batch.samples.append(sample(0)._replace(status=None))  # type: ignore[arg-type]
    with pytest.raises(AssayError):
        writer.commit(batch)
    good = Batch()
    good.samples.append(sample(1))
    writer.commit(good)
    writer.close()
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(calls)).scalar() == 0
    assert finished_positions(engine, 1) == {1}


def test_errored_samples_are_not_finished_unless_asked(engine: Engine) -> None:
    """Resuming repeats errored samples; a top-up does not."""
    batch = Batch()
    batch.samples += [
        sample(0),
        sample(1, status="error", score=None),
        sample(2, status="invalid", score=0.0),
    ]
    committed(engine, batch)
    assert finished_positions(engine, 1) == {0, 2}
    assert finished_positions(engine, 1, errored=True) == {0, 1, 2}


def test_answers_without_a_sample_are_found(engine: Engine) -> None:
    """A call that was answered before the process died is not repeated; a failed one is."""
    batch = Batch()
    batch.calls += [call(0), call(1), call(2, status="error", answer=None)]
    batch.samples.append(sample(0))
    committed(engine, batch)
    assert set(unread_answers(engine, 1)) == {1}


@pytest.mark.postgres
def test_writers_may_record_the_same_conditions_at_once(postgres: EmptiedPostgres) -> None:
    """Workers that store the same conditions at the same moment all commit, and there is one row."""
    engine, rounds, workers = postgres.open(), 150, 6
    barrier = threading.Barrier(workers)

    def record(_: int) -> None:
        with engine.connect() as connection:
            for number in range(rounds):
                barrier.wait(30)
                with connection.begin():
                    write(connection, conditions, [ConditionsRow(number, f"{number:064}", "{}")])

    try:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(record, range(workers)))
        with reading(engine) as connection:
            assert connection.execute(select(func.count()).select_from(conditions)).scalar_one() == rounds
    finally:
        postgres.empty(engine)
        engine.dispose()
