"""The package's words and concepts, and one scene."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from assay.causal.stories.concept import Concept
from assay.causal.stories.questions import StoryLibrary
from assay.causal.stories.scene import Scene
from assay.studies.causal import library as data


@pytest.fixture(scope="session")
def library() -> StoryLibrary:
    """All phrases and scenes."""
    return data.library()


@pytest.fixture(scope="session")
def concepts() -> Mapping[str, Concept]:
    """All concepts whose questions are facts of a graph."""
    return data.concepts()


@pytest.fixture
def scene(library: StoryLibrary) -> Scene:
    """The first scene."""
    return library.scenes[0]
