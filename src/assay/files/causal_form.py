"""Reading a multiple-choice form from a suite's folder leniently, to list all faults at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from assay.core.case import LETTERS, WrittenCase
from assay.core.errors import NotFound, Problem
from assay.files.form_record import CHOICE
from assay.files.marked_yaml import Marked, Place, read
from assay.files.shape import shown
from assay.files.suite_folder import MANIFEST


@dataclass(frozen=True, slots=True)
class WrittenForm:
    """The cases in the order of their files, and the problems of those that could not be read."""

    cases: tuple[WrittenCase, ...]
    problems: tuple[Problem, ...]


def read_form(path: Path) -> WrittenForm:
    """Read the cases of a suite's folder, valid or not.

    In a form the use case's `name` is the variant and the case's `subcategory` is the concept. Raises
    NotFound if the folder has no `suite.yaml`.
    """
    if not (path / MANIFEST).is_file():
        raise NotFound(f"no form at {str(path)!r}: give a folder with a {MANIFEST}")
    manifest = read(path / MANIFEST, str(path / MANIFEST))
    files = [read(path / name, str(path / name)) for name in _listed(manifest)]
    cases = tuple(case for marked in files for case in _cases(marked))
    return WrittenForm(cases, tuple(problem for file in (manifest, *files) for problem in file.in_order()))


def _listed(manifest: Marked) -> Iterator[str]:
    if manifest.value is None and manifest.problems:
        return
    listed = manifest.value.get("use_cases") if isinstance(manifest.value, dict) else None
    if not isinstance(listed, list) or not listed:
        manifest.refuse("'use_cases' is empty or not a list: write the file of each variant", ("use_cases",))
        return
    seen: set[str] = set()
    for position, name in enumerate(listed):
        place = ("use_cases", position)
        if not isinstance(name, str) or not name:
            manifest.refuse(f"the file is {shown(name)}: write its name, such as `base.yaml`", place)
        elif PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            manifest.refuse(f"the file {name!r} is outside the suite: give one inside its folder", place)
        elif name in seen:
            manifest.refuse(f"duplicate file {name!r}: keep one of them", place)
        else:
            seen.add(name)
            yield name


def _cases(marked: Marked) -> Iterator[WrittenCase]:
    if marked.value is None and marked.problems:
        return
    top = marked.value if isinstance(marked.value, dict) else {}
    listed = top.get("cases")
    if not isinstance(listed, list) or not listed:
        marked.refuse("'cases' is empty or not a list: write the questions of the variant", ("cases",))
        return
    for position, given in enumerate(listed):
        place = ("cases", position)
        if isinstance(given, dict):
            yield _case(marked, _text(top.get("name")), given, place)
        else:
            text = f"the case is {shown(given)}: write a mapping with `id`, `prompt` and `graders`"
            marked.refuse(text, place)


def _case(marked: Marked, use_case: str | None, given: dict[str, Any], place: Place) -> WrittenCase:
    choices = list(_choices(given.get("graders")))
    letters = {str(choice["options"]).upper() for choice in choices if choice.get("options")}
    return WrittenCase(
        id=_text(given.get("id")),
        use_case=use_case,
        subcategory=_text(given.get("subcategory")),
        prompt=_prompt(given),
        keys=tuple(key for choice in choices for key in _keys(choice.get("expect"))),
        letters=max(letters, key=len, default=LETTERS),
        file=marked.file,
        line=marked.line(place),
    )


def _choices(graders: object) -> Iterator[dict[str, Any]]:
    for grader in graders if isinstance(graders, list) else []:
        if isinstance(grader, dict) and isinstance(grader.get(CHOICE), dict):
            yield grader[CHOICE]


def _keys(expect: object) -> tuple[str, ...]:
    """Return the keys in any of the ways to write them: `B`, `BC`, `B, C`, `[B, C]`."""
    given = expect if isinstance(expect, list) else [expect]
    return tuple(
        letter for text in given if text is not None for letter in str(text).upper() if letter.isalnum()
    )


def _prompt(given: dict[str, Any]) -> str | None:
    """Return the text of the question: `prompt`, or the last of `messages`."""
    prompt = given.get("prompt")
    turns = given.get("messages")
    if prompt is None and isinstance(turns, list) and turns and isinstance(turns[-1], dict):
        prompt = turns[-1].get("content")
    return prompt.rstrip("\n") if isinstance(prompt, str) else None


def _text(value: object) -> str | None:
    """Return a text or number as text, None for anything else and for blanks."""
    return None if value is None or isinstance(value, dict | list) else str(value).strip() or None
