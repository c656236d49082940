"""The auto-checks on answers written for them and labelled by reading: the errors are the recorded ones.

`python tests/grading/checks/test_labelled_answers.py` prints the table and every disagreement. The answers of
the set `first` were committed before the checks ran on them, those of `second` were written after the first
change to the checks, those of `third` after the second change. `constraint_check`, `code_runnable` and
`word_count_reduction` came later, with `first` and `second` written at once and `second` unseen until the
end; so did the sets `fourth` and `fifth` of `trap_no_bug`. `first_run.csv` has the errors of each set when
the checks first ran on it, `rates.csv` those of today.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import yaml
from every_row import every_row

from assay.core.ask import CodeAsk
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade, Grader
from assay.grading.registry import grader
from assay.sandbox.choose import open_sandbox
from assay.sandbox.sandbox import Sandbox

FOLDER = Path(__file__).parent / "labelled"
SUITE = Path(__file__).parents[3] / "src" / "assay" / "suites" / "generalist"
SETS = ("first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True, slots=True)
class Counts:
    """Errors of a check on one set of labelled answers, with how many answers there are of each label."""

    false_flags: int
    clean: int
    misses: int
    flagged: int


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One answer that the check marks otherwise than the reader."""

    answer: str
    label: str
    says: str


@cache
def suite_parameters() -> dict[str, dict[str, dict[str, Any]]]:
    """Return the parameters of each case's checks in the generalist suite, by case and check."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for file in SUITE.glob("*.yaml"):
        for case in yaml.safe_load(file.read_text(encoding="utf8")).get("cases", ()):
            for spec in case.get("graders", ()):
                found.setdefault(case["id"], {}).update(spec)
    return found


def labelled(check: str) -> dict[str, Any]:
    """Return a check's questions and labelled answers."""
    return cast("dict[str, Any]", yaml.safe_load((FOLDER / f"{check}.yaml").read_text(encoding="utf8")))


def spec_of(check: str, question: dict[str, Any]) -> GraderSpec:
    """Return the check with the question's parameters: its own, or those of a case of the suite."""
    own = question.get("parameters")
    known = own if own is not None else suite_parameters()[question["suite"]][check]
    return GraderSpec(check, {name: value for name, value in known.items() if name != "weight"}, weight=0)


@cache
def sandbox() -> Sandbox:
    """Return the sandbox that ships with the package, opened once."""
    return open_sandbox(["wasm"])


def grade(spec: GraderSpec, answer: str) -> Grade:
    """Return the grade of an answer by a check that asks nobody but the sandbox."""
    check = cast("Grader", grader(spec.name))
    case = Case("labelled", "labelled", (), (spec,))
    replies = tuple(sandbox().run(ask) for ask in check.asks(case, spec, answer) if isinstance(ask, CodeAsk))
    found = check.read(case, spec, answer, replies)
    while isinstance(found, CodeAsk):
        replies = (*replies, sandbox().run(found))
        found = check.read(case, spec, answer, replies)
    assert isinstance(found, Grade)
    return found


def marked(check: str, which: str) -> Iterator[tuple[dict[str, Any], Grade]]:
    """Yield the labelled answers of a set with their grades."""
    file = labelled(check)
    for answer in file["answers"]:
        if answer["set"] == which:
            yield answer, grade(spec_of(check, file["questions"][answer["question"]]), answer["text"])


def measured(check: str, which: str) -> tuple[Counts, list[Disagreement]]:
    """Return the errors of a check on a set."""
    rows = [
        (answer, found.value is not None and found.value < 1, found) for answer, found in marked(check, which)
    ]
    wrong = [
        Disagreement(answer["id"], answer["label"], str(found.evidence.get("flags", "")))
        for answer, flagged, found in rows
        if flagged is not (answer["label"] == "flag")
    ]
    clean = sum(answer["label"] == "clean" for answer, _, _ in rows)
    false_flags = sum(one.label == "clean" for one in wrong)
    return Counts(false_flags, clean, len(wrong) - false_flags, len(rows) - clean), wrong


CHECKS = sorted(file.stem for file in FOLDER.glob("*.yaml"))


def recorded() -> dict[tuple[str, str], Counts]:
    """Return the most errors of each check and set."""
    with (FOLDER / "rates.csv").open(encoding="utf8") as file:
        return {
            (row["check"], row["set"]): Counts(*(int(row[name]) for name in Counts.__slots__))
            for row in csv.DictReader(file)
        }


@every_row("check", CHECKS)
def test_parameters_and_labels_are_valid(check: str) -> None:
    """Every question's parameters are right, every answer has one label of two, and ids are unique."""
    file = labelled(check)
    assert file["check"] == check
    for question in file["questions"].values():
        assert not grader(check).problems(spec_of(check, question))
    assert {answer["label"] for answer in file["answers"]} == {"flag", "clean"}
    assert {answer["set"] for answer in file["answers"]} <= set(SETS)
    assert len({answer["id"] for answer in file["answers"]}) == len(file["answers"])


@every_row("check, which", sorted(recorded()))
def test_a_check_errs_as_recorded(check: str, which: str) -> None:
    """False flags and misses on the labelled answers are the published ones."""
    counts, wrong = measured(check, which)
    assert counts == recorded()[check, which], wrong


def main() -> None:
    """Print the table of the sets and the disagreements, of all or of the checks and sets that are named."""
    names = [name for name in sys.argv[1:] if name in CHECKS] or CHECKS
    for which in [name for name in sys.argv[1:] if name in SETS] or SETS:
        for check in names:
            counts, wrong = measured(check, which)
            if counts.clean + counts.flagged:
                print(f"{check},{which},{counts.false_flags},{counts.clean},{counts.misses},{counts.flagged}")
                for one in wrong:
                    print(f"    {one.answer} {one.label}: {one.says[:230]}")


if __name__ == "__main__":
    main()
