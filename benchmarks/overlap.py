"""The overlap of many made-up questions with made-up text: time, peak memory and what was seen. Prints JSON.

`python benchmarks/overlap.py --questions 200000 --megabytes 1000` needs about as much free disk for the text.
One question in a hundred is planted in the text whole, so `planted_seen` must be 1.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from assay.files.text_folder import text_blocks
from assay.questions.overlap import OverlapIndex, QuestionText

VOCABULARY = 50_000
WORDS_OF_A_QUESTION = 60
LINE = 12


def main() -> None:
    """Make questions and text, look for the overlap, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=20_000)
    parser.add_argument("--megabytes", type=int, default=100)
    given = parser.parse_args()
    rng = np.random.default_rng(0)
    words = np.array(
        ["".join(map(chr, rng.integers(97, 123, size))) for size in rng.integers(2, 11, VOCABULARY)]
    )
    odds = 1 / np.arange(1, VOCABULARY + 1)
    odds = np.cumsum(odds / odds.sum())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        index = OverlapIndex()
        planted = []
        started = time.process_time()
        making = 0.0
        for number in range(given.questions):
            began = time.process_time()
            text = " ".join(_draw(words, odds, WORDS_OF_A_QUESTION, rng))
            making += time.process_time() - began
            index.add(QuestionText(str(number), (text,)))
            if number % 100 == 0:
                planted.append(text)
        index.close()
        indexing = time.process_time() - started - making
        _write(path, words, odds, given.megabytes, planted, rng)
        started = time.process_time()
        for line, block in text_blocks(path):
            index.read(block, 0, line)
        reading = time.process_time() - started
        size = path.stat().st_size
    rows = {row.question: row for row in index.overlaps()}
    whole = [number for number in range(0, given.questions, 100) if rows[number].seen == rows[number].ngrams]
    print(
        json.dumps(
            {
                "questions": given.questions,
                "megabytes": size / 1e6,
                "cpu_seconds_index": round(indexing, 1),
                "cpu_seconds_read": round(reading, 1),
                "megabytes_per_cpu_second": round(size / 1e6 / reading, 1),
                "peak_memory_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
                "planted_seen": len(whole) / len(planted),
                "others_seen": len(rows) - len(planted),
            },
            indent=2,
        )
    )


def _draw(words: np.ndarray, odds: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """Return words drawn by Zipf's law."""
    return words[np.searchsorted(odds, rng.random(size))]


def _write(
    path: Path,
    words: np.ndarray,
    odds: np.ndarray,
    megabytes: int,
    planted: list[str],
    rng: np.random.Generator,
) -> None:
    """Write the planted questions, then a million words again and again until the file is large enough."""
    stock = _draw(words, odds, 1_000_000, rng)
    lines = [" ".join(stock[at : at + LINE]) for at in range(0, len(stock), LINE)]
    block = ("\n".join(lines) + "\n").encode()
    with path.open("wb") as file:
        file.write("\n".join(planted).encode() + b"\n")
        while file.tell() < megabytes * 1_000_000:
            file.write(block)


if __name__ == "__main__":
    main()
