"""Questions with numbers: drawn, proved by both routes, read back."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from causal_numbers import WARDS, drawn, prove
from check_grades import grade
from every_row import every_row

from assay.causal.draft import Draft, Kind
from assay.causal.numbers import options
from assay.causal.numbers.draw import draw, rung, wrong_keys
from assay.causal.numbers.open_draft import OpenDraft, proved_open
from assay.causal.numbers.read_back import checked
from assay.causal.numbers.recipe import Display, ReckonedFigure, Rung
from assay.causal.numbers.tell import Untellable, exact_percent, shown
from assay.causal.numbers.world import TaskState, Worlds
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim
from assay.causal.queries import Number
from assay.causal.stories.scene import PLACEHOLDERS
from assay.core.errors import InvalidInput
from assay.studies.causal.library import library
from assay.studies.causal.recipes import recipes

CONCEPTS = tuple(recipes())


@pytest.fixture(autouse=True)
def any_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the first four things to ask, however unfair: what is tested here holds for all of them."""
    monkeypatch.setattr(options, "MODELS", (50, *options.MODELS))
    monkeypatch.setattr(options, "LEAST", 1)
    monkeypatch.setattr(options, "COMPARED", 1)
    monkeypatch.setattr(options, "MOST_UNFAIR", 9.0)


@pytest.mark.slow
@pytest.mark.parametrize("concept", CONCEPTS)
def test_questions_are_proved_and_read_back(concept: str) -> None:
    """Of 100 questions in scenes of all kinds, both routes and the reader agree on every one."""
    recipe, scenes = recipes()[concept], (*library().scenes, PLACEHOLDERS)
    for seed in range(100):
        scene = scenes[seed % len(scenes)]
        question, level = drawn(recipe, seed, scene)
        prove(question)
        checked(question, recipe, scene, level)


@every_row("concept", CONCEPTS)
def test_a_question_is_proved_and_read_back(concept: str) -> None:
    """The same on a few questions of each recipe, quickly; the same seed gives the same question."""
    recipe = recipes()[concept]
    for seed in range(8):
        question, level = drawn(recipe, seed)
        prove(question)
        checked(question, recipe, WARDS, level)
    assert drawn(recipe, 3) == drawn(recipe, 3)


@every_row("concept", CONCEPTS)
def test_options_answer_four_questions(concept: str) -> None:
    """Each option answers another question about the same text, the first the one that is asked."""
    recipe = recipes()[concept]
    for seed in range(12):
        question, _ = drawn(recipe, seed)
        if isinstance(question, Draft):
            names = [name.removeprefix("formula: ") for name, _ in question.derivation]
            task = recipe.tasks[int(question.template.rsplit("/", 1)[1])]
            state, ask = question.state.split("/")
            asked_for = set(task.key[state].values())
            assert names[0] == task.key[state][ask]
            assert set(names) <= asked_for, (names, asked_for)
            assert len({term for _, term in question.derivation}) == 4


@pytest.mark.slow
def test_which_option_is_right_is_drawn_last() -> None:
    """Who knows what each option is, but not the question, is right in a quarter of questions.

    The guess is the option that was right most often, among options of its kind, in other questions.
    """
    seen: dict[tuple[str, ...], Counter[str]] = {}
    right = count = 0
    for concept, seed in itertools.product(CONCEPTS, range(60)):
        question = draw(recipes()[concept], WARDS, 2, random.Random(f"{concept}/{seed}"))
        if isinstance(question, Draft):
            names = [repr(term) for _, term in question.derivation]
            where = (question.template, question.state.split("/")[0])
            counted = seen.setdefault(where, Counter())
            if seed >= 30:
                best = max(names, key=lambda name: (counted[name], name))
                right, count = right + (best == names[0]), count + 1
            else:
                counted[names[0]] += 1
    assert count > 400
    assert 0.20 <= right / count <= 0.30


def test_words_do_not_depend_on_what_is_true() -> None:
    """The two states of a task have the same sentence forms, each about equally often."""
    recipe = recipes()["confounding"]
    facts: dict[str, Counter[str]] = {}
    for seed in range(300):
        question = draw(recipe, WARDS, 1, random.Random(seed))
        text = question.stem
        for factor in WARDS.factors:
            text = text.replace(factor.noun.text, "it").replace(factor.noun.text.capitalize(), "It")
        found = facts.setdefault(question.state.split("/")[0], Counter())
        for word in (
            "been settled",
            "had yet to",
            "already fixed",
            "not yet fixed",
            "no difference",
            "an effect",
        ):
            found[word] += word in text
    assert len(facts) == 2
    for one, other in zip(*(dict(sorted(each.items())).items() for each in facts.values()), strict=True):
        assert abs(one[1] - other[1]) < 40, (one, other)


