"""Making a ladder form: drawn from a seed until one passes its lint, and written as a suite's files."""

from __future__ import annotations

import hashlib
import random
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.causal import sheet
from assay.causal.item import Item, Variant
from assay.causal.ladder import GENERATOR, Content, LadderForm, LadderQuestion, ladder
from assay.causal.solvers.solver import Solver
from assay.core.case import LETTERS, LEVELS, RUNGS
from assay.core.errors import AssayError, InvalidInput
from assay.files import form_record
from assay.files.form_record import TWINS
from assay.files.marked_yaml import suite_text
from assay.files.suite_folder import MANIFEST
from assay.files.suite_seal import Header
from assay.results.causal import FormLint, FormRecord, LadderRequest, RejectedForm
from assay.studies.causal.generate import MOST_RETRIES, check_place, linted, seal_form_texts, write_texts
from assay.studies.causal.library import concepts, instructions, library
from assay.studies.causal.recipes import recipes
from assay.studies.causal.texts import MARKER, MAX_TOKENS, TITLES, FormLabel

DESCRIPTION = (
    "Questions on all rungs of the ladder of causation, at levels 1 to {deepest} of depth, generated from "
    "causal graphs and structural causal models. Sentences occur equally often under every answer; every key "
    "was computed by two routes that share no code; every text was read back and compared with its model. "
    "Questions with options have four (chance 25%), open ones ask for a number."
)


@dataclass(frozen=True, slots=True)
class MadeLadder:
    """A form that passed its lint, what was asked for, and the lints of forms that did not pass."""

    seed: str
    form: LadderForm
    request: LadderRequest
    rejected: tuple[FormLint, ...]


def request(
    *,
    size: int = 100,
    levels: Sequence[int] = (),
    chosen: Sequence[str] = (),
    rungs: Sequence[str] = (),
    twins: int = 0,
) -> LadderRequest:
    """Return what a form is to hold; nothing given means everything. InvalidInput for what does not exist."""
    if wrong := [level for level in levels if level not in LEVELS]:
        raise InvalidInput(f"invalid --level {wrong[0]}: choose from 1 to {LEVELS[-1]}")
    if unknown := [rung for rung in rungs if rung not in RUNGS]:
        raise InvalidInput(f"invalid --rungs {unknown[0]!r}: choose from {', '.join(RUNGS)}")
    known = sorted({*concepts(), *(name.replace("-", "_") for name in recipes())})
    if foreign := [name for name in chosen if name.replace("-", "_") not in known]:
        raise InvalidInput(f"invalid --concepts {foreign[0]!r}: choose from {', '.join(known)}")
    if not 5 <= size <= 1000:
        raise InvalidInput(f"invalid --questions {size}: give 5 to 1000")
    if not 0 <= twins <= 1000:
        raise InvalidInput(f"invalid --twins {twins}: give 0 to 1000")
    return LadderRequest(
        size,
        tuple(sorted(set(levels))) or LEVELS,
        tuple(sorted({name.replace("-", "_") for name in chosen})),
        tuple(rung for rung in RUNGS if rung in rungs) or RUNGS,
        twins,
    )


def make_ladder(seed: str, wanted: LadderRequest, *, step: Callable[[], None] = lambda: None) -> MadeLadder:
    """Draw forms from a seed until one passes its lint.

    Raises Disagreement, Unproved or Unreadable where a key is not proved, AssayError when no form passes.
    """
    rejected: list[FormLint] = []
    for retry in range(MOST_RETRIES):
        drawn = ladder(
            form_seed(seed, retry),
            content(wanted.concepts),
            size=wanted.questions,
            levels=wanted.levels,
            rungs=wanted.rungs,
            twins=wanted.twins,
            step=step,
        )
        found = lint_ladder(drawn)
        if found.passed:
            return MadeLadder(seed, drawn, wanted, tuple(rejected))
        rejected.append(found)
    raise AssayError(f"{MOST_RETRIES} forms from one seed failed their lint: the generator leaks, report it")


def form_seed(seed: str, retry: int) -> str:
    """Return the seed of the form that is drawn after so many others of a seed were rejected."""
    return f"{seed}/{retry}"


def content(chosen: Sequence[str] = ()) -> Content:
    """Return the package's words, concepts and recipes; only those of some concepts if any are chosen."""
    told = concepts()
    counted = {name.replace("-", "_"): each for name, each in recipes().items()}
    if chosen:
        told = {name: each for name, each in told.items() if name in chosen}
        counted = {name: each for name, each in counted.items() if name in chosen}
    return Content(library(), told, counted)


def lint_ladder(form: LadderForm) -> FormLint:
    """Lint a form's questions without its twins, which repeat them on purpose."""
    items = [each.item for each in form.questions if each.twin is None and each.item.options]
    return linted(items, alike=False)


