# Two commands on a fresh machine with Debian, Python 3.11 or later, and make: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help install demo playground site test faults soak slow mutants counterparts check format docs sbom bench bench-large lock clean

help: ## Show what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

install: $(VENV)/.installed ## Make .venv with the `kb` command in it

# pip comes last into a new environment: where it is missing, making one was interrupted
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed"; exit 2; }
	@sh scripts/venv.sh $(PYTHON) $(VENV)

$(VENV)/.installed: requirements.lock pyproject.toml | $(BIN)/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index --editable .
	@touch $@

$(VENV)/.installed-dev: requirements-dev.lock $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-dev.lock
	@touch $@

demo: install ## Index the example company's documents and answer five questions
	@sh scripts/demo.sh $(BIN)

playground: install ## Talk to the example company's bot in Microsoft's Agents Playground, a Teams on this machine alone (needs npm)
	@sh scripts/playground.sh $(BIN)

# what pytest makes of the tests' assertions is kept as bytecode: without that, each worker makes it anew
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist worksteal

test: $(VENV)/.installed-dev ## Run the tests of every day
	$(PYTEST) -m 'not counterparts and not slow and not check and (not faults or everyday)'

faults: $(VENV)/.installed-dev ## Kill what works, at every point, fill disks, take servers away
	$(PYTEST) -m 'not counterparts' tests/faults $(wildcard tests/flows/test_*_faults.py tests/flows/*/test_faults.py tests/flows/*/faults) \
		tests/flows/test_time_limits.py tests/flows/test_bad_models.py $(wildcard tests/flows/*/test_running.py)

MINUTES ?= 60

soak: $(VENV)/.installed-dev ## Ask on Slack and in Teams for MINUTES (60) while processes, database and network fail
	$(BIN)/python -m tests.soak.run --minutes $(MINUTES)

slow: $(VENV)/.installed-dev ## Run the tests that take long, and properties on many more examples
	$(PYTEST) -m slow
	$(PYTEST) --hypothesis-profile=long tests/property

mutants: $(VENV)/.installed-dev ## Make 140 faults in copies of the product, and see which of them the tests catch
	$(BIN)/python -m tests.mutation.run

counterparts: $(VENV)/.installed-dev ## Try the product with clients and servers that others wrote: Teams, Slack, PostgreSQL, a language model
	@sh scripts/counterparts.sh $(BIN)/python
	$(BIN)/python -m pytest -m counterparts tests/counterparts

check: $(VENV)/.installed-dev ## Format, lint, types, import rules, and the tests of every day with all flows
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(PYTEST)

format: $(VENV)/.installed-dev ## Put the code into form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.installed ## Write docs/settings.md and docs/commands.md from the code, and the picture of the agent's graph
	$(BIN)/python -m config.document >docs/settings.md
	$(BIN)/python -m scripts.commands_page >docs/commands.md
	$(BIN)/python -m agent.answer_graph_picture >docs/agent-graph.md

site: ## Build the pages of docs/ as a site, into .site/html (npm brings what draws the diagrams)
	@sh scripts/site/build.sh $(PYTHON)

sbom: $(VENV)/.installed ## Write what ships beside the product, with licences, into dist/, and say how large it is
	$(BIN)/python scripts/sbom.py dist

bench: $(VENV)/.installed-dev ## Measure search and grep at 100,000 chunks, search by people who may read few of them, the knowledge graph, the time to an answer and to hold it against its sources, the agent, masking, many questions at once on Slack and in Teams, a company's Confluence and Jira, and replies over HTTP and in a browser
	$(BIN)/python -m benchmarks.search
	$(BIN)/python -m benchmarks.filtered_search
	$(BIN)/python -m benchmarks.graph_search
	$(BIN)/python -m benchmarks.answer
	$(BIN)/python -m benchmarks.claims
	$(BIN)/python -m benchmarks.agent
	$(BIN)/python -m benchmarks.masking
	$(BIN)/python -m benchmarks.slack
	$(BIN)/python -m benchmarks.teams
	$(BIN)/python -m benchmarks.atlassian
	$(BIN)/python -m benchmarks.streams
	$(BIN)/python -m benchmarks.first_sign

# kept in the folder, and taken up again where it was interrupted
N ?= 1000000
FOLDER ?= /var/tmp/kb-bench-large
WRITERS ?= 1

bench-large: $(VENV)/.installed-dev ## Measure an index of N chunks (1,000,000) beside one of 100,000 in FOLDER: writing, HNSW, search, a night, disk, memory
	$(BIN)/python -m benchmarks.large --folder "$(FOLDER)" --chunks $(N) --writers $(WRITERS)

# not after .installed: a lock that does not fit pyproject.toml cannot be installed, and this is what mends it
lock: | $(BIN)/pip ## Resolve the dependencies anew
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-dev.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 \
		--group build pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 \
		--group dev -c requirements.lock pyproject.toml -o requirements-dev.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 \
		--group site -o requirements-site.lock

clean: ## Remove what was installed and made here
	@sh scripts/demo.sh --clean
	rm -rf $(VENV) .site .counterparts .playground .mutants .soak .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