def test_open_questions_are_graded() -> None:
    """The grader accepts the key, written as asked for or as a percentage, and nothing a step away."""
    seen = set()
    for seed in range(60):
        question, _ = drawn(recipes()["confounding"], seed)
        if isinstance(question, OpenDraft):
            key, exact = float(question.key), not question.tolerance
            seen.add(exact)
            shown_key = str(question.key) if exact else f"{key:.3f}"
            assert grade("number", f"ANSWER: {shown_key}", **question.grader).value == 1
            if not exact:
                assert grade("number", f"ANSWER: {100 * key:.1f}%", **question.grader).value == 1
            assert grade("number", f"ANSWER: {key + 0.002:.4f}", **question.grader).value == 0
    assert seen == {True, False}


def test_a_wrong_key_of_an_open_question_is_refused() -> None:
    """All claims must be true."""
    question = next(
        q for q, _ in (drawn(recipes()["confounding"], n) for n in range(60)) if isinstance(q, OpenDraft)
    )
    with pytest.raises(Exception, match="the key"):
        proved_open(replace(question, claims=(Claim(Number(Fraction(1)), Fraction(2)),)))


def test_rungs_are_declared() -> None:
    """An effect is a question of intervention, that on the treated a counterfactual."""
    found = {}
    for seed in range(120):
        question, _ = drawn(recipes()["confounding"], seed)
        found[question.state.split("/")[1]] = rung(recipes()["confounding"], question)
    expected = {
        "all": Rung.INTERVENTION, "treated": Rung.COUNTERFACTUAL, "untreated": Rung.COUNTERFACTUAL,
        "seen": Rung.ASSOCIATION, "direct": Rung.COUNTERFACTUAL, "indirect": Rung.COUNTERFACTUAL,
        "placed": Rung.INTERVENTION, "instead": Rung.COUNTERFACTUAL,
    }  # fmt: skip
    assert {name.removeprefix("not ").rstrip(" 12"): each for name, each in found.items()} == expected


@every_row("concept", CONCEPTS)
def test_every_wrong_answer_has_a_kind(concept: str) -> None:
    """A reflex is what a naive reasoner arrives at; wrong answers say why they are wrong."""
    for seed in range(12):
        question, _ = drawn(recipes()[concept], seed)
        if isinstance(question, Draft):
            assert [answer.kind for answer in question.answers].count(None) == 1
            assert all(
                answer.why.startswith("This is ") and answer.of is not None for answer in question.answers
            )
            assert len({answer.text for answer in question.answers}) == 4
            assert {answer.kind for answer in question.answers} <= {None, *Kind}


def test_formulas_of_keys_give_what_is_asked_for() -> None:
    """In a drawn model of every task and state; a wrong formula in the data is named with its place."""
    for recipe in recipes().values():
        assert list(wrong_keys(recipe, random.Random(1))) == []
    recipe = recipes()["confounding"]
    crude = ReckonedFigure("P(Y=1 | X=1)", "the share", recipe.figures["crude"].kinds)
    ((place, text), *_) = wrong_keys(
        replace(recipe, figures={**recipe.figures, "crude": crude}), random.Random(1)
    )
    assert place == ("tasks", 0, "key")
    assert "'crude' is not what" in text


def test_numbers_are_written_without_rounding() -> None:
    """A number that would need more digits is refused."""
    assert exact_percent(Fraction(3, 8)) == "37.5%"
    assert shown(Fraction(3, 100), Display.POINTS) == "3 percentage points"
    assert shown(Fraction(5, 4), Display.NUMBER) == "1.25"
    for display in Display:
        with pytest.raises(Untellable):
            shown(Fraction(1, 3), display)


def test_shares_are_asked_for_with_their_opposites() -> None:
    """The share that left early is 100 % minus the share that stayed, in words, options and reasons."""
    recipe = recipes()["immortal_time"]
    case = TaskState(recipe, recipe.tasks[0], "listed")
    world = Worlds(case, random.Random(1), 1).world(0)
    route = Derived(world.scm)
    for ask in ("none", "every", "without", "others"):
        share, rest = (route.number(world.target(each)) for each in (ask, f"not {ask}"))
        assert share + rest == 1
        assert route.number(world.answer(f"not {ask}")) == rest
    questions = [draw(recipe, WARDS, 2, random.Random(seed)) for seed in range(60)]
    asked = [each for each in questions if each.state.split("/")[1].startswith("not ")]
    assert len(asked) > 10
    for each in asked:
        assert "left before the end" in each.stem.rsplit("\n\n", 1)[1]
        right = each.answers[0].why if isinstance(each, Draft) else each.why
        assert right.startswith("This is 100% minus (the share")


def test_a_level_without_questions_is_refused() -> None:
    """The levels that there are are named."""
    with pytest.raises(InvalidInput, match=r"no questions of level 7: choose from \[1, 2, 3, 4\]"):
        draw(recipes()["confounding"], WARDS, 7, random.Random(0))
