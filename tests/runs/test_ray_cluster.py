"""What is refused before a run goes to a Ray cluster."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assay.core.errors import InvalidInput, Upstream
from assay.core.model import Provider
from assay.runs.cluster.ray_cluster import Cluster, check_database, check_providers, connect, ray_cluster
from assay.runs.work import open_work


def test_an_sqlite_file_is_refused_and_not_begun(tmp_path: Path) -> None:
    """The message names the file and what to give instead; nothing is created."""
    database = tmp_path / "assay.db"
    work = open_work(tmp_path, environment={**os.environ, "ASSAY_DATABASE": str(database)}, on="ray")
    plan = work.plan(work.suite("daily"), work.models(["simulated/steady"]), limit=2)
    with pytest.raises(InvalidInput, match=r"assay\.db.*postgresql://"):
        asyncio.run(work.run(plan))
    assert not database.exists()


def test_a_refused_address_is_shown_without_its_password() -> None:
    """What stands before the host never appears."""
    with pytest.raises(InvalidInput) as raised:
        check_database("mysql://user:sesame@host/name")
    assert "sesame" not in str(raised.value)


def test_a_missing_package_is_named_with_its_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Ray the message is the command that installs it."""
    monkeypatch.setitem(sys.modules, "ray", None)

    async def main() -> None:
        async with ray_cluster({}):
            pass

    with pytest.raises(InvalidInput, match=r"pip install 'assay\[ray\]'"):
        asyncio.run(main())


@pytest.mark.parametrize("address", ["ray://host:10001", "local"])
def test_an_address_that_is_no_machine_of_the_cluster_is_refused(address: str) -> None:
    """A run is driven from the cluster itself, and never begins a cluster."""
    with pytest.raises(InvalidInput, match="HOST:PORT"):
        connect(None, address)


@pytest.mark.parametrize("address", ["127.0.0.1:9", "127.0.0.1", "127.0.0.1:x"])
def test_a_cluster_that_does_not_answer_is_told_with_what_to_do(address: str) -> None:
    """Nothing waits: Ray itself would try for minutes."""
    ray = SimpleNamespace(exceptions=SimpleNamespace(RayError=ValueError))
    with pytest.raises(Upstream, match="ray start --head"):
        connect(ray, address)


@pytest.mark.parametrize("dialect", ["simulated", "recorded"])
def test_a_provider_that_the_driver_serves_is_refused_on_several_machines(dialect: Any) -> None:
    """The driver serves it to its own machine only."""
    provider = Provider("local", "http://127.0.0.1:1/v1", dialect=dialect)
    with pytest.raises(InvalidInput, match=r"'local' .* this machine only"):
        check_providers([provider], Cluster(None, 8, 2))
    check_providers([provider], Cluster(None, 8, 1))
