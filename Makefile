# jadoube: `make run` shows it, `make test` proves it. Everything lives in .venv and build/.
SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
ARCHIVE := $(VENV)/.archive
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard controller/locale/*/LC_MESSAGES/jadoube.po))
# What is not needed is not compiled: that takes a third of the time of setting up.
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --no-compile
# Tests start some hundred programs of ours: where Python keeps nothing of what it compiled, each compiles all anew.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help run test collected quick check bench faults broker browser others servers engines examples screenshots gpio install uninstall deb clean

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 20

run: $(STAMP) $(CATALOGUES) ## watch a game on a simulated board; GAME=file.pgn, chess960 or bughouse, SPEED=0.1…50 SEED=number
	@$(BIN)/jadoube demo $(if $(GAME),--game "$(GAME)") $(if $(SPEED),--speed "$(SPEED)") $(if $(SEED),--seed "$(SEED)")

test: $(STAMP) $(CATALOGUES) broker browser others engines ## all tests; ARGS="-k castling" for some
	@$(BIN)/python -m pytest --numprocesses 6 --dist loadfile --no-loadscope-reorder $(ARGS)

collected: $(ARCHIVE) $(CATALOGUES)
	@$(BIN)/python -m pytest --collect-only -qq >/dev/null

quick: $(STAMP) $(CATALOGUES) ## the Laws, the core, the words and what a board needs, in a minute, with few examples
	@JADOUBE_EXAMPLES=$(or $(JADOUBE_EXAMPLES),8) $(BIN)/python -m pytest --numprocesses 2 --dist worksteal -m "not slow" \
		tests/laws tests/core tests/words tests/hardware/test_every_board.py $(ARGS)

check: $(ARCHIVE) ## style, types, and which room may import which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP) broker browser ## measure, one JSON line a figure; BENCH=replay for one
	@for bench in tests/benchmarks/bench_$(or $(BENCH),*).py; do $(BIN)/python $$bench || exit 1; done

FAULTS := power kills haste haste_real disk wounds moves io_errors unit broker archive soak fuzz fuzz_codecs
faults: $(STAMP) broker browser others engines ## kills, power cuts, failing disks and networks, for hours; FAULT=power for one
	@for fault in $(or $(FAULT),$(FAULTS)); do $(BIN)/python tests/faults/$$fault.py || exit 1; done
	@$(if $(FAULT),true,JADOUBE_STEPS=1000000 JADOUBE_ROUNDS=9 $(BIN)/python -m pytest tests/core/test_stateful.py tests/event)

# Programs that some tests drive: installed where we may, else these tests say loudly that they were skipped.
broker:
	@tools/need.sh mosquitto mosquitto "the tests with a broker"

browser:
	@tools/need.sh "chromium chromium-browser google-chrome" chromium "the tests of the pages"

others:
	@tools/need.sh strace strace "the tests of kills, power cuts and failing disks"
	@tools/need.sh msgfmt gettext "the test of the translations by GNU gettext"
	@tools/need.sh mmdebstrap mmdebstrap "the test of the Debian package"
	@tools/need.sh g++ g++ "the test of the Arduino sketch"
	@tools/need.sh promtool prometheus "the test of the alarms"
	@tools/need.sh man man-db "the test of the manual"
	@tools/need.sh faketime faketime "the test of clocks that differ"

engines: $(ARCHIVE) servers ## RabbitMQ, PostgreSQL and the libraries of the archive, for very many boards

servers:
	@tools/need.sh rabbitmqctl rabbitmq-server "the tests of the archive"
	@tools/need.sh pg_lsclusters postgresql "the tests of the archive"
	@tools/need.sh haproxy haproxy "the tests of a hall that is set up"

examples: $(STAMP) ## the files of config/, from the code that reads them
	@$(BIN)/python tools/reference.py

screenshots: $(STAMP) browser ## of the pages, for the papers
	@$(BIN)/python tools/screenshots.py

gpio: $(STAMP) ## on a Raspberry Pi, once: what reads its pins
	@$(PIP) -r requirements-gpio.txt

install: $(STAMP) ## as root: a service of this machine, in /opt/jadoube; DESTDIR=folder to look at it first, EXTRA=archive
	@EXTRA="$(EXTRA)" DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" NO_DEPS="$(NO_DEPS)" tools/install.sh

uninstall: ## as root: the reverse, but for games and configuration; PURGE=1 for these too
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" PURGE="$(PURGE)" tools/uninstall.sh

deb: $(STAMP) ## a Debian package of that service, in build/, for this architecture and Debian's Python; EXTRA=archive
	@EXTRA="$(EXTRA)" tools/deb.sh

clean: ## remove all that was made here, the demonstration's games too
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .import_linter_cache .pytest_cache .hypothesis

# The versions that were tested together; pyproject.toml says which ranges are allowed.
$(STAMP): pyproject.toml requirements.txt
	@tools/venv.sh $(VENV)
	@echo "Setting up $(VENV), once: half a minute, on a small Pi some minutes." >&2
	@$(PIP) -c requirements.txt setuptools wheel  # first: chess comes as source, and older pips build it with these
	@$(PIP) -r requirements.txt
	@$(PIP) --no-deps --no-build-isolation -e .
	@$(PIP) -c requirements-gpio.txt spidev 2>/dev/null || echo "spidev needs a C compiler: boards on SPI want make gpio" >&2
	@touch $@

# All at once; of a change of the program that does it, too.
$(CATALOGUES) &: $(CATALOGUES:.mo=.po) tools/catalogues.py
	@python3 tools/catalogues.py

# What only the archive needs, which no board carries.
$(ARCHIVE): $(STAMP) requirements-archive.txt
	@$(PIP) -r requirements-archive.txt && touch $@ || { \
		echo "*** The libraries of the archive could not be installed: its tests will be SKIPPED." >&2; [ "$$CI" != true ]; }
