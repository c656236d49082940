# Everything here needs Python 3.11+, make and git; the rest is set up into .venv.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check
WASM := src/assay/sandbox/python.wasm
CHARTS := src/assay/report/static/vega.js
.DEFAULT_GOAL := help
# The tests start hundreds of Pythons: without its bytecode each would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort

.venv/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Assay needs Python 3.11 or later: make PYTHON=python3.x")'
	$(PYTHON) -m venv .venv

.venv/.setup: .venv/pyvenv.cfg requirements/setup.txt pyproject.toml
	@echo "installing what Assay needs (the first time takes a minute or two)"
	$(PIP) --require-hashes -r requirements/setup.txt
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

.venv/.dev: .venv/.setup requirements/dev.txt
	$(PIP) --require-hashes -r requirements/dev.txt
	@touch $@

$(WASM): .venv/.setup $(wildcard src/assay/sandbox/inside/*.py) src/assay/sandbox/build.py
	$(BIN)/python -m assay.sandbox.build
	@touch $@

$(CHARTS): .venv/.setup
	$(BIN)/python -m assay.report.bundle

setup: .venv/.setup $(WASM) $(CHARTS)  ## set up what running Assay needs, into .venv

dev: setup .venv/.dev  ## set up what working on Assay needs, into .venv

demo: setup  ## run 30 simulated days of the daily suite, print the verdicts and serve the pages
	$(BIN)/assay demo --serve

check: dev  ## lint, types and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Several workers share the cores already: threads of one would only take them from the others.
fast test: export OPENBLAS_NUM_THREADS := 1
fast test: export OMP_NUM_THREADS := 1

fast: dev  ## the fast tests, a few minutes
	$(BIN)/pytest -n 2 -m "not slow and not real and not browser and not postgres and not ray"

# Ray's tests come last, alone: Ray takes over its process's signals, which the sandbox needs, and what its tests
# count while they kill workers wants the machine to itself.
test: RAY = $(shell grep -rl --include='*.py' 'mark\.ray' tests)
test: dev  ## all tests; what a machine lacks is skipped and said
	$(BIN)/pytest -n 3 --dist worksteal -rs -m "not ray"
	$(BIN)/pytest -rs -m ray $(RAY)

clean:  ## remove what was set up
	rm -rf .venv build dist $(WASM) $(CHARTS)

.PHONY: help setup dev demo check fast test clean
