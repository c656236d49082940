"""Build `python.wasm`, the sandbox's CPython: `python -m assay.sandbox.build`. Needs componentize-py."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path

from assay.core.errors import InvalidInput, Upstream

TARGET = Path(__file__).with_name("python.wasm")
INSIDE = Path(__file__).with_name("inside")
COMMAND = "python -m assay.sandbox.build"
WORLD = """\
package assay:sandbox;

world sandbox {
  import advance: func(nanoseconds: u64);
  import exchange: func(message: string) -> string;
  export run: func(program: string) -> string;
  export turn: func(message: string) -> string;
}
"""
WIT = ("-d", "sandbox.wit", "-w", "sandbox")
APP = """\
import wit_world
from assay_inside import guest

stdout = guest.prepare(wit_world.advance)
room = guest.Room(wit_world.exchange)


class WitWorld(wit_world.WitWorld):
    def run(self, program: str) -> str:
        return guest.run(program, stdout)

    def turn(self, message: str) -> str:
        return room.handle(message)
"""


def build(target: Path = TARGET) -> Path:
    """Build the component, move it into place in one step, and return its path.

    Raises InvalidInput if componentize-py is not installed and Upstream if it fails.
    """
    tool = componentizer()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "sandbox.wit").write_text(WORLD)
        (folder / "app.py").write_text(APP)
        shutil.copytree(INSIDE, folder / "assay_inside", ignore=shutil.ignore_patterns("__pycache__"))
        made = folder / "python.wasm"
        # VIRTUAL_ENV would add that environment's packages to the component's path.
        environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
        done = subprocess.run(
            [tool, "-q", *WIT, "componentize", "-p", ".", "app", "-o", made.name],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode or not made.is_file():
            why = done.stderr.partition("Stack backtrace:")[0].strip()[-2000:]
            raise Upstream(f"componentize-py could not build the sandbox: {why}")
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_name(f".{target.name}.{os.getpid()}")
        shutil.copyfile(made, beside)
        beside.replace(target)
    return target


def componentizer() -> str:
    """Return the path of the componentize-py command of this environment."""
    folder = sysconfig.get_path("scripts")
    found = shutil.which("componentize-py", path=folder) or shutil.which("componentize-py")
    if found is None:
        raise InvalidInput(
            "componentize-py is not installed: pip install componentize-py==0.25.0, then retry"
        )
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Build `python.wasm` next to this file or at `--output`; with `--if-missing` only if it is outdated."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--output", type=Path, default=TARGET, help="where to write the component")
    parser.add_argument(
        "--if-missing", action="store_true", help="do nothing when it is there and up to date"
    )
    options = parser.parse_args(arguments)
    if options.if_missing and is_current(options.output):
        return 0
    made = build(options.output)
    print(f"built {made.name}: {made.stat().st_size / 1e6:.0f} MB", file=sys.stderr)
    return 0


def is_current(target: Path) -> bool:
    """Return whether the component exists and is newer than its sources."""
    if not target.is_file():
        return False
    sources = [Path(__file__), *INSIDE.glob("*.py")]
    return target.stat().st_mtime >= max(source.stat().st_mtime for source in sources)


if __name__ == "__main__":
    sys.exit(main())
