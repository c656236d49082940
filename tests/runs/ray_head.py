"""A process that is a Ray cluster of two processors: it prints its address, and ends when its input does."""

from __future__ import annotations

import json
import sys

import ray

if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    session = ray._private.worker._global_node.get_session_dir_path()
    print(json.dumps({"address": ray.get_runtime_context().gcs_address, "session": session}), flush=True)
    sys.stdin.read()
    ray.shutdown()
