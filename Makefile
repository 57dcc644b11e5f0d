# All tasks of developers, CI and hosts. `make` lists the targets.

# The system's Python if it is new enough: it is optimised. With a Python of pyenv, the tests take twice as long.
SYSTEM_PYTHON := $(shell /usr/bin/python3 -c 'import ensurepip, sys; print(sys.executable) if sys.version_info >= (3, 11) else 0' 2>&-)
PYTHON ?= $(if $(filter /usr/bin/%,$(SYSTEM_PYTHON)),$(SYSTEM_PYTHON),python3)
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/pip --disable-pip-version-check install --quiet --require-hashes --no-deps --only-binary :all:
COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --no-header \
	--python-version 3.11

# The caller's variables for a site must not affect tests and checks. PYTHONDONTWRITEBYTECODE is removed too, because
# each of a dozen processes would compile the code and all tests again, which takes six seconds.
CLEAN := env -u DATABASE_URL -u CACHE_URL -u SECRET_KEY -u ALLOWED_HOSTS -u DEBUG -u EXPECT_VENDOR \
	-u EMAIL_URL -u ADMINS -u LOG_FORMAT -u LOG_LEVEL -u ACCESS_LOG -u METRICS_TOKEN -u SENTRY_DSN \
	-u DJANGO_SETTINGS_MODULE -u PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup run serve check test test-all test-nearest test-newest $(STAGES) lint lint-types lint-others format messages lock bench drills cluster samepages mutants agreement pictures package release clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' Makefile
	@echo "  PORT=$(PORT) for run and serve; COMPLETE=1 lets no test be skipped; PYTHON=$(PYTHON) makes the environment"

# --- the environment: a stamp for the site, another for the tools -------------------------------------------

# These run before any download, also with --jobs.
GOALS := run serve test test-all
.PHONY: $(GOALS:%=ready-to-%)
ready-to-run ready-to-serve:
	@$(PYTHON) tools/prerequisites.py $(@:ready-to-%=%) --port "$(PORT)"
ready-to-test ready-to-test-all:
	@$(PYTHON) tools/prerequisites.py $(@:ready-to-%=%)

