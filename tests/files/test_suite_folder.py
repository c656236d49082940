"""A suite is loaded from its folder, or refused with every problem of every file."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.core.ask import Message
from assay.core.case import Exemplar, GraderSpec, Grading
from assay.core.errors import InvalidInput, NotFound
from assay.core.suite import Thresholds
from assay.files.suite_folder import Graders, built_in_suites, find_suite, load_suite
from assay.grading import registry


def problems(folder: Path, graders: Graders) -> list[str]:
    """The problems of a suite, with file names relative to its folder."""
    with pytest.raises(InvalidInput) as caught:
        load_suite(folder, graders=graders)
    return [str(problem).replace(f"{folder}/", "") for problem in caught.value.problems]


def test_a_suite_in_the_order_of_its_manifest(write_suite, graders) -> None:
    """Use cases and cases keep the order in which they are written."""
    suite = load_suite(write_suite(), graders=graders)
    assert [(case.use_case, case.id) for case in suite.cases] == [("maths", "sum"), ("letters", "thanks")]


def test_a_case_in_full(write_suite, graders) -> None:
    """System text, turns, graders with weights, the copied rubric and exemplars all arrive."""
    case = load_suite(write_suite(), graders=graders).cases[1]
    assert (case.messages, case.graders, case.exemplars, case.max_tokens) == (
        (
            Message("system", "You are polite."),
            Message("user", "Write a letter."),
            Message("assistant", "To whom?"),
            Message("user", "My aunt."),
        ),
        (
            GraderSpec("exact", {"expect": "Dear aunt"}, 2.0),
            GraderSpec(
                "rubric",
                {"rubric": "5: warm. 1: cold.", "criteria": "Thanks her for the gift."},
                judged=True,
            ),
        ),
        (Exemplar("Dear aunt", 1.0, 5.0), Exemplar("Hi", 0.0, 1.0)),
        500,
    )


def test_use_case_sampling_and_grading(write_suite, graders) -> None:
    """The manifest's sample counts and grading arrive."""
    found = load_suite(write_suite(), graders=graders).use_case("letters")
    assert (found.base, found.full, found.grading, found.weights) == (3, 5, Grading.HYBRID, (0.5, 0.5))


def test_thresholds_default_to_the_seed(write_suite, graders) -> None:
    """A manifest without thresholds has the seed's; one that overrides some keeps the rest."""
    plain = load_suite(write_suite(), graders=graders).thresholds
    changed = ("suite.yaml", "", "thresholds: {judged: {floor: 3}, window_days: 28}\n")
    own = load_suite(write_suite(changed), graders=graders).thresholds
    assert (plain, own.judged.floor, own.judged.cooked_z, own.window_days) == (Thresholds(), 3, -3.5, 28)


