"""A process that is a Ray cluster of two processors: it prints its address, and ends when its input does.

Its one argument is a folder for Ray's files, with a short path: there are sockets in it.
"""

from __future__ import annotations

import sys

import ray

if __name__ == "__main__":
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
        _temp_dir=sys.argv[1],
    )
    print(ray.get_runtime_context().gcs_address, flush=True)
    sys.stdin.read()
    ray.shutdown()
