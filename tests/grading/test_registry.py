"""Which graders there are, built in and added by other packages."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from typing import ClassVar

import pytest
from every_row import every_row

from assay.core.errors import InvalidInput, NotFound
from assay.core.grade import Grade
from assay.grading import registry


class Plugin:
    """A grader of another package."""

    name: ClassVar[str] = "plugin"
    version: ClassVar[str] = "1"

    def problems(self, spec: object) -> tuple[str, ...]:
        """Find nothing."""
        return ()

    def asks(self, *told: object) -> tuple[()]:
        """Ask nothing."""
        return ()

    def read(self, *told: object) -> Grade:
        """Give full marks."""
        return Grade(1.0)


INSTANCE = Plugin()


class Half:
    """Something that is no grader."""

    name = "half"


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pretend that another package offers these entry points."""
    here = __name__
    import sys

    monkeypatch.setitem(sys.modules, "plugin_module", sys.modules[here])
    points = [
        EntryPoint("plugin", "plugin_module:Plugin", registry.GROUP),
        EntryPoint("instance", "plugin_module:INSTANCE", registry.GROUP),
        EntryPoint("half", "plugin_module:Half", registry.GROUP),
        EntryPoint("exact", "plugin_module:Plugin", registry.GROUP),
        EntryPoint("gone", "no_such_module:Grader", registry.GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: points if group == registry.GROUP else [])
    registry.grader.cache_clear()
    yield
    registry.grader.cache_clear()


@every_row("name", list(registry.BUILT_IN))
def test_every_built_in_grader_loads_under_its_own_name(name: str) -> None:
    """What suites call it is what it calls itself, and it has a version."""
    found = registry.grader(name)
    assert found.name == name
    assert found.version


def test_graders_of_other_packages_are_found() -> None:
    """A class is made, an instance is taken as it is, and both are listed."""
    assert isinstance(registry.grader("plugin"), Plugin)
    assert registry.grader("instance") is INSTANCE
    assert {"plugin", "instance", "exact"} <= set(registry.names())


def test_a_built_in_name_cannot_be_taken_over() -> None:
    """Another package's `exact` is not used."""
    assert not isinstance(registry.grader("exact"), Plugin)
    assert registry.names().count("exact") == 1


def test_what_is_no_grader_is_told_with_what_it_lacks() -> None:
    """The message names the package's object and the missing parts."""
    with pytest.raises(InvalidInput, match=r"plugin_module:Half.*version, problems, asks, read"):
        registry.grader("half")


def test_a_package_that_does_not_import_is_told() -> None:
    """A broken entry point is invalid input with its reason, not a traceback."""
    with pytest.raises(InvalidInput, match=r"gone.*no_such_module"):
        registry.grader("gone")


def test_an_unknown_name_is_told_with_the_known_ones() -> None:
    """The message lists what there is."""
    with pytest.raises(NotFound, match=r"unknown grader 'exakt'.*exact"):
        registry.grader("exakt")
