"""The `constraints` grader: format constraints checked by program, IFEval's 25 kinds and our own.

Method: Zhou et al. 2023, Instruction-Following Evaluation for Large Language Models (arXiv 2311.07911).
The kinds, their parameters and the agreement with the reference checkers: docs/methodology/constraints.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.constraint_kinds.catalogue import KINDS
from assay.grading.constraint_kinds.contradictions import contradictions
from assay.grading.constraint_kinds.kind import Finding, Parameters

MODES = ("strict", "loose")


@dataclass(frozen=True, slots=True)
class Check:
    """What one constraint found, and in which variant of the answer ("as it is" in strict mode)."""

    kind: str
    finding: Finding
    variant: str

    @property
    def followed(self) -> bool:
        """Whether the constraint is followed."""
        return self.finding.followed


def variants(answer: str) -> tuple[tuple[str, str], ...]:
    """Return the eight readings of loose mode (Zhou et al. 2023) with their names, the answer first."""
    lines = answer.split("\n")
    cut = (
        ("as it is", answer),
        ("without its first line", "\n".join(lines[1:]).strip()),
        ("without its last line", "\n".join(lines[:-1]).strip()),
        ("without its first and last lines", "\n".join(lines[1:-1]).strip()),
    )
    bare = tuple((f"{name}, without asterisks", text.replace("*", "")) for name, text in cut)
    return (*cut, *bare)


def check(kind: str, parameters: Parameters, answer: str, *, mode: str = "strict") -> Check:
    """Check one constraint, whose parameters `problems` has found well-formed.

    An answer, or a variant of it, that is blank follows nothing. In loose mode the finding is that of the
    first variant that follows the constraint, or else of the answer as it is. KeyError for an unknown kind.
    """
    measure = KINDS[kind].measure
    readings = variants(answer) if mode == "loose" else variants(answer)[:1]
    plain: Finding | None = None
    for name, text in readings:
        finding = measure(text, parameters)
        if finding.followed and text.strip():
            return Check(kind, finding, name)
        plain = plain or finding
    assert plain is not None
    return Check(kind, Finding(False, plain.counted, plain.wanted), "as it is")


def problems(constraints: object) -> tuple[str, ...]:
    """Return what is wrong with a list of constraints: unknown kinds, wrong parameters, contradictions."""
    if not isinstance(constraints, Sequence) or isinstance(constraints, str) or not constraints:
        return (f"constraints is {constraints!r}: write a list of mappings with a `kind` each",)
    found: list[str] = []
    demands = []
    for place, constraint in enumerate(constraints, start=1):
        if not isinstance(constraint, Mapping) or "kind" not in constraint:
            found.append(f"constraint {place} is {constraint!r}: write a mapping with a `kind`")
            continue
        name = f"constraint {place} ({constraint['kind']})"
        kind = KINDS.get(constraint["kind"]) if isinstance(constraint["kind"], str) else None
        if kind is None:
            found.append(f"{name} has an unknown kind: write one of {', '.join(sorted(KINDS))}")
            continue
        parameters = _parameters(constraint)
        wrong = kind.problems(parameters)
        found += [f"{name} {text}" for text in wrong]
        if not wrong:
            demands.append((name, kind.demands(parameters)))
    return (*found, *contradictions(demands))


def _parameters(constraint: Mapping[str, Any]) -> Parameters:
    return {name: value for name, value in constraint.items() if name != "kind"}


class Constraints:
    """Marks the share of format constraints that an answer follows.

    Parameters: `constraints`, a list of mappings with a `kind` (IFEval's instruction id, or one of our own)
    and the kind's parameters; `mode`, `strict` (default) or `loose`. Evidence: how many were followed, and
    for each what was counted, what was wanted, and the variant of the answer that followed it.
    """

    name: ClassVar[str] = "constraints"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        known = {"constraints", "mode"}
        found = [
            f"unknown parameter {name!r}: write one of {sorted(known)}"
            for name in sorted(set(spec.parameters) - known)
        ]
        mode = spec.parameters.get("mode", "strict")
        if mode not in MODES:
            found.append(f"mode is {mode!r}: write 'strict' or 'loose'")
        return (*found, *problems(spec.parameters.get("constraints")))

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return the share of constraints followed, with what each of them found."""
        mode = spec.parameters.get("mode", "strict")
        checks = [
            check(constraint["kind"], _parameters(constraint), answer, mode=mode)
            for constraint in spec.parameters["constraints"]
        ]
        followed = sum(each.followed for each in checks)
        evidence = {
            "mode": mode,
            "followed": followed,
            "of": len(checks),
            "constraints": [_evidence(each) for each in checks],
        }
        return Grade(followed / len(checks), evidence)


def _evidence(each: Check) -> dict[str, Any]:
    return {
        "kind": each.kind,
        "followed": each.followed,
        "counted": each.finding.counted,
        "wanted": each.finding.wanted,
        "variant": each.variant,
    }
