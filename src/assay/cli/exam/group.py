"""`assay exam`: administer the exam service. Each command has its own file."""

from __future__ import annotations

from assay.cli.app import lazy_app

COMMANDS = {
    "demo": ("assay.cli.exam.demo:demo", "Run a simulated exam, from the bank to the published table."),
    "organisation": (
        "assay.cli.exam.organisation:app",
        "Add and list the organisations that take part.",
    ),
    "user": ("assay.cli.exam.user:app", "Add, list, disable and enable users of every role."),
    "candidate": ("assay.cli.exam.candidate:app", "Add, list and disable candidates."),
    "token": ("assay.cli.exam.token:app", "Issue, revoke and list tokens."),
    "key": ("assay.cli.exam.key:app", "Rotate, withdraw and list the keys that sign tokens."),
    "access": (
        "assay.cli.exam.access:access",
        "List requests, including refused ones, or delete old ones.",
    ),
    "series": ("assay.cli.exam.series:app", "Create official series and register their models."),
    "open": ("assay.cli.exam.open_:open_", "Open a session: draw unseen questions for a candidate."),
    "sessions": (
        "assay.cli.exam.sessions:sessions",
        "List sessions, the newest first; overdue ones are ended.",
    ),
    "limits": (
        "assay.cli.exam.limits:limits",
        "Show or change the limits under which sessions are opened.",
    ),
    "exposure": (
        "assay.cli.exam.exposure:exposure",
        "List questions shown to organisations; exit 1 on an alarm.",
    ),
    "vendor": (
        "assay.cli.exam.exposure:vendor",
        "Register what a vendor stores of the requests it receives.",
    ),
    "close": ("assay.cli.exam.close:close", "End a session; it accepts no more answers."),
    "mark": ("assay.cli.exam.mark:mark", "Let judges mark the answers of finished sessions."),
    "exclude": (
        "assay.cli.exam.exclude:exclude",
        "Exclude faulty questions from scores, with a reason.",
    ),
    "manifest": (
        "assay.cli.exam.manifest:manifest",
        "List every answer, mark, second marking and exclusion.",
    ),
    "results": (
        "assay.cli.exam.results:results",
        "Show S, R and ranks of official series, and other sittings.",
    ),
    "experts": (
        "assay.cli.exam.experts:app",
        "Let experts mark answers blind; compare judges with them.",
    ),
}
app = lazy_app(COMMANDS)


@app.callback()
def exam() -> None:
    """Manage organisations, candidates and tokens; open, mark and list exams."""
