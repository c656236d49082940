"""No key is unencrypted in any byte that the commands leave: database, its log, files, output."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from command_line import Assay
from exam_rows import KEY_TEXT

NONCE = "zqx-nobody-reads-this"
PASSAGE = (
    "The clerk wrote the ledger by candle light in March. The mayor read it in April and burned it at once. "
    "Two copies were kept by the clerk's daughter. She sold one of them to a bookseller from Ghent."
)


def records() -> list[dict[str, object]]:
    """Return short answers and material whose keys are nonces, one choice, and two that cannot be used."""
    terms = ("ledger", "harbour", "orchard", "chimney")
    return [
        *(
            {"question": f"Define the {each} of a town.", "answer": f"{NONCE} {each}", "explanation": NONCE}
            for each in terms
        ),
        {"question": "What moved the clerk?", "passage": PASSAGE, "answer": NONCE, "explanation": NONCE},
        {"question": "Which is even?", "options": ["3", "4"], "answer": "B", "explanation": NONCE},
        {"question": "Which is odd?", "options": ["3", "4"], "answer": f"E {NONCE}", "explanation": NONCE},
        {"question": "", "answer": NONCE},
    ]


def test_no_key_stands_in_any_byte(assay: Assay, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After import, screening, expanding with a model, a draw, an export and a change of the bank's key."""
    monkeypatch.setenv("ASSAY_BANK_KEY", KEY_TEXT)
    source = folder.parent / "bank.jsonl"
    source.write_text("\n".join(map(json.dumps, records())))
    with sqlite3.connect(folder / "assay.db") as held:
        # Held open, so that the database's log is not folded into the database at the end of each command.
        commands = [
            ("bank", "import", str(source), "--discipline", "law", "--synthetic"),
            ("bank", "reviewer", "add", "ada"),
            ("bank", "screen", "--accept-clean"),
            ("bank", "expand", "--model", "simulated/steady"),
            ("bank", "stats", "--json"),
            ("bank", "draw", "--n", "2", "--allocation", "law=2", "--seed", "1"),
            ("bank", "export", "--out", "out.jsonl"),
            ("bank", "new-key", "--out", "new.key"),
            ("bank", "rekey", "--new-key-file", "new.key"),
            ("show", "1"),
            ("show", "1", "--json"),
        ]
        ended = [assay(*command) for command in commands]
        held.execute("SELECT count(*) FROM questions").fetchone()
        files = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    held.close()
    ended.append(assay("show", "1.0"))
    assert [one.status for one in ended] == [*[0] * len(commands), 2]
    assert b"Define the harbour" in files["assay.db-wal"]
    assert [name for name, content in files.items() if NONCE.encode() in content] == []
    assert not any(NONCE in one.out + one.err for one in ended)
