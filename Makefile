# make demo    set up whatever is missing, capture a small batch for real, serve a study with it
# make test    set up, then all tests
# make help    the other commands

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

PYTHON ?= python3
DEMO_ARGS ?=
VENV := .venv
BIN := $(VENV)/bin
TESTBED := pipeline/testbed/target/release/eyelevel-testbed
ROOT := $(shell [ "$$(id -u)" = 0 ] && echo yes)
LINUX := $(shell [ "$$(uname -s)" = Linux ] && echo yes)
say = @printf '\033[1m==> %s\033[0m (%s)\n' "$(1)" "$$(date +%H:%M:%S)"

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-15s %s\n", $$1, $$2}'

# --- set up -------------------------------------------------------------------------------------------------------

.PHONY: setup
setup: system $(VENV)/.installed $(if $(filter yesyes,$(ROOT)$(LINUX)),testbed) frontend/dist/index.html ## install and build whatever is missing

.PHONY: system
system: # programs from Debian's packages; only root can install them
ifeq ($(ROOT)$(LINUX),yesyes)
	@PYTHON=$(PYTHON) .ci/system-packages
endif

$(VENV)/bin/python: | system
	$(call say,Python environment)
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python backend/requirements.lock pipeline/pyproject.toml backend/pyproject.toml
	$(call say,Python packages)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r backend/requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e pipeline -e backend
	@touch $@

$(VENV)/.tools: $(VENV)/.installed tests/requirements.lock
	$(call say,Python tools for tests)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r tests/requirements.lock
	@touch $@

.venv-record/.installed: pipeline/record.lock | system
	$(call say,Recording proxy)
	$(PYTHON) -m venv .venv-record
	.venv-record/bin/pip install --quiet --disable-pip-version-check --require-hashes -r pipeline/record.lock
	@touch $@

.PHONY: record-tools
record-tools: .venv-record/.installed ## what eyelevel record needs, in an environment of its own

.PHONY: testbed
testbed: $(TESTBED) ## build the testbed

$(TESTBED): $(shell find pipeline/testbed/src pipeline/testbed/crates -type f 2>/dev/null) pipeline/testbed/Cargo.toml pipeline/testbed/Cargo.lock rust-toolchain.toml | system
	$(call say,Testbed (Rust))
	cargo build --release --locked --manifest-path pipeline/testbed/Cargo.toml
	@touch $@

frontend/node_modules/.installed: frontend/package.json frontend/package-lock.json
	$(call say,Browser packages)
	npm ci --prefix frontend --no-audit --no-fund
	@touch $@

frontend/dist/index.html: frontend/node_modules/.installed $(shell find frontend -type f -not -path '*/node_modules/*' -not -path '*/dist/*' 2>/dev/null)
	$(call say,Pages)
	npm run --prefix frontend build
	@touch $@

# --- use ----------------------------------------------------------------------------------------------------------

.PHONY: demo
demo: setup ## capture a small campaign, serve a study with it (DEMO_ARGS=--exit-when-ready to stop when all answers)
	@exec $(BIN)/eyelevel demo $(DEMO_ARGS)

.PHONY: serve
serve: setup ## the platform alone
	@exec $(BIN)/eyelevel serve

.PHONY: bench
bench: setup $(VENV)/.tools ## benchmarks: ratios against a named peer or bound, and votes under faults
	$(BIN)/python tests/bench/run.py

.PHONY: compose-check
compose-check: setup ## build docker-compose.yml, bring it up, walk one session through it
	tests/compose/check

.PHONY: pictures
pictures: setup $(VENV)/.tools ## photograph every page in both languages and two widths, into pictures/
	EYELEVEL_SCREENSHOTS=pictures $(BIN)/pytest tests/browser/test_screenshots.py

# --- check --------------------------------------------------------------------------------------------------------

.PHONY: test
test: setup $(VENV)/.tools lint test-rust test-frontend test-python ## set up, then all tests

.PHONY: lint
lint: $(VENV)/.tools frontend/node_modules/.installed ## ruff, mypy, check --deploy, rustfmt, clippy, tsc, eslint
	$(call say,Lint)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy pipeline
	$(BIN)/mypy --config-file backend/pyproject.toml backend
	$(BIN)/lint-imports
	$(BIN)/python .ci/check-deploy
	cargo fmt --all --check --manifest-path pipeline/testbed/Cargo.toml
	cargo clippy --release --locked --all-targets --manifest-path pipeline/testbed/Cargo.toml -- -D warnings
	npm run --prefix frontend typecheck
	npm run --prefix frontend lint

.PHONY: test-rust
test-rust: $(TESTBED)
	$(call say,Tests: testbed)
	cargo test --release --locked --manifest-path pipeline/testbed/Cargo.toml

.PHONY: test-frontend
test-frontend: frontend/node_modules/.installed
	$(call say,Tests: pages)
	npm test --prefix frontend

.PHONY: test-python
test-python: setup $(VENV)/.tools record-tools
	$(call say,Tests: pipeline)
	$(BIN)/pytest pipeline
	$(call say,Tests: platform)
	$(BIN)/pytest backend
	$(call say,Tests: the whole flow and people in a browser)
	$(BIN)/pytest tests

.PHONY: format
format: $(VENV)/.tools ## format all code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	cargo fmt --all --manifest-path pipeline/testbed/Cargo.toml

.PHONY: lock
lock: ## compile the Python locks from pyproject.toml (needs uv)
	.ci/lock

.PHONY: clean
clean: ## remove what was built; data stay
	rm -rf $(VENV) .venv-record frontend/node_modules frontend/dist pipeline/testbed/target
