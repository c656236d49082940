"""Reading the workspace file `assay.yaml`, with overrides from the environment and `.env`."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dotenv.parser import parse_stream

from assay.core.errors import InvalidInput, NotFound, Problem
from assay.core.verdict import ModelState
from assay.core.workspace import BudgetSettings, WatchPlan, Webhook, Workspace
from assay.files.marked_yaml import Marked, Place, read
from assay.files.shape import check
from assay.files.workspace_models import (
    check_name,
    is_imported,
    models,
    preset_names,
    providers,
    shipped_models,
)
from assay.files.workspace_shapes import WatchShape, WebhookShape, WorkspaceShape

FILE = "assay.yaml"
SECRET = re.compile(
    r"\b(sk-[\w-]{12,}|xox[a-z]-[\w-]{8,}|gh[pousr]_\w{16,}|hf_\w{16,}|AIza[\w-]{20,}|Bearer \S{8,})"
)


def open_workspace(
    folder: Path, environment: Mapping[str, str], path: Path | None = None
) -> tuple[Workspace, dict[str, str]]:
    """Return the workspace of a folder, and the environment completed from its `.env`.

    The file is `path`, else the one named in `ASSAY_WORKSPACE`, else `assay.yaml` in the folder; without any
    of them the defaults are used, with a database in the folder. Raises NotFound if the named file does not
    exist, and InvalidInput with every problem at once.
    """
    named = path or (Path(environment["ASSAY_WORKSPACE"]) if environment.get("ASSAY_WORKSPACE") else None)
    file = named or folder / FILE
    complete = with_dotenv(file.parent, environment)
    if named is None and not file.is_file():
        workspace = load_workspace(None, environment=complete)
        if not complete.get("ASSAY_DATABASE"):
            workspace = replace(workspace, database=_database(file, None))
        return workspace, complete
    return load_workspace(file, environment=complete), complete


def load_workspace(path: Path | None, *, environment: Mapping[str, str]) -> Workspace:
    """Read a workspace file; with None use only the defaults and the environment."""
    if path is not None and not path.is_file():
        raise NotFound(f"no workspace file {str(path)!r}: create one with `assay init`")
    marked = Marked(FILE, {}) if path is None else read(path, str(path))
    if marked.value is None and not marked.problems:
        marked.value = {}
    for text, place in _secrets(marked.value, ()):
        marked.refuse(text, place)
    problems: list[Problem] = []
    if isinstance(marked.value, dict):
        own = marked.value.get("providers")
        names = [*preset_names(), *(own if isinstance(own, dict) else ())]
        values, problems = overrides(environment, names)
        marked.value = merged(marked.value, values)
    shape = check(marked, WorkspaceShape) or _valid_sections(marked.value)
    workspace = _build(path, shape, marked, environment, problems)
    problems = [*marked.in_order(), *problems]
    if problems:
        raise InvalidInput(problems)
    return workspace


def _valid_sections(value: Any) -> WorkspaceShape:
    """Return the sections with the right shape, so that their other problems are found too."""
    valid = {}
    for key, section in value.items() if isinstance(value, dict) else ():
        if check(Marked(FILE, {key: section}), WorkspaceShape) is not None:
            valid[key] = section
    return WorkspaceShape.model_validate(valid)


def _build(
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
        budget=BudgetSettings(None if shape.budget is None else shape.budget.max_cost),
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
    """Return the database; a relative path is relative to the workspace file."""
    name = given or "assay.db"
    if path is None or "://" in name:
        return name
    return str(path.parent / Path(name).expanduser())


def _webhooks(shapes: list[WebhookShape], marked: Marked) -> Iterator[Webhook]:
    seen: set[str] = set()
    for position, shape in enumerate(shapes):
        place: Place = ("notify", position)
        if (shape.url is None) == (shape.url_env is None):
            marked.refuse(f"the webhook {shape.name!r} needs `url` or `url_env`: write one of them", place)
        if shape.name in seen:
            marked.refuse(f"duplicate webhook {shape.name!r}: rename one", (*place, "name"))
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
    """Yield a message for every text that looks like a key."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _secrets(item, (*place, key))
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _secrets(item, (*place, position))
    elif isinstance(value, str) and SECRET.search(value):
        yield (
            "the value looks like a key (not shown): put it into the environment or .env, and write the "
            "variable's name here, as in `api_key_env: MY_API_KEY`",
            place,
        )


