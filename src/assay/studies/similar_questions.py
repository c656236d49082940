"""Questions that ask the same, within a source or between two: by their words, or by an embedding model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from assay.questions.duplicates import AskedText, NearDuplicates
from assay.questions.meaning import LEAST, AlikePair, alike_pairs
from assay.questions.overlap import QuestionText
from assay.results.similar_questions import AlikeQuestions, AlikeReport
from assay.studies.embedding_model import EmbeddingModel, embed

BLIND_BY_WORDS: Final = (
    "Only almost equal words are seen: of a test set, 0 of 50 paraphrases and 0 of 10 translations."
)
BLIND_BY_MEANING: Final = (
    "Questions on one subject look alike to a model, even if a number or a word changes the answer, "
    "and a model knows only its own languages: check each pair."
)
Questions = Sequence[QuestionText]


def by_words(source: str, questions: Questions, against: str | None, others: Questions = ()) -> AlikeReport:
    """Return the pairs of `assay.questions.duplicates`: within the source, or between it and `others`."""
    asked = [*_asked(questions, 1), *_asked(others, len(questions) + 1)]
    search = NearDuplicates()
    for text in asked:
        search.add(text)
    split = len(questions)
    pairs: list[AlikePair] = []
    for candidates in search.candidates(0 if against is None else split):
        for one, other in candidates.tolist():
            if against is not None and one > split:
                continue
            pair = search.compare(asked[one - 1], asked[other - 1])
            if pair is not None:
                second = pair.other - 1 - (0 if against is None else split)
                pairs.append(AlikePair(pair.question - 1, second, pair.similarity))
    pairs.sort(key=lambda pair: (-pair.similarity, pair.first, pair.other))
    return _report(source, questions, against, others, pairs)


def by_meaning(
    source: str,
    questions: Questions,
    against: str | None,
    others: Questions,
    model: tuple[str, EmbeddingModel],
    least: float = LEAST,
) -> AlikeReport:
    """Return the pairs whose embeddings by `model` (its name and itself) have a cosine of at least `least`.

    Questions of one family or passage are exempt. Raises InvalidInput for a model without usable vectors.
    """
    name, encoder = model
    vectors = embed(encoder, [_whole(text) for text in questions])
    second = None if against is None else embed(encoder, [_whole(text) for text in others])
    pairs = alike_pairs(vectors, second, least)
    if against is None:
        pairs = [pair for pair in pairs if not _exempt(questions[pair.first], questions[pair.other])]
    report = _report(source, questions, against, others, pairs)
    return replace(report, method="meaning", model=name, least=least, blind=BLIND_BY_MEANING)


def without_texts(report: AlikeReport) -> AlikeReport:
    """Return the report with the questions' identifiers alone."""
    return replace(report, pairs=tuple(replace(pair, text=None, other_text=None) for pair in report.pairs))


def _asked(questions: Questions, first: int) -> list[AskedText]:
    """Return questions as near-duplicate search takes them, with ids from `first` on."""
    families: dict[str, int] = {}
    return [
        AskedText(
            number,
            families.setdefault(text.family, number) if text.family else number,
            text.passage,
            text.parts[0] if text.parts else "",
            text.parts[1:],
            text.material,
        )
        for number, text in enumerate(questions, start=first)
    ]


def _exempt(one: QuestionText, other: QuestionText) -> bool:
    same_family = bool(one.family) and one.family == other.family
    return same_family or (one.passage is not None and one.passage == other.passage)


def _whole(text: QuestionText) -> str:
    return "\n".join(text.parts)


def _report(
    source: str, questions: Questions, against: str | None, others: Questions, pairs: Sequence[AlikePair]
) -> AlikeReport:
    second = questions if against is None else others
    rows = tuple(
        AlikeQuestions(
            questions[pair.first].id,
            second[pair.other].id,
            pair.similarity,
            _whole(questions[pair.first]),
            _whole(second[pair.other]),
        )
        for pair in pairs
    )
    count = None if against is None else len(others)
    return AlikeReport(source, against, "words", None, None, len(questions), count, rows, BLIND_BY_WORDS)
