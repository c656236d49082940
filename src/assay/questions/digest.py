"""The digest of a question's content, equal for questions with the same text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from hashlib import blake2b

from assay.core.question import Question

DIGEST_BYTES = 16
FIELD = "\x00"
_RAISED = {
    **{ord(sign): f"^{plain}" for sign, plain in zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n", strict=True)},
    **{ord(sign): f"_{plain}" for sign, plain in zip("₀₁₂₃₄₅₆₇₈₉₊₋", "0123456789+-", strict=True)},
}
"""Characters that NFKC would make equal to others with another meaning: x² is not x2."""
_IS_RAISED = re.compile(f"[{''.join(map(chr, _RAISED))}]")


def content_digest(question: Question) -> bytes:
    """Return 16 bytes for kind, passage, stem and options, ignoring case, spaces and widths."""
    return digest_of(question.kind, question.stem, question.options, question.passage)


def digest_of(kind: str, stem: str, options: Sequence[str], passage: str | None) -> bytes:
    """Return the digest of a question with this content."""
    whole = FIELD.join((kind, (passage or "").strip(), stem.strip(), *map(str.strip, options)))
    return blake2b(folded(whole).encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).digest()


def folded(text: str) -> str:
    """Return a text without differences in case, width (NFKC) and white space."""
    if not text.isascii():
        if _IS_RAISED.search(text):
            text = text.translate(_RAISED)
        text = unicodedata.normalize("NFKC", text)
    return " ".join(text.casefold().split())
