"""One question with all that happened to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import Engine

from assay.core.sealed import AnswerKey, Sealer, key_about, read_key
from assay.store.bank.questions import StoredQuestion, question_by_uuid
from assay.store.bank.reviews import Review, reviews_of
from assay.store.bank.variants import Edit, Variant, edits_of, source_name, variants_of
from assay.store.engine import reading


@dataclass(frozen=True, slots=True)
class Shown:
    """A question with its source's name, reviews, edits and variants; `key` is None unless asked for."""

    stored: StoredQuestion
    source: str
    reviews: list[Review]
    edits: list[Edit]
    variants: list[Variant]
    key: AnswerKey | None = field(default=None, repr=False)


def show_question(engine: Engine, uuid: str, *, sealer: Sealer | None = None) -> Shown:
    """Return a question, with its key when there is a sealer. Raises NotFound, and Denied for another key."""
    stored = question_by_uuid(engine, uuid)
    key = None
    if sealer is not None:
        key = read_key(sealer.open(stored.sealed, key_about(uuid, stored.version)))
    with reading(engine) as connection:
        return Shown(
            stored,
            source_name(connection, stored.source),
            reviews_of(engine, stored.id),
            edits_of(connection, stored.id),
            variants_of(connection, [stored.id]),
            key,
        )
