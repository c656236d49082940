#!/usr/bin/env bash
# Writes the locks anew from pyproject.toml. Needs uv; they are hashed, universal, and name no index host.
set -eu
cd "$(dirname "$0")/.."
compile() { uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate -q "$@"; }
compile -o requirements/core.txt
compile --group build -o requirements/setup.txt
compile --extra images --extra postgres --group dev --group build -o requirements/dev.txt
