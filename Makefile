# Two commands: `make demo` shows the main job, `make test` checks everything. Each sets itself up; a second run is quick.

VENV := .venv
BIN := $(VENV)/bin
.DEFAULT_GOAL := help

.PHONY: help demo test lint unit check-system clean

help:
	@echo "make demo   learn the recordings that ship with graphmem, plan a task, draw the graph"
	@echo "make test   ruff, mypy --strict, import-linter, pytest (with a real Neo4j and Chromium where they can be had)"
	@echo "make lint   the first three of these"
	@echo "make clean  remove the environment and what tools have cached here"

demo: $(VENV)/.ready
	@$(BIN)/graphmem demo

# pytest goes last, so that its summary is the last line.
test: $(VENV)/.ready-dev check-system
	@$(MAKE) --no-print-directory lint
	@$(BIN)/python -m pytest -n 2 --dist loadgroup

lint: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/mypy --strict
	$(BIN)/lint-imports

check-system:
	@sh .ci/system tests

$(BIN)/python:
	@sh .ci/system venv $(VENV)

$(VENV)/.ready: pyproject.toml | $(BIN)/python
	@echo "graphmem: installing the package into $(VENV) (a minute or so, once)" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.ready-dev: pyproject.toml | $(BIN)/python
	@echo "graphmem: installing the package and its test tools into $(VENV) (a minute or two, once)" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(VENV)/.ready $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .benchmarks dist build
