"""Published results of `assay study overlap`: word sequences that questions share with a folder of texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.results.figure import Figure, Listed
from assay.results.table import Column, Table

MOSTLY: Final = 0.7
"""From this share of n-grams on a question counts as contained in the texts (PaLM, section 8)."""


@dataclass(frozen=True, slots=True)
class QuestionOverlap:
    """The overlap of one question with the texts. Its own text is here only if it was asked for."""

    question: Annotated[str, Figure("question", meaning="identifier of the question")]
    unit: Annotated[
        Literal["words", "characters"],
        Figure("unit", meaning="what n-grams and spans are made of; characters in Chinese and Japanese"),
    ]
    ngrams: Annotated[int, Figure("n-grams", meaning="n-grams of the question")]
    seen: Annotated[int, Figure("seen", meaning="n-grams that the texts contain", of="ngrams")]
    longest: Annotated[int, Figure("longest", meaning="longest run of words or characters that they share")]
    file: Annotated[str, Figure("file", meaning="file with the longest run")]
    line: Annotated[int, Figure("line", meaning="line of the file where the run begins", least=1)]
    text: Annotated[str | None, Figure("text", meaning="the run, as the question has it; only with --show")]

    @property
    def share(self) -> Annotated[float, Figure("share", meaning="share of the n-grams seen", share=True)]:
        """The share of the question's n-grams that the texts contain."""
        return self.seen / self.ngrams


@dataclass(frozen=True, slots=True)
class Overlap:
    """The questions of a source that share n-grams with texts, those with the largest share first."""

    source: Annotated[str, Figure("source", meaning="bank, suite or table")]
    against: Annotated[str, Figure("against", meaning="the folder or file of texts")]
    words: Annotated[int, Figure("words", meaning="length of an n-gram in words")]
    characters: Annotated[int, Figure("characters", meaning="length of an n-gram in characters")]
    questions: Annotated[int, Figure("questions", meaning="questions of the source")]
    untested: Annotated[
        int, Figure("untested", meaning="questions without an n-gram: too short, or examination phrases only")
    ]
    phrases: Annotated[
        int,
        Figure("phrases", meaning="different n-grams left out, because many questions have them"),
    ]
    files: Annotated[int, Figure("files", meaning="files that were read")]
    size: Annotated[int, Figure("characters read", name="characters_read")]
    mostly: Annotated[
        int, Figure("mostly seen", meaning="questions with at least 70 % of their n-grams seen")
    ]
    overlaps: tuple[QuestionOverlap, ...]
    notes: Annotated[tuple[str, ...], Listed("text"), Figure("notes", meaning="what was left out")]


def overlap_table(*, show: bool) -> Table:
    """Return the columns of the questions, with the shared text if it is shown."""
    columns: tuple[str | Column, ...] = (
        *("question", "ngrams", "share"),
        Column("longest", lambda row: f"{row.longest:,} {row.unit}"),
        Column("where", lambda row: f"{row.file}:{row.line}"),
    )
    return Table(QuestionOverlap, (*columns, "text") if show else columns, name="overlaps")


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "study-overlap": (Overlap, "assay study overlap --json: word sequences shared with a folder of texts"),
}
