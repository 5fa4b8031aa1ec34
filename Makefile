# What CI calls; each target works alone in an environment with the extra "dev".
.PHONY: check lint types layers test docs wheels

check: lint types layers test

lint:
	ruff check .
	ruff format --check .

types:
	mypy

layers:
	lint-imports

test:
	pytest

docs:
	mkdocs build --strict

wheels:
	python scripts/check_wheels.py
