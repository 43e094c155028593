# jadoube: `make run` shows it, `make test` proves it. Everything lives in .venv and build/.
SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.PHONY: run test check bench clean broker

run: $(STAMP)
	@$(BIN)/jadoube demo $(if $(GAME),--game "$(GAME)") $(if $(SPEED),--speed $(SPEED)) $(if $(SEED),--seed $(SEED))

test: $(STAMP) broker
	$(BIN)/python -m pytest $(ARGS)

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP) broker
	@for bench in tests/benchmarks/bench_*.py; do $(BIN)/python $$bench || exit 1; done

# The versions that were tested together; pyproject.toml says which ranges are allowed.
$(STAMP): pyproject.toml requirements.txt
	@tools/venv.sh $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# A real mosquitto for the broker tests: installed where we may, else those tests say loudly that they were skipped.
broker:
	@tools/mosquitto.sh

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
