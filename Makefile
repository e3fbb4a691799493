# Two commands do everything on a fresh machine: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
# A file of versions to keep to, such as systemd/constraints-bookworm.txt; empty takes the newest.
CONSTRAINTS ?=
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: run test check bench soak clean mutants

run: $(STAMP)
	$(BIN)/setmatch run --rig simulated --autoplay --games 1

test: check
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)
	$(BIN)/python -m tests.bench

# 350 kills at random instants and calls of the kernel, 150 of them of `setmatch run` on the rendered table,
# whose matches are played to their ends; 100 kills in each of two games on the link; and every write step. Of
# the kills `make test` has 39. A quarter of an hour on two cores.
soak: $(STAMP)
	SETMATCH_KILLS=200 SETMATCH_PROGRAM_KILLS=50 SETMATCH_MATCHES=3 SETMATCH_LINK_KILLS=100 \
		$(BIN)/python -m pytest -n auto --dist load tests/faults/test_kill.py tests/faults/test_kill_program.py \
		tests/faults/test_kill_link.py tests/faults/test_write_steps.py

clean:
	rm -rf $(VENV) build dist *.egg-info

$(STAMP): pyproject.toml $(CONSTRAINTS)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(if $(CONSTRAINTS),--constraint $(CONSTRAINTS)) --editable '.[dev]'
	touch $@

# Takes minutes, and is not part of the tests; see tests/rules/MUTANTS.md.
mutants: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,mutants]'
	rm -rf mutants
	$(BIN)/mutmut run
	$(BIN)/mutmut results
	$(BIN)/python -m tests.rules.mutants_of_tables
