"""Time of a judged grade without its calls: writing a rubric ask and reading a verdict. Prints JSON."""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections.abc import Callable

from assay.core.ask import CallStatus, Message, ModelReply
from assay.core.case import Case, GraderSpec
from assay.core.judging import ShownToJudge
from assay.grading.judging import verdict
from assay.grading.marks import Rubric

LENGTH = 2_000
FENCE = "3f9c1a7be05d2648"
CASE = Case("case", "benchmark", (Message("user", "Write a short report on the figures below. " * 40),), ())
SPEC = GraderSpec(
    "rubric", {"rubric": "5 - every demand holds.\n" * 30, "criteria": "Counts. " * 60, "ideal": "So. " * 250}
)
ANSWERS = {
    "prose in ASCII": "We add the two amounts and take the discount off, which leaves the sum below.\n\n",
    "prose with a dash": "We add the two amounts and take the discount off — which leaves the sum below.\n\n",
    "code": "def f(x: list[int]) -> dict[str, int]:\n    if x < 3 and y[0] > 2:\n        return {'a': 1}\n",
    "Chinese": "我们把两个金额相加，然后减去折扣，得到下面的总和。\n",
    "emoji joined by hidden characters": "👩‍👩‍👧 ❤️ ok\n",
}


def microseconds(job: Callable[[], object], rounds: int) -> float:
    """Return the median CPU time of a job over five repeats of this number of rounds."""
    times = []
    for _ in range(5):
        start = time.process_time()
        for _ in range(rounds):
            job()
        times.append((time.process_time() - start) / rounds * 1e6)
    return statistics.median(times)


def main() -> None:
    """Measure, and print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5_000)
    rounds = parser.parse_args().rounds
    rubric = Rubric()
    rationale = "It does most of what was asked, but the second demand is broken in line 3. " * 4
    said = json.dumps({"rationale": rationale, "mark": 4, "token": verdict.token(FENCE)})
    replies = (ModelReply(CallStatus.OK, said),)
    measured = []
    for name, unit in ANSWERS.items():
        answer = (unit * (LENGTH // len(unit) + 1))[:LENGTH]
        shown = ShownToJudge(answer, ("BANNED_WORDS: found 'delve'",), FENCE)
        asking = microseconds(lambda s=shown: rubric.ask(CASE, SPEC, "rubric", s), rounds)  # type: ignore[misc]
        reading = microseconds(lambda s=shown: rubric.read(CASE, SPEC, "rubric", s, replies), rounds)  # type: ignore[misc]
        measured.append(
            {
                "answer": name,
                "characters": LENGTH,
                "ask_us": round(asking, 1),
                "read_us": round(reading, 1),
                "both_us": round(asking + reading, 1),
            }
        )
    print(json.dumps({"python": platform.python_version(), "rounds": rounds, "measured": measured}, indent=2))


if __name__ == "__main__":
    main()
