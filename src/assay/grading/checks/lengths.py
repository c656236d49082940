"""Checks of the number of words: against a target, a limit or an original."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.core.documented import HelpText
from assay.core.grade import Grade
from assay.grading.check import Count, check, flag, grade
from assay.grading.checks.flags import FlagCode
from assay.grading.constraint_kinds.sentences import sentences_by_block
from assay.grading.parameters import Parameters, number_problems, order_problems
from assay.grading.text.answer import visible
from assay.grading.text.draft import readings, versions
from assay.grading.text.prose import without_code, words, words_of

TOLERANCE = 0.1
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t][^\n]*$", re.MULTILINE)


@check(
    "word_count",
    version="1",
    about=HelpText("""
        An auto-check that flags a text whose length is too far from a target number of words
        (`WORD_COUNT`).

        Models count badly, so this is a hard instruction that is easy to verify. The answer passes if any
        reasonable reading of it fits: the whole reply, or the text without the remarks around it.

        Give `target`, and `tolerance` in words if 10 % is not what the prompt says. For limits on the whole
        reply use `response_length`.
    """),
)
def word_count(answer: str, *, target: Count, tolerance: Count | None = None) -> Grade:
    """Flag a text whose number of words differs too much from its target.

    Parameters: `target`, `tolerance` (words above or below; default 10 % of the target). `words_of` defines a
    word. The answer passes if any reading of it fits: the whole answer, or the requested text without the
    text around it (`text/draft.py`).
    """
    leeway = target * TOLERANCE if tolerance is None else tolerance
    count = words(answer)
    counts = {"the whole answer": count}
    if abs(count - target) > leeway:
        counts |= {name: words_of(text) for name, text in readings(answer)}
    if any(abs(number - target) <= leeway for number in counts.values()):
        return grade(words=count, target=target, readings=counts)
    message = f"{count} words, {target} wanted, {leeway:g} either way"
    return grade(flag(FlagCode.WORD_COUNT, message, words=count), words=count, target=target, readings=counts)


def _length_problems(parameters: Parameters) -> list[str]:
    return order_problems(parameters, "min_words", "max_words")


@check(
    "response_length",
    version="1",
    problems=_length_problems,
    any_of=("max_words", "min_words", "max_sentences"),
    about=HelpText("""
        An auto-check that flags an answer with too many or too few words, or too many sentences.

        The limit is on the whole reply, as the user receives it: greetings and closing offers count, code
        does not.

        Give at least one of `max_words`, `min_words` and `max_sentences`. To allow text around the part
        that has to have a certain length, use `word_count`.
    """),
)
def response_length(
    answer: str,
    *,
    max_words: Count | None = None,
    min_words: Count | None = None,
    max_sentences: Count | None = None,
) -> Grade:
    """Flag an answer that is too long or too short.

    Parameters: `max_words`, `min_words`, `max_sentences` (at least one). The whole answer counts, courtesies
    too, but not code; `words_of` defines a word. A list item is at least one sentence, a heading none.
    """
    text = without_code(visible(answer))
    number = words_of(text)
    counts = {"words": number}
    flags = []
    if max_words is not None and number > max_words:
        flags.append(flag(FlagCode.TOO_LONG, f"{number} words, at most {max_words}", words=number))
    if min_words is not None and number < min_words:
        flags.append(flag(FlagCode.TOO_SHORT, f"{number} words, at least {min_words}", words=number))
    if max_sentences is not None:
        sentences = counts["sentences"] = len(sentences_by_block(_HEADING.sub("", text)))
        if sentences > max_sentences:
            message = f"{sentences} sentences, at most {max_sentences}"
            flags.append(flag(FlagCode.TOO_MANY_SENTENCES, message, sentences=sentences))
    return grade(*flags, **counts)


def _reduction_problems(parameters: Parameters) -> Iterator[str]:
    yield from order_problems(parameters, "min_words", "max_words")
    original = parameters.get("original")
    if isinstance(original, bool) or not isinstance(original, int | str) or not original:
        yield f"original is {original!r}: write the original text, or its number of words"
    if ("max_words" in parameters) == ("share" in parameters):
        yield "give one of max_words and share (the most words as a share of the original)"
    if "share" in parameters:
        yield from number_problems(parameters, "share", 0.01, 1)


def _limits(
    *, original: int | str, max_words: Count | None = None, share: float = 1, min_words: Count = 1
) -> tuple[int, int]:
    """Return the smallest and the largest number of words that the edited text may have."""
    number = original if isinstance(original, int) else words(original)
    return min_words, int(number * share + 1e-9) if max_words is None else max_words


@check(
    "word_count_reduction",
    version="2",
    prepare=_limits,
    problems=_reduction_problems,
    about=HelpText("""
        An auto-check for editing tasks. It flags a shortened text that is not short enough
        (`NOT_SHORT_ENOUGH`), or too short.

        Models tend to announce a cut of half and deliver a fifth. Counting shows it at once.

        Give the `original` (its text or number of words) and either `max_words` or `share`. If the answer
        offers several versions, the one called final counts, or else each must fit.
    """),
)
def word_count_reduction(answer: str, limits: tuple[int, int]) -> Grade:
    """Flag an edited text that is too long or too short.

    Parameters: `original` (the text, or its number of words), `max_words` or `share` (the most words as a
    share of the original), `min_words`. The answer passes if any reading of it fits: the whole answer, or the
    edited text without the text around it. Of labelled versions the one called final or shortened counts, or
    else all must fit; a version labelled as the original does not count.
    """
    least, most = limits
    count = words(answer)
    counts = {"the whole answer": count}
    if not least <= count <= most:
        counts |= {name: words_of(text) for name, text in readings(answer)}
        if several := [words_of(text) for text in versions(answer)]:
            outside = [number for number in several if not least <= number <= most]
            counts["the version furthest from the limits" if outside else "each version"] = max(
                outside or several
            )
    shown = {"words": count, "at_most": most, "at_least": least, "readings": counts}
    if any(least <= number <= most for number in counts.values()):
        return grade(**shown)
    shortest, longest = min(counts.values()), max(counts.values())
    if shortest >= least:
        return grade(
            flag(FlagCode.NOT_SHORT_ENOUGH, f"{shortest} words, at most {most}", words=count), **shown
        )
    if longest > most:
        return grade(
            flag(FlagCode.NOT_SHORT_ENOUGH, f"{count} words, from {least} to {most}", words=count), **shown
        )
    return grade(flag(FlagCode.TOO_SHORT, f"{longest} words, at least {least}", words=count), **shown)
