"""Registry of the frontier's methods by name. A method is loaded when it is first used."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Final

from assay.core.errors import InvalidInput, Problem

if TYPE_CHECKING:
    from assay.frontier.methods.method import Method

LOCATIONS: Final = {
    "naive": "naive:NAIVE",
    "power": "extrapolation:POWER_METHOD",
    "smooth": "extrapolation:SMOOTH_METHOD",
    "mixture": "modelled:MIXTURE",
    "pgm": "modelled:PGM",
    "bracket": "bracket:BRACKET",
}
"""The module of this package and the object in it, by name, in the order in which results are shown."""
METHODS: Final = tuple(LOCATIONS)
DEFAULT: Final = "mixture"


def method_named(name: str) -> Method:
    """Return a method. Raises InvalidInput for a name that is not registered."""
    check_names([name])
    method: Method = resolve_name(f"assay.frontier.methods.{LOCATIONS[name]}")
    return method


def check_names(names: Iterable[str]) -> None:
    """Raise InvalidInput, one problem each, for names that are not registered."""
    if unknown := [name for name in names if name not in LOCATIONS]:
        raise InvalidInput(
            [Problem(f"unknown method {name!r}: use one of {', '.join(METHODS)}") for name in unknown]
        )


def installed() -> tuple[str, ...]:
    """Return the names of the methods whose packages are installed."""
    return tuple(
        name for name in METHODS if not (package := method_named(name).package) or find_spec(package)
    )


def deciding(conjunction: str) -> str:
    """Return the names of the methods that choose a model for each prompt, as in "naive, mixture and pgm"."""
    *names, last = (name for name in METHODS if method_named(name).decides)
    return f"{', '.join(names)} {conjunction} {last}"
