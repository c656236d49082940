"""Pins and who served."""

from __future__ import annotations

import pytest

from assay.core.model import Pin
from assay.providers.pins import kept


@pytest.mark.parametrize(
    ("slugs", "served", "same"),
    [
        (("deepinfra",), "DeepInfra", True),
        (("google-vertex",), "Google Vertex", True),
        (("deepinfra/fp8",), "DeepInfra", True),
        (("together", "fireworks"), "Fireworks", True),
        (("deepinfra",), "Together", False),
        (("google-vertex",), "Google", False),
        (("deepinfra",), None, True),
    ],
)
def test_display_names_are_compared_with_slugs(
    slugs: tuple[str, ...], served: str | None, same: bool
) -> None:
    """Spelling differs, the provider must not; a reply that names nobody shows no change."""
    assert kept(Pin(slugs), served) is same
