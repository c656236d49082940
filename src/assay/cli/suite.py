"""`assay suite`: list, show, check, write and seal suites."""

from __future__ import annotations

from assay.cli.app import lazy_app

COMMANDS = {
    "list": ("assay.cli.suites:list_", "List the built-in suites and those that were run here."),
    "show": (
        "assay.cli.suites:show",
        "Show a suite: use cases, sample counts, cases and graders.",
    ),
    "check": ("assay.cli.suites:check", "Check a suite and print its digest."),
    "new": ("assay.cli.suites:new", "Write a small working suite as a starting point."),
    "seal": ("assay.cli.suites:seal", "Encrypt a private suite into one file."),
    "unseal": ("assay.cli.suites:unseal", "Write the files of a sealed suite into a folder."),
}
app = lazy_app(COMMANDS)


@app.callback()
def suite() -> None:
    """List, show, check, write and seal suites."""
