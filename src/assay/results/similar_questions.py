"""Published results of `assay study duplicates`: questions that ask the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.results.figure import Figure
from assay.results.table import Table


@dataclass(frozen=True, slots=True)
class AlikeQuestions:
    """Two questions that ask the same, as far as the method can see. Their texts are here only on request."""

    question: Annotated[str, Figure("question", meaning="identifier of the question")]
    other: Annotated[str, Figure("other", meaning="identifier of the other question")]
    similarity: Annotated[
        float,
        Figure(
            "similarity",
            digits=3,
            meaning="by words: share of common pieces; by meaning: cosine of the embeddings",
        ),
    ]
    text: Annotated[str | None, Figure("text", meaning="text of the question; only with --show")]
    other_text: Annotated[str | None, Figure("other text", meaning="only with --show")]


@dataclass(frozen=True, slots=True)
class AlikeReport:
    """Pairs of questions that ask the same, the most similar first."""

    source: Annotated[str, Figure("source", meaning="bank, suite or table")]
    against: Annotated[str | None, Figure("against", meaning="second source; none within the source")]
    method: Annotated[Literal["words", "meaning"], Figure("method")]
    model: Annotated[str | None, Figure("model", meaning="embedding model; none by words")]
    least: Annotated[float | None, Figure("least", meaning="least cosine of a pair; none by words")]
    questions: Annotated[int, Figure("questions", meaning="questions of the source")]
    others: Annotated[int | None, Figure("others", meaning="questions of the second source")]
    pairs: tuple[AlikeQuestions, ...]
    blind: Annotated[str, Figure("cannot see", name="cannot_see", meaning="what the method cannot see")]


def alike_table(*, show: bool) -> Table:
    """Return the columns of the pairs, with their texts if they are shown."""
    columns = ("question", "other", "similarity")
    return Table(AlikeQuestions, (*columns, "text", "other_text") if show else columns, name="pairs")


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "study-duplicates": (AlikeReport, "assay study duplicates --json: questions that ask the same"),
}
