# make demo    set up whatever is missing, capture a small batch for real, serve a study with it
# make check   format, lint, types and pure tests: under 3 minutes
# make test    every deterministic test
# make help    the other commands

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory

PYTHON ?= python3
# `server` for the programs of a server alone
SYSTEM ?=
DEMO_ARGS ?=
SOAK_ARGS ?=
STUDY_ARGS ?=
VENV := .venv
BIN := $(VENV)/bin
TESTBED := pipeline/testbed/target/release/eyelevel-testbed
# with faults, for tests of their detection
PLANTED := pipeline/testbed/target/release/examples/planted
TESTBED_MANIFEST := --manifest-path pipeline/testbed/Cargo.toml
RECORDER := pipeline/recorder/target/release/eyelevel-recorder
# an X client that the benches of the recorder use
PAINTER := pipeline/recorder/target/release/examples/painter
RECORDER_MANIFEST := --manifest-path pipeline/recorder/Cargo.toml
ROOT := $(shell [ "$$(id -u)" = 0 ] && echo yes)
LINUX := $(shell [ "$$(uname -s)" = Linux ] && echo yes)
# cargo would take make's job slots for its own
CARGO := env -u MAKEFLAGS cargo
PIP := install --quiet --disable-pip-version-check
# lanes side by side, each one's output whole, and no lane stopped by a failure in another
LANES := $(MAKE) --jobs=3 --output-sync=target --keep-going
# the end of a goal that others depend on
complete = @$(if $(filter $@,$(MAKECMDGOALS)),echo "Setup is complete. Next: . $(BIN)/activate && $(1)",:)
say = @printf '\033[1m==> %s\033[0m (%s)\n' "$(1)" "$$(date +%H:%M:%S)"

.PHONY: help
help: ## this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-20s %s\n", $$1, $$2}'

# --- set up -------------------------------------------------------------------------------------------------------

.PHONY: setup
setup: system ## install and build whatever is missing; as root, Debian packages as well
	+@$(MAKE) --jobs=3 installed
	$(call complete,eyelevel doctor)

.PHONY: setup-server
setup-server: ## the same for a machine that only serves studies: no Rust, and no programs for capture
	+@$(MAKE) system SYSTEM=server
	+@$(MAKE) --jobs=2 served
	$(call complete,eyelevel serve)

# the longest first
.PHONY: installed
installed: $(if $(filter yesyes,$(ROOT)$(LINUX)),testbed recorder) served

.PHONY: served
served: $(VENV)/.installed frontend/dist/index.html

.PHONY: system
system: ## install missing programs from Debian packages; only as root
ifeq ($(ROOT)$(LINUX),yesyes)
	@PYTHON=$(PYTHON) .ci/system-packages $(SYSTEM)
endif

$(VENV)/bin/python:
	$(call say,Python environment)
	$(PYTHON) -m venv $(VENV)

# settings name the apps: a new one is a folder that the installation has to find
$(VENV)/.installed: $(VENV)/bin/python backend/requirements.lock pipeline/pyproject.toml backend/pyproject.toml backend/config/settings.py
	$(call say,Python packages)
	$(BIN)/pip $(PIP) --require-hashes -r backend/requirements.lock
	$(BIN)/pip $(PIP) --no-deps --no-build-isolation -e pipeline -e backend
	@touch $@

$(VENV)/.tools: $(VENV)/.installed tests/requirements.lock
	$(call say,Python tools for tests)
	$(BIN)/pip $(PIP) --require-hashes -r tests/requirements.lock
	@touch $@

# with its version in its name, so that another version is installed beside it; without Go its tests are skipped
STORE := $(VENV)/.versitygw-v1.8.0
$(STORE): | $(VENV)/bin/python
	$(call say,S3-compatible store of tests (Go))
	@if command -v go >/dev/null; then \
	  GOBIN=$(abspath $(BIN)) go install -trimpath github.com/versity/versitygw/cmd/versitygw@$(STORE:$(VENV)/.versitygw-%=%) && touch $@; \
	else echo "Go is missing, so tests of buckets are skipped; install it from https://go.dev/dl or your distribution." >&2; fi

