"""The 19 auto-checks on recorded answers labelled by a reader: no more wrong flags and misses than recorded.

`python tests/real/test_checks.py FOLDER_OF_RECORDINGS` prints the table and every disagreement.
docs/methodology/checks.md tells how the labels came about.
"""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import pytest
import yaml
import zstandard
from scipy.stats import beta

from assay.core.ask import CodeAsk, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade, Grader
from assay.grading.registry import grader
from assay.sandbox.choose import open_sandbox
from assay.sandbox.sandbox import Sandbox

pytestmark = [pytest.mark.real, pytest.mark.slow]

LABELS = Path(__file__).parent / "check_labels"


@dataclass(frozen=True, slots=True)
class Recorded:
    """The most wrong flags and misses that a check may show on its labelled answers."""

    wrong: int
    missed: int


def recorded() -> dict[str, Recorded]:
    with (LABELS / "rates.csv").open(encoding="utf8") as file:
        return {row["check"]: Recorded(int(row["wrong"]), int(row["missed"])) for row in csv.DictReader(file)}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One labelled answer, and what the check says: flagged, not flagged, or None where ungraded."""

    question: str
    model: str
    label: str
    reason: str
    flagged: bool | None
    says: str
    original: bool | None

    @property
    def agrees(self) -> bool:
        return (self.label == "flag") is (self.flagged is True)


@lru_cache(maxsize=1)
def answers(folder: Path) -> dict[tuple[str, str], dict[str, Any]]:
    with (folder / "workbench_generalist.jsonl.zst").open("rb") as file:
        text = zstandard.ZstdDecompressor().stream_reader(file).read().decode()
    rows = [json.loads(line) for line in text.split("\n") if line]
    return {(row["prompt_id"], row["model"]): row for row in rows}


def grade(spec: GraderSpec, answer: str, sandbox: Sandbox | None) -> Grade:
    """Return the grade as a run would give it; the code goes to the sandbox."""
    check = cast("Grader", grader(spec.name))
    case = Case("recorded", "recorded", (), (spec,))
    replies: tuple[Reply, ...] = ()
    asks = check.asks(case, spec, answer)
    while True:
        for ask in asks:
            assert isinstance(ask, CodeAsk) and sandbox is not None
            replies = (*replies, sandbox.run(ask))
        found: Any = check.read(case, spec, answer, replies)
        if isinstance(found, Grade):
            return found
        asks = (found,)


def verdicts(check: str, folder: Path, sandbox: Sandbox | None) -> Iterator[Verdict]:
    """Yield a check's verdicts on its labelled answers."""
    questions = yaml.safe_load((LABELS / "prompts.yaml").read_text(encoding="utf8"))[check]
    with (LABELS / f"{check}.csv").open(encoding="utf8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if row["label"] not in ("flag", "clean"):
            continue
        question = questions[row["prompt_id"]]
        spec = GraderSpec(check, question["parameters"], weight=0)
        assert not grader(check).problems(spec)
        prompt = question.get("prompt", row["prompt_id"])
        recording = answers(folder)[prompt, row["model"]]
        found = grade(spec, recording["response"] or "", sandbox)
        flags = [each["says"] for each in found.evidence.get("flags", ())]
        same = question.get("original", recording["check_type"] == check and "prompt" not in question)
        yield Verdict(
            row["prompt_id"],
            row["model"],
            row["label"],
            row["reason"],
            None if found.value is None else found.value < 1,
            "; ".join(flags) or found.reason or "",
            bool(recording["flags"]) if same else None,
        )


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """The first sandbox that works here; skipped where there is none, missed in CI."""
    found = open_sandbox()
    reason = found.unfit(CodeAsk(""))
    if reason is not None:
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    yield found
    found.close()


def counts(found: list[Verdict]) -> Recorded:
    wrong = sum(each.label == "clean" and each.flagged is True for each in found)
    return Recorded(wrong, sum(each.label == "flag" and each.flagged is not True for each in found))


@pytest.mark.parametrize("check", sorted(set(recorded()) - {"code_runnable"}))
def test_a_check_is_no_worse_than_recorded(check: str, shared_data: Path) -> None:
    """A check's wrong flags and misses on its labelled answers are no more than the recorded ones."""
    found = counts(list(verdicts(check, shared_data, None)))
    most = recorded()[check]
    assert found.wrong <= most.wrong and found.missed <= most.missed, found


def test_the_code_check_is_no_worse_than_recorded(shared_data: Path, sandbox: Sandbox) -> None:
    """The check that runs code flags wrongly and misses no more often than recorded."""
    found = counts(list(verdicts("code_runnable", shared_data, sandbox)))
    most = recorded()["code_runnable"]
    assert found.wrong <= most.wrong and found.missed <= most.missed, found


def interval(hits: int, of: int) -> str:
    """Return a rate with its exact (Clopper-Pearson) 95 % interval, in per cent."""
    if not of:
        return "-"
    low = 0.0 if hits == 0 else float(beta.ppf(0.025, hits, of - hits + 1))
    high = 1.0 if hits == of else float(beta.ppf(0.975, hits + 1, of - hits))
    return f"{hits}/{of} = {hits / of:.1%} ({low:.1%}-{high:.1%})"


def table(folder: Path) -> None:
    """Print each check's rates, the original's on the same answers, and every disagreement."""
    with_code = open_sandbox()
    lines = []
    for check in sorted(path.stem for path in LABELS.glob("*.csv") if path.stem != "rates"):
        found = list(verdicts(check, folder, with_code))
        clean = [each for each in found if each.label == "clean"]
        flag = [each for each in found if each.label == "flag"]
        ours = counts(found)
        lines.append(
            f"| `{check}` | {interval(ours.wrong, len(clean))} | {interval(ours.missed, len(flag))} |"
        )
        theirs = [each for each in found if each.original is not None]
        for name, some in (("ours there", "flagged"), ("original", "original")):
            wrong = sum(each.label == "clean" and getattr(each, some) is True for each in theirs)
            missed = sum(each.label == "flag" and getattr(each, some) is not True for each in theirs)
            of = sum(each.label == "clean" for each in theirs)
            lines.append(
                f"  {name}: wrong {interval(wrong, of)}, missed {interval(missed, len(theirs) - of)}"
            )
        ungraded = sum(each.flagged is None for each in found)
        if ungraded:
            lines.append(f"  ungraded: {ungraded}")
        for each in found:
            if not each.agrees or each.flagged is None:
                print(
                    check, each.question, each.model, each.label, f"[{each.reason}]", each.flagged, each.says
                )
    with_code.close()
    print("\n".join(lines))


if __name__ == "__main__":
    table(Path(sys.argv[1]))
