"""States of the watch."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class UseCaseState(IntEnum):
    """The seed's state of one (model, use case, day). Integers, so that rules can be vectorised."""

    GAP = 0
    CALIBRATING = 1
    OK = 2
    SUSPICIOUS = 3
    COOKED = 4


class ModelState(StrEnum):
    """The seed's state of one (model, day); precedence GAP, CALIBRATING, then the verdict."""

    GAP = "GAP"
    CALIBRATING = "CALIBRATING"
    OK = "OK"
    SUSPICIOUS = "SUSPICIOUS"
    COOKED = "COOKED"
