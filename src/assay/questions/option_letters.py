"""The letters before options that a record lists in order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.questions.keys import LETTERS
from assay.questions.refusal import Reason, Refused

LETTERS_REMOVED = "option letters taken off the options"

_BRACKETED = re.compile(r"\s*[(（【\[]\s*([A-Z])\s*[)）】\]]\s*[.．、:：]?\s*")
_POINTED = re.compile(r"\s*([A-Z])\s*[.．、:：。)）]\s*")
_OPENS = frozenset("(（[【 \t\u3000")
_CLOSES = frozenset(".．、:：。)） \t\u3000")
_BARE = re.compile(r"\s*([A-Z])\s+")


def unlettered(options: Sequence[str], made: list[str]) -> list[str] | Refused:
    """Return options without the letters before them; `made` is told when some were taken off.

    A letter that is missing is a gap; one at another position than its own leaves the key in doubt. What
    stands before fewer than half of the options is taken for a name (`C. elegans`), unless in brackets.
    """
    if not any(option[:1] in _OPENS or option[1:2] in _CLOSES for option in options):
        return list(options)
    found = [_BRACKETED.match(option) or _POINTED.match(option) for option in options]
    letters = [label and label.group(1) for label in found]
    if not any(letters):
        found = [_BARE.match(option) for option in options]
        letters = [label and label.group(1) for label in found]
        if len(options) < 2 or letters != list(LETTERS[: len(options)]):
            return list(options)
    last = LETTERS[min(len(options), len(LETTERS) - 1)]
    letters = [letter if letter and letter <= last else None for letter in letters]
    if 2 * letters.count(None) > len(letters):
        found = [_BRACKETED.match(option) for option in options]
        letters = [label and label.group(1) for label in found]
    wrong = any(letter and letter != LETTERS[place] for place, letter in enumerate(letters))
    if wrong:
        return _disordered([letter for letter in letters if letter], letters.count(None))
    if not any(letters):
        return list(options)
    made.append(LETTERS_REMOVED)
    return [
        option[label.end() :] if label and letter else option
        for option, label, letter in zip(options, found, letters, strict=True)
    ]


def _disordered(letters: list[str], bare: int) -> Refused:
    if len(set(letters)) < len(letters):
        return Refused(Reason.OPTION_TWICE)
    if sorted(letters) == letters and not bare:
        missing = [each for each in LETTERS[: LETTERS.index(letters[-1])] if each not in letters]
        return Refused(Reason.OPTION_GAP, f"{', '.join(missing)} of A-{letters[-1]}")
    return Refused(Reason.OPTION_ORDER, ", ".join(letters))
