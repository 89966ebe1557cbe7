VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test check bench clean

demo: $(VENV)/.tool ## build the sample drop that the repository ships
	rm -rf .demo
	$(BIN)/tool create docs/quickstart/drop --output .demo

test: $(STAMP) check ## run every check and every test
	$(BIN)/pytest -n 2 --cov

check: $(STAMP) ## lint, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP) ## measure whole processes
	$(BIN)/python tests/bench.py

$(VENV)/bin/python:
	python3 -m venv $(VENV)

$(VENV)/.tool: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(STAMP): $(VENV)/.tool
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	touch $@

clean:
	rm -rf $(VENV) .demo
