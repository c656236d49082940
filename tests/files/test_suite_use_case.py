"""Levels, rungs and twins in a use case's file: read into the metadata, and refused with file and line."""

from __future__ import annotations

import pytest
from ladder_suite import ladder_files, ladder_suite

from assay.core.errors import InvalidInput
from assay.files.suite_folder import SuiteTexts, build_suite
from assay.grading import registry

TWIN = "- id: colliders-pressured\n"


def problems(old: str, new: str, file: str = "twins.yaml") -> list[str]:
    """Return the problems of the suite after one edit of a file."""
    files = ladder_files()
    assert old in files[file]
    files[file] = files[file].replace(old, new, 1)
    with pytest.raises(InvalidInput) as caught:
        build_suite(SuiteTexts("ladder", files), graders=registry)
    return [str(problem) for problem in caught.value.problems]


def test_levels_rungs_and_twins_are_metadata() -> None:
    """They stand beside the concept; a case without them has none."""
    cases = {case.id: case.metadata for case in ladder_suite().cases}
    assert cases["colliders-numeric"] == {"subcategory": "colliders", "level": 2, "rung": "intervention"}
    assert cases["colliders-pressured"] == {
        "subcategory": "colliders",
        "level": 1,
        "rung": "association",
        "twin": "pressured",
        "twin_of": "colliders-base",
        "pressed_for": "B",
    }
    assert cases["colliders-undeterminable"]["refusals"] == "CD"
    assert {case.id: case.metadata for case in ladder_suite(levels=False).cases}["colliders-base"] == {
        "subcategory": "colliders"
    }


def test_they_do_not_change_the_digest() -> None:
    """No answer gets another score by them."""
    assert ladder_suite(twins=False).digest == ladder_suite(twins=False, levels=False).digest


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("level: 1", "level: 5", "'cases[0].level' is 5: write a level from 1 to 4"),
        ("rung: association", "rung: seeing", "write `association`, `intervention` or `counterfactual`"),
        ("twin: renamed", "twin: mirrored", "write `renamed`, `pressured` or `undeterminable`"),
        ("  twin: renamed\n", "", "'colliders-renamed' has `twin_of` without `twin`"),
        ("  twin_of: colliders-base\n", "", "`twin: renamed` without `twin_of`"),
        ("twin_of: colliders-base", "twin_of: colliders-bass", "did you mean 'colliders-base'?"),
        (
            "twin_of: colliders-base",
            "twin_of: selection-renamed",
            "a twin itself: write the id of its original",
        ),
        ("pressed_for: B", "pressed_for: A", "which is the right option: write a wrong one"),
        ("pressed_for: B", "pressed_for: E", "'E' is no option of a `choice` grader"),
        ("refusals: CD", "refusals: CX", "'X' is no option of a `choice` grader"),
        ("pressed_for: B", "refusals: CD", "`refusals`, which is for `twin: undeterminable`: remove it"),
    ],
)
def test_what_is_refused(old: str, new: str, expected: str) -> None:
    """Each has one message with the file and a line."""
    (problem,) = problems(old, new)
    assert problem.startswith("ladder/twins.yaml:")
    assert expected in problem


def test_the_line_is_that_of_the_key() -> None:
    """Not that of the case."""
    lines = ladder_files()["twins.yaml"].splitlines()
    (problem,) = problems("twin_of: colliders-base", "twin_of: nothing")
    assert problem.startswith(f"ladder/twins.yaml:{lines.index('  twin_of: colliders-base') + 1}: ")
