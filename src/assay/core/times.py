"""Lengths of time."""

from __future__ import annotations

from typing import Final

DAY_SECONDS: Final = 86_400
"""Seconds in a UTC day."""
