# Two commands do everything on a fresh machine with python3 and make:
#   make demo    sets up and explains three bundled failures
#   make test    sets up and runs every check
# make bench runs every benchmark, for many hours; make bench BENCH=--quick some minutes
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo docs man test lint types imports check bench clean

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	$(BIN)/python -m compileall -q src
	touch $(READY)

demo: $(READY)
	@PATH="$(CURDIR)/$(BIN):$$PATH" wynot demo

man: $(READY)
	mkdir -p build
	$(BIN)/wynot man > build/wynot.1
	@echo 'written; to read it: man -l build/wynot.1'

docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo 'to read it: build/site/index.html; to search in it, too: python3 -m http.server -d build/site'

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports --no-cache

# Tests start wynot thousands of times: it is compiled once, also where PYTHONDONTWRITEBYTECODE is set. Two workers for
# each processor: tests often wait for processes. They have a folder of their own: Python cannot remove the deep folders
# that a killed run leaves, which pytest would try to.
WORKERS ?= $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))
test: lint types imports
	$(BIN)/python -m compileall -q src
	place=$$(mktemp -d "$${TMPDIR:-/tmp}/XXXXXX") && { \
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --basetemp "$$place/pytest-of-make" $(TESTS); \
	code=$$?; rm -rf "$$place"; exit $$code; }

bench: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python benchmarks/all.py --out build/bench $(BENCH)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
