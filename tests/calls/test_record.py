"""The recorder and its single writer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest

from assay.calls.control import Stop
from assay.calls.record import MOST, Recorder
from assay.core.errors import AssayError, Upstream
from assay.store.engine import DatabaseBusy
from assay.store.rows import Batch, SampleRow


class Writer:
    """A writer in memory that can be blocked and can fail."""

    def __init__(self, *, fail_at: int | None = None) -> None:
        self.batches: list[list[int]] = []
        self.gate = threading.Event()
        self.gate.set()
        self.closed = False
        self.kept: list[list[int]] = []
        self._fail_at = fail_at

    def commit(self, batch: Batch) -> None:
        """Commit, or raise when it is time to."""
        self.gate.wait(5)
        if self._fail_at is not None and len(self.batches) == self._fail_at:
            raise Upstream("the disk is full")
        self.batches.append([row.position for row in batch.samples])

    def keep(self, batches: Sequence[Batch], error: Exception) -> str:
        """Keep what could not be committed."""
        self.kept = [[row.position for row in batch.samples] for batch in batches]
        return "kept"

    def close(self) -> None:
        """Note that it was closed."""
        self.closed = True


def sample(position: int) -> SampleRow:
    """Return a row."""
    return SampleRow(1, position, 1, 0, 0, "ok", 100.0, 0, 0.0)


def test_everything_is_committed_once_and_in_order() -> None:
    """A thousand rows from one task arrive in order, in fewer commits than rows."""
    writer = Writer()
    counted = []

    async def main() -> None:
        recorder = Recorder(writer, committed=counted.append)
        for position in range(1000):
            recorder.sample(sample(position), [])
            await recorder.room()
        await recorder.close()

    asyncio.run(main())
    assert [position for batch in writer.batches for position in batch] == list(range(1000))
    assert len(writer.batches) < 100
    assert sum(counted) == 1000
    assert writer.closed


def test_never_more_than_one_batch_is_pending() -> None:
    """While a commit is blocked, tasks wait once `MOST` rows are pending."""
    writer = Writer()

    async def main() -> int:
        recorder = Recorder(writer)
        writer.gate.clear()
        most = 0

        async def record(position: int) -> None:
            nonlocal most
            await recorder.room()
            recorder.sample(sample(position), [])
            most = max(most, recorder.pending)

        async def many() -> None:
            for position in range(2 * MOST):
                await record(position)

        task = asyncio.create_task(many())
        await asyncio.sleep(0.3)
        held = recorder.pending
        writer.gate.set()
        await task
        await recorder.close()
        assert held == MOST
        return most

    assert asyncio.run(main()) <= MOST


def test_a_single_row_is_committed() -> None:
    """It does not wait for a second one."""
    writer = Writer()

    async def main() -> None:
        recorder = Recorder(writer)
        recorder.sample(sample(7), [])
        async with asyncio.timeout(5):
            while not writer.batches:
                await asyncio.sleep(0.01)
        await recorder.close()

    asyncio.run(main())
    assert writer.batches == [[7]]


def test_a_failed_commit_stops_all_tasks_with_its_error() -> None:
    """After a full disk `room` and `close` raise, and committed batches stay."""
    writer = Writer(fail_at=1)

    async def main() -> AssayError | None:
        recorder = Recorder(writer)
        with pytest.raises(Upstream, match="full"):
            for position in range(10_000):
                recorder.sample(sample(position), [])
                await recorder.room()
                await asyncio.sleep(0)
        with pytest.raises(Upstream, match="full"):
            await recorder.close()
        return recorder.error

    assert isinstance(asyncio.run(main()), Upstream)
    assert len(writer.batches) == 1


def test_an_unexpected_error_of_the_writer_stops_all_tasks() -> None:
    """An error that is not an AssayError is raised too, so that no task waits for room for ever."""

    class Broken(Writer):
        def commit(self, batch: Batch) -> None:
            raise OverflowError("int too large")

    async def main() -> None:
        recorder = Recorder(Broken())
        async with asyncio.timeout(5):
            with pytest.raises(Upstream, match="int too large"):
                for position in range(10_000):
                    recorder.sample(sample(position), [])
                    await recorder.room()
            with pytest.raises(Upstream, match="int too large"):
                await recorder.close()

    asyncio.run(main())


class Locked(Writer):
    """A database that is locked for the first `times` commits."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times
        self.tried: list[list[int]] = []

    def commit(self, batch: Batch) -> None:
        """Commit when it is no longer locked."""
        self.tried.append([row.position for row in batch.samples])
        if len(self.tried) <= self.times:
            raise DatabaseBusy("the database is locked")
        super().commit(batch)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses of a hundredth of a second."""
    monkeypatch.setattr("assay.calls.record.PAUSE", 0.01)


@pytest.mark.usefixtures("quick")
def test_a_locked_database_is_tried_again_and_nothing_is_lost() -> None:
    """The same batch is committed again until it succeeds; `waiting` gets the reason, and None at the end."""
    writer, reasons = Locked(3), list[str | None]()

    async def main() -> None:
        recorder = Recorder(writer, waiting=reasons.append)
        for position in range(10 * MOST):
            recorder.sample(sample(position), [])
            await recorder.room()
            assert recorder.pending <= MOST
        await recorder.close()

    asyncio.run(main())
    assert writer.tried[:4] == [writer.tried[0]] * 4
    assert [position for batch in writer.batches for position in batch] == list(range(10 * MOST))
    assert reasons[:4] == ["the database is locked"] * 3 + [None]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("patient", [True, False])
def test_rows_that_cannot_be_committed_are_kept(patient: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """After `PATIENCE`, or when the stop is given up, all rows are kept, the failed batch first."""
    writer, stop = Locked(10**9), Stop()
    monkeypatch.setattr("assay.calls.record.PATIENCE", 600.0 if patient else 0.1)

    async def main() -> None:
        recorder = Recorder(writer, stop=stop)
        recorder.sample(sample(0), [])
        await asyncio.sleep(0.2)
        recorder.sample(sample(1), [])
        stop.give_up()
        with pytest.raises(DatabaseBusy, match="locked; kept"):
            await recorder.close()

    asyncio.run(main())
    assert (writer.kept, writer.batches, writer.closed) == ([[0], [1]], [], True)
