"""States of the watch and the evidence every verdict carries."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class UseCaseState(IntEnum):
    """The seed's state of one (model, use case, day). Integers, so that rules can be vectorised."""

    GAP = 0
    CALIBRATING = 1
    BARRED = 2
    OK = 3
    SUSPICIOUS = 4
    COOKED = 5


class ModelState(StrEnum):
    """The seed's state of one (model, day); precedence GAP, CALIBRATING, then the verdict."""

    GAP = "GAP"
    CALIBRATING = "CALIBRATING"
    OK = "OK"
    SUSPICIOUS = "SUSPICIOUS"
    COOKED = "COOKED"
