"""Running work with a live display, and stopping it on a signal."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from rich.live import Live
from rich.text import Text

from assay.calls.control import RunControl
from assay.calls.progress import Progress
from assay.cli.output import notes

T = TypeVar("T")
TICK = 0.25
LINE_EVERY = 10.0
INTERRUPTED = "interrupted"
ENDED_BY_KEY = 130


def run_live(work: Coroutine[Any, Any, T], control: RunControl, *, label: str) -> T:
    """Run a coroutine to its end with a live line on stderr.

    The first Ctrl-C asks the run to stop: it waits for the calls in flight and stores their replies. The
    second gives up the calls in flight; replies that came back before are still stored. The third ends the
    process, and so does one that comes while an interrupted run is being summed up. SIGTERM has the effect of
    Ctrl-C. A closed terminal (SIGHUP) asks the run to stop, even if it comes several times.
    """
    try:
        return asyncio.run(_with_display(work, control, label))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def _with_display(work: Coroutine[Any, Any, T], control: RunControl, label: str) -> T:
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)

    def interrupted() -> None:
        if control.stop.reason is None:
            notes().print("stopping: waiting for calls in flight (press Ctrl-C again to give them up)")
            control.stop.request(INTERRUPTED)
        elif not control.stop.given_up.is_set():
            control.stop.give_up()
        else:
            task.cancel()

    terminals = [descriptor for descriptor in (1, 2) if os.isatty(descriptor)]

    def hung_up() -> None:
        _detach_closed(terminals)
        if control.stop.reason is None:
            interrupted()

    handlers = {signal.SIGINT: interrupted, signal.SIGTERM: interrupted}
    hangup = getattr(signal, "SIGHUP", None)
    if hangup is not None and signal.getsignal(hangup) != signal.SIG_IGN:
        handlers[hangup] = hung_up  # under nohup it stays ignored
    with suppress(NotImplementedError):
        for number, handler in handlers.items():
            loop.add_signal_handler(number, handler)
    display = asyncio.create_task(_display(control.progress, label))
    try:
        return await task
    finally:
        display.cancel()
        with suppress(asyncio.CancelledError):
            await display
        _print_notices(control.progress)
        with suppress(NotImplementedError):
            for number in handlers:
                loop.remove_signal_handler(number)
        if control.stop.reason == INTERRUPTED:
            # Only a few queries are left. A further Ctrl-C inside one would be reported as a defect of Assay.
            signal.signal(signal.SIGINT, lambda *_: os._exit(ENDED_BY_KEY))
            if hangup in handlers:
                signal.signal(hangup, signal.SIG_IGN)


def _detach_closed(terminals: list[int]) -> None:
    """Redirect the output of closed terminals to os.devnull, because a write error must not end the run."""
    for descriptor in terminals:
        if not os.isatty(descriptor):
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


async def _display(progress: Progress, label: str) -> None:
    start, first, phase = time.monotonic(), progress.done, progress.phase

    def line() -> str:
        nonlocal start, first, phase
        if progress.phase != phase or progress.done < first:
            start, first, phase = time.monotonic(), progress.done, progress.phase
        return status_line(progress, label, time.monotonic() - start, progress.done - first)

    if not sys.stderr.isatty():
        due = start + LINE_EVERY
        while True:
            await asyncio.sleep(TICK)
            _print_notices(progress)
            if time.monotonic() >= due:
                notes().print(line())
                due += LINE_EVERY
    with Live(console=notes(), transient=True, auto_refresh=False) as live:
        while True:
            _print_notices(progress)
            live.update(Text(line()), refresh=True)
            await asyncio.sleep(TICK)


def _print_notices(progress: Progress) -> None:
    """Print and remove the notices that have come up since the last call."""
    while progress.notices:
        notes().print(Text(progress.notices.pop(0)))


def status_line(progress: Progress, label: str, seconds: float, finished: int) -> str:
    """Return a run's progress: done of total, samples per second, cost, time left, errors by kind.

    `finished` is the number of samples finished in these `seconds`.
    """
    rate = finished / seconds if seconds > 0 else 0.0
    label = f"{label}  {progress.phase}" if progress.phase else label
    unit = "marks" if progress.phase else "samples"
    parts = [f"{label}  {progress.done:,}/{progress.total:,}", f"{rate:,.1f} {unit}/s", str(progress.spend)]
    left = progress.total - progress.done
    if rate > 0 and left > 0:
        parts.append(f"about {_duration(left / rate)} left")
    if progress.invalid:
        parts.append(f"{progress.invalid} invalid")
    parts += [f"{count} {kind}" for kind, count in progress.errors.most_common()]
    retries = sum(progress.retries.values())
    if retries:
        kinds = ", ".join(f"{kind} {count}" for kind, count in progress.retries.most_common(3))
        parts.append(f"{retries} retries ({kinds})")
    if progress.waiting is not None:
        parts.append(f"waiting: {progress.waiting}; replies are kept in memory")
    return "  ".join(parts)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
