"""Builds the sandbox's CPython when a wheel is made, so that an installed wheel needs no build tool."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPONENT = "src/assay/sandbox/python.wasm"


class SandboxHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts `python.wasm` into the wheel, building it first when it is missing or older than its sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Prepare the build; an editable install builds the component at first set-up instead."""
        if self.target_name != "wheel" or version == "editable":
            return
        sys.path.insert(0, str(Path(self.root) / "src"))
        from assay.sandbox.build import build, is_current

        target = Path(self.root) / COMPONENT
        if not is_current(target):
            build(target)
        # Git ignores it, and hatchling leaves out what git ignores.
        build_data["artifacts"].append(COMPONENT)
