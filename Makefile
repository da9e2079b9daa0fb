# The targets, as `make help` prints them:
#
#     make run     installs what is missing, builds, and starts racd in this terminal
#     make volume  builds and starts the example in Swift, while racd runs
#     make test    installs what is missing, builds, and runs the checks, the unit tests, the transcripts and those of rac.js
#     make unit-tests    runs the unit tests alone, or those of TESTS="RacHostTests …"
#     make checks  checks sources and documents, and builds with warnings as errors
#     make trials  tries a real racd for minutes: its API by its document, its page in browsers, and faults of all kinds
#     make search  runs the tests with random input and those under load with 20 times the work
#     make fuzz    runs the readers of bytes from outside on random input, for SECONDS=20 and INPUTS=200000 each
#     make attacks builds for release and runs each attack of Tests/faults in full, on one thread and on three
#     make access  attacks a closed racd in full: each right on each kind of address, renewal with 1000 clients, handshakes
#     make soak    keeps the libraries and rac.js at work for STEPS=200000, and a racd for MINUTES=60, and checks that none grows
#     make sanitize-thread, make sanitize-address    builds apart, and runs all tests, or TESTS="RacTests …", with a sanitizer
#     make library builds and tests a small package that uses RacClient and RacTestKit, as most programs do
#     make costs   builds for release and counts allocations; fails if an operation costs more than its limit
#     make install builds for speed and installs programs, manual pages and completions (PREFIX=/usr/local, DESTDIR=)
#     make manual  writes the manual pages to .build/manual

# A debug build takes half the time; `make run CONFIGURATION=release` makes the fast racd.
CONFIGURATION ?= debug
# Transcripts that a team may keep beside its checkouts; the tests run each that differs from the copy in Tests.
SHARED_TRANSCRIPTS ?= ../shared/conformance

PREFIX ?= /usr/local
DESTDIR ?=

# Builds have neither debug information nor an index for editors, which is a quarter of the compiler's work. With DEBUG=1
# they have both, as those of `swift build`. A change of DEBUG builds everything anew: set it in the shell, or never.
# A compiler reads all files of a target once for each batch; SwiftPM gives it two batches, unless they are limited to 25 files.
FLAGS = --configuration $(CONFIGURATION) $(if $(DEBUG),,-debug-info-format none --disable-index-store) \
    -Xswiftc -driver-batch-size-limit -Xswiftc 400
SWIFT_BUILD = deploy/build $(FLAGS)
BINARIES = .build/$(CONFIGURATION)
TRANSCRIPTS = Tests/conformance
FAULTS = Tests/faults
SECONDS ?= 20
INPUTS ?= 200000
MINUTES ?= 60
STEPS ?= 200000
# A debug build may let other clients wait for longer.
PATIENT = $(if $(filter debug,$(CONFIGURATION)),--debug)

# The number of tests at once. By default all run at once, and a test may wait for a minute. By then a short time that it
# tests, such as that of a heartbeat, is over.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 8

.DEFAULT_GOAL := help
.PHONY: help run volume install manual test search fuzz soak library sanitize-thread sanitize-address costs attacks access dependencies \
    trials shells checks scripts built products unit-tests transcripts plain-transcripts tls-transcripts web-transcripts shared-transcripts \
    javascript openapi browser faults

help:
	@sed -n 's/^#     make/make/p' $(firstword $(MAKEFILE_LIST))

run: dependencies
	$(SWIFT_BUILD) --product racd
	$(SWIFT_BUILD) --product racctl
	@echo
	@echo "racd starts in this terminal; Ctrl-C ends it. Open a second terminal, and a third, in this folder and type in each"
	@echo
	@echo "    $(BINARIES)/racctl bind room/volume"
	@echo
	@echo "What you type in one, such as 42 and Return, the other shows. From anywhere else:"
	@echo
	@echo "    $(BINARIES)/racctl set room/volume 11"
	@echo
	@exec $(BINARIES)/racd serve

volume: dependencies
	@$(SWIFT_BUILD) --product volume
	@exec $(BINARIES)/volume

