"""A document is checked against its shape and every problem is said in plain words."""

from __future__ import annotations

from pydantic import Field

from assay.files.marked_yaml import parse
from assay.files.shape import StrictShape, check, near, shown


class Inner(StrictShape):
    size: int = Field(description="a whole number")


class Outer(StrictShape):
    name: str = Field(description="a name")
    inner: Inner | None = Field(None, description="a mapping")
    parts: dict[str, Inner] = Field(default_factory=dict, description="parts by name")
    row: list[Inner] = Field(default_factory=list, description="a list of parts")


def told(text: str) -> list[str]:
    marked = parse(text, "f.yaml")
    check(marked, Outer)
    return [str(problem) for problem in marked.in_order()]


def test_a_good_document() -> None:
    """A document of the right shape has no problems."""
    marked = parse("name: x\nparts: {a: {size: 1}}", "f.yaml")
    made = check(marked, Outer)
    assert (made, marked.problems) == (Outer(name="x", parts={"a": Inner(size=1)}), [])


def test_every_problem_at_once_with_its_line() -> None:
    """Missing, unknown and mistyped keys are all told, wherever they stand."""
    text = "inner: {sise: 1}\nparts:\n  a: {size: big}\nrow:\n  - {size: 1}\n  - {size: 1.5}\n"
    assert told(text) == [
        "f.yaml:1: 'name' is missing: write a name",
        "f.yaml:1: 'inner.size' is missing: write a whole number",
        "f.yaml:1: unknown key 'inner.sise': did you mean 'size'?",
        "f.yaml:3: 'parts.a.size' is 'big': write a whole number",
        "f.yaml:6: 'row[1].size' is 1.5: write a whole number",
    ]


def test_an_empty_file_and_a_list() -> None:
    """A document that is no mapping is told what to hold."""
    assert (told(""), told("[1]")) == (
        ["f.yaml:1: the file is empty: write a mapping with `name`"],
        ["f.yaml:1: the file is [1]: write a mapping with `name`"],
    )


def test_values_like_keys_are_never_shown() -> None:
    """A message never repeats a value that looks like a secret."""
    secret = "sk-or-v1-" + "0123456789abcdef"
    assert secret not in "".join(told(f"name: x\nkey: {secret}\ninner: {{size: {secret}}}")) + shown([secret])


def test_near_misses() -> None:
    """The closest known name is proposed, or all of them where none is close."""
    assert [near("colour", ["color", "size"]), near("zzz", ["b", "a"]), near("x", [])] == [
        "did you mean 'color'?",
        "write one of a, b",
        "remove it",
    ]
