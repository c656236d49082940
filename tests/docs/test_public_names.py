"""The names of `import assay`."""

from __future__ import annotations

from pathlib import Path

import pytest

import assay

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "python.md"


@pytest.mark.parametrize("name", assay.__all__)
def test_every_public_name_exists_and_is_documented(name: str) -> None:
    """On the page of the Python interface."""
    assert getattr(assay, name).__name__ == name
    assert name in PAGE.read_text(encoding="utf-8")


def test_unknown_names_are_refused() -> None:
    """As in every module."""
    with pytest.raises(AttributeError, match="'assay' has no attribute 'nothing'"):
        assay.nothing  # noqa: B018
