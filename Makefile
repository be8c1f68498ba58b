# The front door. `make demo` and `make test` set up whatever they need; nothing else has to be typed.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
OS := $(shell uname -s)
APT := chromium tesseract-ocr tesseract-ocr-eng tesseract-ocr-ita fonts-dejavu-core python3-venv
CORPORA ?= ../shared/corpora
APPS ?= ../shared/apps
APP ?=

.PHONY: help setup demo test check format bench corpora real clean
help:
	@grep -E '^[a-z]+:.*## ' Makefile | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 18

setup: $(VENV)/.ready .setup-system ## Install the browser, Tesseract and the Python packages

.PHONY: .setup-system
.setup-system: $(VENV)/.ready
	@$(BIN)/python -m remit doctor --json >/dev/null 2>&1 && command -v tesseract >/dev/null \
	  && tesseract --list-langs 2>/dev/null | grep -qx ita || $(MAKE) --no-print-directory .install-system

.PHONY: .install-system
.install-system:
ifeq ($(OS),Darwin)
	command -v tesseract >/dev/null || brew install tesseract tesseract-lang
	$(BIN)/python -m playwright install chromium
else
	$(SUDO) apt-get update -qq
	. /etc/os-release; packages="$(APT)"; \
	  if [ "$$ID" = ubuntu ]; then packages=$${packages/chromium /}; fi; \
	  DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $$packages >/dev/null; \
	  if [ "$$ID" = ubuntu ]; then $(BIN)/python -m playwright install --with-deps chromium; fi
endif

$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'Python 3.11 or newer is needed: make PYTHON=python3.12 ...'; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { $(MAKE) --no-print-directory .install-venv; $(PYTHON) -m venv --clear $(VENV); }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,embedded]'
	@touch $@

.PHONY: .install-venv
.install-venv:
	$(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq python3-venv

demo: setup ## Run the main job end to end on a supplier portal of our own
	@$(BIN)/python -m remit demo

test: setup ## Run the tests
	@$(BIN)/python -m pytest -q -n auto --maxprocesses 4 --dist loadfile

check: $(VENV)/.ready ## Format, lint, types, layers, manifests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/remit check

format: $(VENV)/.ready ## Apply the formatter and the safe fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: setup ## Measure, as ratios in one run
	@$(BIN)/python -m tests.bench

corpora: setup ## Score the recognisers on labelled pages: make corpora [CORPORA=dir]
	@$(BIN)/python -m tests.corpora --corpora $(CORPORA)

real: setup ## Drive real applications: make real [APP=name] [APPS=dir]
	@$(BIN)/python -m tests.real $(APP) --apps $(APPS)

clean: ## Remove what setup and the tools made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build