# checks words of documents and pages; where it cannot be installed, words are not checked
VALE := $(VENV)/.vale-v3.22.0
$(VALE): | $(VENV)/bin/python
	$(call say,Prose linter (Go))
	@GOBIN=$(abspath $(BIN)) go install -trimpath github.com/vale-cli/vale/v3/cmd/vale@$(VALE:$(VENV)/.vale-%=%) \
	  && touch $@ || echo "Vale was not installed, so words are not checked; it needs Go (https://go.dev/dl)." >&2

.venv-record/.installed: pipeline/record.lock
	$(call say,Recording proxy)
	$(PYTHON) -m venv .venv-record
	.venv-record/bin/pip $(PIP) --require-hashes -r pipeline/record.lock
	@touch $@

.venv-docs/.installed: .ci/docs.lock
	$(call say,Builder of the documentation site)
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/pip $(PIP) --require-hashes -r .ci/docs.lock
	@touch $@

.venv-audit/.installed: .ci/audit.lock
	$(call say,Audit tools)
	$(PYTHON) -m venv .venv-audit
	.venv-audit/bin/pip $(PIP) --require-hashes -r .ci/audit.lock
	@touch $@

.PHONY: record-tools
record-tools: .venv-record/.installed ## what eyelevel record needs, in an environment of its own

.PHONY: testbed
testbed: $(TESTBED) ## build the testbed

$(TESTBED): $(shell find pipeline/testbed/src pipeline/testbed/crates -type f 2>/dev/null) pipeline/testbed/Cargo.toml pipeline/testbed/Cargo.lock rust-toolchain.toml
	$(call say,Testbed (Rust))
	$(CARGO) build --release --locked $(TESTBED_MANIFEST)
	@touch $@

.PHONY: recorder
recorder: $(RECORDER) ## build the recorder

$(RECORDER): $(shell find pipeline/recorder/src -type f 2>/dev/null) pipeline/recorder/Cargo.toml pipeline/recorder/Cargo.lock rust-toolchain.toml
	$(call say,Recorder (Rust))
	$(CARGO) build --release --locked $(RECORDER_MANIFEST)
	@touch $@

$(PAINTER): $(RECORDER) $(shell find pipeline/recorder/examples pipeline/recorder/tests -type f 2>/dev/null)
	$(CARGO) build --release --locked --examples $(RECORDER_MANIFEST)
	@touch $@

$(PLANTED): $(TESTBED)
	$(CARGO) build --release --locked --examples $(TESTBED_MANIFEST)
	@touch $@

frontend/node_modules/.installed: frontend/package.json frontend/package-lock.json
	$(call say,Browser packages)
	npm ci --prefix frontend --no-audit --no-fund
	@touch $@

# the sources of the pages, without their tests
frontend/dist/index.html: frontend/node_modules/.installed $(shell find frontend -type f -not -path '*/node_modules/*' -not -path '*/dist/*' -not -name '*.test.*' -not -name '*.gen.*' -not -path 'frontend/src/test/*' -not -name '*.md' -not -name 'eslint*' 2>/dev/null)
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
bench: setup $(VENV)/.tools $(PAINTER) ## benchmarks: ratios against a named peer or bound, votes under faults, load
	$(BIN)/python tests/bench/run.py

# Goes on where it was stopped. Parts with the same sites have one motion mask and one list of volatile parameters each,
# as compare asks for.
.PHONY: replicate-wolsing
replicate-wolsing: setup $(VENV)/.tools ## capture six recordings as in 2019, report, and test parity, in hours (RECORDINGS=folder OUT=folder); as root
	@: "$${RECORDINGS:?names no folder of recordings; docs/replications/wolsing2019 says which they are}"
	@: "$${OUT:?names no folder for batches and reports}"
	@for part in wikipedia access da2gc mss one-server; do \
		case $$part in da2gc | mss | one-server) mkdir -p "$$OUT/$$part"; \
			cp -ru "$$OUT"/access/{masks,volatile} "$$OUT/$$part" ;; esac; \
		$(BIN)/eyelevel capture "pipeline/campaigns/wolsing2019-$$part.toml" \
			--recordings "$$RECORDINGS" --out "$$OUT/$$part" --no-clips; done
	$(BIN)/eyelevel compare "$$OUT/access" "$$OUT/da2gc" "$$OUT/mss" "$$OUT/wikipedia" --out "$$OUT/report"
	$(BIN)/eyelevel compare "$$OUT/one-server" --out "$$OUT/report-one-server"
	[ -e "$$OUT/parity.svg" ] || $(BIN)/python -u tests/bench/parity.py --figure "$$OUT/parity.svg" | tee "$$OUT/parity.txt"

