"""The lint of one form: whether luck gave its questions away, and whether its texts repeat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from assay.causal.item import Item
from assay.causal.lint import fixed
from assay.causal.lint.attacked import Outcome
from assay.causal.lint.balance import balance, longest_run
from assay.causal.lint.catalogue import RULES
from assay.causal.lint.learners import LEARNERS
from assay.causal.lint.luck import luck
from assay.causal.lint.reading import Reading, read_all
from assay.causal.lint.splits import Block, Splits, by_bundle
from assay.causal.lint.stems import near_duplicates, template_repeats
from assay.causal.lint.training import carry_out
from assay.causal.lint.words import normal
from assay.results.causal import FormFinding, FormLint, Tested
from assay.stats.p_values import at_least, holm

LEVEL = 0.05
SPLITS = 20


def lint_form(
    items: Sequence[Item],
    *,
    rng: np.random.Generator,
    trained_on: Sequence[Item] | None = None,
    splits: int = SPLITS,
    alike: bool = True,
) -> FormLint:
    """Attack a single form, correct for the number of tests, and compare its texts.

    With `alike`, stems that resemble each other are findings; without, only equal ones are: the sentences
    of a ladder form recur by design, so that they tell nothing, and its questions differ by what they are
    about.

    A clean form has a chance of at most 5 % of a finding of luck. `trained_on` are other questions of the
    same generator: trained attacks then learn from those, otherwise from half of the form's own concepts.
    """
    questions = read_all(items)
    raw = [*_fixed(questions, rng), *_trained(questions, trained_on, rng, splits), *_keys(questions, rng)]
    adjusted = holm([test.p for test in raw])
    tests = tuple(
        Tested(test.name, test.description, test.n, test.right, test.chance, test.p, float(p))
        for test, p in zip(raw, adjusted, strict=True)
    )
    lucky = (FormFinding("luck", _told(test)) for test in tests if test.adjusted <= LEVEL)
    return FormLint(len(items), tests, (*lucky, *_texts(items, alike=alike)))


def _fixed(questions: Sequence[Reading], rng: np.random.Generator) -> Iterator[Tested]:
    for rule in RULES:
        yield _counted(fixed.carry_out(rule, questions, rng), questions)


def _counted(outcome: Outcome, questions: Sequence[Reading]) -> Tested:
    """Test whole credits where the attack spoke: the chance of so many or more is exact."""
    chances = [1.0 / question.size for question, spoke in zip(questions, outcome.spoke, strict=True) if spoke]
    right = round(float(outcome.credit[outcome.spoke].sum()))
    p = at_least(right, chances)
    return Tested(outcome.name, outcome.description, len(chances), right, sum(chances), p, p)


def _trained(
    questions: Sequence[Reading],
    trained_on: Sequence[Item] | None,
    rng: np.random.Generator,
    splits: int,
) -> Iterator[Tested]:
    if trained_on:
        yield from _from_elsewhere(questions, read_all(trained_on), rng)
        return
    way = by_bundle([question.item.concept for question in questions], rng, splits)
    if not way.blocks:
        return
    for learner in LEARNERS:
        found = luck(learner, learner.sees(questions), fixed.keys(questions), way, rng)
        tested = ~np.isnan(found.credit)
        right = float(found.credit[tested].sum())
        chance = sum(1 / question.size for question, here in zip(questions, tested, strict=True) if here)
        text = f"Trained on half, tested on {way.description}: {learner.description}."
        n = int(tested.sum())
        yield Tested(f"{learner.name}/{way.name}", text, n, right, chance, found.p, found.p)


def _from_elsewhere(
    questions: Sequence[Reading], others: Sequence[Reading], rng: np.random.Generator
) -> Iterator[Tested]:
    """Train on other forms. The form's keys take no part in it, so its right picks are counted exactly."""
    together = (*others, *questions)
    keys = fixed.keys(together)
    old = np.arange(len(others))
    new = np.arange(len(others), len(together))
    way = Splits("elsewhere", "this form", (Block(np.arange(len(together)), ((old, new),)),))
    for learner in LEARNERS:
        outcome = carry_out(learner, learner.sees(together), keys, way)
        drawn = (rng.random(len(new)) < outcome.credit[new]).astype(np.float64)
        part = Outcome(outcome.name, outcome.description, drawn, outcome.spoke[new], trained=False)
        yield _counted(part, questions)


def _keys(questions: Sequence[Reading], rng: np.random.Generator) -> Iterator[Tested]:
    keys = fixed.keys(questions)
    sizes = np.array([question.size for question in questions], dtype=np.int64)
    variants = np.array([question.item.variant for question in questions])
    parts = {"": np.ones(len(keys), dtype=bool), **{name: variants == name for name in sorted(set(variants))}}
    for name, rows in parts.items():
        found = balance(keys[rows], sizes[rows], rng)
        counts = ", ".join(str(count) for count in found.counts)
        text = f"Keys over the letters: {counts}."
        yield Tested(f"key-balance{name and '/'}{name}", text, int(rows.sum()), None, None, found.p, found.p)
    run = longest_run(keys, sizes)
    where = f", from {questions[run.start].item.id!r} on" if questions else ""
    text = f"The longest run of one key is {run.length}{where}."
    yield Tested("key-run", text, len(keys), None, None, run.p, run.p)


def _texts(items: Sequence[Item], *, alike: bool) -> Iterator[FormFinding]:
    stems: dict[str, str] = {}
    for item in items:
        if not alike and (first := stems.setdefault(normal(item.stem), item.id)) != item.id:
            yield FormFinding("near-duplicate", f"the stems of {first!r} and {item.id!r} are equal")
    for pair in near_duplicates(items) if alike else ():
        text = f"the stems of {pair.first!r} and {pair.second!r} are {pair.likeness:.0%} alike"
        yield FormFinding("near-duplicate", text)
    for repeat in template_repeats(items) if alike else ():
        text = f"{repeat.first!r} and {repeat.second!r} share {repeat.length} words in a row: {repeat.run!r}"
        yield FormFinding("template", text)
    for item in items:
        texts = [normal(option) for option in item.options]
        if len(set(texts)) < len(texts):
            yield FormFinding("options", f"{item.id!r} has two options that say the same")


def _told(test: Tested) -> str:
    p = f"p = {test.p:.2g}, {test.adjusted:.2g} after Holm's correction"
    if test.right is None:
        return f"{test.name}: {test.description} {p}"
    return f"{test.name}: right in {test.right:.4g} of {test.n}, {test.chance:.4g} by chance; {p}"
