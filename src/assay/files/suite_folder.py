"""Suites as folders of YAML files: `suite.yaml` and one file for each use case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Protocol

from assay.core.errors import InvalidInput, NotFound, Problem
from assay.core.grade import Grader
from assay.core.judging import JudgedGrader, Panel
from assay.core.suite import Bounds, Suite, Thresholds, UseCase
from assay.files.form_record import SEALED_SUFFIX, asked, check_content
from assay.files.marked_yaml import Marked, Place, parse, read
from assay.files.shape import check, check_parameters, near
from assay.files.suite_digest import suite_digest
from assay.files.suite_shapes import BoundsShape, ManifestShape, PanelShape, ThresholdsShape
from assay.files.suite_use_case import check_twins, read_use_case

MANIFEST = "suite.yaml"


class Graders(Protocol):
    """A registry of graders, such as `assay.grading.registry`. `grader` raises NotFound."""

    def names(self) -> tuple[str, ...]: ...

    def grader(self, name: str, /) -> Grader | JudgedGrader: ...


class SuiteSource(Protocol):
    """The files of a suite, by their names inside it."""

    def read(self, name: str) -> Marked: ...


@dataclass(frozen=True, slots=True)
class Folder:
    """A suite's files in a folder. Messages name them with the path as it was given."""

    path: Path

    def read(self, name: str) -> Marked:
        """Read one file with its lines."""
        return read(self.path / name, str(self.path / name))


@dataclass(frozen=True, slots=True)
class SuiteTexts:
    """A suite's files in memory. Messages name them with the prefix `label`."""

    label: str
    texts: Mapping[str, str]

    def read(self, name: str) -> Marked:
        """Parse one of the texts with its lines."""
        shown = f"{self.label}/{name}"
        if name not in self.texts:
            return Marked(shown, problems=[Problem("the file is missing from the sealed suite", shown)])
        return parse(self.texts[name], shown)


def load_suite(path: Path, *, graders: Graders) -> Suite:
    """Load a suite from its folder.

    Raises NotFound if there is no suite there, and InvalidInput with every problem of every file at once.
    """
    if not (path / MANIFEST).is_file():
        raise NotFound(f"no suite at {str(path)!r}: a suite is a folder with a {MANIFEST}")
    suite = build_suite(Folder(path), graders=graders)
    check_content(path, asked(suite.cases))
    return suite


def build_suite(source: SuiteSource, *, graders: Graders) -> Suite:
    """Build a suite from its files. Raises InvalidInput with every problem of every file at once."""
    marked = source.read(MANIFEST)
    manifest = check(marked, ManifestShape)
    used = _UsedGraders(graders)
    reader = _UseCases(source, marked, used)
    use_cases = reader.read()
    limits = thresholds(None if manifest is None else manifest.thresholds, marked)
    if manifest is not None:
        _check_manifest(manifest, marked)
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
            versions=used.versions,
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

    A built-in name takes precedence over a folder of the same name: write `./daily` for the folder.
    Raises NotFound with the built-in names.
    """
    if name in built_in_suites():
        return _built_in_folder() / name
    path = Path(name).expanduser()
    if (path / MANIFEST).is_file() or (path.suffix == SEALED_SUFFIX and path.is_file()):
        return path
    if path.name == MANIFEST and path.is_file():
        return path.parent
    hint = near(name, built_in_suites())
    raise NotFound(f"unknown suite {name!r}, and no folder of this name with a {MANIFEST}: {hint}")


def _built_in_folder() -> Path:
    return Path(str(resources.files("assay"))) / "suites"


class _UsedGraders:
    """The graders, with the version of each one that was looked up."""

    def __init__(self, graders: Graders) -> None:
        self.graders = graders
        self.versions: dict[str, str] = {}

    def grader(self, name: str) -> Grader | JudgedGrader | None:
        try:
            grader = self.graders.grader(name)
        except NotFound:
            return None
        self.versions[name] = grader.version
        return grader

    def names(self) -> tuple[str, ...]:
        return self.graders.names()


class _UseCases:
    """The files that a manifest lists, in its order, with their problems."""

    def __init__(self, source: SuiteSource, manifest: Marked, graders: _UsedGraders) -> None:
        self.source = source
        self.manifest = manifest
        self.graders = graders
        self.files: dict[str, Marked] = {}

    def read(self) -> tuple[UseCase, ...]:
        value = self.manifest.value
        listed = value.get("use_cases") if isinstance(value, dict) else None
        names: dict[str, str] = {}
        ids: dict[str, str] = {}
        use_cases = []
        for position, name in enumerate(listed if isinstance(listed, list) else []):
            if not isinstance(name, str) or not name or not self.check_name(name, ("use_cases", position)):
                continue
            marked = self.files[name] = self.source.read(name)
            use_case = read_use_case(marked, self.graders, ids)
            if use_case is None:
                continue
            if use_case.name in names:
                text = f"duplicate use case {use_case.name!r} (also in {names[use_case.name]!r}): rename one"
                marked.refuse(text, ("name",))
            names.setdefault(use_case.name, name)
            use_cases.append(use_case)
        check_twins(self.files.values(), ids)
        return tuple(use_cases)

    def check_name(self, name: str, place: Place) -> bool:
        inside = PurePosixPath(name)
        if inside.is_absolute() or ".." in inside.parts or "\\" in name or ":" in name:
            self.manifest.refuse(
                f"the file {name!r} is outside the suite: write a file inside its folder", place
            )
            return False
        if name in self.files:
            self.manifest.refuse(f"duplicate file {name!r}: keep one of them", place)
            return False
        return True


def _check_manifest(manifest: ManifestShape, marked: Marked) -> None:
    check_parameters(manifest.parameters, ("parameters",), marked)
    if "max_tokens" in manifest.parameters:
        text = "'parameters.max_tokens' has no effect: write `max_tokens` in each case"
        marked.refuse(text, ("parameters", "max_tokens"))


def thresholds(shape: ThresholdsShape | None, marked: Marked) -> Thresholds:
    """Return the thresholds of a manifest; add a problem if they contradict each other."""
    seed = Thresholds()
    if shape is None:
        return seed
    given = shape.model_dump(exclude_none=True, exclude={"deterministic", "judged"})
    limits = replace(
        seed,
        deterministic=_bounds(seed.deterministic, shape.deterministic),
        judged=_bounds(seed.judged, shape.judged),
        **given,
    )
    for kind, bounds in (("deterministic", limits.deterministic), ("judged", limits.judged)):
        place = ("thresholds", kind)
        if bounds.cooked_z > bounds.suspicious_z:
            marked.refuse(
                f"cooked_z ({bounds.cooked_z:g}) is above suspicious_z ({bounds.suspicious_z:g}): lower it",
                place,
            )
        drops = (bounds.suspicious_drop, bounds.cooked_drop, bounds.collapse_drop)
        if sorted(drops) != list(drops):
            order = "suspicious_drop, cooked_drop, collapse_drop"
            marked.refuse(f"{order} are {drops}: write them in rising order", place)
    if not 2 <= limits.least_days <= limits.window_days:
        text = f"least_days is {limits.least_days}: write 2 to window_days ({limits.window_days})"
        marked.refuse(text, ("thresholds", "least_days"))
    return limits


def _bounds(seed: Bounds, shape: BoundsShape | None) -> Bounds:
    return seed if shape is None else replace(seed, **shape.model_dump(exclude_none=True))
