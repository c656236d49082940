"""Builds the sandbox's CPython and the charts' JavaScript when a wheel is made: installing needs no tool."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPONENT = "src/assay/sandbox/python.wasm"
CHARTS = "src/assay/report/static/vega.js"


class SandboxHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts `python.wasm` and `vega.js` into the wheel, building what is missing or out of date."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Prepare the build; an editable install builds them at first set-up instead."""
        if self.target_name != "wheel" or version == "editable":
            return
        sys.path.insert(0, str(Path(self.root) / "src"))
        from assay.sandbox.build import build, is_current

        target = Path(self.root) / COMPONENT
        if not is_current(target):
            build(target)
        if not (Path(self.root) / CHARTS).is_file():
            from assay.report.bundle import build as build_charts

            build_charts()
        # Git ignores them, and hatchling leaves out what git ignores.
        build_data["artifacts"] += [COMPONENT, CHARTS]
