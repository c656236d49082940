"""No program gets out of a sandbox, outlasts it, or changes what runs after it."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.ask import CodeAsk, CodeStatus
from assay.sandbox.sandbox import Sandbox


@pytest.mark.slow
def test_an_attack_is_contained(
    sandbox: Sandbox,
    attack: tuple[str, tuple[str, ...], str],
    attacks: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An attack reaches nothing, ends as it must, and the next program finds nothing changed."""
    monkeypatch.setenv("SECRET", "SECRET")
    _, endings, program = attack
    reply = sandbox.run(CodeAsk(program, seconds=attacks["limit"](endings), megabytes=128))
    after = sandbox.run(CodeAsk(attacks["CANARY"], seconds=30))
    assert "ESCAPED" not in reply.stdout
    assert reply.status in endings, reply.error
    assert (after.status, after.error) == (CodeStatus.PASSED, "")
    assert after.stdout in attacks["CLEAN"]


def test_there_are_at_least_forty_attacks(attacks: dict[str, Any]) -> None:
    """The collection does not shrink unnoticed, and no attack is listed twice."""
    names = [name for name, _, _ in attacks["ATTACKS"]]
    assert len(set(names)) == len(names) >= 40
