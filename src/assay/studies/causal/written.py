"""Reading a form back: every fault of a hand-written one at once, and its questions as items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from assay.causal.item import Item
from assay.causal.lint.problems import problems
from assay.causal.lint.raw import Raw, from_case, items
from assay.core.case import LETTERS, WrittenCase
from assay.core.errors import InvalidInput
from assay.core.suite import Suite
from assay.files.causal_form import read_form
from assay.files.form_record import CHOICE, SEALED_SUFFIX, TWINS, record_of
from assay.files.suite_folder import SuiteTexts, build_suite, find_suite
from assay.files.suite_seal import environment_key, open_suite, unseal
from assay.grading import registry


def form_items(form: str, environment: Mapping[str, str]) -> tuple[Item, ...]:
    """Return the questions of a form: a built-in suite's name, a folder, or a sealed file.

    InvalidInput with every problem and its place, NotFound where there is no form.
    """
    path = find_suite(form)
    sealed = path.suffix == SEALED_SUFFIX and path.is_file()
    if is_generated(path):
        suite = open_suite(path, graders=registry, environment=environment)
        return items([from_case(case) for case in _cases(suite) if case.keys and case.use_case != TWINS])
    raws = _sealed(path, environment) if sealed else _folder(path)
    if found := problems(raws):
        raise InvalidInput(found)
    return items(raws)


def is_generated(path: Path) -> bool:
    """Return whether a form has a record: then its open questions and twins are not linted."""
    return record_of(path).is_file()


def _folder(path: Path) -> Sequence[Raw]:
    written = read_form(path)
    raws = [from_case(case) for case in written.cases]
    if written.problems:
        raise InvalidInput((*written.problems, *problems(raws)))
    return raws


def _sealed(path: Path, environment: Mapping[str, str]) -> Sequence[Raw]:
    texts = unseal(path, key=environment_key(environment))
    return [
        from_case(case) for case in _cases(build_suite(SuiteTexts(str(path), texts.texts), graders=registry))
    ]


def _cases(suite: Suite) -> Iterator[WrittenCase]:
    for case in suite.cases:
        choices = [spec.parameters for spec in case.graders if spec.name == CHOICE]
        yield WrittenCase(
            id=case.id,
            use_case=case.use_case,
            subcategory=case.metadata.get("subcategory"),
            prompt=case.messages[-1].content,
            keys=tuple(str(choice["expect"]).upper() for choice in choices),
            letters=str(next((choice["options"] for choice in choices if "options" in choice), LETTERS)),
            file=suite.name,
            line=None,
        )
