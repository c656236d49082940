"""Second derivation: jobs, times and rows of the log, parsed out of the prompt and recomputed."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any


def job_log(prompt: str) -> dict[str, Any]:
    """Replay the log with corrected clocks and repeated lines dropped."""
    pattern = re.compile(r"^ *#(\d+) (\S+) (INFO|WARN|ERROR) +(w\d) (.*)$", re.M)
    lines = {int(number): rest for number, *rest in pattern.findall(prompt)}
    resync = next(number for number, rest in lines.items() if "clock resync" in rest[3])
    fast = int(re.findall(r"was=\+(\d+)s", lines[resync][3])[0])
    attempts: dict[tuple[str, int], dict[str, Any]] = {}
    errors = []
    for number in sorted(lines):
        stamp, level, worker, text = lines[number]
        at = datetime.fromisoformat(stamp.replace("Z", "+00:00")).astimezone(UTC)
        if worker == "w2" and number < resync:
            at -= timedelta(seconds=fast)
        if level == "ERROR":
            errors.append(at)
        found = re.match(r"job=(\w+) attempt=(\d+) (start|done|fail|verify failed|cancelled)(.*)", text)
        if not found:
            continue
        attempt = attempts.setdefault((found[1], int(found[2])), {})
        attempt[found[3]] = at
        if found[3] == "start":
            attempt["tenant"] = re.findall(r"tenant=(\w+)", found[4])[0]
        if found[3] == "done":
            attempt["rows"] = int(re.findall(r"rows=(\d+)", found[4])[0])
    jobs = sorted({job for job, _ in attempts})
    won = {key: a for key, a in attempts.items() if "done" in a and "verify failed" not in a}
    seconds = {job: int((a["done"] - a["start"]).total_seconds()) for (job, _), a in won.items()}
    lost = {key for key, a in attempts.items() if "fail" in a or "verify failed" in a}
    last = {job: max(key for key in attempts if key[0] == job) for job in jobs}
    longest, shortest = max(seconds, key=seconds.__getitem__), min(seconds, key=seconds.__getitem__)
    return {
        "jobs_seen": len(jobs),
        "succeeded_first_try": sorted(job for job, number in won if number == 1),
        "succeeded_after_retry": sorted(job for job, number in won if number > 1),
        "failed_for_good": [job for job in jobs if last[job] in lost],
        "cancelled": [job for job in jobs if "cancelled" in attempts[last[job]]],
        "unfinished": [job for job in jobs if set(attempts[last[job]]) == {"start", "tenant"}],
        "error_lines": len(errors),
        "first_error_utc": min(errors).strftime("%H:%M:%S"),
        "rows_total": sum(a["rows"] for a in won.values()),
        "longest_job": longest,
        "longest_seconds": seconds[longest],
        "shortest_job": shortest,
        "shortest_seconds": seconds[shortest],
        "successful_seconds_total": sum(seconds.values()),
        "b22_retry_gap_seconds": int(
            (attempts["b22", 2]["start"] - attempts["b22", 1]["fail"]).total_seconds()
        ),
        "tenants_with_failed_attempts": sorted({attempts[key]["tenant"] for key in lost}),
    }
