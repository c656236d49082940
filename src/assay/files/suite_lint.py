"""The checks of `assay suite check`: problems that make a suite unusable, and weaknesses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from assay.core.case import Case, Grading
from assay.core.errors import InvalidInput, Problem
from assay.core.suite import Suite, UseCase
from assay.core.wording import counted
from assay.files.marked_yaml import read
from assay.files.suite_folder import MANIFEST, Graders, load_suite
from assay.results.suites import SuiteCheck

LEAST_CASES = 5
LEAST_CALIBRATION = 10
GOOD_MARKS = 4


def check_suite(path: Path, *, graders: Graders) -> SuiteCheck:
    """Load a suite from its folder and lint it. Raises NotFound if there is none."""
    try:
        suite = load_suite(path, graders=graders)
    except InvalidInput as error:
        return SuiteCheck(None, error.problems, ())
    warnings = (*lint(suite), *_unlisted_files(path))
    return SuiteCheck(suite, (), tuple(warnings))


def lint(suite: Suite) -> Iterator[Problem]:
    """Yield the weaknesses of a suite; the `file` of a problem is the use case or case it is about."""
    if suite.canary is None:
        yield Problem("no `canary`: write one, so that data filters can find the suite")
    if suite.parameters.get("temperature") != 0:
        yield Problem("`parameters.temperature` is not 0, so a watch also measures sampling noise: write 0")
    least = suite.thresholds.cooked_use_cases
    if len(suite.use_cases) < least:
        count = counted(len(suite.use_cases), "use case")
        yield Problem(f"{count}, but the verdict COOKED needs {least}: add use cases")
    judged = [use_case.name for use_case in suite.use_cases if use_case.grading.judged]
    if judged and suite.judge is None and not suite.panel.judges:
        yield Problem(f"no `judge` and no `panel`, but {', '.join(judged)} need one: add it")
    prompts: dict[object, str] = {}
    for use_case in suite.use_cases:
        yield from (Problem(text, use_case.name) for text in _lint_use_case(use_case))
        for case in use_case.cases:
            first = prompts.setdefault(case.messages, case.id)
            if first != case.id:
                yield Problem(f"the prompt is the same as that of {first}: remove one", case.id)
            yield from (Problem(text, case.id) for text in _lint_case(case, use_case))


def _lint_use_case(use_case: UseCase) -> Iterator[str]:
    if len(use_case.cases) < LEAST_CASES:
        count = counted(len(use_case.cases), "case")
        yield f"only {count}, so one changed answer weighs much: write at least {LEAST_CASES}"
    if use_case.grading is Grading.HYBRID and 0 in use_case.weights:
        whole = "judge" if use_case.weights[0] == 0 else "checks"
        yield f"the whole weight is on the {whole}: change `grading` accordingly"
    if use_case.grading.judged:
        marked = sum(exemplar.marks is not None for case in use_case.cases for exemplar in case.exemplars)
        if marked < LEAST_CALIBRATION:
            yield f"only {marked} exemplars with marks to calibrate the judge: add up to {LEAST_CALIBRATION}"


def _lint_case(case: Case, use_case: UseCase) -> Iterator[str]:
    judged = [spec for spec in case.graders if spec.judged]
    mechanical = [spec for spec in case.graders if not spec.judged and spec.weight]
    if use_case.grading.judged and not judged:
        yield f"no judged grader in a {use_case.grading} use case: add one"
    if use_case.grading is Grading.HYBRID and not mechanical:
        yield "no mechanical grader in a hybrid use case: add one, or write `grading: judge`"
    if use_case.grading is Grading.JUDGE and mechanical:
        advice = "write `grading: hybrid`, or `weight: 0` if it only flags"
        yield f"`{mechanical[0].name}` is mechanical in a use case graded by the judge: {advice}"
    if not case.exemplars:
        yield "no exemplars to test the graders and to simulate answers: add some"
        return
    top = [exemplar for exemplar in case.exemplars if exemplar.score == 1]
    if judged:
        top = [exemplar for exemplar in top if exemplar.marks is None or exemplar.marks >= GOOD_MARKS]
    if not top:
        yield "no good exemplar: add one with score 1 (with marks 4 or 5 if it is judged)"
    if len(case.exemplars) - len(top) < 2:
        yield "fewer than 2 bad exemplars: add answers of a failing model"
    if judged and all(exemplar.marks is None for exemplar in case.exemplars):
        yield "no exemplar with `marks` to calibrate the judge: add marks"


def _unlisted_files(folder: Path) -> Iterator[Problem]:
    listed = {MANIFEST, *read(folder / MANIFEST, MANIFEST).value["use_cases"]}
    for path in sorted(folder.rglob("*.y*ml")):
        name = path.relative_to(folder).as_posix()
        if name not in listed:
            yield Problem(f"the file is not read: list it in {MANIFEST}, or remove it", name)
