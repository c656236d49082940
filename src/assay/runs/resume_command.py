"""The command that continues a run, by the run's kind."""

from __future__ import annotations

import shlex

from assay.store.runs import StoredRun

COMMANDS = {
    "run": "assay resume {run}",
    "watch": "assay resume {run}",
    "calibrate": "assay judge calibrate --suite {suite} --judge {model}",
    "sit": "assay sit {url} --session {session} --model {model}",
    "mark": "assay exam mark {session}",
    "expand": "assay bank expand",
    "contamination": "assay study contamination --resume {run}",
    "errors": "assay study errors --resume {run}",
    "pairs": "assay judge pairs --resume {run}",
    "import": "assay import",
}


def resume_command(run: StoredRun) -> str:
    """Return the command that continues a run; a calibration and an import are started again."""
    names = {name: str(run.plan.get(name, name.upper())) for name in ("url", "session")}
    names |= {"suite": run.suite_name, "model": run.models[0][1].name if run.models else "MODEL"}
    quoted = {name: shlex.quote(value) for name, value in names.items()}
    command = COMMANDS[run.kind].format(**quoted, run=run.id)
    user = run.plan.get("user")
    return f"{command} --user {shlex.quote(user)}" if user else command


def unfinished(run: StoredRun) -> str | None:
    """Return the command that continues a stopped run or one whose process died; None for other runs."""
    return resume_command(run) if run.status in ("stopped", "dead") else None
