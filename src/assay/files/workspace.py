"""The workspace file `assay.yaml`, with what the environment overrides, read into frozen values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from assay.core.errors import InvalidInput, NotFound, Problem
from assay.core.verdict import ModelState
from assay.core.workspace import Budget, WatchPlan, Webhook, Workspace
from assay.files.dotenv import with_dotenv
from assay.files.marked import Marked, Place, read
from assay.files.shape import check
from assay.files.workspace_environment import merged, overrides
from assay.files.workspace_models import check_name, is_imported, models, shipped_models
from assay.files.workspace_providers import preset_names, providers
from assay.files.workspace_shapes import WatchShape, WebhookShape, WorkspaceShape

FILE = "assay.yaml"
SECRET = re.compile(
    r"\b(sk-[\w-]{12,}|xox[a-z]-[\w-]{8,}|gh[pousr]_\w{16,}|hf_\w{16,}|AIza[\w-]{20,}|Bearer \S{8,})"
)


def open_workspace(
    folder: Path, environment: Mapping[str, str], path: Path | None = None
) -> tuple[Workspace, dict[str, str]]:
    """Return the workspace that holds in a folder, and the environment completed from its `.env`.

    The file is `path`, else the one that `ASSAY_WORKSPACE` names, else `assay.yaml` in the folder, else
    none: the defaults hold then. Raises NotFound for a named file that is not there, and InvalidInput
    with every problem at once.
    """
    named = path or (Path(environment["ASSAY_WORKSPACE"]) if environment.get("ASSAY_WORKSPACE") else None)
    file = named or folder / FILE
    complete = with_dotenv(file.parent, environment)
    if named is None and not file.is_file():
        return load_workspace(None, environment=complete), complete
    return load_workspace(file, environment=complete), complete


def load_workspace(path: Path | None, *, environment: Mapping[str, str]) -> Workspace:
    """Read a workspace file, or with None only the defaults and the environment."""
    if path is not None and not path.is_file():
        raise NotFound(f"there is no workspace file {str(path)!r}: `assay init` writes one")
    marked = Marked(FILE, {}) if path is None else read(path, str(path))
    if marked.value is None and not marked.problems:
        marked.value = {}
    for text, place in _secrets(marked.value, ()):
        marked.refuse(text, place)
    problems: list[Problem] = []
    if isinstance(marked.value, dict):
        if "exams" in marked.value:
            marked.refuse("'exams' is not read by this version yet: remove it", ("exams",))
        given = {key: value for key, value in marked.value.items() if key != "exams"}
        names = [*preset_names(), *_keys(given.get("providers"))]
        found, problems = overrides(environment, names)
        marked.value = merged(given, found)
    shape = check(marked, WorkspaceShape) or _readable(marked.value)
    made = _built(path, shape, marked, environment, problems)
    problems = [*marked.in_order(), *problems]
    if problems:
        raise InvalidInput(problems)
    return made


def _readable(value: Any) -> WorkspaceShape:
    """Return the sections that have the right shape, so that what else is wrong in them is told too."""
    good = {}
    for key, section in value.items() if isinstance(value, dict) else ():
        if check(Marked(FILE, {key: section}), WorkspaceShape) is not None:
            good[key] = section
    return WorkspaceShape.model_validate(good)


def _built(
    path: Path | None,
    shape: WorkspaceShape,
    marked: Marked,
    environment: Mapping[str, str],
    problems: list[Problem],
) -> Workspace:
    folder = None if path is None else path.parent
    known = providers(shape.providers or {}, marked, environment, problems, folder)
    judges = tuple(shape.judges or ())
    watch = shape.watch or WatchShape.model_validate({})
    for position, name in enumerate(judges):
        check_name(name, ("judges", position), known, marked)
    if shape.geval is not None:
        check_name(shape.geval, ("geval",), known, marked)
    for position, name in enumerate(watch.models):
        check_name(name, ("watch", "models", position), known, marked)
    listed = models(shape.models or [], known, marked)
    return Workspace(
        path=None if path is None else str(path),
        database=environment.get("ASSAY_DATABASE") or _database(path, shape.database),
        budget=Budget(None if shape.budget is None else shape.budget.max_cost),
        providers=known,
        models={name: model for name, model in listed.items() if not is_imported(name)},
        imported={name: model for name, model in listed.items() if is_imported(name)},
        shipped=shipped_models(known),
        judges=judges,
        geval=shape.geval,
        watch=WatchPlan(watch.suite, tuple(watch.models), watch.schedule, watch.allow_unpinned),
        notify=tuple(_webhooks(shape.notify or [], marked)),
    )


def _database(path: Path | None, given: str | None) -> str:
    """Return the database; a relative file stands beside the workspace file."""
    name = given or "assay.db"
    if path is None or "://" in name:
        return name
    return str(path.parent / Path(name).expanduser())


def _webhooks(shapes: list[WebhookShape], marked: Marked) -> Iterator[Webhook]:
    seen: set[str] = set()
    for position, shape in enumerate(shapes):
        place: Place = ("notify", position)
        if (shape.url is None) == (shape.url_env is None):
            marked.refuse(f"the webhook {shape.name!r} needs either `url` or `url_env`: write one", place)
        if shape.name in seen:
            marked.refuse(f"a webhook {shape.name!r} stands above already: rename one", (*place, "name"))
        seen.add(shape.name)
        yield Webhook(
            name=shape.name,
            url=shape.url,
            url_env=shape.url_env,
            format=shape.format,
            secret_env=shape.secret_env,
            states=tuple(ModelState(state) for state in shape.states),
        )


def _secrets(value: Any, place: Place) -> Iterator[tuple[str, Place]]:
    """Yield a refusal for every text that looks like a key, wherever it stands."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _secrets(item, (*place, key))
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _secrets(item, (*place, position))
    elif isinstance(value, str) and SECRET.search(value):
        yield (
            "holds what looks like a key (not shown): put it into the environment or .env, and write the "
            "variable's NAME here, as in `api_key_env: MY_API_KEY`",
            place,
        )


def _keys(value: Any) -> list[str]:
    return list(value) if isinstance(value, dict) else []
