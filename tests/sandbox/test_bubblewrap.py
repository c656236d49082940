"""What the bubblewrap sandbox does in its own way: users, packages, refusals."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.core.ask import CodeAsk, CodeStatus
from assay.sandbox.bubblewrap import Bubblewrap
from assay.sandbox.sandbox import Unusable


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder with one package, readable by everybody."""
    folder = tmp_path / "packages"
    (folder / "given").mkdir(parents=True)
    (folder / "given" / "__init__.py").write_text("value = 7\n")
    return folder


@pytest.fixture
def sandbox(packages: Path) -> Iterator[Bubblewrap]:
    """Bubblewrap with that folder; skipped where it cannot be used, missed in CI."""
    try:
        yield Bubblewrap(packages)
    except Unusable as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))


def test_nobody_runs_the_program(sandbox: Bubblewrap) -> None:
    """The program is neither root nor the user who started it, and has no capabilities."""
    program = """
import os
lines = open('/proc/self/status').read().splitlines()
print(os.getuid() in (0, %d), [line for line in lines if line.startswith(('CapEff', 'CapPrm', 'NoNewPrivs'))])
"""
    expected = "False ['CapPrm:\\t0000000000000000', 'CapEff:\\t0000000000000000', 'NoNewPrivs:\\t1']\n"
    assert sandbox.run(CodeAsk(program % os.getuid())).stdout == expected


def test_packages_are_offered_when_asked_for(sandbox: Bubblewrap) -> None:
    """A program that names a package can import it."""
    ask = CodeAsk("import given; print(given.value)", packages=("given",))
    assert (sandbox.unfit(ask), sandbox.run(ask).stdout) == (None, "7\n")


def test_packages_are_not_there_otherwise(sandbox: Bubblewrap) -> None:
    """A program that names none finds none."""
    assert "No module named 'given'" in sandbox.run(CodeAsk("import given")).error


def test_installed_packages_are_covered(sandbox: Bubblewrap) -> None:
    """The packages of the machine's Python are not to be seen: suites with answers are among them."""
    program = """
import os, sys
seen = []
for path in sys.path:
    for name in ('site-packages', 'dist-packages'):
        folder = os.path.join(path, name)
        if os.path.isdir(folder): seen += os.listdir(folder)
print(seen)
"""
    assert sandbox.run(CodeAsk(program)).stdout == "[]\n"


def test_a_missing_package_is_named(sandbox: Bubblewrap) -> None:
    """A package that the folder lacks is named."""
    assert "has no other" in (sandbox.unfit(CodeAsk("", packages=("given", "other"))) or "")


def test_without_the_tool_it_is_unusable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where bubblewrap is not installed the reason says how to get it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unusable, match="apt-get install bubblewrap"):
        Bubblewrap()


def test_a_tool_that_fails_is_unusable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where namespaces are not allowed the tool's own words are the reason."""
    tool = tmp_path / "bwrap"
    tool.write_text("#!/bin/sh\necho 'setting up uid map: Permission denied' >&2\nexit 1\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unusable, match="setting up uid map: Permission denied"):
        Bubblewrap()


def test_statuses_are_kept_apart(sandbox: Bubblewrap) -> None:
    """A program killed by its CPU limit has failed or timed out, never passed."""
    program = "import os\nif os.fork() == 0:\n    while True: pass\nos._exit(os.wait()[1] and 9)"
    assert sandbox.run(CodeAsk(program, seconds=0.5)).status is CodeStatus.TIMEOUT
