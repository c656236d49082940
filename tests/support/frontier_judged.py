"""A judged run of the workspace whose answers are checked as well: what a judge is measured on."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from judged import RUBRIC, Court, JudgedRun, judged_suite, mark
from sqlalchemy import Engine

from assay.core.case import GraderSpec
from assay.core.suite import Suite

CHECK = GraderSpec("contains", {"all": ["right"]})


def checked_suite(cases: int) -> Suite:
    """Return the judged suite with a check beside the rubric: the answer must hold `right`."""
    suite = judged_suite(cases=cases)
    use_case = suite.use_cases[0]
    made = tuple(replace(case, graders=(CHECK, RUBRIC), exemplars=()) for case in use_case.cases)
    return replace(suite, digest=f"{suite.digest}-checked"[-64:], use_cases=(replace(use_case, cases=made),))


def answer(body: dict[str, Any]) -> str:
    """Answer the first four cases right."""
    number = int(re.findall(r"Write (\d+)", body["messages"][-1]["content"])[0])
    return f"answer {number} is {'right' if number < 4 else 'off'}"


def often(body: dict[str, Any], before: int) -> str:
    """Mark 5 for answers 0, 1, 2 and 4, and 2 for the others."""
    number = int(re.findall(r"answer (\d+) is", json.dumps(body))[0])
    return mark(5 if number in (0, 1, 2, 4) else 2, body)


def measured_run(engine: Engine, **judges: Any) -> int:
    """Return the number of a run of eight answers, four of them right."""
    run = JudgedRun(engine, Court(judges, answer=answer), suite=checked_suite(8))
    run.execute()
    return run.run.id
