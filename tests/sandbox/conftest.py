"""The sandboxes that can be used here, opened once; the others are skipped, but missed in CI."""

from __future__ import annotations

import os
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assay.sandbox.choose import makers
from assay.sandbox.sandbox import Sandbox, Unusable


@pytest.fixture(scope="session", params=["wasm", "bubblewrap"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """Each kind of sandbox that obeys the same tests."""
    yield from opened(request.param)


@pytest.fixture(scope="session")
def wasm() -> Iterator[Sandbox]:
    """The default sandbox."""
    yield from opened("wasm")


def opened(kind: str) -> Iterator[Sandbox]:
    """Yield a sandbox of that kind; where it cannot be used, skip, or fail in CI."""
    try:
        found = makers(None)[kind]()
    except Unusable as error:
        if os.environ.get("CI"):
            pytest.fail(f"{kind}: {error}")
        pytest.skip(f"{kind}: {error}")
    yield found
    found.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give every attack to the tests that ask for one."""
    if "attack" in metafunc.fixturenames:
        found: dict[str, Any] = runpy.run_path(str(Path(__file__).with_name("attacks.py")))
        metafunc.parametrize("attack", found["ATTACKS"], ids=[name for name, _, _ in found["ATTACKS"]])


@pytest.fixture(scope="session")
def attacks() -> dict[str, Any]:
    """What attacks.py defines: SECONDS, CANARY, CLEAN."""
    return runpy.run_path(str(Path(__file__).with_name("attacks.py")))