# A program that is installed needs no Swift beside it.
# Everybody can read what is installed, whatever the mask of the one who installs.
install: CONFIGURATION = release
install: SHARE = $(DESTDIR)$(PREFIX)/share
install: dependencies
	$(SWIFT_BUILD) --static-swift-stdlib --product racd
	$(SWIFT_BUILD) --static-swift-stdlib --product racctl
	install -D --strip --target-directory $(DESTDIR)$(PREFIX)/bin $(BINARIES)/racd $(BINARIES)/racctl
	umask 022; deploy/make-manual $(SHARE)/man/man1 $(BINARIES)/racd $(BINARIES)/racctl
	install --directory $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	umask 022; $(BINARIES)/racctl --generate-completion-script bash > $(SHARE)/bash-completion/completions/racctl
	umask 022; $(BINARIES)/racctl --generate-completion-script zsh > $(SHARE)/zsh/site-functions/_racctl
	umask 022; $(BINARIES)/racctl --generate-completion-script fish > $(SHARE)/fish/vendor_completions.d/racctl.fish

manual: dependencies
	$(SWIFT_BUILD) --product racd
	$(SWIFT_BUILD) --product racctl
	deploy/make-manual .build/manual $(BINARIES)/racd $(BINARIES)/racctl

# The scripts judge changes: a source archive, which has no .git, has none. A transcript waits more than it works.
test: dependencies $(if $(wildcard .git),scripts) unit-tests
	@$(MAKE) --no-print-directory --jobs=4 --output-sync=target IS_BUILT=1 transcripts javascript
	@echo
	@echo "make test has passed. Other targets take longer, and find:"
	@echo
	@echo "    make trials            what a real racd does wrong: by its API's document, in browsers, under faults of all kinds"
	@echo "    make search            broken rules in histories that are rare: the random tests of make test with 20 times the work"
	@echo "    make fuzz              input on which a reader of bytes from outside crashes, hangs or keeps too much"
	@echo "    make soak              memory, descriptors, threads and bindings that grow while racd or a client works"
	@echo "    make attacks           clients that make others wait or racd grow, with each operation, on one thread and on three"
	@echo "    make access            rights, tokens and TLS handshakes that an attacker gets past"
	@echo "    make sanitize-thread   data races; make sanitize-address finds accesses to memory that is not theirs"
	@echo "    make library           a program that cannot use RacClient and RacTestKit without racd and racctl"
	@echo "    make costs             operations that allocate more than their limit"

trials: openapi browser faults

search: export RAC_STRESS = 20
search: TESTS = RacTests RacProtocolTests RacHostTests RacClientTests SimulationTests
search: unit-tests

fuzz: dependencies
	Fuzz/run $(SECONDS) $(INPUTS)

soak: dependencies
	RAC_SOAK=$(STEPS) $(MAKE) --no-print-directory unit-tests TESTS=RacTestKitTests.SoakTests
	$(SWIFT_BUILD) --product racd
	Tests/run-javascript-tests --racd $(BINARIES)/racd --soak $(STEPS)
	$(FAULTS)/soak.py --racd $(BINARIES)/racd --minutes $(MINUTES)

attacks: CONFIGURATION = release
attacks: dependencies
	$(SWIFT_BUILD) --product racd
	$(FAULTS)/starvation.py --racd $(BINARIES)/racd --full --threads 1 --threads 3
	$(FAULTS)/accounts.py --racd $(BINARIES)/racd --full --threads 1 --threads 3
	$(FAULTS)/walk.py --racd $(BINARIES)/racd --full --threads 1 --threads 3
	$(FAULTS)/alive.py --racd $(BINARIES)/racd --seconds 600 --threads 1 --threads 3

access: dependencies
	$(SWIFT_BUILD) --product racd
	$(SWIFT_BUILD) --product racctl
	$(FAULTS)/access.py --racd $(BINARIES)/racd --full

