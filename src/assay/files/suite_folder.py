"""A suite as a folder of YAML files: `suite.yaml` and one file a use case, checked as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Protocol

from assay.core.canonical import canonical
from assay.core.errors import InvalidInput, NotFound, Problem
from assay.core.grade import Grader
from assay.core.judging import JudgedGrader, Panel
from assay.core.suite import Suite, UseCase
from assay.files.marked import Marked, Place, parse, read
from assay.files.shape import check, near
from assay.files.suite_digest import suite_digest
from assay.files.suite_shapes import ManifestShape, PanelShape
from assay.files.suite_thresholds import thresholds
from assay.files.suite_use_case import read_use_case

MANIFEST = "suite.yaml"


class Graders(Protocol):
    """Where graders come from: `assay.grading.registry` fits. `grader` raises NotFound."""

    def names(self) -> tuple[str, ...]: ...

    def grader(self, name: str, /) -> Grader | JudgedGrader: ...


class Source(Protocol):
    """The files of a suite, by their names inside it."""

    def read(self, name: str) -> Marked: ...


@dataclass(frozen=True, slots=True)
class Folder:
    """A suite's files in a folder; messages name them by the folder's path as it was given."""

    path: Path

    def read(self, name: str) -> Marked:
        """Read one file with its lines."""
        return read(self.path / name, str(self.path / name))


@dataclass(frozen=True, slots=True)
class Texts:
    """A suite's files held in memory, as unsealed; `label` stands before their names in messages."""

    label: str
    texts: Mapping[str, str]

    def read(self, name: str) -> Marked:
        """Parse one of the texts with its lines."""
        shown = f"{self.label}/{name}"
        if name not in self.texts:
            return Marked(shown, problems=[Problem("is not among the sealed files", shown)])
        return parse(self.texts[name], shown)


def load_suite(path: Path, *, graders: Graders) -> Suite:
    """Load a suite from its folder.

    Raises NotFound when there is no suite there, and InvalidInput with every problem of every file at once.
    """
    if not (path / MANIFEST).is_file():
        raise NotFound(f"no suite at {str(path)!r}: a suite is a folder with a {MANIFEST}")
    return build_suite(Folder(path), graders=graders)


def build_suite(source: Source, *, graders: Graders) -> Suite:
    """Build a suite from its files. Raises InvalidInput with every problem of every file at once."""
    marked = source.read(MANIFEST)
    manifest = check(marked, ManifestShape)
    known = _Versions(graders)
    reader = _UseCases(source, marked, known)
    use_cases = reader.read()
    limits = thresholds(None if manifest is None else manifest.thresholds, marked)
    if manifest is not None:
        _check_parameters(manifest, marked)
    problems = [problem for file in (marked, *reader.files.values()) for problem in file.in_order()]
    if manifest is None or problems:
        raise InvalidInput(problems)
    return Suite(
        name=manifest.name,
        version=manifest.version,
        title=manifest.title,
        visibility=manifest.visibility,
        use_cases=use_cases,
        digest=suite_digest(
            use_cases,
            name=manifest.name,
            version=manifest.version,
            parameters=manifest.parameters,
            judge=manifest.judge,
            versions=known.versions,
        ),
        canary=manifest.canary,
        description=manifest.description.strip(),
        thresholds=limits,
        parameters=manifest.parameters,
        judge=manifest.judge,
        panel=Panel() if manifest.panel is None else _panel(manifest.panel),
    )


def _panel(shape: PanelShape) -> Panel:
    given = shape.model_dump()
    return Panel(**{**given, "judges": tuple(dict.fromkeys(given["judges"]))})


def built_in_suites() -> tuple[str, ...]:
    """Return the names of the suites that come with Assay, sorted."""
    folder = _built_in_folder()
    if not folder.is_dir():
        return ()
    return tuple(sorted(entry.name for entry in folder.iterdir() if (entry / MANIFEST).is_file()))


def find_suite(name: str) -> Path:
    """Return the folder of a built-in suite, or of a path to a suite's folder or sealed file.

    A built-in name wins over a folder of the same name here: write `./daily` for that one.
    Raises NotFound with the names there are.
    """
    if name in built_in_suites():
        return _built_in_folder() / name
    path = Path(name).expanduser()
    if (path / MANIFEST).is_file() or (path.suffix == ".sealed" and path.is_file()):
        return path
    if path.name == MANIFEST and path.is_file():
        return path.parent
    hint = near(name, built_in_suites())
    raise NotFound(f"no suite is called {name!r} and no folder of that name holds a {MANIFEST}: {hint}")


def _built_in_folder() -> Path:
    return Path(str(resources.files("assay"))) / "suites"


class _Versions:
    """Looks graders up, and remembers the version of each one used."""

    def __init__(self, graders: Graders) -> None:
        self.graders = graders
        self.versions: dict[str, str] = {}

    def grader(self, name: str) -> Grader | JudgedGrader | None:
        try:
            found = self.graders.grader(name)
        except NotFound:
            return None
        self.versions[name] = found.version
        return found

    def names(self) -> tuple[str, ...]:
        return self.graders.names()


class _UseCases:
    """Reads the files a manifest lists, in its order, and keeps them with their problems."""

    def __init__(self, source: Source, manifest: Marked, known: _Versions) -> None:
        self.source = source
        self.manifest = manifest
        self.known = known
        self.files: dict[str, Marked] = {}

    def read(self) -> tuple[UseCase, ...]:
        value = self.manifest.value
        listed = value.get("use_cases") if isinstance(value, dict) else None
        names: dict[str, str] = {}
        ids: dict[str, str] = {}
        made = []
        for position, name in enumerate(listed if isinstance(listed, list) else []):
            if not isinstance(name, str) or not name or not self.readable(name, ("use_cases", position)):
                continue
            marked = self.files[name] = self.source.read(name)
            use_case = read_use_case(marked, self.known, ids)
            if use_case is None:
                continue
            if use_case.name in names:
                other = names[use_case.name]
                marked.refuse(f"the name {use_case.name!r} stands in {other!r} too: rename one", ("name",))
            names.setdefault(use_case.name, name)
            made.append(use_case)
        return tuple(made)

    def readable(self, name: str, place: Place) -> bool:
        inside = PurePosixPath(name)
        if inside.is_absolute() or ".." in inside.parts or "\\" in name or ":" in name:
            self.manifest.refuse(f"{name!r} lies outside the suite: write a file inside its folder", place)
            return False
        if name in self.files:
            self.manifest.refuse(f"{name!r} is listed twice: keep one of them", place)
            return False
        return True


def _check_parameters(manifest: ManifestShape, marked: Marked) -> None:
    try:
        canonical(manifest.parameters)
    except ValueError as error:
        marked.refuse(f"'parameters': {error}: write finite numbers", ("parameters",))
    reasoning = manifest.parameters.get("reasoning")
    if isinstance(reasoning, dict) and {"effort", "max_tokens"} <= set(reasoning):
        text = "'parameters.reasoning' has both `effort` and `max_tokens`: keep one"
        marked.refuse(text, ("parameters", "reasoning"))
    if "max_tokens" in manifest.parameters:
        text = "'parameters.max_tokens' is not read: write `max_tokens` in each case"
        marked.refuse(text, ("parameters", "max_tokens"))