def test_every_problem_of_every_file_at_once(write_suite, graders) -> None:
    """One refusal lists all that is wrong, in the order of files and lines, with what to write."""
    folder = write_suite(
        ("suite.yaml", "version: 1.0.0", "versoin: 1.0.0"),
        ("maths.yaml", "exact", "exat"),
        ("maths.yaml", "score: 1.0", "score: 7"),
        ("letters.yaml", "expect: Dear aunt", "bad: 1"),
        ("letters.yaml", "weight: 2", "weight: -2"),
    )
    assert problems(folder, graders) == [
        "suite.yaml:1: 'version' is missing: write a version as text, such as `2.0.0` (in quotes where it "
        'has one dot: "2.0")',
        "suite.yaml:2: unknown key 'versoin': did you mean 'version'?",
        "maths.yaml:10: unknown grader 'exat': did you mean 'exact'?",
        "maths.yaml:12: 'cases[0].exemplars[0].score' is 7: write the score that the mechanical graders must "
        "give, from 0 to 1",
        "letters.yaml:16: 'exact': 'bad' is not known",
        "letters.yaml:17: 'weight' is -2: write a number above 0, or 0 for a grader that only flags",
    ]


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (
            ("letters.yaml", "id: thanks", "id: sum"),
            "letters.yaml:8: duplicate case id 'sum' (also at maths.yaml:6): rename one",
        ),
        (
            ("letters.yaml", "name: letters", "name: maths"),
            "letters.yaml:1: duplicate use case 'maths' (also in 'maths.yaml'): rename one",
        ),
        (
            ("suite.yaml", "letters.yaml]", "letters.yaml, maths.yaml]"),
            "suite.yaml:6: duplicate file 'maths.yaml': keep one of them",
        ),
        (
            ("suite.yaml", "letters.yaml]", "letters.yaml, ../x.yaml]"),
            "suite.yaml:6: the file '../x.yaml' is outside the suite: write a file inside its folder",
        ),
        (
            ("maths.yaml", "base: 1", "base: 4"),
            "maths.yaml:4: 'samples.base' is 4, above full (3): raise full",
        ),
        (
            ("maths.yaml", "    prompt: |\n      What is 2 + 2?\n", ""),
            "maths.yaml:6: the case 'sum' needs `prompt` or `messages`: write one",
        ),
        (
            ("letters.yaml", "role: user, content: My", "role: assistant, content: My"),
            "letters.yaml:13: the role of the last turn is `assistant`: end with a turn of the user",
        ),
        (
            ("letters.yaml", "role: user, content: Write", "role: system, content: Write"),
            "letters.yaml:9: the case 'thanks' has `system` and a first turn with the role `system`: "
            "keep one",
        ),
        (
            ("maths.yaml", 'exact: {expect: "4"}', "exact: 4"),
            "maths.yaml:10: the parameters of 'exact' are 4: write a mapping, `exact: {...}`",
        ),
        (
            ("maths.yaml", '- exact: {expect: "4"}', "- exact"),
            "maths.yaml:10: the grader is 'exact': write its name with its parameters, as in `exact: {...}`",
        ),
        (
            ("maths.yaml", '- exact: {expect: "4"}', "- {exact: {}, rubric: {}}"),
            "maths.yaml:10: the entry has 2 graders (exact, rubric): start each grader with `-`",
        ),
        (
            ("maths.yaml", 'exact: {expect: "4"}', "rubric: {}"),
            "maths.yaml:10: 'rubric' asks a judge in a deterministic use case: write `hybrid` or `judge`",
        ),
        (
            ("maths.yaml", "samples:", "weights: {checks: 0.5, judge: 0.5}\nsamples:"),
            "maths.yaml:4: 'weights' have no effect in a deterministic use case: remove them, or "
            "make it hybrid",
        ),
        (
            ("letters.yaml", "rubric: |", "weights: {checks: 0.5, judge: 0.6}\nrubric: |"),
            "letters.yaml:5: the sum of 'weights' is 1.1: write two shares with the sum 1",
        ),
        (
            ("suite.yaml", "{temperature: 0}", "{reasoning: {effort: low, max_tokens: 9}}"),
            "suite.yaml:5: 'parameters.reasoning' has both `effort` and `max_tokens`: keep one",
        ),
        (
            ("suite.yaml", "{temperature: 0}", "{max_tokens: 9}"),
            "suite.yaml:5: 'parameters.max_tokens' has no effect: write `max_tokens` in each case",
        ),
        (
            ("suite.yaml", "", "thresholds: {judged: {cooked_z: -1}}\n"),
            "suite.yaml:7: cooked_z (-1) is above suspicious_z (-2.5): lower it",
        ),
        (
            ("suite.yaml", "", "thresholds: {judged: {cooked_drop: 0.5}}\n"),
            "suite.yaml:7: suspicious_drop, cooked_drop, collapse_drop are (0.15, 0.5, 0.4): "
            "write them in rising order",
        ),
        (
            ("suite.yaml", "", "thresholds: {least_days: 15}\n"),
            "suite.yaml:7: least_days is 15: write 2 to window_days (14)",
        ),
    ],
)
def test_what_a_suite_refuses(edit: tuple[str, str, str], expected: str, write_suite, graders) -> None:
    """Each contradiction is refused with its place and what to write instead."""
    assert problems(write_suite(edit), graders) == [expected]


def test_a_missing_use_case_file(write_suite, graders) -> None:
    """A file that the manifest lists and the folder lacks is named."""
    folder = write_suite()
    (folder / "maths.yaml").unlink()
    [problem] = problems(folder, graders)
    assert problem.startswith("maths.yaml: cannot read the file (no such file or directory)")