.PHONY: replicate-nepomuceno
replicate-nepomuceno: setup ## capture three recordings as in 2018 and report, in an hour (RECORDINGS=folder OUT=folder); as root
	@: "$${RECORDINGS:?names no folder of recordings; docs/replications/nepomuceno2018 says which they are}"
	@: "$${OUT:?names no folder for batch and report}"
	$(BIN)/eyelevel capture pipeline/campaigns/nepomuceno2018-part.toml \
		--recordings "$$RECORDINGS" --out "$$OUT/batch" --no-clips
	$(BIN)/eyelevel compare "$$OUT/batch" --as nepomuceno2018 --out "$$OUT/report"

SAIF_NETWORKS := $(foreach rate,unlimited 52.95 16 10,--network docs/replications/saif2020/networks/$(rate).json)
.PHONY: replicate-saif
replicate-saif: setup ## capture two pages as in 2020, download a file and report, in an hour (OUT=folder); as root
	@: "$${OUT:?names no folder for batch, downloads and report}"
	$(BIN)/eyelevel capture pipeline/campaigns/saif2020-part.toml --out "$$OUT/batch" --no-clips
	$(BIN)/eyelevel compare "$$OUT/batch" --as saif2020 --out "$$OUT/report"
	[ -e "$$OUT/download/downloads.csv" ] || $(BIN)/eyelevel download --bytes 25000000 --stack TCP --stack QUIC --runs 5 \
		$(SAIF_NETWORKS) --out "$$OUT/download"

.PHONY: study-2019
study-2019: setup ## four real recordings through a study with simulated participants (RECORDINGS=folder OUT=folder); as root
	@: "$${RECORDINGS:?names no folder of recordings; pipeline/campaigns/study-2019.toml says which they are}"
	@: "$${OUT:?names no folder for batch, data, export and report}"
	@exec $(BIN)/eyelevel rehearse pipeline/campaigns/study-2019.toml docs/guides/study-2019.yaml \
		--recordings "$$RECORDINGS" --out "$$OUT" --training-site baidu $(STUDY_ARGS)

.PHONY: compose-check
compose-check: setup ## build the compose files, walk one session through the platform, kill web servers and workers under 200 people, film in a container
	tests/compose/check
	tests/compose/check-hosts
	tests/compose/check-capture

.PHONY: pictures
pictures: setup $(VENV)/.tools ## photograph every page in both languages and two widths, into pictures/
	EYELEVEL_SCREENSHOTS=pictures $(BIN)/pytest -m "" tests/browser/test_screenshots.py

# the scripts of tests/docs import from the folders that pytest has on its path
SCRIPT := PYTHONPATH=tests:pipeline:backend $(BIN)/python

.PHONY: docs
docs: .venv-docs/.installed $(VENV)/.installed ## build the documentation site into var/docs/site, and check every link in it
	@.ci/step $@ env $(SCRIPT) tests/docs/build_site.py

.PHONY: reference
reference: $(TESTBED) $(VENV)/.installed ## write the generated pages of docs/reference and docs/contracts again
	@mkdir -p var
	$(SCRIPT) backend/manage.py openapi > var/openapi.json
	@mv var/openapi.json docs/contracts/openapi.json
	$(SCRIPT) -m eyelevel_core.contracts.reference docs/contracts
	$(SCRIPT) tests/docs/generated.py

# --- check --------------------------------------------------------------------------------------------------------

