"""Constraints on the number of words."""

from __future__ import annotations

import re

from assay.grading.constraint_kinds.kind import (
    Demands,
    Finding,
    Kind,
    Parameters,
    Range,
    allow,
    compared,
    count,
    relation,
)

RUN = re.compile(r"\w+")


def runs(answer: str) -> list[str]:
    """Return the runs of letters, digits and underscores: IFEval's words ("don't" gives two)."""
    return RUN.findall(answer)


def written(answer: str) -> list[str]:
    """Return words as written: what spaces part and what holds a letter or digit ("don't" gives one)."""
    return [part for part in answer.split() if part[0].isalnum() or any(map(str.isalnum, part))]


def _number(answer: str, parameters: Parameters) -> Finding:
    return compared(len(runs(answer)), parameters["relation"], parameters["num_words"], "words")


def _between(answer: str, parameters: Parameters) -> Finding:
    least, most = parameters["min_words"], parameters["max_words"]
    counted = len(written(answer))
    return Finding(least <= counted <= most, counted, f"{least} to {most} words")


def _ends_in_order(parameters: Parameters) -> tuple[str, ...]:
    if parameters["min_words"] > parameters["max_words"]:
        return (f"min_words {parameters['min_words']} is above max_words {parameters['max_words']}",)
    return ()


KINDS = (
    Kind(
        "length_constraints:number_words",
        (relation(), count("num_words")),
        _number,
        lambda given: Demands(ranges=(allow("words", given["relation"], given["num_words"]),)),
    ),
    Kind(
        "assay:word_count_between",
        (count("min_words"), count("max_words")),
        _between,
        # A word as written is one run at least, so its lower end also holds for IFEval's words.
        lambda given: Demands(
            ranges=(
                Range("words as written", given["min_words"], given["max_words"]),
                Range("words", given["min_words"], None),
            )
        ),
        _ends_in_order,
    ),
)
