"""A change of a verdict to tell, and a receiver over real HTTP."""

from __future__ import annotations

from datetime import date

import pytest

from assay.core.notification import Notification, UseCaseNote
from assay.core.verdict import ModelState, UseCaseState


@pytest.fixture
def change() -> Notification:
    """A model that was OK and is COOKED."""
    return Notification(
        model="openrouter/openai/gpt-5-mini",
        suite="daily",
        suite_version="2.0.0",
        day=date(2026, 3, 31),
        before=ModelState.OK,
        after=ModelState.COOKED,
        use_cases=(
            UseCaseNote("summarization", UseCaseState.SUSPICIOUS, 70.0, 80.0, -2.6, 0.125),
            UseCaseNote("code-generation", UseCaseState.COOKED, 40.0, 90.0, -12.5, 0.556),
            UseCaseNote("math", UseCaseState.OK, 90.0, 90.0, 0.0, 0.0),
        ),
        notes=("two models behind OpenAI fell today",),
    )
