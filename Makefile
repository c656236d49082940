# Everything here needs Python 3.11+, make and git; the rest is set up into .venv.
PYTHON ?= python3
BIN := .venv/bin
.DEFAULT_GOAL := help

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort

.venv/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Assay needs Python 3.11 or later; set PYTHON=python3.x")'
	$(PYTHON) -m venv .venv

.venv/.setup: .venv/pyvenv.cfg requirements/setup.txt pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/setup.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e . || $(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@

.venv/.dev: .venv/pyvenv.cfg requirements/dev.txt pyproject.toml
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@ .venv/.setup

setup: .venv/.setup  ## set up what running Assay needs, into .venv

dev: .venv/.dev  ## set up what working on Assay needs, into .venv

demo: setup  ## run 30 days of the daily suite against the simulated provider and print the verdicts
	$(BIN)/assay demo

check: dev  ## lint, types and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fast: dev  ## the fast tests
	$(BIN)/pytest -n 2 -m "not slow and not real and not browser and not postgres"

test: dev  ## all tests
	$(BIN)/pytest -n 2

clean:  ## remove what was set up
	rm -rf .venv build dist

.PHONY: help setup dev demo check fast test clean
