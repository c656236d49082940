"""`assay bank`: the private store of questions. Each command has its own file."""

from __future__ import annotations

from assay.cli.app import lazy_app

COMMANDS = {
    "new-key": ("assay.cli.bank.new_key:new_key", "Write a new key that encrypts the bank's answers."),
    "example": (
        "assay.cli.bank.example:example",
        "Write the example bank: 150 public questions to try an exam.",
    ),
    "import": (
        "assay.cli.bank.import_:import_",
        "Import questions and account for every line of the files.",
    ),
    "draw": (
        "assay.cli.bank.draw:draw",
        "Preview a draw of questions, without opening an exam.",
    ),
    "screen": ("assay.cli.bank.screen:screen", "Check raw questions automatically, or import decisions."),
    "reviewer": ("assay.cli.bank.reviewer:app", "Add and list the bank's reviewers."),
    "duplicates": (
        "assay.cli.bank.duplicates:app",
        "List near-duplicates and decide about them.",
    ),
    "expand": (
        "assay.cli.bank.expand:expand",
        "Make true-or-false statements from the bank's questions.",
    ),
    "stats": ("assay.cli.bank.stats:stats", "Count the bank's questions before and after expanding."),
    "export": ("assay.cli.bank.export:export", "Write the bank's questions to a file, without keys."),
    "show": ("assay.cli.bank.show:show", "Show a question with its reviews, edits and variants."),
    "retire": ("assay.cli.bank.retire:retire", "Retire questions permanently, with their siblings."),
    "rekey": ("assay.cli.bank.rekey:rekey", "Encrypt all answers with a new key."),
}
app = lazy_app(COMMANDS)


@app.callback()
def bank() -> None:
    """Import, screen, expand, count, draw and export private questions."""
