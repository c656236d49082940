"""Making a draft of a part of a document: letters in order, keys out of stems, texts put together."""

from __future__ import annotations

import re

from assay.core.question import QuestionKind
from assay.questions.keys import LETTERS, read_truth
from assay.questions.recognise import Draft
from assay.questions.refusal import Reason, Refused
from assay.questions.splitting.marks import flat
from assay.questions.splitting.parts import Part, joined

IN_ORDER = "options put in the order of their letters"
KEY_TAKEN = "key taken out of the question's brackets"

_LETTERS = re.compile(r"[(（]\s*([A-K](?:[\s,，、]*[A-K])*)\s*[)）]")
_TRUTH = re.compile(r"[(（\[]\s*([TF√×✓✗对错]|正确|错误|True|False)\s*[)）\]]\s*[.。]?\s*$", re.IGNORECASE)
_POINTS = re.compile(
    r"^\s*[(（\[]\s*(?:本题)?\s*(?:满分)?\s*\d{1,3}(?:\.5)?\s*(?:分|points?|marks?|pts?)\s*[)）\]]\s*", re.I
)


def draft_of(part: Part, *, wrapped: bool) -> Draft | Refused:
    """Return the draft of a part, or why it can be none."""
    if part.fault is not None:
        return part.fault
    made = list(part.repairs)
    letters = [letter for letter, _ in part.options]
    if letters != sorted(letters):
        part.options.sort()
        letters.sort()
        made.append(IN_ORDER)
    if letters and letters != list(LETTERS[: len(letters)]):
        missing = [each for each in LETTERS[: LETTERS.index(letters[-1])] if each not in letters]
        return Refused(Reason.OPTION_GAP, f"{', '.join(missing)} of A-{letters[-1]}")
    stem = _POINTS.sub("", joined(part.stem, wrapped=wrapped))
    key = None if part.key is None else joined(part.key, wrapped=wrapped)
    taken = _out_of_stem(stem, key, choice=bool(letters), truth=part.kind is QuestionKind.TRUE_OR_FALSE)
    if isinstance(taken, Refused):
        return taken
    if taken is not None:
        stem, key = taken
        made.append(KEY_TAKEN)
    return Draft(
        stem=stem,
        key=key,
        options=[joined(text.split("\n"), wrapped=wrapped) for _, text in part.options],
        explanation=joined(part.explanation, wrapped=wrapped),
        passage=None if part.material is None else joined(part.material.texts, wrapped=wrapped) or None,
        kind=part.kind,
        single=part.single,
        repairs=made,
    )


def _out_of_stem(
    stem: str, key: str | None, *, choice: bool, truth: bool
) -> tuple[str, str] | Refused | None:
    """Return a stem whose brackets hold its key without it, and the key; None where they hold none.

    Brackets that say something else than the key beside them leave in doubt which is right.
    """
    if choice:
        found = _LETTERS.findall(stem)
        match = _LETTERS.search(stem)
        if len(found) != 1 or match is None:
            return None
        inside = "".join(sign for sign in match[1] if sign in LETTERS)
        if key is not None and key.strip():
            given = "".join(sign for sign in flat(key).upper() if sign in LETTERS)
            if given != inside:
                return None
        return f"{stem[: match.start()]}（ ）{stem[match.end() :]}", inside
    match = _TRUTH.search(stem) if truth else None
    if match is None:
        return None
    said = read_truth(match[1])
    if key is not None and key.strip() and read_truth(key) != said:
        return Refused(Reason.OVERLAP, "two answers")
    return stem[: match.start()].rstrip(), match[1]
