"""Peak memory of reading documents just within the limits, and of refusing larger ones, in MiB.

Each document is read in a separate process. Prints JSON: size of the file, peak, seconds, and any refusal.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
CHILD = TESTS / "faults" / "document_child.py"
sys.path.insert(0, str(TESTS / "support"))

from hostile_documents import BOMBS, HEAD, MIB, S, book, padded, paragraph, repacked, word  # noqa: E402

STYLES = f"{HEAD}<styleSheet {S}><cellXfs>{'<xf/>' * 450_000}</cellXfs></styleSheet>"
STRINGS = f"{HEAD}<sst {S}>{'<si><t>ab</t></si>' * 1_990_000}</sst>"
WITHIN: Mapping[str, Callable[[Path], Path]] = {
    "30 MB of text.docx": lambda path: padded(word(path, paragraph(" x" * 50_000) * 300)),
    "490,000 paragraphs.docx": lambda path: padded(word(path, paragraph("1. x") * 490_000)),
    "1,990,000 texts.xlsx": lambda path: padded(book(path, "", strings=STRINGS)),
    "450,000 formats.xlsx": lambda path: padded(repacked(book(path, ""), {"xl/styles.xml": STYLES})),
    "last row filled.xlsx": lambda path: padded(
        book(path, '<row r="1048576"><c r="A1048576"><v>1</v></c></row>')
    ),
}


def measure(name: str, write: Callable[[Path], Path]) -> dict[str, object]:
    """Write a file, read it in a child process, and return the result."""
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / name)
        begun = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-W", "ignore", str(CHILD), str(path)],
            capture_output=True,
            text=True,
            check=True,
        )
        found = json.loads(done.stdout)
        return {
            "file": name,
            "mib": round(path.stat().st_size / MIB, 2),
            "peak_mib": found["peak"],
            "seconds": round(time.monotonic() - begun, 1),
            "refused": found["refused"] and str(found["refused"]).partition(": ")[2],
        }


if __name__ == "__main__":
    writers = {**WITHIN, **{name: write for name, (write, _) in BOMBS.items()}}
    for name in sys.argv[1:] or writers:
        print(json.dumps(measure(name, writers[name])), flush=True)