Keys = tuple[str, ...]


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _switch(text: str) -> Any:
    return {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text)


def _file(text: str) -> str:
    """Return the absolute path of a file named in the environment, relative to the working folder."""
    return str(Path(text).expanduser().absolute())


def _names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


OPTIONS: dict[str, tuple[Keys, Callable[[str], Any]]] = {
    "ASSAY_BUDGET_MAX_COST": (("budget", "max_cost"), _number),
    "ASSAY_JUDGES": (("judges",), _names),
    "ASSAY_GEVAL": (("geval",), str),
    "ASSAY_WATCH_SUITE": (("watch", "suite"), str),
    "ASSAY_WATCH_MODELS": (("watch", "models"), _names),
    "ASSAY_WATCH_SCHEDULE": (("watch", "schedule"), str),
    "ASSAY_WATCH_ALLOW_UNPINNED": (("watch", "allow_unpinned"), _switch),
}
PROVIDER_OPTIONS: dict[str, Callable[[str], Any]] = {
    "base_url": str,
    "api_key_env": str,
    "concurrency": _number,
    "timeout": _number,
    "attempts": _number,
    "recordings": _file,
}


def overrides(
    environment: Mapping[str, str], provider_names: Iterable[str]
) -> tuple[dict[str, Any], list[Problem]]:
    """Return the values set in the environment, shaped like a workspace file, and their problems.

    `ASSAY_DATABASE` is not among them: unlike the file it may contain a password, so it is read separately.
    """
    options = dict(OPTIONS)
    for name in provider_names:
        for option, convert in PROVIDER_OPTIONS.items():
            variable = f"ASSAY_{name}_{option}".upper().replace("-", "_")
            options[variable] = (("providers", name, option), convert)
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for variable, (path, convert) in options.items():
        text = environment.get(variable, "").strip()
        if not text:
            continue
        value: Any = convert(text)
        for key in reversed(path):
            value = {key: value}
        marked = Marked(variable, value)
        if check(marked, WorkspaceShape) is not None:
            values = merged(values, value)
        problems += [Problem(problem.text, variable) for problem in marked.problems]
    return values, problems


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return two mappings merged key by key; a value of `above` replaces one of `below`."""
    result = dict(below)
    for key, value in above.items():
        old = result.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            result[key] = merged(old, value)
        elif not isinstance(value, dict) or old is None:
            result[key] = value
    return result


def with_dotenv(folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with the variables added that only `.env` in the folder sets.

    Raises InvalidInput with the lines that cannot be parsed; values are never shown.
    """
    path = folder / ".env"
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return dict(environment)
    except UnicodeDecodeError as error:
        raise InvalidInput(
            Problem(f"the text is not UTF-8 at byte {error.start}: save the file as UTF-8", str(path))
        ) from None
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise InvalidInput(
            Problem(f"cannot read the file ({reason}): check its permissions", str(path))
        ) from None
    return {**parse_dotenv(text, str(path)), **environment}


def parse_dotenv(text: str, shown: str) -> dict[str, str]:
    """Parse the text of a `.env` file with python-dotenv; `$NAME` is not expanded.

    Raises InvalidInput with all lines that are not `NAME=value`; values are never shown. `shown` is the file.
    """
    values: dict[str, str] = {}
    problems = []
    for binding in parse_stream(io.StringIO(text)):
        if not binding.error and binding.key is None:
            continue
        if binding.error or binding.value is None or binding.key is None or not binding.key.isidentifier():
            fault = "invalid line (not shown): write NAME=value, and put a value with spaces in quotes"
            problems.append(Problem(fault, shown, binding.original.line))
            continue
        values[binding.key] = binding.value
    if problems:
        raise InvalidInput(problems)
    return values
