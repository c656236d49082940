"""Recipes are read from YAML; every fault is named with its line."""

from __future__ import annotations

import random
from importlib.resources import files

from causal_numbers import WARDS
from every_row import every_row

from assay.causal.numbers.draw import draw
from assay.causal.numbers.read_back import checked
from assay.files.marked_yaml import parse
from assay.studies.causal.recipes import recipe_of, recipes

TEXT = (files("assay.causal") / "concepts" / "confounding" / "numbers.yaml").read_text(encoding="utf-8")


def test_the_package_has_recipes() -> None:
    """Each has questions of all four levels."""
    first = {"confounding", "unit_counterfactuals", "necessity_sufficiency", "difference_in_differences"}
    assert first <= set(recipes())
    for recipe in recipes().values():
        assert {level for task in recipe.tasks for level in task.levels} == {1, 2, 3, 4}


FAULTS = [
    ("rung: intervention", "rung: middle", "'middle' is not a valid Rung"),
    ("  like: effect", "  like: affect", "no shared question 'affect': choose from effect"),
    ("cast: {X: treatment", "cast: {X: tretment", "'tretment' is not a part: write one of treatment"),
    ("H: factor, B: factor}", "H: factor, B: treatment}", "two variables are the treatment"),
    ("formula: P(Y=1 | X=1) - P(Y=1 | X=0)", "formula: P(Y=1 | X=1) - P(Y=1 | X=0", "ends too early"),
    ("formula: P(Y=1 | X=1) - P(Y=1 | X=0)", "formula: P(Y=1 | Q=1)", "names 'Q', which is not in the model"),
    ("formula: P(Y=1 | X=1) - P(Y=1 | X=0)", "formula: P(Y=1 | X=1) - slack", "names 'slack', which is not"),
    ("    kind: reflex", "    kind: inverted", "'inverted' is not a kind of error: choose from"),
    ("early: [E], late: [L], active: [sh", "erly: [E], late: [L], active: [sh", "'erly' is not defined"),
    ("      L given X: 20%..80%", "      L given Z: 20%..80%", "'Z' is not a variable before it"),
    ("      E: 25%..75%", "      E: slack", "'slack' is neither drawn nor a level of the state"),
    ("      L given X: 20%..80%", "      L given X: {kept: 20%, '*': 30%}", "'kept' is neither drawn nor a"),
    ("      E: 25%..75%", "      E: 75%..25%", "the range '75%..25%' is empty"),
    ("      consequence: {all: crude,", "      consequence: {all: raw,",
     "'raw' is not defined: choose from crude"),
    ("      consequence: {all: crude,", "      consequence: {}\n      other: {all: crude,",
     "no key in the state 'consequence': name a figure for one of all, treated"),
    ("      levels: [{kept: 0}, {kept: 1}]", "      levels: [{keep: 0}, {keep: 1}]",
     "is read as 'direct 1' and 'direct 2'"),
    ("    direct:\n      say:", "    direct:\n      opposite: Y\n      say:", "only a share has an opposite"),
    ("      levels: [{kept: 0}, {kept: 1}]",
     "      levels: [{kept: 0}]\n      answer: percent\n      opposite: Y", "`read` does not look for [Y=1]"),
    ("      - counts: shown, X, Y", "      - {number: cf(Y=1; do X=0), name: gap, say: [x, y, z], read: x}",
     "'gap' is a counterfactual: write P(... | do(...))"),
    ("- counts: shown, X, Y", "- count: shown, X, Y", "unknown key 'count': write one of as, counts"),
    ("  - levels: [1, 2]", "  - levels: 1", "'levels' is missing or not a list"),
    ("  - levels: [1, 2]", "  - levels: [1, 2]\n    must: [P(Y=1)]", "needs one of <, <=, >, >= and !="),
    ("late: [L], active: [shown], idle: [other, B]}", "idle: [E, B]}",
     "no fact is about the factor 'L'"),
    ("    reflexes: [crude, whole]", "    reflexes: [crude, hole]", "'hole' is not defined"),
    ("figures:\n", "figures:\n  idle: {is: the share, formula: P(Y=1)}\n", "no task has it as a key or a"),
    ("read: (has counted|kept a tally of|went", "read: (kept a tally of|went", "is read as nothing, not as"),
    ("  say:\n    - \"{setting} has counted", "  tell:\n    - \"{setting} has counted", "unknown key 'tell'"),
]  # fmt: skip


@every_row("old, new, reason", FAULTS)
def test_a_fault_is_named_with_its_line(old: str, new: str, reason: str) -> None:
    """The line is where the fault stands, or where the part of the file with the fault begins."""
    assert old in TEXT, old
    text = TEXT.replace(old, new, 1)
    marked = parse(text, "confounding/numbers.yaml")
    assert recipe_of(marked, "confounding") is None
    problems = marked.in_order()
    fitting = [problem for problem in problems if reason in problem.text]
    assert fitting, [str(problem) for problem in problems]
    lines = text.splitlines()
    assert fitting[0].line in range(1, len(lines) + 1)
    changed = next(n for n, (a, b) in enumerate(zip(TEXT.splitlines(), lines, strict=False), 1) if a != b)
    if new.strip().split()[0] in {"rung:", "question:", "cast:", "kind:", "formula:", "E:", "-", "L"}:
        headings = [number for number, line in enumerate(lines, 1) if line and line[0] not in " #"]
        assert max(n for n in headings if n <= changed) <= fitting[0].line <= changed + 1


def test_all_faults_are_told_at_once() -> None:
    """Two faults in one file are two problems."""
    marked = parse(
        TEXT.replace("kind: reflex", "kind: odd", 1).replace("25%..75%", "25%..5%"), "numbers.yaml"
    )
    assert recipe_of(marked, "confounding") is None
    assert {problem.text[:12] for problem in marked.in_order()} == {"'odd' is not", "the range '2"}


def test_a_recipe_of_ones_own() -> None:
    """A short recipe with parts of its own: an invitation by lot, and who accepted it."""
    text = """
rung: association
cast:
  Z: {noun: invitation, which: [without an invitation, with an invitation]}
  X: treatment
  Y: outcome
  B: factor
opening:
  read: by lot
  say:
    - "{setting} sent letters by lot"
    - "by lot, letters were sent by {setting}"
    - "letters went out by lot from {setting}"
question:
  read: share that [X=1] among the [units] [Z=1] ... among the [units] [Z=0]
  say:
    - "How much higher is the {what} than the same {among}?"
    - "By how much does the {what} exceed that {among}?"
    - "What is the {what} minus that {among}?"
  asks:
    uptake:
      what: ["share that {X=1} among the {units} {with Z=1}"]
      among: ["among the {units} {with Z=0}"]
      read: share that [X=1]
      target: P(X=1 | Z=1) - P(X=1 | Z=0)
figures:
  uptake: {is: the difference in uptake, formula: P(X=1 | Z=1) - P(X=1 | Z=0)}
  seen: {is: the difference by uptake, formula: P(Y=1 | X=1) - P(Y=1 | X=0), kind: reflex}
tasks:
  - levels: [1]
    facts: {idle: [B]}
    model: {Z: 50%, X given Z: 10%..90%, "Y given X, Z": 10%..90%}
    given: [{counts: "Z, X, Y"}]
    asks: [uptake]
    key: uptake
    reflexes: [seen]
"""
    marked = parse(text, "own.yaml")
    recipe = recipe_of(marked, "own")
    assert recipe is not None, [str(problem) for problem in marked.in_order()]
    question = draw(recipe, WARDS, 1, random.Random(1))
    assert "with an invitation" in question.stem
    checked(question, recipe, WARDS, 1)
