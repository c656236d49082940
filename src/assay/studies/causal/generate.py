"""Making a form: drawn from a seed until gross luck has not spoiled it, written open or sealed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import orjson

from assay.causal.concept import Concept
from assay.causal.concepts.registry import CONCEPTS
from assay.causal.form import GENERATOR, Form, form
from assay.causal.item import Item
from assay.causal.lint.form import lint_form
from assay.causal.solvers.bands import BANDS, Band
from assay.causal.solvers.solver import Solver
from assay.core.errors import AssayError, Conflict, InvalidInput
from assay.files.atomic import write_whole
from assay.files.form_record import RECORD, SEALED_SUFFIX
from assay.files.suite_folder import SuiteTexts
from assay.files.suite_seal import Header, seal_texts
from assay.grading import registry
from assay.results.causal import FormLint, FormRecord, RejectedForm
from assay.results.published import document
from assay.studies.causal.texts import FormLabel, content_digest, form_texts

MOST_RETRIES = 50
LEAST_SECRET = 20
"""Characters of a sealed form's seed: whoever guesses the seed has every key."""

Step = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Made:
    """A form that passed its lint, and the lints of the forms drawn before it that did not."""

    form: Form
    lint: FormLint
    rejected: tuple[FormLint, ...]


def make_form(
    seed: str,
    *,
    concepts: Sequence[Concept] = CONCEPTS,
    bands: Mapping[Solver, Band] = BANDS,
    step: Step = lambda: None,
) -> Made:
    """Draw forms from a seed until one passes its lint.

    Raises Disagreement or Unproved where a key is not proved, and AssayError when no form passes.
    """
    rejected: list[FormLint] = []
    for retry in range(MOST_RETRIES):
        drawn = form(seed, retry, concepts=concepts, bands=bands, step=step)
        found = linted(drawn.items)
        if found.passed:
            return Made(drawn, found, tuple(rejected))
        rejected.append(found)
    raise AssayError(f"{MOST_RETRIES} forms from one seed failed their lint: the generator leaks, report it")


def linted(items: Sequence[Item], *, alike: bool = True) -> FormLint:
    """Lint a form, `alike` as in `lint_form`; what is random is seeded with the form's own content."""
    return lint_form(items, rng=np.random.default_rng(int(content_digest(items)[:16], 16)), alike=alike)


def check_place(folder: Path, *, seed: str | None, seal: bool) -> None:
    """Refuse, before anything is drawn, a place that is taken or a sealed form's seed that can be guessed.

    Raises Conflict for a folder with content or a file that exists, InvalidInput for a short seed.
    """
    if not seal:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise Conflict(f"{str(folder)!r} is not empty: name a new folder")
        return
    if (target := sealed_place(folder)).exists():
        raise Conflict(f"{str(target)!r} exists: name another")
    if seed is not None and len(seed) < LEAST_SECRET:
        raise InvalidInput(
            f"the seed has {len(seed)} characters, and whoever guesses it has every key: give "
            f"{LEAST_SECRET} or more, or leave --seed out to draw one"
        )


def write_form(made: Made, folder: Path, label: FormLabel) -> tuple[Path, ...]:
    """Write a form into a new or empty folder; return its files. Raises as `write_texts`."""
    return write_texts(form_texts(made.form, label), record(made, seed=made.form.seed), folder, label)


def seal_form(made: Made, folder: Path, label: FormLabel, *, key: bytes) -> tuple[Header, Path]:
    """Encrypt a form into `FOLDER.sealed`; raises as `seal_form_texts`."""
    check_place(folder, seed=made.form.seed, seal=True)
    return seal_form_texts(form_texts(made.form, label), record(made, seed=None), folder, key=key)


def write_texts(
    texts: Mapping[str, str], about: FormRecord, folder: Path, label: FormLabel
) -> tuple[Path, ...]:
    """Write a form's texts and its record into a new or empty folder; return its files.

    Raises Conflict for a folder with content.
    """
    check_place(folder, seed=None, seal=False)
    folder.mkdir(parents=True, exist_ok=True)
    mode = 0o600 if label.visibility == "private" else 0o666
    files = {**texts, RECORD: _text(about)}
    for name, text in files.items():
        write_whole(folder / name, text.encode(), mode=mode)
    return tuple(folder / name for name in files)


def seal_form_texts(
    texts: Mapping[str, str], about: FormRecord, folder: Path, *, key: bytes
) -> tuple[Header, Path]:
    """Encrypt a form's texts into `FOLDER.sealed`, never writing them in the clear; its record lies beside.

    `about` must tell neither the seed nor a question. Raises Conflict for a file that exists.
    """
    check_place(folder, seed=None, seal=True)
    target = sealed_place(folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    header = seal_texts(SuiteTexts(str(target), dict(texts)), target, key=key, graders=registry)
    write_whole(target.with_name(f"{target.name}.{RECORD}"), _text(about).encode())
    return header, target


def sealed_place(folder: Path) -> Path:
    """Return the path of the sealed file that a form is written to instead of a folder."""
    return folder.with_name(folder.name + SEALED_SUFFIX)


def record(made: Made, *, seed: str | None) -> FormRecord:
    """Return what is published of a form beside its questions: how made, how hard, after how many retries."""
    items = made.form.items
    return FormRecord(
        generator=GENERATOR,
        seed=seed,
        seed_sha256=hashlib.sha256(made.form.seed.encode()).hexdigest(),
        retries=made.form.retry,
        rejected=tuple(
            RejectedForm(retry, tuple(finding.text for finding in lint.findings))
            for retry, lint in enumerate(made.rejected)
        ),
        redraws=made.form.redraws,
        questions=len(items),
        bundles=len({item.concept for item in items}),
        content_sha256=content_digest(items),
        chance=sum(1 / len(item.options) for item in items) / len(items),
        solvers={solver.value: round(made.form.expected(solver), 4) for solver in Solver},
    )


def _text(record: FormRecord) -> str:
    return orjson.dumps(document(record), option=orjson.OPT_INDENT_2).decode() + "\n"
