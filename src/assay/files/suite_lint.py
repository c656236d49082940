"""What `assay suite check` says of a suite: its digest and counts, what refuses it, and what weakens it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.core.case import Case, Grading
from assay.core.errors import InvalidInput, Problem
from assay.core.suite import Suite, UseCase
from assay.files.suite_folder import MANIFEST, Graders, load_suite

LEAST_CASES = 5
LEAST_CALIBRATION = 10
GOOD_MARKS = 4


@dataclass(frozen=True, slots=True)
class SuiteCheck:
    """The findings. `suite` is None where problems refuse it; warnings refuse nothing."""

    suite: Suite | None
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]

    @property
    def good(self) -> bool:
        """Whether the suite can be run."""
        return self.suite is not None


def check_suite(path: Path, *, graders: Graders) -> SuiteCheck:
    """Load a suite from its folder and lint it. Raises NotFound where there is none."""
    try:
        suite = load_suite(path, graders=graders)
    except InvalidInput as error:
        return SuiteCheck(None, error.problems, ())
    warnings = (*lint(suite), *_strangers(path))
    return SuiteCheck(suite, (), tuple(warnings))


def lint(suite: Suite) -> Iterator[Problem]:
    """Yield what weakens a suite that loads; the `file` of a problem is the use case or case it is about."""
    if suite.canary is None:
        yield Problem("no `canary`: without one, training-data filters cannot find the suite")
    if suite.parameters.get("temperature") != 0:
        yield Problem("`parameters.temperature` is not 0: a watch then measures sampling noise too")
    least = suite.thresholds.cooked_use_cases
    if len(suite.use_cases) < least:
        yield Problem(f"{len(suite.use_cases)} use cases: COOKED needs {least} cooked ones")
    judged = [use_case.name for use_case in suite.use_cases if use_case.grading.judged]
    if judged and suite.judge is None and not suite.panel.judges:
        yield Problem(f"no `judge` and no `panel`, which {', '.join(judged)} need")
    prompts: dict[object, str] = {}
    for use_case in suite.use_cases:
        yield from (Problem(text, use_case.name) for text in _use_case(use_case))
        for case in use_case.cases:
            first = prompts.setdefault(case.messages, case.id)
            if first != case.id:
                yield Problem(f"asks the same as {first}", case.id)
            yield from (Problem(text, case.id) for text in _case(case, use_case))


def _use_case(use_case: UseCase) -> Iterator[str]:
    if len(use_case.cases) < LEAST_CASES:
        yield f"{len(use_case.cases)} cases: below {LEAST_CASES}, so one flip weighs much"
    if use_case.grading is Grading.HYBRID and 0 in use_case.weights:
        whole = "judge" if use_case.weights[0] == 0 else "checks"
        yield f"all weight is on the {whole}: write `grading` accordingly"
    if use_case.grading.judged:
        marked = sum(exemplar.marks is not None for case in use_case.cases for exemplar in case.exemplars)
        if marked < LEAST_CALIBRATION:
            yield f"{marked} exemplars with marks: give {LEAST_CALIBRATION}"


def _case(case: Case, use_case: UseCase) -> Iterator[str]:
    judged = [spec for spec in case.graders if spec.judged]
    mechanical = [spec for spec in case.graders if not spec.judged and spec.weight]
    if use_case.grading.judged and not judged:
        yield f"no judged grader in a {use_case.grading} use case"
    if use_case.grading is Grading.HYBRID and not mechanical:
        yield "no mechanical grader in a hybrid use case: the judge alone marks it"
    if use_case.grading is Grading.JUDGE and mechanical:
        cure = "write `grading: hybrid`, or `weight: 0` where it only flags"
        yield f"`{mechanical[0].name}` in a use case graded by the judge: {cure}"
    if not case.exemplars:
        yield "no exemplars: the simulated provider cannot answer it and its graders are untested"
        return
    top = [exemplar for exemplar in case.exemplars if exemplar.score == 1]
    if judged:
        top = [exemplar for exemplar in top if exemplar.marks is None or exemplar.marks >= GOOD_MARKS]
    if not top:
        yield "no good exemplar: add one with score 1 (and marks 4 or 5 where judged)"
    if len(case.exemplars) - len(top) < 2:
        yield "fewer than 2 bad exemplars: add answers as a failing model would give them"
    if judged and all(exemplar.marks is None for exemplar in case.exemplars):
        yield "no exemplar with `marks`: nothing here calibrates the judge"


def _strangers(folder: Path) -> Iterator[Problem]:
    from assay.files.marked import read

    listed = {MANIFEST, *read(folder / MANIFEST, MANIFEST).value["use_cases"]}
    found = (path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.y*ml")))
    yield from (
        Problem(f"not listed in {MANIFEST}, so it is not read", name) for name in found if name not in listed
    )
