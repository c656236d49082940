"""The first usable sandbox is chosen, and without one nothing is run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from assay.core.ask import CodeAsk, CodeReply, CodeStatus
from assay.core.errors import InvalidInput
from assay.sandbox.choose import SandboxChoice, open_sandbox
from assay.sandbox.sandbox import Sandbox, Unusable


@dataclass
class Fake:
    """A sandbox that passes everything it fits."""

    name: str
    packages: tuple[str, ...] = ()
    closed: list[str] = field(default_factory=list)

    def unfit(self, ask: CodeAsk) -> str | None:
        return None if set(ask.packages) <= set(self.packages) else "no such package"

    def run(self, ask: CodeAsk) -> CodeReply:
        return CodeReply(CodeStatus.PASSED, sandbox=self.name)

    def close(self) -> None:
        self.closed.append(self.name)


def unusable(reason: str) -> Callable[[], Sandbox]:
    def opener() -> Sandbox:
        raise Unusable(reason)

    return opener


def test_the_first_usable_kind_runs_it() -> None:
    """A kind that cannot be used is passed over."""
    choice = SandboxChoice({"wasm": unusable("not built"), "bubblewrap": lambda: Fake("second")})
    assert choice.run(CodeAsk("x = 1")).sandbox == "second"


def test_packages_go_to_a_sandbox_that_has_them() -> None:
    """A program that needs a package is run where it is."""
    choice = SandboxChoice({"wasm": lambda: Fake("first"), "bubblewrap": lambda: Fake("second", ("numpy",))})
    assert choice.run(CodeAsk("x = 1", packages=("numpy",))).sandbox == "second"


def test_no_sandbox_runs_nothing_and_says_why() -> None:
    """With none usable the reply is UNAVAILABLE with every reason."""
    choice = SandboxChoice({"wasm": unusable("not built"), "docker": unusable("not installed")})
    reply = choice.run(CodeAsk("raise SystemExit('this must not run')"))
    assert (reply.status, reply.error) == (CodeStatus.UNAVAILABLE, "wasm: not built; docker: not installed")


def test_kinds_are_opened_once_and_when_needed() -> None:
    """A later kind is opened only when an earlier one does not do."""
    opened: list[str] = []

    def opener(name: str) -> Callable[[], Sandbox]:
        def make() -> Sandbox:
            opened.append(name)
            return Fake(name)

        return make

    choice = SandboxChoice({"wasm": opener("wasm"), "bubblewrap": opener("bubblewrap")})
    choice.run(CodeAsk("x = 1"))
    choice.run(CodeAsk("x = 1"))
    assert opened == ["wasm"]


def test_closing_closes_what_was_opened() -> None:
    """Every opened sandbox is closed."""
    fake = Fake("only")
    choice = SandboxChoice({"wasm": lambda: fake, "docker": unusable("no")})
    choice.run(CodeAsk("x = 1"))
    choice.close()
    assert fake.closed == ["only"]


def test_an_unknown_kind_is_refused() -> None:
    """A kind that does not exist is named, with those that do."""
    with pytest.raises(InvalidInput, match="unknown sandbox 'chroot': use wasm, bubblewrap, docker"):
        open_sandbox(["wasm", "chroot"])
