"""Connecting to an existing Ray cluster, and refusing databases and providers that cannot work on it."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from assay.core.errors import InvalidInput, Upstream
from assay.core.model import Provider

PATIENCE = 10.0
SERVED_HERE = frozenset({"simulated", "recorded"})


@dataclass(frozen=True, slots=True)
class Cluster:
    """A Ray cluster that this process is connected to. `ray` is the package, which is imported only here."""

    ray: Any
    processors: int
    machines: int


@asynccontextmanager
async def ray_cluster(environment: Mapping[str, str]) -> AsyncIterator[Cluster]:
    """Connect to the Ray cluster that RAY_ADDRESS names, or to the one that runs on this machine.

    An existing connection of this process is used and left open. Raises InvalidInput if Ray is not installed,
    Upstream if no cluster answers.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray: Any = import_module("ray")
    except ImportError as error:
        raise InvalidInput("Ray is not installed: pip install 'assay[ray]'") from error
    connected = ray.is_initialized()
    if not connected:
        await asyncio.to_thread(connect, ray, environment.get("RAY_ADDRESS") or "auto")
    try:
        yield Cluster(
            ray,
            max(1, int(ray.cluster_resources().get("CPU", 1))),
            sum(1 for node in ray.nodes() if node["Alive"]),
        )
    finally:
        if not connected:
            await asyncio.to_thread(ray.shutdown)


def connect(ray: Any, address: str) -> None:
    """Connect to the cluster at HOST:PORT, or with `auto` to the one on this machine; starts none."""
    if "://" in address or address == "local":
        raise InvalidInput(
            f"invalid RAY_ADDRESS {address!r}: start the run on a machine of the cluster, "
            "with RAY_ADDRESS as HOST:PORT, or without it"
        )
    try:
        if address != "auto":
            host, _, port = address.rpartition(":")
            socket.create_connection((host, int(port)), PATIENCE).close()
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        raise Upstream(
            f"cannot connect to a Ray cluster at {address!r} ({' '.join(str(error).split())[:240]}): "
            "start one with `RAY_USAGE_STATS_ENABLED=0 ray start --head`, or set RAY_ADDRESS to HOST:PORT"
        ) from error


def check_database(address: str) -> None:
    """Refuse a database that workers on other machines cannot reach."""
    if not address.startswith("postgres"):
        shown = address.rsplit("@", 1)[-1]
        raise InvalidInput(
            f"database {shown!r} cannot be used on Ray: use a PostgreSQL that every worker reaches, with "
            "--database postgresql://USER@HOST/NAME"
        )


def check_providers(providers: Sequence[Provider], cluster: Cluster) -> None:
    """Refuse simulated and recorded providers, served on this machine, on a cluster of several machines."""
    here = sorted({provider.name for provider in providers if provider.dialect in SERVED_HERE})
    if cluster.machines > 1 and here:
        named = " and ".join(repr(name) for name in here)
        raise InvalidInput(
            f"provider {named} is simulated or recorded and served on this machine only, but the Ray cluster "
            f"has {cluster.machines} machines: run without --on ray, or on a cluster of one machine"
        )
