"""Remembering marks while lookups fail, askers are cancelled and many wait for the same mark."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from assay.core.errors import Upstream
from assay.core.judging import Mark
from assay.runs.judging import recall as recalling
from assay.runs.judging.recall import Recall, RecalledMark

KEY = b"one"
GOOD = Mark(4.0, "fine")


def run(main: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a coroutine; whatever the loop complains about (an exception nobody retrieved) fails the test."""
    told: list[Mapping[str, Any]] = []

    async def watched() -> Any:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context))
        async with asyncio.timeout(5):
            ended = await main()
        await asyncio.sleep(0)
        gc.collect()
        return ended

    ended = asyncio.run(watched())
    assert told == []
    return ended


class Asking:
    """Asks a judge: counts the questions, and answers when let."""

    def __init__(self, *marks: Mark | BaseException) -> None:
        self.marks: Iterator[Mark | BaseException] = iter(marks)
        self.asked = 0
        self.gate = asyncio.Event()

    async def __call__(self) -> Mark:
        self.asked += 1
        await self.gate.wait()
        mark = next(self.marks)
        if isinstance(mark, BaseException):
            raise mark
        return mark


async def waiting(
    recall: Recall, ask: Callable[[], Awaitable[Mark]], count: int
) -> list[asyncio.Task[RecalledMark]]:
    """Return so many tasks that want the same mark, the first of them asking."""
    tasks = [asyncio.create_task(recall.mark(KEY, ask)) for _ in range(count)]
    for _ in range(5):
        await asyncio.sleep(0)
    return tasks


@pytest.mark.slow
def test_many_who_want_one_mark_share_one_question() -> None:
    """A thousand get the mark, one of them as its own."""

    async def main() -> None:
        recall, ask = Recall(None), Asking(GOOD)
        tasks = await waiting(recall, ask, 1000)
        ask.gate.set()
        found = await asyncio.gather(*tasks)
        assert ask.asked == 1
        assert [each.reused for each in found] == [False] + [True] * 999

    run(main)


def test_when_the_asker_is_cancelled_another_asks() -> None:
    """The first of four is cancelled in the midst: the second asks, and three get the mark."""

    async def main() -> None:
        recall, ask = Recall(None), Asking(GOOD)
        first, *others = await waiting(recall, ask, 4)
        first.cancel()
        ask.gate.set()
        found = await asyncio.gather(first, *others, return_exceptions=True)
        assert isinstance(found[0], asyncio.CancelledError)
        assert [each.mark for each in found[1:]] == [GOOD] * 3  # type: ignore[union-attr]
        assert ask.asked == 2

    run(main)


def test_when_the_asker_fails_each_other_asks_for_itself() -> None:
    """An error is its own; a mark that is missing satisfies nobody else."""

    async def main() -> None:
        recall = Recall(None)
        ask = Asking(Upstream("no money"), Mark(None, reason="unreadable"), GOOD)
        tasks = await waiting(recall, ask, 4)
        ask.gate.set()
        first, second, third, fourth = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(first, Upstream)
        assert isinstance(second, RecalledMark)
        assert second.mark.value is None
        assert (third, fourth) == (RecalledMark(GOOD, False), RecalledMark(GOOD, True))
        assert ask.asked == 3

    run(main)


def test_a_waiter_that_is_cancelled_leaves_the_others() -> None:
    """Neither the asker nor who waits beside it notices."""

    async def main() -> None:
        recall, ask = Recall(None), Asking(GOOD)
        first, second, third = await waiting(recall, ask, 3)
        second.cancel()
        ask.gate.set()
        await asyncio.wait((first, second, third))
        assert (first.result().mark, third.result().mark, ask.asked) == (GOOD, GOOD, 1)
        assert second.cancelled()

    run(main)


def test_a_lookup_that_fails_is_told_to_who_waits_and_tried_again_by_the_next() -> None:
    """The database is gone for a moment: those who wanted to know get its error, later ones an answer."""
    broken = [True]

    def lookup(keys: list[bytes]) -> dict[bytes, Mark]:
        if broken.pop():
            raise Upstream("database gone")
        return dict.fromkeys(keys, GOOD)

    async def main() -> None:
        recall, ask = Recall(lookup), Asking()
        broken.insert(0, False)
        with pytest.raises(Upstream, match="database gone"):
            await recall.mark(KEY, ask)
        assert await recall.mark(KEY, ask) == RecalledMark(GOOD, True)
        assert ask.asked == 0

    run(main)


def test_a_failing_lookup_that_nobody_waits_for_any_more_is_silent() -> None:
    """Everybody was cancelled meanwhile: no exception is left that was never retrieved."""

    def lookup(keys: list[bytes]) -> dict[bytes, Mark]:
        raise Upstream("database gone")

    async def main() -> None:
        recall = Recall(lookup)
        tasks = await waiting(recall, Asking(), 3)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.05)

    run(main)


def test_a_lookup_happens_once_for_keys_wanted_together() -> None:
    """Fifty keys wanted at one moment are looked up in one query."""
    asked: list[int] = []

    def lookup(keys: list[bytes]) -> dict[bytes, Mark]:
        asked.append(len(keys))
        return dict.fromkeys(keys, GOOD)

    async def main() -> None:
        recall = Recall(lookup)
        keys = [str(number).encode() for number in range(50)]
        found = await asyncio.gather(*(recall.mark(key, Asking()) for key in keys))
        assert {each.mark for each in found} == {GOOD}

    run(main)
    assert asked == [50]


@contextmanager
def little_memory(marks: int, characters: int) -> Iterator[None]:
    """Let a recall keep only so many marks and characters of rationales."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(recalling, "RECENT", marks)
        patched.setattr(recalling, "RECENT_CHARACTERS", characters)
        yield


@pytest.mark.parametrize(("marks", "characters", "kept"), [(10, 10_000, 10), (100, 500, 5)])
def test_the_memory_is_bounded_in_marks_and_in_characters(marks: int, characters: int, kept: int) -> None:
    """The oldest are forgotten, and asked for again; the newest are not."""

    async def main() -> int:
        recall, asked = Recall(None), 0

        async def ask() -> Mark:
            nonlocal asked
            asked += 1
            return Mark(3.0, "x" * 100)

        keys = [str(number).encode() for number in range(30)]
        for key in (*keys, *reversed(keys)):
            await recall.mark(key, ask)
        return 60 - asked

    with little_memory(marks, characters):
        assert run(main) == kept
