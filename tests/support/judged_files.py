"""A small judged suite in a folder, whose judges are simulated."""

from __future__ import annotations

from pathlib import Path

MANIFEST = """\
name: {name}
version: 1.0.0
title: A judged suite
visibility: public
parameters: {{temperature: 0}}
judge: simulated/judge
panel:
  judges: [simulated/judge, simulated/judge-strict, simulated/judge-lenient]
  geval: simulated/judge
use_cases: [writing.yaml]
"""
WRITING = """\
name: writing
title: Writing
grading: judge
samples: {base: 1, full: 3}
rubric: 5 good, 1 bad.
cases:
"""
CASE = """\
  - id: note-{number}
    subcategory: notes
    difficulty: easy
    check_type: word_count
    prompt: "Write note {number}."
    graders:
      - response_length: {{max_words: 6}}
        weight: 0
      - rubric: {{ideal: "A short note."}}
      - geval: {{}}
    exemplars:
      - {{score: 1.0, marks: 5, answer: "This is note {number}."}}
      - {{score: 1.0, marks: 3, answer: "Note {number}."}}
      - {{score: 0.0, marks: 1, answer: "I could write note {number}, if I wanted to."}}
"""


def write_judged_suite(folder: Path, *, name: str = "judged", cases: int = 6) -> Path:
    """Write the suite, six cases unless told, into a folder of its name and return it."""
    place = folder / name
    place.mkdir()
    (place / "suite.yaml").write_text(MANIFEST.format(name=name))
    (place / "writing.yaml").write_text(WRITING + "".join(CASE.format(number=each) for each in range(cases)))
    return place