# Each way to build it, and none resolves swift-argument-parser or swift-nio-ssl, or compiles racd or racctl.
library: DEPENDENT = --package-path Tests/dependent --scratch-path .build/library
library: dependencies
	swift build --configuration $(CONFIGURATION) $(DEPENDENT)
	swift build --configuration $(CONFIGURATION) $(DEPENDENT) --product RacClient
	swift test --configuration $(CONFIGURATION) $(DEPENDENT) --disable-xctest
	! ls .build/library/checkouts | grep --extended-regexp 'argument-parser|nio-ssl'
	! ls .build/library/$(CONFIGURATION) | grep --extended-regexp '^(racd|racctl)[.]'

sanitize-thread sanitize-address: dependencies
	Tests/sanitizers/run $(@:sanitize-%=%) $(TESTS)

costs: dependencies
	Benchmarks/run costs

dependencies:
	@deploy/install-build-deps.sh

# Warnings are errors in this build; everywhere else they are warnings.
checks: export RAC_STRICT = 1
checks: scripts built

scripts: dependencies
	! git grep --line-number --extended-regexp '^(<{7}|>{7}) '
	Tests/check-imports
	Tests/check-rooms
	Tests/check-names
	Tests/check-locks
	Tests/check-references
	Tests/check-english
	Tests/check-commits
	swift format lint --strict --recursive --parallel Sources Tests Examples Fuzz Package.swift

shells:
	@deploy/install-build-deps.sh tests

# `swift build --build-tests` also builds the tools of the packages that this one depends on.
# A build behind `swift test` compiles tests anew, so `make test` builds once.
built: dependencies $(if $(IS_BUILT),,products)

products:
	$(SWIFT_BUILD) --product racPackageTests
	$(SWIFT_BUILD) --product volume
	$(SWIFT_BUILD) --product rac-simulate

unit-tests: shells built
	Tests/run-unit-tests $(BINARIES) $(addprefix --filter ,$(TESTS))

transcripts: plain-transcripts tls-transcripts web-transcripts shared-transcripts

plain-transcripts: built
	$(TRANSCRIPTS)/run.py -v --racd $(BINARIES)/racd

tls-transcripts: built
	$(TRANSCRIPTS)/run.py --racd $(BINARIES)/racd --argument=--threads=3 --tls

web-transcripts: built
	$(TRANSCRIPTS)/run.py --racd $(BINARIES)/racd --websocket

shared-transcripts: built
	@changed=; for copy in $(TRANSCRIPTS)/wire/*.rac; do \
	    shared=$(SHARED_TRANSCRIPTS)/wire/$${copy##*/}; \
	    if [ -f "$$shared" ] && ! cmp -s "$$copy" "$$shared"; then changed="$$changed $$shared"; fi; \
	done; \
	if [ -n "$$changed" ]; then set -x; $(TRANSCRIPTS)/run.py -v --racd $(BINARIES)/racd $$changed; fi

javascript: built
	Tests/run-javascript-tests --racd $(BINARIES)/racd

openapi: built
	Tests/run-openapi-tests --racd $(BINARIES)/racd

# Without Chromium or Selenium this says what it leaves out: deploy/install-build-deps.sh browser installs them.
browser: built
	Tests/browser/run.py --racd $(BINARIES)/racd

# A little of each: CONTRIBUTING.md says how to run them for long.
faults: built
	$(FAULTS)/powerloss.py --racd $(BINARIES)/racd --images 50 --steps 15
	$(FAULTS)/powerloss.py --racd $(BINARIES)/racd --images 150 --steps 15 --durability normal --expect lost
	$(FAULTS)/killing.py --racd $(BINARIES)/racd --rounds 6
	$(FAULTS)/diskfaults.py --racd $(BINARIES)/racd
	$(FAULTS)/hostile.py --racd $(BINARIES)/racd
	$(FAULTS)/access.py --racd $(BINARIES)/racd wire handshakes floods files secrets
	$(FAULTS)/starvation.py --racd $(BINARIES)/racd $(PATIENT) A1
	$(FAULTS)/accounts.py --racd $(BINARIES)/racd $(PATIENT) B1 B3 B4 B5 B8
	$(FAULTS)/soak.py --racd $(BINARIES)/racd --minutes 0.3 --restarts 1
