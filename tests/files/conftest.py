"""A small suite folder and graders to load it with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.errors import NotFound
from assay.core.grade import Grade

MANIFEST = """\
name: small
version: 1.0.0
title: A small suite
visibility: public
parameters: {temperature: 0}
use_cases: [maths.yaml, letters.yaml]
"""
MATHS = """\
name: maths
title: Maths
grading: deterministic
samples: {base: 1, full: 3}
cases:
  - id: sum
    prompt: |
      What is 2 + 2?
    graders:
      - exact: {expect: "4"}
    exemplars:
      - {score: 1.0, answer: "4"}
      - {score: 0.0, answer: "5"}
"""
LETTERS = """\
name: letters
title: Letters
grading: hybrid
samples: {base: 3, full: 5}
rubric: |
  5: warm. 1: cold.
cases:
  - id: thanks
    system: You are polite.
    messages:
      - {role: user, content: Write a letter.}
      - {role: assistant, content: To whom?}
      - {role: user, content: My aunt.}
    max_tokens: 500
    graders:
      - exact: {expect: Dear aunt}
        weight: 2
      - rubric: {criteria: "Thanks her for the gift."}
    exemplars:
      - {score: 1.0, marks: 5, answer: Dear aunt}
      - {score: 0.0, marks: 1, answer: Hi}
"""


@dataclass
class FakeGrader:
    """Stands in for a real grader: refuses the parameter `bad`."""

    name: str
    version: str = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        return ("'bad' is not known",) if "bad" in spec.parameters else ()

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade | Ask:
        return Grade(1.0)


@dataclass
class FakeJudged(FakeGrader):
    """Stands in for a grader that asks judges."""

    bench: str = "panel"


@dataclass
class FakeGraders:
    """A registry with two graders, whose versions a test may set."""

    versions: dict[str, str] = field(default_factory=lambda: {"exact": "1", "rubric": "1"})

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self.versions))

    def grader(self, name: str) -> FakeGrader:
        if name not in self.versions:
            raise NotFound(name)
        kind = FakeJudged if name == "rubric" else FakeGrader
        return kind(name, self.versions[name])


@pytest.fixture
def graders() -> FakeGraders:
    """A registry with `exact` and `rubric`."""
    return FakeGraders()


WriteSuite = Callable[..., Path]


@pytest.fixture
def write_suite(tmp_path: Path) -> WriteSuite:
    """Write the small suite; each edit is (file, old, new), and an empty `old` appends `new`."""

    def write(*edits: tuple[str, str, str]) -> Path:
        texts = {"suite.yaml": MANIFEST, "maths.yaml": MATHS, "letters.yaml": LETTERS}
        for file, old, new in edits:
            assert old in texts[file], f"{old!r} is not in {file}"
            texts[file] = texts[file].replace(old, new, 1) if old else texts[file] + new
        folder = tmp_path / "small"
        folder.mkdir(exist_ok=True)
        for file, text in texts.items():
            (folder / file).write_text(text)
        return folder

    return write
