"""Prompting: every mode asks for reasons, in the question's language, and gives nothing away."""

from __future__ import annotations

import hashlib
import math
from importlib.resources import files
from itertools import combinations, pairwise, permutations, product
from typing import Any

import pytest
from every_row import every_row

from assay.core.exam import Prompting
from assay.core.question import Language, Question, QuestionKind
from assay.questions.prompting import LANGUAGES, exemplars, exemplars_for, messages, prompting_version
from assay.questions.taxonomy import disciplines

PINNED = (
    "en 1, zh 1, exemplars 2",
    "c8fb4e42d9168cc87df5efcad47e67993875448539fa1e177a4242924f614c10",
)
REASONS = {"en": ("reasons",), "zh": ("理由", "为什么")}


def make_question(**parts: Any) -> Question:
    settled = {"uuid": "u", "kind": QuestionKind.SHORT_ANSWER, "stem": "Who came?", "discipline": "history"}
    return Question(**{**settled, **parts})


def said(question: Question, prompting: Prompting) -> str:
    (message,) = messages(question, prompting)
    assert message.role == "user"
    return message.content


@every_row("language", LANGUAGES)
@every_row("kind, prompting", list(product(QuestionKind, Prompting)))
def test_every_mode_asks_for_reasons(kind: QuestionKind, prompting: Prompting, language: Language) -> None:
    """Stars judge the explanation too, so whatever the kind, mode and language, reasons are asked for."""
    text = said(make_question(kind=kind, language=language), prompting)
    own = text[text.rindex({"en": "Question:", "zh": "问题："}[language]) :] if "few" in prompting else text
    assert any(word in own for word in REASONS[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_is_put_in_its_own_language(language: Language) -> None:
    """The fixed words of an English question hold no Chinese, those of a Chinese one no English sentence."""
    texts = [
        said(make_question(kind=kind, stem="", language=language, passage="1", options=("2",)), prompting)
        for kind, prompting in product(QuestionKind, Prompting)
    ]
    chinese = [any("一" <= letter <= "鿿" for letter in text) for text in texts]
    assert set(chinese) == {language == "zh"}
    assert language == "en" or not any(" the " in text or "Answer" in text for text in texts)


def test_passage_stem_and_lettered_options_stand_in_that_order() -> None:
    """A choice about a material shows the material, the question, then every option with its letter."""
    question = make_question(
        kind=QuestionKind.MULTIPLE_CHOICE, passage="The old bridge fell.", options=("wind", "rust", "load")
    )
    text = said(question, Prompting.ZERO_SHOT)
    places = [text.index(part) for part in ("The old bridge fell.", "Who came?", "A. wind\nB. rust\nC. load")]
    assert places == sorted(places)


@pytest.mark.parametrize(("language", "told"), [("en", "or more than one"), ("zh", "也可能不止一项")])
def test_a_choice_leaves_open_how_many_options_are_right(language: Language, told: str) -> None:
    """Nothing a candidate sees tells whether one or several keys are right."""
    question = make_question(kind=QuestionKind.MULTIPLE_CHOICE, options=("a", "b"), language=language)
    assert all(told in said(question, prompting) for prompting in Prompting)


def test_steps_are_asked_for_by_chain_of_thought_alone() -> None:
    """Chain of thought is the plain question, followed by the request to think in steps."""
    plain, steps = (said(make_question(), mode) for mode in (Prompting.ZERO_SHOT, Prompting.CHAIN_OF_THOUGHT))
    assert steps.startswith(plain)
    assert "step by step" in steps
    assert "step by step" not in plain + said(make_question(), Prompting.FEW_SHOT)


def test_few_shot_shows_answered_exemplars_and_ends_where_the_answer_begins() -> None:
    """Every exemplar stands with its answer, the question comes last, open."""
    text = said(make_question(), Prompting.FEW_SHOT)
    assert all(one.question.stem in text and one.answer in text for one in exemplars("en"))
    assert text.endswith("Who came?\n\nAnswer:")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_exemplar_is_of_the_questions_own_discipline(language: Language) -> None:
    """Five or six exemplars are left when the question's own discipline is taken out, whichever it is."""
    assert {one.question.discipline for one in exemplars(language)} <= {each.code for each in disciplines()}
    for discipline in ("law", "medicine", "history", "science"):
        shown = exemplars_for(make_question(discipline=discipline, language=language))
        assert 4 <= len(shown) <= 6
        assert discipline not in {one.question.discipline for one in shown}


def test_a_question_is_never_its_own_exemplar() -> None:
    """A bank's question that equals an exemplar is not answered in its own prompt."""
    first = exemplars("en")[0]
    text = said(make_question(stem=f" {first.question.stem}\n"), Prompting.FEW_SHOT)
    assert first.answer not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_exemplars_vary(language: Language) -> None:
    """Five kinds and six disciplines, so that no one manner is copied."""
    listed = exemplars(language)
    assert len({one.question.discipline for one in listed}) == len(listed) == 6
    assert len({one.question.kind for one in listed}) == 5


def test_words_and_exemplars_do_not_change_under_one_version() -> None:
    """Whoever changes the texts raises their version, here and in the data."""
    folder = files("assay.questions") / "prompts" / "prompting"
    texts = [(folder / name).read_bytes() for name in ("en.md", "zh.md", "exemplars.json")]
    assert (prompting_version(), hashlib.sha256(b"\0".join(texts)).hexdigest()) == PINNED


def test_the_tree_exemplar_is_true_of_every_small_graph() -> None:
    """However the weights 1 to 6 lie on four vertices' edges, one of the spanning trees is the lightest."""
    edges = list(combinations(range(4), 2))
    trees = [tree for tree in combinations(edges, 3) if _connected(tree)]
    for order in permutations(range(1, 7)):
        weights = dict(zip(edges, order, strict=True))
        totals = [sum(weights[edge] for edge in tree) for tree in trees]
        assert totals.count(min(totals)) == 1
    assert exemplars("en")[0].answer.startswith("True")


def test_the_syllogism_exemplar_is_false() -> None:
    """Of all worlds of three things one makes both premises true and the conclusion false."""
    kinds = list(product((False, True), repeat=3))
    worlds = product(kinds, repeat=3)
    assert any(
        all(b for a, b, _ in world if a)
        and any(b and c for _, b, c in world)
        and any(a for a, _, _ in world)
        and not any(a and c for a, _, c in world)
        for world in worlds
    )
    assert exemplars("en")[1].answer.startswith("False")


@pytest.mark.parametrize(("language", "right"), [("en", "A and C."), ("zh", "A和C。")])
def test_the_dice_exemplar_names_the_independent_events(language: Language, right: str) -> None:
    """Counting all 36 throws leaves the first and third event independent of a sum of 7."""
    throws = list(product(range(1, 7), repeat=2))
    tests = (
        lambda red, blue: red == 3,
        lambda red, blue: red == blue,
        lambda red, blue: red % 2 == 0,
        lambda red, blue: (red + blue) % 2 == 0,
    )
    seven = {throw for throw in throws if sum(throw) == 7}
    events = [{throw for throw in throws if test(*throw)} for test in tests]
    independent = [36 * len(event & seven) == len(event) * len(seven) for event in events]
    assert independent == [True, False, True, False]
    assert exemplars(language)[2].answer.startswith(right)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_interest_exemplar_is_computed_rightly(language: Language) -> None:
    """Paying the interest in month by month gives the effective rate."""
    debts = [1.0]
    for _ in range(12):
        debts.append(debts[-1] + debts[-1] * 0.12 / 12)
    assert all(later > earlier for earlier, later in pairwise(debts))
    assert exemplars(language)[3].answer.startswith(f"{100 * (debts[-1] - 1):.2f}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_screening_exemplar_is_computed_rightly(language: Language) -> None:
    """Bayes' rule on the odds gives the share of true positives that the exemplar counts out."""
    odds = (1 / 99) * (0.90 / 0.05)
    share = odds / (1 + odds)
    assert f"{100 * share:.1f}" in exemplars(language)[4].answer
    assert math.isclose(share, 90 / 585)


def _connected(tree: tuple[tuple[int, int], ...]) -> bool:
    reached = {0}
    for _ in tree:
        reached |= {place for edge in tree if reached & set(edge) for place in edge}
    return len(reached) == 4
