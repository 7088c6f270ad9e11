# Everything lives in one virtual environment, .venv, made on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(wildcard src/native/*.?pp src/native/*/*.?pp src/native/*/*/*.?pp src/native/*/*/*/*.?pp)
NATIVE := $(SOURCES) CMakeLists.txt pyproject.toml
TEST_JOBS ?= 2
FUZZ_TRIALS ?= 2000

.PHONY: run test lint unit dropin dropin-own differences fuzz sanitize bench docs curriculum rooms wheel clean

run: $(VENV)/.run
	$(BIN)/margin compare --out margin-report

test: $(VENV)/.test lint unit dropin-own

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/mirror.py
	$(BIN)/python tools/house.py
	$(BIN)/python -m tools.rooms --check
	$(BIN)/python -m tools.stubs --check
	$(BIN)/python -m tools.curriculum --check
	$(BIN)/python -m tools.dropin --check

# The workers share the cores: one thread each, or they would wait for one another.
unit: export OMP_NUM_THREADS = 1
unit: export OPENBLAS_NUM_THREADS = 1
unit: $(VENV)/.test
	$(BIN)/python -m pytest -n $(TEST_JOBS) tests
	$(BIN)/python -m pytest -n $(TEST_JOBS) --doctest-modules src/margin

# Scikit-learn's own tests with margin's classes in the place of theirs.
dropin dropin-own: export OMP_NUM_THREADS = 1
dropin dropin-own: export OPENBLAS_NUM_THREADS = 1
dropin: $(VENV)/.test
	$(BIN)/python -m tools.dropin --table --jobs $(TEST_JOBS)

# Those of the namesakes themselves, without the longest.
dropin-own: $(VENV)/.test
	$(BIN)/python -m tools.dropin --own --limit 5 --jobs $(TEST_JOBS)

# Awkward tables for every estimator, in children with limits on time and memory.
fuzz: $(VENV)/.test
	$(BIN)/python -m tools.fuzz --trials $(FUZZ_TRIALS)

# The native tests on a core that checks every address and every undefined operation.
sanitize: $(VENV)/.test
	$(BIN)/python -m tools.sanitize

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

docs: $(VENV)/.docs
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html
	@echo "documentation: docs/_build/html/index.html"

curriculum: $(VENV)/.test
	$(BIN)/python -m tools.curriculum
	$(BIN)/python -m tools.curriculum --check

rooms: $(VENV)/.test
	$(BIN)/python -m tools.rooms

differences: $(VENV)/.test
	$(BIN)/python -m tools.dropin --page

wheel: $(VENV)/.run
	$(BIN)/python -m pip install --quiet build
	$(BIN)/python -m build --outdir dist .

$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/.run: $(VENV)/.created $(NATIVE)
	$(BIN)/python -m pip install --quiet --editable ".[compare]"
	touch $@

$(VENV)/.test: $(VENV)/.created $(NATIVE)
	$(BIN)/python -m pip install --quiet --editable ".[test]"
	touch $@ $(VENV)/.run

# An install compiles the core, so each of these is one install that serves `run` as well.
$(VENV)/.bench: $(VENV)/.created $(NATIVE)
	$(BIN)/python -m pip install --quiet --editable ".[bench]"
	touch $@ $(VENV)/.run

$(VENV)/.docs: $(VENV)/.created $(NATIVE)
	$(BIN)/python -m pip install --quiet --editable ".[docs]"
	touch $@ $(VENV)/.run

clean:
	rm -rf $(VENV) build dist margin-report docs/_build docs/auto_examples docs/api/generated