def ladder_prompt(question: LadderQuestion) -> str:
    """Return what a model is shown: the stem, the options if there are any, and how to write the answer."""
    item = question.item
    forms = instructions()["number" if question.open else "choice"]
    end = forms[zlib.crc32(item.id.encode()) % len(forms)]
    if question.open:
        return f"{item.stem}\n\n{end}"
    return sheet.prompt(item, end)


def ladder_texts(made: MadeLadder, label: FormLabel) -> dict[str, str]:
    """Return the suite's files by name, the manifest first."""
    groups: dict[str, list[LadderQuestion]] = {}
    for question in made.form.questions:
        groups.setdefault(TWINS if question.twin else question.item.variant, []).append(question)
    files = {f"{name}.yaml": suite_text(_use_case(name, questions)) for name, questions in groups.items()}
    return {MANIFEST: suite_text(_manifest(made, label, list(files))), **files}


def write_ladder(made: MadeLadder, folder: Path, label: FormLabel) -> tuple[Path, ...]:
    """Write a form into a new or empty folder; return its files. Raises as `write_texts`."""
    return write_texts(ladder_texts(made, label), ladder_record(made, seed=made.seed), folder, label)


def seal_ladder(made: MadeLadder, folder: Path, label: FormLabel, *, key: bytes) -> tuple[Header, Path]:
    """Encrypt a form into `FOLDER.sealed`; raises as `seal_form_texts`."""
    check_place(folder, seed=made.seed, seal=True)
    return seal_form_texts(ladder_texts(made, label), ladder_record(made, seed=None), folder, key=key)


def ladder_record(made: MadeLadder, *, seed: str | None) -> FormRecord:
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
        redraws={},
        questions=len(questions),
        bundles=len({question.item.concept for question in questions}),
        content_sha256=form_record.content_digest(_asked(made.form)),
        chance=sum(1 / len(each.item.options) if each.item.options else 0 for each in questions)
        / len(questions),
        solvers={solver.value: round(made.form.expected(solver), 4) for solver in Solver},
        request=made.request,
    )


def asked_of(question: LadderQuestion) -> tuple[str, str, str]:
    """Return a question's id, prompt and right letter; the letter is empty for an open one."""
    return question.item.id, ladder_prompt(question), "" if question.open else question.item.letter


def _asked(form: LadderForm) -> Iterator[tuple[str, str, str]]:
    return map(asked_of, form.questions)


def _manifest(made: MadeLadder, label: FormLabel, files: list[str]) -> dict[str, Any]:
    digest = form_record.content_digest(_asked(made.form))
    canary = random.Random(f"canary/{made.form.seed}/{digest}").getrandbits(128)
    return {
        "name": label.name,
        "version": label.version or f"{GENERATOR}.{digest[:10]}",
        "title": "The causal ladder",
        "visibility": label.visibility,
        "canary": f"assay-canary-{canary:032x}",
        "description": DESCRIPTION.format(deepest=max(made.request.levels)),
        "parameters": {"temperature": 0},
        "use_cases": files,
    }


def _use_case(name: str, questions: Sequence[LadderQuestion]) -> dict[str, Any]:
    return {
        "name": name,
        "title": "Twins: renamed, pressured and undeterminable questions"
        if name == TWINS
        else TITLES[Variant(name)],
        "grading": "deterministic",
        "samples": {"base": 1, "full": 1},
        "cases": [_case(question) for question in questions],
    }


def _case(question: LadderQuestion) -> dict[str, Any]:
    item = question.item
    twin = {"twin": question.twin.value} if question.twin else {}
    twin |= {
        name: value
        for name in ("twin_of", "pressed_for", "refusals")
        if (value := getattr(question, name)) is not None
    }
    return {
        "id": item.id,
        "subcategory": item.concept.replace("_", "-"),
        "level": question.level,
        "rung": question.rung,
        **twin,
        "prompt": ladder_prompt(question),
        "max_tokens": MAX_TOKENS,
        "derivation": question.why,
        **_graded(item, None if question.open is None else question.open.grader),
    }


def _graded(item: Item, number: Mapping[str, object] | None) -> dict[str, Any]:
    """Return the grader of a case, with answers whose score is known."""
    if number is not None:
        answers = [(1.0, str(number["expect"])), (0.0, "7777"), (0.0, "unknown")]
        grader = {"number": {**number, "marker": MARKER}}
    else:
        answers = [(1.0, item.letter), *((0.0, letter) for letter in LETTERS if letter != item.letter)]
        grader = {"choice": {"expect": item.letter, "marker": MARKER}}
    exemplars = [{"score": score, "answer": f"{MARKER} {text}"} for score, text in answers]
    return {"graders": [grader], "exemplars": exemplars}
