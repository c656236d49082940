"""Writing a form: open into a folder, or sealed into one file, with the record of its making beside it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import orjson

from assay.causal.form import GENERATOR
from assay.causal.solvers.solver import Solver
from assay.core.errors import Conflict, InvalidInput
from assay.files.atomic import write_whole
from assay.files.form_record import RECORD, SEALED_SUFFIX
from assay.files.suite_folder import SuiteTexts
from assay.files.suite_seal import Header, seal_texts
from assay.grading import registry
from assay.results.causal import FormRecord, RejectedForm
from assay.results.published import document
from assay.studies.causal.generate import Made
from assay.studies.causal.texts import FormLabel, form_digest, form_texts

LEAST_SECRET = 20
"""Characters of a sealed form's seed: whoever guesses the seed has every key."""


def check_place(folder: Path, *, seed: str | None, seal: bool) -> None:
    """Refuse, before anything is drawn, a place that is taken or a sealed form's seed that can be guessed.

    Raises Conflict for a folder with content or a file that exists, InvalidInput for a short seed.
    """
    if not seal:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise Conflict(f"{str(folder)!r} is not empty: name a new folder")
        return
    if (target := _sealed_place(folder)).exists():
        raise Conflict(f"{str(target)!r} exists: name another")
    if seed is not None and len(seed) < LEAST_SECRET:
        raise InvalidInput(
            f"the seed has {len(seed)} characters, and whoever guesses it has every key: give "
            f"{LEAST_SECRET} or more, or leave --seed out to draw one"
        )


def write_form(made: Made, folder: Path, label: FormLabel) -> tuple[Path, ...]:
    """Write a form into a new or empty folder; return its files. Raises as `check_place`."""
    check_place(folder, seed=None, seal=False)
    folder.mkdir(parents=True, exist_ok=True)
    mode = 0o600 if label.visibility == "private" else 0o666
    files = {**form_texts(made.form, made.request, label), RECORD: _text(record(made, seed=made.seed))}
    for name, text in files.items():
        write_whole(folder / name, text.encode(), mode=mode)
    return tuple(folder / name for name in files)


def seal_form(made: Made, folder: Path, label: FormLabel, *, key: bytes) -> tuple[Header, Path]:
    """Encrypt a form into `FOLDER.sealed`, never writing it in the clear; its record lies beside.

    Raises as `check_place`.
    """
    check_place(folder, seed=made.seed, seal=True)
    target = _sealed_place(folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    texts = SuiteTexts(str(target), form_texts(made.form, made.request, label))
    header = seal_texts(texts, target, key=key, graders=registry)
    write_whole(target.with_name(f"{target.name}.{RECORD}"), _text(record(made, seed=None)).encode())
    return header, target


def record(made: Made, *, seed: str | None) -> FormRecord:
    """Return what is published of a form beside its questions, without a seed if it is not to be told."""
    questions = [question for question in made.form.questions if question.twin is None]
    return FormRecord(
        generator=GENERATOR,
        seed=seed,
        seed_sha256=hashlib.sha256(made.seed.encode()).hexdigest(),
        retries=len(made.rejected),
        rejected=tuple(
            RejectedForm(retry, tuple(finding.text for finding in lint.findings))
            for retry, lint in enumerate(made.rejected)
        ),
        questions=len(questions),
        concepts=len({question.item.concept for question in questions}),
        content_sha256=form_digest(made.form),
        chance=sum(1 / len(each.item.options) if each.item.options else 0 for each in questions)
        / len(questions),
        solvers={solver.value: round(made.form.expected(solver), 4) for solver in Solver},
        request=made.request,
    )


def _sealed_place(folder: Path) -> Path:
    return folder.with_name(folder.name + SEALED_SUFFIX)


def _text(record: FormRecord) -> str:
    return orjson.dumps(document(record), option=orjson.OPT_INDENT_2).decode() + "\n"
