"""The service conforms to its OpenAPI description for all generated requests."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from exam_room import room
from exam_server import CLIENT, Served, people, serving
from fresh_database import fresh_sqlite
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

EXAMPLES = 15
UNUSUAL = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with an open session, and tokens by role."""
    folder: Path = tmp_path_factory.mktemp("described")
    engine = fresh_sqlite(folder / "assay.db")
    made = room(engine, families=20)
    with serving(made) as served:
        users = people(made)
        session = made.open(100, now=time.time())
        served.tokens.update({"session": session, "candidate": served.token(made.ada, session)})
        served.tokens["examiner"] = served.token(users["examiner"])
        served.send("POST", f"/sessions/{session}/question", token=served.tokens["candidate"])
        yield served
    engine.dispose()


@pytest.mark.slow
@pytest.mark.parametrize("role", ["candidate", "examiner"])
@pytest.mark.parametrize("mode", list(GenerationMode))
def test_replies_conform_to_the_description(described: Served, role: str, mode: GenerationMode) -> None:
    """Valid and invalid input gets documented statuses, types and bodies, and never 500."""
    url = f"http://127.0.0.1:{described.port}/api/v1/openapi.json"
    tried = []
    for result in schemathesis.openapi.from_url(url).get_all_operations():
        operation: Any = result.ok()

        @seed(7)
        @settings(
            max_examples=EXAMPLES,
            database=None,
            suppress_health_check=UNUSUAL,
            phases=[Phase.explicit, Phase.generate],
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def check(case: Any) -> None:
            if "session" in (case.path_parameters or {}) and mode is GenerationMode.POSITIVE:
                case.path_parameters["session"] = described.tokens["session"]
            case.headers["Assay-Client"] = CLIENT
            case.headers["Authorization"] = f"Bearer {described.tokens[role]}"
            case.call_and_validate()

        if operation.label == "DELETE /api/v1/tokens/current":
            continue
        # An operation without input has no invalid input.
        with contextlib.suppress(Unsatisfiable):
            check()
            tried.append(operation.label)
    assert len(tried) >= 7