# pip writes RECORD last. Without it the installation was interrupted, but pip treats the package as installed.
UNFINISHED := for each in $(VENV)/lib/python3*/site-packages/*.dist-info; do test -f "$$each/RECORD" || rm -rf "$$each"; done

$(VENV)/made.stamp: | $(addprefix ready-to-,$(filter $(GOALS),$(MAKECMDGOALS)))
	@$(PYTHON) tools/prerequisites.py setup
	@$(UNFINISHED)
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/site.stamp: requirements.txt $(VENV)/made.stamp
	@$(UNFINISHED)
	$(INSTALL) -r requirements.txt
	@touch $@

$(VENV)/tools.stamp: requirements-dev.txt $(VENV)/site.stamp
	@$(UNFINISHED)
	$(INSTALL) -r requirements-dev.txt
	@touch $@

setup: $(VENV)/tools.stamp ## make .venv with the site's packages and the tools

# --- the site ------------------------------------------------------------------------------------------------

run: ready-to-run $(VENV)/site.stamp ## serve the site with real events on http://127.0.0.1:8000
	DEBUG=1 $(BIN)/python manage.py migrate --verbosity 0
	DEBUG=1 $(BIN)/python manage.py demo
	DEBUG=1 $(BIN)/python manage.py update_lists
	DEBUG=1 $(BIN)/python -m config.withworker --reload -- $(BIN)/python manage.py runserver 127.0.0.1:$(PORT)

SERVE := env $$(grep ^GRANIAN deploy/granian.env) $(BIN)/granian
serve: ready-to-serve $(VENV)/site.stamp ## serve the site as in production, with the variables of docs/deployment.md
	$(BIN)/python manage.py migrate --verbosity 0
	$(BIN)/python manage.py collectstatic --no-input --verbosity 0
	$(BIN)/python manage.py check --deploy --database default
	$(if $(PROMETHEUS_MULTIPROC_DIR),rm -f "$(PROMETHEUS_MULTIPROC_DIR)"/*.db)
	exec $(BIN)/python -m config.withworker -- $(SERVE) --host 127.0.0.1 --port $(PORT) config.wsgi:application

pictures: $(VENV)/tools.stamp ## take the pictures of docs/desk.md while a test follows the guide
	rm -f docs/pictures/*.png
	$(CLEAN) PICTURES=1 $(BIN)/python -m pytest -q tests/browser/test_guide.py

# --- tests: CONTRIBUTING.md describes the four tiers --------------------------------------------------------

# The reasons of skipped tests of all stages are counted at the end.
SKIPPED := build/skipped
PYTEST := env SKIPPED_TESTS=$(SKIPPED) $(BIN)/python -m pytest -n 2 --dist worksteal
STAGES := test-sqlite test-postgresql
LONG := $(if $(ALL),CRAWL=all FUZZ_INPUTS=2000 SEQUENCES=60 EXAMPLES=random)
# Browser tests, and tests of SQL: writing, locks, triggers, revisions, search, jobs, backups, migrations, backends.
ON_POSTGRESQL := $(if $(ALL),,@tests/postgresql.txt tests/browser)
TIER := $(if $(ALL),,and not exhaustive)
DATA ?= $(wildcard ../shared/data)

check: $(VENV)/tools.stamp ## before a commit: lint, and the tests nearest to the changes; at most 90 seconds
	@$(MAKE) --no-print-directory --keep-going --jobs=2 --output-sync=target lint test-nearest

test: ready-to-test $(VENV)/tools.stamp ## before a push: what .ci/run runs
	@rm -f $(SKIPPED)
	@$(MAKE) --no-print-directory --keep-going $(STAGES); status=$$?; \
		$(PYTHON) tools/prerequisites.py skipped $(SKIPPED); exit $$status

test-all: ready-to-test-all $(VENV)/tools.stamp ## before a release: every test, long agreement, drills
	@rm -f $(SKIPPED)
	@$(MAKE) --no-print-directory --keep-going lint $(STAGES) test-newest agreement drills ALL=1 DRAWN=300; status=$$?; \
		$(PYTHON) tools/prerequisites.py skipped $(SKIPPED); exit $$status

test-nearest: $(VENV)/tools.stamp
	$(CLEAN) EXPECT_VENDOR=sqlite $(BIN)/python -m tools.nearest_tests

test-sqlite: $(VENV)/tools.stamp
	$(CLEAN) $(LONG) EXPECT_VENDOR=sqlite $(PYTEST) --ignore=tests/browser -m "not browser $(TIER)"

test-postgresql: $(VENV)/tools.stamp
	$(CLEAN) $(BIN)/python tools/withpg.py $(PYTEST) $(ON_POSTGRESQL) -m "(database or browser) $(TIER)"

NEWEST_PYTHON ?= $(BIN)/python
test-newest: $(VENV)/tools.stamp ## the tests on SQLite with the newest Django, if NEWEST_PYTHON is 3.12 or later
	$(CLEAN) EXPECT_VENDOR=sqlite SKIPPED_TESTS=$(SKIPPED) $(NEWEST_PYTHON) tools/newest_django.py \
		-n 2 --dist worksteal --ignore=tests/browser -m "not browser and not exhaustive"

# --- other targets -------------------------------------------------------------------------------------------

# Style first, because it fails within a second; then types, which take longest, in parallel with the others.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,--jobs=2)
lint: $(VENV)/tools.stamp ## style, import directions, measures of readability, migrations, production settings, types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	@$(MAKE) --no-print-directory $(PARALLEL) --output-sync=target lint-types lint-others

lint-types: $(VENV)/tools.stamp
	$(CLEAN) $(BIN)/mypy

lint-others: $(VENV)/tools.stamp
	find templates -name '*.html' -exec $(BIN)/djade --target-version 5.2 --check {} +
	$(BIN)/lint-imports
	$(BIN)/python -m tools.measures
	$(CLEAN) DEBUG=1 $(BIN)/python manage.py makemigrations --check --dry-run
	$(CLEAN) SECRET_KEY="$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(64))')" \
		ALLOWED_HOSTS=crosstable.example PROXIES=1 $(BIN)/python manage.py check --deploy --fail-level WARNING

format: $(VENV)/tools.stamp ## format code and templates
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	find templates -name '*.html' -exec $(BIN)/djade --target-version 5.2 {} +

messages: $(VENV)/tools.stamp ## collect the texts to translate and compile the translations
	$(BIN)/python -m tools.messages

lock: $(VENV)/tools.stamp ## write the requirement files from pyproject.toml
	$(COMPILE) pyproject.toml --extra redis -o requirements.txt
	$(COMPILE) --group dev -c requirements.txt -o requirements-dev.txt

bench: $(VENV)/tools.stamp ## compare speed with reference programs
	$(CLEAN) $(BIN)/python -m tools.benchmarks

DRILLS ?=
drills: $(VENV)/tools.stamp ## cause faults while people use the site, and report losses (DRILLS="NAME …")
	$(CLEAN) $(BIN)/python -m tools.drills $(DRILLS)

cluster: $(VENV)/tools.stamp ## run the site on several machines (all on the loopback) with the demo events
	$(CLEAN) $(BIN)/python -m tools.drills.cluster

BASE ?= 542ef33
samepages: $(VENV)/tools.stamp ## compare every kind of page and file with the revision BASE
	$(CLEAN) $(BIN)/python -m tools.samepages $(BASE)

MUTANTS ?= 40
mutants: $(VENV)/tools.stamp ## change the code in MUTANTS places of each group, and list changes that no test detects
	$(CLEAN) $(BIN)/python -m tools.mutants --most $(MUTANTS)

DRAWN ?=
agreement: $(VENV)/tools.stamp ## compare our values with those published in the folder DATA, or of DRAWN tournaments
	$(CLEAN) $(BIN)/python -m tools.agreement $(DATA) $(if $(DRAWN),--drawn $(DRAWN))
	$(if $(DATA),$(CLEAN) $(BIN)/python -m tools.agreement.pairings $(DATA))
	$(if $(DATA),$(CLEAN) $(BIN)/python -m tools.agreement.tables $(DATA))

package: $(VENV)/tools.stamp ## build the wheel and the Debian package in build/package
	$(CLEAN) $(BIN)/python -m tools.release

release: $(VENV)/tools.stamp ## build a release in build/release, signed by KEY, a key of GnuPG
	$(if $(KEY),,$(error Give the key that signs the release: make release KEY=NAME))
	$(CLEAN) $(BIN)/python -m tools.release "$(KEY)"

clean: ## remove everything except the database that can be built again
	rm -rf $(VENV) staticfiles build .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
