"""All kinds of constraints by id: IFEval's 25 and our own."""

from __future__ import annotations

from collections.abc import Mapping

from assay.grading.constraint_kinds import (
    case,
    combination,
    content,
    ends,
    keys,
    keywords,
    language,
    layout,
    lines,
    paragraphs,
    punctuation,
    regex,
    sentences,
    tables,
    words,
)
from assay.grading.constraint_kinds.kind import Kind

MODULES = (
    keywords,
    language,
    words,
    sentences,
    paragraphs,
    content,
    layout,
    combination,
    ends,
    case,
    punctuation,
    lines,
    tables,
    regex,
    keys,
)

KINDS: Mapping[str, Kind] = {kind.id: kind for module in MODULES for kind in module.KINDS}