def test_case_weights_override_their_use_case(write_suite, graders) -> None:
    """A hybrid case may weigh checks and judge otherwise."""
    edit = ("letters.yaml", "    max_tokens", "    weights: {checks: 0.8, judge: 0.2}\n    max_tokens")
    suite = load_suite(write_suite(edit), graders=graders)
    assert [case.weights for case in suite.cases] == [None, (0.8, 0.2)]


@pytest.mark.parametrize(
    "edit",
    [
        ("suite.yaml", "A small suite", "Another title"),
        ("suite.yaml", "", "canary: assay-canary-1\n"),
        ("suite.yaml", "", "thresholds: {window_days: 21}\n"),
        ("maths.yaml", "base: 1", "base: 2"),
        ("maths.yaml", 'answer: "5"', 'answer: "6"'),
        ("maths.yaml", "    prompt", "    tags: [easy]\n    prompt"),
    ],
)
def test_what_leaves_the_digest_alone(edit: tuple[str, str, str], write_suite, graders) -> None:
    """Titles, canaries, thresholds, sample counts, tags and plain exemplars alter no score, so no digest."""
    before = load_suite(write_suite(), graders=graders).digest
    assert load_suite(write_suite(edit), graders=graders).digest == before


@pytest.mark.parametrize(
    "edit",
    [
        ("suite.yaml", "name: small", "name: other"),
        ("suite.yaml", "version: 1.0.0", "version: 1.1.0"),
        ("suite.yaml", "temperature: 0", "temperature: 1"),
        ("suite.yaml", "[maths.yaml, letters.yaml]", "[letters.yaml, maths.yaml]"),
        ("suite.yaml", "", "judge: openai/gpt-4o\n"),
        ("maths.yaml", "2 + 2", "2 + 3"),
        ("maths.yaml", "expect", "accept"),
        ("letters.yaml", "cold", "icy"),
        ("letters.yaml", "weight: 2", "weight: 3"),
        ("letters.yaml", "max_tokens: 500", "max_tokens: 501"),
        ("letters.yaml", "answer: Hi", "answer: Hello"),
        ("letters.yaml", "marks: 1", "marks: 2"),
        ("letters.yaml", "rubric: |", "weights: {checks: 0.4, judge: 0.6}\nrubric: |"),
    ],
)
def test_what_changes_the_digest(edit: tuple[str, str, str], write_suite, graders) -> None:
    """Prompts, graders, rubrics, calibration exemplars and parameters make another digest."""
    before = load_suite(write_suite(), graders=graders).digest
    assert load_suite(write_suite(edit), graders=graders).digest != before


def test_a_mended_grader_changes_the_digest(write_suite, graders) -> None:
    """The declared version of each grader used is part of the digest."""
    before = load_suite(write_suite(), graders=graders).digest
    graders.versions["exact"] = "2"
    assert load_suite(write_suite(), graders=graders).digest != before


def test_the_layout_of_yaml_leaves_the_digest_alone(write_suite, graders) -> None:
    """Comments, quotes and block style are no content."""
    before = load_suite(write_suite(), graders=graders).digest
    edit = ("maths.yaml", "    prompt: |\n      What is 2 + 2?\n", '    prompt: "What is 2 + 2?" # easy\n')
    assert load_suite(write_suite(edit), graders=graders).digest == before


def test_no_suite_there(tmp_path: Path, graders) -> None:
    """A folder without a manifest is not found."""
    with pytest.raises(NotFound, match=r"suite\.yaml"):
        load_suite(tmp_path, graders=graders)


def test_a_suite_is_found_by_path(write_suite) -> None:
    """The folder, or the manifest in it, names a suite."""
    folder = write_suite()
    assert {find_suite(str(folder)), find_suite(str(folder / "suite.yaml"))} == {folder}


def test_an_unknown_suite_names_what_there_is() -> None:
    """A name that is neither built in nor a folder is not found."""
    with pytest.raises(NotFound, match="'dayly'"):
        find_suite("dayly")


def test_the_registry_fits() -> None:
    """The registry of graders is what loading takes."""
    fits: Graders = registry
    assert "rubric" in fits.names()


def test_every_built_in_suite_loads() -> None:
    """What ships with Assay has no problems."""
    assert [load_suite(find_suite(name), graders=registry).name for name in built_in_suites()] == list(
        built_in_suites()
    )
