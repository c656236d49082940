"""A small new suite that can be run as it is."""

from __future__ import annotations

import re
import uuid
from pathlib import Path

from assay.core.errors import Conflict, InvalidInput
from assay.files.atomic import write_whole
from assay.files.suite_folder import MANIFEST
from assay.files.suite_shapes import SLUG

_MANIFEST = """\
name: {name}
version: 0.1.0            # raise it with every change to prompts, graders, rubrics or parameters
title: {title}
visibility: {visibility}       # public: its samples may be published; private: `assay suite seal` encrypts it
canary: "assay-canary-{canary}"
description: |
  What this suite measures, and for whom.
# judge: openrouter/openai/gpt-4o-mini-2024-07-18   # needed by hybrid and judge use cases
parameters: {{temperature: 0}}
# thresholds:               # of the watch; values that are left out keep their defaults
#   deterministic: {{suspicious_z: -2, suspicious_drop: 0.10}}
use_cases:                  # in this order
  - arithmetic.yaml
"""

_USE_CASE = """\
name: arithmetic
title: Arithmetic
grading: deterministic      # deterministic | hybrid | judge
samples: {base: 1, full: 3} # answers a day: normally, and when the score looks suspicious
cases:
  - id: apples
    prompt: |
      A crate holds 14 apples. Mia buys 3 crates and gives away 9 apples. How many are left?
      End with a line "ANSWER: " and the number.
    max_tokens: 2048
    tags: [arithmetic]
    graders:
      - number: {expect: 33, marker: "ANSWER:"}
    derivation: |
      3 x 14 = 42; 42 - 9 = 33.
    exemplars:              # answers with their scores; the simulated provider answers with them
      - {score: 1.0, answer: "3 crates hold 42 apples, 33 are left.\\nANSWER: 33"}
      - {score: 0.0, answer: "3 crates hold 42 apples.\\nANSWER: 42"}
      - {score: 0.0, answer: "She has 14 - 9 = 5 left.\\nANSWER: 5"}
"""


def new_suite(folder: Path, *, name: str, private: bool = False) -> tuple[Path, ...]:
    """Write the skeleton of a suite into a new or empty folder and return its files.

    Raises InvalidInput for a bad name and Conflict for a folder with content.
    """
    if not re.fullmatch(SLUG, name):
        raise InvalidInput(f"invalid suite name {name!r}: use lower-case letters, digits and hyphens")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Conflict(f"the folder {str(folder)!r} is not empty: give a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    manifest = _MANIFEST.format(
        name=name,
        title=name.replace("-", " ").capitalize(),
        visibility="private" if private else "public",
        canary=uuid.uuid4(),
    )
    files = {MANIFEST: manifest, "arithmetic.yaml": _USE_CASE}
    for file, text in files.items():
        write_whole(folder / file, text.encode())
    return tuple(folder / file for file in files)