# side by side: what keeps processors busy
BUSY := build-rust-tests test-python
# one after the other: what films, plays or measures real time
QUIET := coverage test-recorder test-realtime
# at idle priority: linters and the documentation site run beside test-flow, and test-pages beside test-rust, which mostly waits
LINTERS := lint-rust lint-pages lint-python lint-prose docs
PYTEST := $(BIN)/pytest -q --durations=12
COVERAGE := var/coverage.json
WHEN_IDLE := $(if $(shell command -v chrt),chrt --idle 0,nice -n 19)
RAISE ?=
SIDE_BY_SIDE := --dist=loadfile --numprocesses

.PHONY: test
test: ## build what is missing, then every deterministic test; closes with a table of results
	@rm -rf var/steps
	+@began=$$(date +%s); \
	$(LANES) $(BUSY) || true; \
	$(WHEN_IDLE) $(MAKE) test-pages & \
	$(MAKE) test-rust || true; \
	wait $$! || true; \
	$(MAKE) --jobs=1 --keep-going $(QUIET) || true; \
	$(WHEN_IDLE) $(LANES) $(LINTERS) & \
	$(MAKE) test-flow || true; \
	wait $$! || true; \
	$(MAKE) test-flow-realtime || true; \
	.ci/summary $$began $(subst test-python,test-pure test-pipeline test-papers test-backend,$(BUSY)) \
		test-rust test-pages $(QUIET) test-flow $(LINTERS) test-flow-realtime

# tests of the packages whose branch coverage has a floor
COVERED := $(addprefix pipeline/tests/,stats core contracts comparability assignment kinds measure figures study)
# pure: no browser, no services, no films
PURE := $(wildcard $(addprefix pipeline/tests/,stats contracts core comparability assignment kinds measure study compare))
CHECK := lint-python lint-pages lint-rust lint-prose check-python check-pages check-docs

.PHONY: check
check: ## format, lint, types, pure tests, and tests of changed pages; within 3 minutes
	@rm -rf var/steps
	+@began=$$(date +%s); $(LANES) $(CHECK) || true; .ci/summary $$began $(CHECK)

.PHONY: check-python
check-python: $(VENV)/.tools
	@.ci/step $@ $(PYTEST) $(PURE) -m "not root and not browser and not services and not realtime and not soak"

.PHONY: check-docs
check-docs: $(VENV)/.tools
	@.ci/step $@ $(PYTEST) tests/docs

.PHONY: check-pages
check-pages: frontend/node_modules/.installed # what uncommitted changes touch
	@.ci/step $@ npm test --prefix frontend -- --changed --passWithNoTests

.PHONY: lint
lint: lint-python lint-pages lint-rust lint-prose ## ruff, mypy, import-linter, check --deploy, tsc, eslint, rustfmt, clippy, Vale

.PHONY: lint-python ruff mypy imports deploy
lint-python: $(VENV)/.tools
	@.ci/step $@ make --keep-going ruff mypy imports deploy
ruff:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
mypy: # two caches: the configurations would throw away each other's results
	$(BIN)/mypy pipeline
	$(BIN)/mypy --config-file backend/pyproject.toml --cache-dir .mypy_cache/backend backend
imports:
	$(BIN)/lint-imports --config importlinter.toml
deploy:
	$(BIN)/python .ci/check-deploy

.PHONY: lint-prose prose
lint-prose: $(VALE)
	@.ci/step $@ make prose
prose:
	@if [ -e $(VALE) ]; then .ci/check-prose $(BIN)/vale; fi

.PHONY: lint-pages tsc eslint
lint-pages: frontend/node_modules/.installed
	@.ci/step $@ make --keep-going tsc eslint
tsc:
	npm run --prefix frontend typecheck
eslint:
	npm run --prefix frontend lint

.PHONY: lint-rust rustfmt clippy
lint-rust:
	@.ci/step $@ make --keep-going rustfmt clippy
rustfmt:
	cargo fmt --check --all $(TESTBED_MANIFEST)
	cargo fmt --check --all $(RECORDER_MANIFEST)
clippy:
	cargo clippy --release --locked --workspace --all-targets $(TESTBED_MANIFEST) -- -D warnings
	cargo clippy --release --locked --all-targets $(RECORDER_MANIFEST) -- -D warnings

.PHONY: build-rust-tests
build-rust-tests: $(TESTBED) $(RECORDER)
	@.ci/step $@ make --keep-going testbed-tests recorder-tests

