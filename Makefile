# Two commands do everything on a fresh machine: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
# A file of versions to keep to, such as systemd/constraints-bookworm.txt; empty takes the newest.
CONSTRAINTS ?=
BIN := $(VENV)/bin
PINNED := .venv-pinned
STAMP := $(VENV)/.installed

.PHONY: run test test-pinned installer check bench soak clean mutants

run: $(STAMP)
	$(BIN)/setmatch run --rig simulated --autoplay --games 1

test: check
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

# What sees and judges, with what Raspberry Pi OS Bookworm has: Python 3.11 (PYTHON=python3.11 where that is not
# the usual one), numpy 1.24, OpenCV 4.11. `make test` takes the newest.
test-pinned:
	$(MAKE) $(PINNED)/.installed VENV=$(PINNED) CONSTRAINTS=systemd/constraints-bookworm.txt
	$(PINNED)/bin/python -m pytest -n auto --dist loadfile tests/rules tests/calibration tests/umpire

# systemd/install.sh in new Debian systems, and the newest Python in one of them. As root; needs debootstrap, and
# qemu-user-static for the Pi's processor. Half an hour on two cores, so it is no part of CI.
installer: $(STAMP)
	SETMATCH_CUTS=40 $(BIN)/python -m pytest -n auto --dist load tests/systemd/walk_installer.py tests/systemd/test_install.py

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
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
	rm -rf $(VENV) $(PINNED) build dist *.egg-info

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
