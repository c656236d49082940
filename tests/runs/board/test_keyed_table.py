"""Keyed boards read from the store: what counts as right, unread, invalid or an error; exclusions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from judged import Court, JudgedRun
from keyed_suite import keyed_suite
from ladder_suite import ladder_suite, wrong_on
from sqlalchemy import Engine

from assay.core.case import GraderSpec
from assay.core.errors import InvalidInput, NotFound
from assay.core.suite import Suite
from assay.runs.board.scores import board_scores
from assay.runs.board.stored import BoardRequest, StoredKeyedBoard, read_board


def asked(body: dict[str, Any]) -> tuple[str, str, str]:
    """Return the concept, the variant and the key that stand in a question."""
    concept, variant, key = body["messages"][-1]["content"].split()
    return concept, variant, key


def rightly(body: dict[str, Any]) -> str:
    """Answer with the key."""
    return f"ANSWER: {asked(body)[2]}"


def measured(
    engine: Engine, answer: Any = rightly, *, subjects: tuple[str, ...] = ("subject",), **parts: Any
) -> None:
    """Run the keyed suite over HTTP."""
    suite = parts.pop("suite", None) or keyed_suite()
    JudgedRun(engine, Court({}, answer), subjects=subjects, suite=suite).execute(**parts)


def keyed(engine: Engine, **options: Any) -> StoredKeyedBoard:
    """Read the board."""
    found = read_board(engine, BoardRequest("causal", **options), replicates=100)
    assert isinstance(found, StoredKeyedBoard)
    return found


def test_right_wrong_unread_invalid_and_errors(engine: Engine) -> None:
    """Numeric ones are not read, trap ones empty, transfer ones fail, analyst ones are wrong."""

    def answer(body: dict[str, Any]) -> Any:
        _, variant, key = asked(body)
        said = {"numeric": "I cannot say.", "trap": "", "transfer": 400}
        wrong = "ABCD"["ABCD".index(key) - 1]
        return said.get(variant, f"ANSWER: {wrong if variant == 'analyst' else key}")

    measured(engine, answer)
    (standing,) = keyed(engine).board.standings
    rights, counts = standing.rights, standing.rights.samples
    assert (counts.n, counts.ok, counts.invalid, counts.error, counts.ungraded) == (20, 12, 4, 4, 0)
    assert (rights.right, rights.unread) == (4, 4)
    assert (standing.rights.valid.value, standing.rights.overall.value) == (4 / 12, 4 / 20)
    assert standing.score == 4 / 16
    assert [part.rights.right for part in standing.variants] == [4, 0, 0, 0, 0]
    assert standing.consistency.left_out == 4


def test_a_better_model_stands_first(sqlite: Engine) -> None:
    """With its cost, tokens and every concept."""
    measured(
        sqlite,
        lambda body: rightly(body) if body["model"] == "good" else "ANSWER: A",
        subjects=("bad", "good"),
    )
    first, second = keyed(sqlite).board.standings
    assert (first.model, first.rights.valid.value, first.consistency.whole) == ("test/good", 1.0, 1.0)
    assert (second.rights.valid.value, second.usage.tokens.value, second.usage.cost) == (
        0.25,
        5.0,
        pytest.approx(0.02),
    )
    assert [part.name for part in first.concepts] == ["colliders", "confounding", "front-door", "mediators"]


def test_a_concept_may_have_a_name_of_its_own(sqlite: Engine) -> None:
    """`concept` in the metadata comes before the subcategory."""
    measured(sqlite, suite=keyed_suite(concept="concept"))
    assert len(keyed(sqlite).board.concepts) == 4


def without_concepts(suite: Suite) -> Suite:
    """Return the suite with no case in any concept."""
    return _changed(suite, metadata={})


def with_another_grader(suite: Suite) -> Suite:
    """Return the suite with a second grader on every case."""
    return _changed(
        suite, graders=(GraderSpec("choice", {"expect": "A"}), GraderSpec("exact", {"expect": "A"}))
    )


def _changed(suite: Suite, **parts: Any) -> Suite:
    use_cases = tuple(
        replace(each, cases=tuple(replace(case, **parts) for case in each.cases)) for each in suite.use_cases
    )
    return replace(suite, use_cases=use_cases)


def test_what_is_no_keyed_suite_is_told(sqlite: Engine) -> None:
    """Questions without a concept, and cases with two graders."""
    measured(sqlite, suite=without_concepts(keyed_suite(version="2")))
    with pytest.raises(InvalidInput, match=r"20 of 20 questions .* have no concept .*`subcategory`"):
        read_board(sqlite, BoardRequest("causal"))
    measured(sqlite, suite=with_another_grader(keyed_suite(version="3")))
    with pytest.raises(InvalidInput, match="not every case has `choice` as its only grader"):
        read_board(sqlite, BoardRequest("causal"))


def test_judges_have_no_say(sqlite: Engine) -> None:
    """Naming one is refused."""
    measured(sqlite)
    with pytest.raises(InvalidInput, match="leave --judge and --geval-judge out"):
        read_board(sqlite, BoardRequest("causal", judges=["test/kind"]))


def test_an_excluded_model_is_listed_and_does_not_count(sqlite: Engine) -> None:
    """Its run is named beside the reason; ranks are of the others; one that never ran is listed too."""
    measured(sqlite, subjects=("a", "b"))
    exclusions = {"causal": {"test/a": "retired API", "test/z": "paid tier only"}, "other": {"test/b": "why"}}
    found = keyed(sqlite, exclusions=exclusions)
    assert [(each.model, each.ranks.high) for each in found.board.standings if each.ranks] == [("test/b", 1)]
    assert [(each.model, each.reason, each.runs) for each in found.excluded] == [
        ("test/a", "retired API", (1,)),
        ("test/z", "paid tier only", ()),
    ]


def test_with_everybody_excluded_there_is_no_board(sqlite: Engine) -> None:
    """The message names who and why."""
    measured(sqlite)
    with pytest.raises(NotFound, match=r"is excluded .*\(test/subject: retired API\)"):
        keyed(sqlite, exclusions={"causal": {"test/subject": "retired API"}})


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_a_stopped_run_is_not_ranked(sqlite: Engine, visibility: str) -> None:
    """It says how many samples it has and how to go on; why it stopped may quote a question."""
    measured(sqlite, max_cost=0.005, suite=keyed_suite(visibility=visibility))
    with pytest.raises(NotFound, match=r"run 1 has \d+ of 20 samples \(`assay resume 1`\)$"):
        keyed(sqlite)


def test_open_numbers_count_with_chance_0_and_twins_apart(sqlite: Engine) -> None:
    """24 questions, of which 6 open ones; one original is wrong renamed, two are under pressure."""
    answer = wrong_on(
        "colliders-renamed",
        *("colliders-pressured", "selection-pressured"),
        "selection-numeric",
        *("confounding-undeterminable", "colliders-undeterminable"),
    )
    JudgedRun(sqlite, Court({}, answer), suite=ladder_suite()).execute()
    found = read_board(sqlite, BoardRequest("ladder"), replicates=100)
    assert isinstance(found, StoredKeyedBoard)
    (standing,) = found.board.standings
    assert (found.board.questions, found.board.chance) == (24, pytest.approx(18 * 0.25 / 24))
    assert (standing.rights.samples.n, standing.rights.right, standing.rights.unread) == (24, 23, 0)
    assert [(part.name, part.rights.right) for part in standing.levels] == [
        ("1", 6),
        ("2", 5),
        ("3", 6),
        ("4", 6),
    ]
    assert [(part.name, part.questions) for part in standing.rungs] == [
        ("association", 6),
        ("intervention", 6),
        ("counterfactual", 12),
    ]
    assert [part.name for part in standing.variants] == ["base", "numeric", "analyst", "trap"]
    assert standing.consistency.bundles == 6
    (twins,) = found.board.twins
    assert twins.renamed is not None
    assert twins.pressured is not None
    assert twins.undeterminable is not None
    assert twins.renamed.drop.value == pytest.approx(1 / 6)
    assert (twins.pressured.right, twins.pressured.flipped, twins.pressured.yielded.value) == (6, 2, 1 / 3)
    # the keys are A, C, B, D, C, D: colliders (A) is answered B, confounding (C) is answered D
    assert (twins.undeterminable.unsettled, twins.undeterminable.named.value) == (4, 0.75)
    assert (twins.undeterminable.refused.value, twins.undeterminable.false_refusals.value) == (1.0, 0.0)


def test_a_number_that_cannot_be_read_is_unread(sqlite: Engine) -> None:
    """As a letter is."""
    answer = wrong_on()

    def silent(body: dict[str, Any]) -> str:
        return "I cannot say." if "numeric" in body["messages"][-1]["content"] else answer(body)

    JudgedRun(sqlite, Court({}, silent), suite=ladder_suite()).execute()
    found = read_board(sqlite, BoardRequest("ladder"), replicates=100)
    assert isinstance(found, StoredKeyedBoard)
    assert (found.board.standings[0].rights.right, found.board.standings[0].rights.unread) == (18, 6)


def test_numbers_alone_make_no_board(sqlite: Engine) -> None:
    """A suite of sums, each with a subcategory, had none and has none."""
    suite = ladder_suite(twins=False)
    numbers = replace(suite, use_cases=(suite.use_case("numeric"),), digest="numbers")
    JudgedRun(sqlite, Court({}, wrong_on()), suite=numbers).execute()
    with pytest.raises(InvalidInput, match="not every case has `choice` as its only grader"):
        read_board(sqlite, BoardRequest("ladder"))


def test_the_scores_of_a_ranking_have_no_twins(sqlite: Engine) -> None:
    """`board:ladder` has the questions of the board."""
    JudgedRun(sqlite, Court({}, wrong_on()), subjects=("a", "b"), suite=ladder_suite()).execute()
    assert len(board_scores(sqlite, "ladder").table.items) == 24