.PHONY: testbed-tests recorder-tests
testbed-tests:
	cargo test --release --locked --workspace --no-run $(TESTBED_MANIFEST)
recorder-tests:
	cargo test --release --locked --no-run $(RECORDER_MANIFEST)

.PHONY: test-rust
test-rust: ## tests of the testbed; four threads, because most tests wait
	@.ci/step $@ cargo test --release --locked --workspace --no-fail-fast $(TESTBED_MANIFEST) -- --test-threads=4

.PHONY: test-recorder
test-recorder: ## tests of the recorder, on screens of their own
	@.ci/step $@ cargo test --release --locked --no-fail-fast $(RECORDER_MANIFEST)

.PHONY: test-pages
test-pages: frontend/node_modules/.installed ## tests of the pages
	@.ci/step $@ npm test --prefix frontend

# Two processes: tests of the pipeline fork, and a client of the queue that the platform's tests leave does not survive
# that. Branches are traced in the tests of the pure packages only, which have floors.
.PHONY: test-python
test-python: $(TESTBED) $(RECORDER) $(VENV)/.tools $(STORE) record-tools frontend/dist/index.html ## tests of pipeline and platform, without what needs real time
	@mkdir -p var
	@status=0; \
	.ci/step test-pure $(PYTEST) $(COVERED) -m "not realtime and not soak" $(SIDE_BY_SIDE)=2 --cov --cov-report=json:$(COVERAGE) || status=1; \
	.ci/step test-pipeline $(PYTEST) pipeline $(COVERED:%=--ignore=%) --ignore=pipeline/tests/papers -m "not realtime and not soak" $(SIDE_BY_SIDE)=2 || status=1; \
	.ci/step test-papers $(PYTEST) pipeline/tests/papers -m "not realtime and not soak" $(SIDE_BY_SIDE)=2 || status=1; \
	.ci/step test-backend $(PYTEST) backend -m "not realtime and not soak" $(SIDE_BY_SIDE)=2 || status=1; \
	exit $$status

.PHONY: coverage
coverage: ## compare the branch coverage of the last test-python with its floors; RAISE=--raise lifts them
	@.ci/step $@ $(BIN)/python .ci/coverage $(COVERAGE) $(RAISE)

.PHONY: test-realtime
test-realtime: $(TESTBED) $(RECORDER) $(PLANTED) $(VENV)/.tools ## tests of pipeline and platform that film or measure real time
	@.ci/step $@ $(PYTEST) pipeline backend -m "realtime and not soak"

.PHONY: test-flow
test-flow: $(TESTBED) $(RECORDER) $(VENV)/.tools $(STORE) frontend/dist/index.html ## tests of the whole flow and of people in a browser; four, because they wait for videos
	@.ci/step $@ $(PYTEST) tests -m "not realtime and not soak" $(SIDE_BY_SIDE)=4

.PHONY: test-flow-realtime
test-flow-realtime: $(TESTBED) $(RECORDER) $(VENV)/.tools frontend/dist/index.html
	@.ci/step $@ bash -c '$(PYTEST) tests -m "realtime and not soak" || [ $$? = 5 ]' # 5: nothing is marked

.PHONY: soak
soak: $(TESTBED) $(RECORDER) $(PLANTED) $(VENV)/.tools $(STORE) record-tools frontend/dist/index.html ## statistical, random and long tests, at most 120 minutes; resumes
	@.ci/soak $(SOAK_ARGS)

.PHONY: audit
audit: .venv-audit/.installed $(VENV)/.tools frontend/node_modules/.installed ## known vulnerabilities (needs network) and licences of all dependencies
	@$(BIN)/python .ci/audit

.PHONY: format
format: $(VENV)/.tools ## format all code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	cargo fmt --all $(TESTBED_MANIFEST)
	cargo fmt --all $(RECORDER_MANIFEST)

.PHONY: lock
lock: ## compile the Python locks from pyproject.toml (needs uv)
	.ci/lock

.PHONY: clean
clean: ## remove what was built; data stay
	rm -rf $(VENV) .venv-record .venv-audit .venv-docs var/docs frontend/node_modules frontend/dist pipeline/testbed/target pipeline/recorder/target
