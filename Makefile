# aido. `make` on a fresh clone fetches what it needs and builds; `make help` lists the rest.

PREFIX ?= /usr/local
DESTDIR ?=
NODE ?= node
LIB = $(PREFIX)/lib/aido
TOOLS = $(notdir $(wildcard bin/aido-*))
PAGES = $(notdir $(wildcard man/*.[17]))
BIN = node_modules/.bin

# Folders as well as files: one that lost a file is newer than what was built.
SOURCES := $(shell find src test schemas scripts bin -name generated -prune -o ! -path test -print) package.json tsconfig.json

# What we build has rules of its own; make knows one that would make a folder of a script of the same name.
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.PHONY: all build demo test check man-check bench recipes install uninstall clean help

## all: fetch the dependencies if need be, and build (the default)
all: build

## build: compile and bundle what has changed
build: dist/.built

node_modules/.installed: package-lock.json
	npm ci --include=dev
	@touch $@

dist/.built: node_modules/.installed $(SOURCES)
	@$(NODE) scripts/build.mjs
	@touch $@

## demo: the main job on the output of a real run
demo: build
	@sh scripts/demo.sh

## test: build, run all tests; the last line is `N passed, N failed`
test: build
	@$(NODE) scripts/test.mjs

## check: types, format and lint
check: node_modules/.installed
	@$(NODE) scripts/build.mjs generate
	$(BIN)/tsc --noEmit
	$(BIN)/biome check --error-on-warnings

## man-check: the man pages
man-check:
	@command -v mandoc >/dev/null || { echo "man-check needs mandoc (Debian: apt-get install mandoc)" >&2; exit 2; }
	@# That the pages name each other is fine, whether or not they are installed.
	@! mandoc -T lint man/*.[17] | grep -v 'referenced manual not found'

## bench: speed beside split2 and grep
bench: build
	@sh scripts/bench/run.sh

## recipes: the SQL of docs/recipes.md, run with DuckDB from npm
recipes: build
	@sh scripts/recipes.sh

## install: to PREFIX (/usr/local), below DESTDIR
install: build
	mkdir -p '$(DESTDIR)$(LIB)/bin' '$(DESTDIR)$(LIB)/dist/bin' '$(DESTDIR)$(PREFIX)/bin'
	cp bin/aido-* bin/package.json '$(DESTDIR)$(LIB)/bin'
	cp dist/bin/*.cjs dist/bin/*.cache '$(DESTDIR)$(LIB)/dist/bin'
	cp LICENSE package.json '$(DESTDIR)$(LIB)'
	for tool in $(TOOLS); do ln -sf "../lib/aido/bin/$$tool" "$(DESTDIR)$(PREFIX)/bin/$$tool"; done
	for page in $(PAGES); do \
	  mkdir -p "$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}" && \
	  cp "man/$$page" "$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}"; done

## uninstall: what install put there
uninstall:
	rm -rf '$(DESTDIR)$(LIB)'
	for tool in $(TOOLS); do rm -f "$(DESTDIR)$(PREFIX)/bin/$$tool"; done
	for page in $(PAGES); do rm -f "$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$$page"; done

## clean: remove what was built
clean:
	rm -rf dist .tap src/*/generated

help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)
