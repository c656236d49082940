"""Where the real recordings are; tests that need them skip on a user's machine and fail in CI."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of recordings: `$ASSAY_SHARED_DATA`, or `../shared/data` beside the repository."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    folder = Path(os.environ.get("ASSAY_SHARED_DATA", beside))
    if folder.is_dir():
        return folder
    message = f"no recordings at {folder.name!r}: set ASSAY_SHARED_DATA to their folder"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)
