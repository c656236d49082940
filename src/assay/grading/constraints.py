"""The `constraints` grader: format constraints checked by program, IFEval's 25 kinds and our own.

Method: Zhou et al. 2023, Instruction-Following Evaluation for Large Language Models (arXiv 2311.07911).
The kinds, their parameters and the agreement with the reference checkers: docs/methodology/constraints.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from assay.core.documented import HelpText
from assay.core.grade import Grade
from assay.grading.check import check

# These modules declare the kinds.
from assay.grading.constraint_kinds import content, language, layout, lines, sentences, words  # noqa: F401
from assay.grading.constraint_kinds.kind import KINDS, ConstraintFinding, Demands
from assay.grading.constraint_kinds.words import whole_word
from assay.grading.parameters import Parameters

MODES = ("strict", "loose")


@dataclass(frozen=True, slots=True)
class ConstraintOutcome:
    """The finding of one constraint, and the variant of the answer it is for ("as it is" in strict mode)."""

    kind: str
    finding: ConstraintFinding
    variant: str

    @property
    def followed(self) -> bool:
        """Whether the constraint is followed."""
        return self.finding.followed


def variants(answer: str) -> tuple[tuple[str, str], ...]:
    """Return the eight variants of loose mode (Zhou et al. 2023) with their names, the answer first."""
    rows = answer.split("\n")
    cut = (
        ("as it is", answer),
        ("without its first line", "\n".join(rows[1:]).strip()),
        ("without its last line", "\n".join(rows[:-1]).strip()),
        ("without its first and last lines", "\n".join(rows[1:-1]).strip()),
    )
    bare = tuple((f"{name}, without asterisks", text.replace("*", "")) for name, text in cut)
    return (*cut, *bare)


def check_constraint(
    kind: str, parameters: Parameters, answer: str, *, mode: str = "strict"
) -> ConstraintOutcome:
    """Check one constraint with valid parameters (see `problems`).

    A blank answer or variant follows no constraint. In loose mode the finding is that of the first variant
    that follows the constraint, or else that of the answer as it is. Raises KeyError for an unknown kind.
    """
    measure = KINDS[kind].measure
    readings = variants(answer) if mode == "loose" else variants(answer)[:1]
    plain: ConstraintFinding | None = None
    for name, text in readings:
        finding = measure(text, parameters)
        if finding.followed and text.strip():
            return ConstraintOutcome(kind, finding, name)
        plain = plain or finding
    assert plain is not None
    return ConstraintOutcome(kind, ConstraintFinding(False, plain.counted, plain.wanted), "as it is")


def constraint_problems(constraints: object) -> tuple[str, ...]:
    """Return the problems of a list of constraints: unknown kinds, wrong parameters, contradictions."""
    if not isinstance(constraints, Sequence) or isinstance(constraints, str) or not constraints:
        return (f"constraints is {constraints!r}: write a list of mappings with a `kind` each",)
    problems: list[str] = []
    demands = []
    for number, constraint in enumerate(constraints, start=1):
        if not isinstance(constraint, Mapping) or "kind" not in constraint:
            problems.append(f"constraint {number} is {constraint!r}: write a mapping with a `kind`")
            continue
        name = f"constraint {number} ({constraint['kind']})"
        kind = KINDS.get(constraint["kind"]) if isinstance(constraint["kind"], str) else None
        if kind is None:
            problems.append(f"{name} has an unknown kind: write one of {', '.join(sorted(KINDS))}")
            continue
        parameters = _parameters(constraint)
        wrong = kind.problems(parameters)
        problems += [f"{name} {problem}" for problem in wrong]
        if not wrong:
            demands.append((name, kind.demands(parameters)))
    return (*problems, *contradictions(demands))


def _parameters(constraint: Mapping[str, Any]) -> Parameters:
    return {name: value for name, value in constraint.items() if name != "kind"}


def _grader_problems(parameters: Parameters) -> Iterator[str]:
    mode = parameters.get("mode", "strict")
    if mode not in MODES:
        yield f"mode is {mode!r}: write 'strict' or 'loose'"
    yield from constraint_problems(parameters.get("constraints"))


@check(
    "constraints",
    version="1",
    problems=_grader_problems,
    about=HelpText("""
        Marks the share of format constraints that the answer follows: IFEval's 25 kinds and some of our
        own.

        A program decides each constraint, so there is no judge's opinion in the score. What is counted is
        exactly defined and can differ from intuition; each kind has a page of its own.

        The evidence shows for each constraint what was counted and what was wanted. `mode: loose` also
        accepts an answer that follows a constraint without its first line, its last line or its asterisks.
    """),
)
def constraints(answer: str, *, constraints: Sequence[Mapping[str, Any]], mode: str = "strict") -> Grade:
    """Return the share of format constraints that an answer follows.

    Parameters: `constraints`, a list of mappings with a `kind` (IFEval's instruction id, or one of our own)
    and the kind's parameters; `mode`, `strict` (default) or `loose`. Evidence: the number of constraints
    followed, and for each the count, the wanted count, and the variant of the answer that followed it.
    """
    outcomes = [
        check_constraint(constraint["kind"], _parameters(constraint), answer, mode=mode)
        for constraint in constraints
    ]
    followed = sum(outcome.followed for outcome in outcomes)
    evidence = {
        "mode": mode,
        "followed": followed,
        "of": len(outcomes),
        "constraints": [_evidence(outcome) for outcome in outcomes],
    }
    return Grade(followed / len(outcomes), evidence)


def _evidence(outcome: ConstraintOutcome) -> dict[str, Any]:
    return {
        "kind": outcome.kind,
        "followed": outcome.followed,
        "counted": outcome.finding.counted,
        "wanted": outcome.finding.wanted,
        "variant": outcome.variant,
    }


def contradictions(demands: Sequence[tuple[str, Demands]]) -> tuple[str, ...]:
    """Return the contradictions between named constraints, in words."""
    problems: list[str] = []
    for (one, first), (other, second) in combinations(demands, 2):
        reasons = [
            *_ranges(first, second),
            *_absences(first, second),
            *_absences(second, first),
            *_ends(first, second),
            *_language(first, second),
        ]
        problems += [f"{one} contradicts {other}: {reason}" for reason in reasons]
    for name, alone in demands:
        problems += [
            f"{name} is impossible: it requires fewer than 0 {allowed.quantity}"
            for allowed in alone.ranges
            if allowed.most is not None and allowed.most < allowed.least
        ]
    return tuple(problems)


def _ranges(first: Demands, second: Demands) -> Iterator[str]:
    for one in first.ranges:
        for other in second.ranges:
            if one.quantity != other.quantity:
                continue
            tops = [allowed.most for allowed in (one, other) if allowed.most is not None]
            least = max(one.least, other.least)
            if tops and min(tops) < least:
                yield f"{one.quantity} would be at least {least} and at most {min(tops)}"


def _absences(wanting: Demands, forbidding: Demands) -> Iterator[str]:
    for phrase in wanting.phrases:
        shown = phrase if len(phrase) <= 60 else phrase[:57] + "..."
        yield from (
            f"{shown!r} is wanted, but {word!r} is forbidden"
            for word in forbidding.words
            if whole_word(word).search(phrase)
        )
        yield from (
            f"{shown!r} is wanted, but contains the forbidden {letter!r}"
            for letter in forbidding.letters
            if letter in phrase.casefold()
        )


def _ends(first: Demands, second: Demands) -> Iterator[str]:
    if first.begins and second.begins:
        one, other = first.begins.casefold(), second.begins.casefold()
        if not one.startswith(other) and not other.startswith(one):
            yield f"the answer would begin with {first.begins!r} and with {second.begins!r}"
    if first.ends and second.ends:
        one, other = first.ends.casefold(), second.ends.casefold()
        if not one.endswith(other) and not other.endswith(one):
            yield f"the answer would end with {first.ends!r} and with {second.ends!r}"


def _language(first: Demands, second: Demands) -> Iterator[str]:
    if first.case and second.case and first.case != second.case:
        yield "one requires upper case, the other lower case"
    if first.language and second.language and first.language != second.language:
        yield f"the language would be {first.language!r} and {second.language!r}"
