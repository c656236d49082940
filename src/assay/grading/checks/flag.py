"""What an auto-check found wrong, and the grade that follows: 1 without flags, 0 with at least one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.core.grade import Grade

Flag = dict[str, Any]


def flag(code: str, says: str, **details: Any) -> Flag:
    """Return one flag: its code, one line that says what was found, and the details."""
    return {"code": code, "says": says, **details}


def graded(flags: Sequence[Flag], **counts: Any) -> Grade:
    """Return the grade of an answer with these flags, and what else was counted."""
    return Grade(0.0 if flags else 1.0, {"flags": list(flags), **counts})
