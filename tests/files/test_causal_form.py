"""A multiple-choice form is read from its folder whatever is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.causal.lint.problems import problems
from assay.causal.lint.raw import from_case, items
from assay.core.errors import NotFound
from assay.files.causal_form import read_form

CASE = """\
  - id: {id}
    subcategory: collider
    prompt: |
      Why do they seem {id}?

      A) One.
      B) Two.
      C) Three.
      D) Four.

      Answer: X
    graders:
      - choice: {{expect: {expect}}}
"""


def write(folder: Path, **files: str) -> Path:
    """Write a form with these use cases."""
    listed = ", ".join(f"{name}.yaml" for name in files)
    (folder / "suite.yaml").write_text(f"name: form\nuse_cases: [{listed}]\n")
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    return folder


def variant(name: str, *cases: tuple[str, str]) -> str:
    """Return one variant's file with cases of these ids and keys."""
    return f"name: {name}\ncases:\n" + "".join(CASE.format(id=key, expect=expect) for key, expect in cases)


def test_a_form_is_read_with_its_places(tmp_path: Path) -> None:
    """A case becomes a question: use case as variant, subcategory as concept, the choice as key."""
    form = read_form(write(tmp_path, base=variant("base", ("a", "B"), ("b", "C"))))
    raws = [from_case(case) for case in form.cases]
    assert form.problems == ()
    assert [raw.line for raw in raws] == [3, 16]
    assert [
        (item.id, item.variant, item.concept, item.stem, item.options[3], item.letter) for item in items(raws)
    ] == [
        ("a", "base", "collider", "Why do they seem a?", "Four.", "B"),
        ("b", "base", "collider", "Why do they seem b?", "Four.", "C"),
    ]


def test_what_the_strict_loader_would_stop_at_is_read(tmp_path: Path) -> None:
    """Duplicate ids, several keys and a key outside the options reach the checks, each with its place."""
    text = variant("base", ("a", "E"), ("a", "[A, B]"))
    form = read_form(write(tmp_path, base=text))
    found = [str(problem) for problem in problems([from_case(case) for case in form.cases])]
    place = tmp_path / "base.yaml"
    assert found[0] == f"{place}:3: 'a': its key 'E' is not among its options A, B, C, D"
    assert f"{place}:16: 'a': has several keys (A, B): exactly one option may be right" in found
    assert f"{place}:16: the id 'a' stands at {place}:3 too: rename one" in found
    assert any("has no trap and no transfer" in line for line in found)


def test_unreadable_parts_are_told_beside_the_rest(tmp_path: Path) -> None:
    """A broken file, a missing one and a case that is no mapping do not hide the cases of other files."""
    write(tmp_path, base=variant("base", ("a", "B")), trap="name: trap\ncases:\n  - 7\n", numeric="a: [")
    (tmp_path / "suite.yaml").write_text(
        "use_cases: [base.yaml, trap.yaml, numeric.yaml, gone.yaml, base.yaml]\n"
    )
    form = read_form(tmp_path)
    told = "\n".join(str(problem) for problem in form.problems)
    assert [case.id for case in form.cases] == ["a"]
    for words in (
        "trap.yaml:3: the case is 7",
        "numeric.yaml:2: not valid",
        "gone.yaml: cannot",
        "duplicate file",
    ):
        assert words in told


def test_missing_parts_are_none(tmp_path: Path) -> None:
    """A case with nothing in it is still a case, with everything missing."""
    text = "cases:\n  - {}\n  - {prompt: 5, graders: [{choice: {expect: 2, options: '123'}}]}\n"
    first, second = read_form(write(tmp_path, base=text)).cases
    assert (first.id, first.use_case, first.prompt, first.keys) == (None, None, None, ())
    assert (second.prompt, second.keys, second.letters) == (None, ("2",), "123")


def test_the_last_turn_is_the_question(tmp_path: Path) -> None:
    """A case written as messages is read as well."""
    text = "cases:\n  - messages: [{role: system, content: Hi.}, {role: user, content: Why?}]\n"
    assert read_form(write(tmp_path, base=text)).cases[0].prompt == "Why?"


def test_a_folder_without_a_manifest_is_no_form(tmp_path: Path) -> None:
    """The message says what a form is."""
    with pytest.raises(NotFound, match=r"suite\.yaml"):
        read_form(tmp_path)
