"""Letters read from 2,300 recorded answers against a reader's: no fewer right than recorded.

`python tests/real/test_letters.py FOLDER_OF_RECORDINGS` prints the tables and the list of
docs/methodology/letters.md, which tells how the answers were read.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest
import zstandard
from scipy.stats import beta

from assay.grading.text.letters import chosen_letter

pytestmark = pytest.mark.real

READ = Path(__file__).parent / "letter_labels" / "read.csv"
"""A reader's letters, a model a line: `a`-`d` were claimed in thinking aloud that then breaks off."""

NOTHING = {".": "breaks off", "-": "chooses nothing", "!": "contradicts itself"}
LONG = 12


@dataclass(frozen=True, slots=True)
class Answer:
    """One recorded answer: what the reader, the other project and this extractor take from it."""

    question: str
    model: str
    read: str
    theirs: str
    ours: str | None
    key: str
    long: bool

    @property
    def truth(self) -> str | None:
        """The letter that the reader found; None for none."""
        return None if self.read in NOTHING else self.read.upper()

    @property
    def kind(self) -> str:
        """What a disagreement is."""
        if self.ours == self.theirs:
            return "agree"
        if self.truth is None:
            return NOTHING[self.read]
        if self.truth == self.ours:
            return "ours right"
        return "theirs right" if self.truth == self.theirs else "neither right"


@lru_cache(maxsize=1)
def answers(folder: Path) -> tuple[Answer, ...]:
    """Return every recorded answer with the three letters."""
    with READ.open(encoding="utf8") as file:
        read = {(row["model"], name): letter for row in csv.DictReader(file) for name, letter in row.items()}
    packed = (folder / "workbench_causal.jsonl.zst").read_bytes()
    text = zstandard.ZstdDecompressor().decompressobj().decompress(packed).decode()
    rows = [json.loads(line) for line in text.split("\n") if line]
    return tuple(
        Answer(
            row["question_id"],
            row["model"],
            read[row["model"], row["question_id"]],
            row["extracted"],
            chosen_letter(row["response"], "ABCD", "ANSWER:").letter,
            row["key"],
            len(row["response"]) > LONG,
        )
        for row in rows
    )


def right(found: Iterable[Answer], taken: Callable[[Answer], str | None]) -> int:
    """Return how many letters are the reader's."""
    return sum(taken(each) == each.truth for each in found)


def test_what_was_read_is_what_was_recorded(shared_data: Path) -> None:
    """Every answer has a reader's letter, or a sign that it has none."""
    found = answers(shared_data)
    assert len(found) == 2300
    assert Counter(each.read for each in found if each.truth is None) == {".": 85, "-": 1}
    assert sum(each.long for each in found) == 368


def test_the_extractor_is_no_worse_than_recorded(shared_data: Path) -> None:
    """4 of 2,300 are wrong: three that think aloud and break off, one letter run into the next word."""
    wrong = [each for each in answers(shared_data) if each.ours != each.truth]
    assert sorted((each.question, each.model, each.ours) for each in wrong) == [
        ("B02_Q4", "gemini-3-flash", None),
        ("B15_Q2", "minimax-m2.5", "A"),
        ("B17_Q3", "minimax-m2.5", "D"),
        ("B18_Q4", "minimax-m2.5", "D"),
    ]


def test_the_disagreements_with_the_recorded_letters_are_those_listed(shared_data: Path) -> None:
    """By kind, as docs/methodology/letters.md counts them."""
    found = answers(shared_data)
    assert Counter(each.kind for each in found) == {
        "agree": 2174,
        "ours right": 40,
        "theirs right": 1,
        "breaks off": 84,
        "chooses nothing": 1,
    }
    assert right(found, lambda each: each.theirs) == 2174


def test_the_page_lists_every_disagreement(shared_data: Path) -> None:
    """Question, model, both letters, the reader's, and the kind."""
    page = Path(__file__).parents[2] / "docs" / "methodology" / "letters.md"
    text = page.read_text(encoding="utf8")
    assert [line for line in listed(answers(shared_data)) if line not in text] == []


def interval(hits: int, of: int) -> str:
    """Return a rate with its exact (Clopper-Pearson) 95 % interval, in per cent."""
    low = 0.0 if hits == 0 else float(beta.ppf(0.025, hits, of - hits + 1))
    high = 1.0 if hits == of else float(beta.ppf(0.975, hits + 1, of - hits))
    return f"{hits:,} of {of:,} = {hits / of:.2%} ({low:.2%}-{high:.2%})"


def listed(found: Iterable[Answer]) -> list[str]:
    """Return the disagreements as lines of a table."""
    differing = [each for each in found if each.kind != "agree"]
    cells = [
        (each.question, each.model, each.theirs, each.ours or "-", each.truth or "-", each.kind)
        for each in sorted(differing, key=lambda each: (each.kind, each.question, each.model))
    ]
    return [f"| {' | '.join(line)} |" for line in cells]


def table(folder: Path) -> None:
    """Print both accuracies, the kinds, the models' moves and the list."""
    found = answers(folder)
    for name, some in (("all", found), ("longer than 12 characters", [each for each in found if each.long])):
        print(f"{name}: ours {interval(right(some, lambda each: each.ours), len(some))}")
        print(f"{name}: recorded {interval(right(some, lambda each: each.theirs), len(some))}")
    strict = [each for each in found if each.read.islower()]
    print(f"claimed in thinking aloud that breaks off: {len(strict)}")
    print(Counter(each.kind for each in found))
    for model in dict.fromkeys(each.model for each in found):
        own = [each for each in found if each.model == model]
        before, after = (
            sum(letter == each.key for each, letter in some)
            for some in ([(each, each.theirs) for each in own], [(each, each.ours) for each in own])
        )
        valid = sum(each.ours is not None for each in own)
        print(f"| {model} | {before} | {after} | {after - before:+d} | {100 - valid} |")
    print("\n".join(listed(found)))


if __name__ == "__main__":
    table(Path(sys.argv[1]))
