"""Running something every day at a fixed time (UTC) until stopped."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC

from assay.cli.output import notes
from assay.core.errors import InvalidInput

TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


def every_day(at: str, work: Callable[[], bool]) -> None:
    """Run `work` every day at `at` (`HH:MM`, UTC) until interrupted, or until it returns False.

    Missed days are not made up for. Everything runs in this thread: the work handles Ctrl-C itself.
    """
    from apscheduler.schedulers.blocking import BlockingScheduler
    from apscheduler.triggers.cron import CronTrigger

    found = TIME.fullmatch(at.strip())
    if found is None:
        raise InvalidInput(f"{at!r} is no time of day: write it as HH:MM in UTC, for example 06:00")
    hour, minute = int(found[1]), int(found[2])
    scheduler = BlockingScheduler(timezone=UTC)
    scheduler.add_executor("debug", "here")

    def once() -> None:
        if not work():
            scheduler.shutdown(wait=False)

    scheduler.add_job(
        once,
        CronTrigger(hour=hour, minute=minute, timezone=UTC),
        executor="here",
        coalesce=True,
        misfire_grace_time=3600,
        max_instances=1,
    )
    notes().print(f"watching every day at {hour:02}:{minute:02} UTC; Ctrl-C ends it")
    try:
        scheduler.start()
    except (KeyboardInterrupt, SystemExit):
        scheduler.shutdown(wait=False)
