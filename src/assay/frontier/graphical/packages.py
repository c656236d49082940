"""The packages that only this method needs: named, with the cure, where they are missing."""

from __future__ import annotations

from importlib import import_module

from assay.core.errors import InvalidInput, Problem

MISSING = "the graphical model (pgm) needs numpyro, which is not installed: pip install 'assay[pgm]'"


def check_installed() -> None:
    """Import numpyro and with it jax. Raises InvalidInput, naming the cure, where either is missing."""
    try:
        import_module("numpyro")
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if missing in ("numpyro", "jax", "jaxlib"):
            raise InvalidInput(Problem(MISSING)) from None
        raise InvalidInput(Problem(f"numpyro cannot be imported: {error}")) from error
