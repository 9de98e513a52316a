# psync: "make" lists the targets.
.DEFAULT_GOAL := help
.PHONY: help build share install check static vet format lint tidy test test-race test-thorough test-sharing test-as-nobody fuzz campaigns bench bench-peers recording cross release reproduce test-package clean

# All but the race detector's tests compile packages in one way, so what one target has compiled is there for the others.
export CGO_ENABLED ?= 0
export GOFLAGS ?= -trimpath
GO      ?= go
PREFIX  ?= /usr/local
ERRCHECK := github.com/kisielk/errcheck@v1.30.0
SYSTEMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 freebsd/amd64 freebsd/arm64

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

build: ## build bin/psync, bin/psync-selftest and bin/psync-cluster, static binaries
	$(GO) build -trimpath -ldflags '-s -w' -o bin/ ./cmd/psync ./cmd/psync-selftest ./cmd/psync-cluster

share: build ## write man pages and completions into bin/share
	rm -rf bin/share
	install -d $(addprefix bin/share/,man/man1 man/man7 bash-completion/completions zsh/site-functions fish/vendor_completions.d)
	bin/psync man bin/share/man/man1
	mv bin/share/man/man1/*.7 bin/share/man/man7
	bin/psync completion bash >bin/share/bash-completion/completions/psync
	bin/psync completion zsh >bin/share/zsh/site-functions/_psync
	bin/psync completion fish >bin/share/fish/vendor_completions.d/psync.fish
	chmod -R u=rwX,go=rX bin/share

install: share ## install psync, psync-selftest, psync-cluster, man pages and completions below PREFIX (/usr/local)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share
	install bin/psync bin/psync-selftest bin/psync-cluster $(DESTDIR)$(PREFIX)/bin
	umask 022 && cp -R bin/share/. $(DESTDIR)$(PREFIX)/share

# Tests on one processor leave the others to what has no tests.
TOGETHER = nice -n 19 $(MAKE) -j2 $(if $(filter output-sync,$(.FEATURES)),--output-sync)
check: tidy format ## everything that has to pass before a commit
	$(TOGETHER) test-sharing static
	$(MAKE) test-race test-thorough test-as-nobody

static: vet lint cross reproduce test-package

tidy:
	$(GO) mod tidy -diff

format:
	@out=$$($(GO) run mvdan.cc/gofumpt@v0.12.0 -l cmd internal); [ -z "$$out" ] || { echo "not formatted by gofumpt:"; echo "$$out"; exit 1; }

vet:
	$(GO) vet ./...

lint:
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 -checks all ./...
	$(GO) run $(ERRCHECK) -exclude .ci/errcheck -ignoretests ./...
	$(GO) run $(ERRCHECK) -exclude .ci/errcheck-tests ./...

cross: ## build and vet for every system psync is for, and compare with the headers of macOS and FreeBSD
	@for s in $(SYSTEMS); do echo "build and vet for $$s"; \
		GOOS=$${s%/*} GOARCH=$${s#*/} $(GO) build -o bin/cross/psync-$${s%/*}-$${s#*/} ./cmd/psync && \
		GOOS=$${s%/*} GOARCH=$${s#*/} $(GO) vet ./... || exit 1; done
	CROSS=$(CURDIR)/bin/cross $(GO) test -count=1 -run '^Test(SymbolsOfMacOS|LinkWithLibSystem|HeadersOfMacOSAndFreeBSD)$$' ./cmd/psync $(UPDATE)

# With the race detector, which is slow, and then, in the packages that have tests of many cases, more of them without it. So
# are the tests of UNRACED: one restricts all threads, which cgo prevents, two take ten times as long with it and run psync in
# other processes or from outside, two have psync fail or end at a call, hundreds of times, with one worker or before there are
# any, two look at types, and the others have one goroutine, or change no more than the order of what is planned. With SHARE,
# workers share all that they can; as tests may not depend on speed, those that run psync have one processor then, at the lowest
# priority. UNSHARED are those that share by themselves, copy as cp(1), which does not share, or test what comes
# before. Scripts run twice: with the race detector, in memory, and with SHARE, on a disk; what only some of them do if tests are
# thorough is done by these.
UNRACED  = ^Test(KernelConfinesRuns|PowerCuts|SwapRaces|FaultsOfOperands|KilledAtEveryCall|ReachOnlyShrinks|DirectoryTypesOnlyShrink|Words|FindsMistakes|MacChanges|KeyFoldsInFull|XattrsThatAreTooLongToBeHeld)$$
UNSHARED = ^Test(ResultsDoNotDependOnWhoDoesWhat|CpOptions|RandomCp|FaultsOfOperands|PredictionsHold)$$
SLOWLY   = $(if $(shell command -v taskset),taskset -c $$(taskset -cp $$$$ | sed 's/.*: *//; s/[-,].*//') nice -n 19)
RACE     = $(if $(filter 1,$(shell command -v cc >/dev/null && CGO_ENABLED=1 $(GO) env CGO_ENABLED)),CGO_ENABLED=1 $(GO) test -race -vet=off,$(GO) test)
THOROUGH = THOROUGH=1 $(GO) test -timeout 60m -count=1
test: test-race test-thorough test-sharing ## run all tests, with the race detector where there is a C compiler, and more cases than go test takes

test-race:
	$(RACE) -timeout 30m -skip '$(UNRACED)' ./...
	SHARE=1 $(RACE) -timeout 30m -count=1 -skip '$(UNSHARED)' ./internal/engine

test-thorough:
	$(THOROUGH) -skip '^TestScripts$$' ./internal $$(grep -rlE 'psync/internal/(campaign|testtmp)' --include=*_test.go . | xargs -n 1 dirname | sort -u)
	$(THOROUGH) -run "^TestScripts$$/^($$(grep -l '\[thorough\]' testdata/script/* | xargs -n 1 basename | sed 's/[.].*//' | paste -sd '|' -))$$" ./cmd/psync

test-sharing:
	SHARE=1 TMPDIR=$${TMPDIR:-/tmp} $(SLOWLY) $(GO) test -timeout 60m -count=1 -skip '$(UNSHARED)' ./cmd/psync

# Root runs the tests once more as an ordinary user, with empty caches. NOBODY=no leaves that out.
test-as-nobody:
	@if [ "$$(id -u)" = 0 ] && command -v setpriv >/dev/null && [ "$(NOBODY)" != no ]; then \
		.ci/as-ordinary-user go test ./...; fi

reproduce: share ## build once more in another directory, and compare
	.ci/compare-builds

test-package: share ## install the packages in roots of their own, use them there, and remove them
	.ci/try-package

FUZZTIME ?= 30s
fuzz: campaigns ## run the campaigns, and every fuzz test for FUZZTIME (30s)
	@for p in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$p | grep ^Fuzz); do \
			$(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$p || exit 1; done; done

# A campaign is a test of many cases, of which go test takes few. Random cases are known by
# their seeds.
FAULTS   ?= 10000
KILLS    ?= 500
PAIRS    ?= 4000
CPRUNS   ?= 4000
CUTS     ?= 200
OVERLAPS ?= 20000
RELATIVE ?= 4000
RULES    ?= 4000
RSYNC    ?= 4000
FILTER   ?= 10000
REMOVALS ?= 20000
SHAREDKILLS ?= 40
DEATHS   ?= 4000
CAMPAIGN = $(GO) test -count=1 -timeout 0
campaigns: ## run as many random cases as FAULTS, KILLS, PAIRS and others say, and all others that go test leaves out
	FAULTS=$(FAULTS) FAULTS_SEED=random $(CAMPAIGN) -run '^TestRandomFaults$$' ./cmd/psync
	KILLS=$(KILLS) KILLS_SEED=random $(CAMPAIGN) -run '^TestRandomKills$$' ./cmd/psync
	OVERLAPS=$(OVERLAPS) OVERLAPS_SEED=random $(CAMPAIGN) -run '^TestOverlappingRuns$$' ./internal/engine
	PAIRS=$(PAIRS) PAIRS_SEED=random $(CAMPAIGN) -run '^TestRandomPairs$$' ./cmd/psync
	RELATIVE=$(RELATIVE) RELATIVE_SEED=random $(CAMPAIGN) -run '^TestRandomRelative$$' ./cmd/psync
	RULES=$(RULES) RULES_SEED=random $(CAMPAIGN) -run '^TestRulesInFilesAsRsync$$' ./cmd/psync
	RSYNC=$(RSYNC) RSYNC_SEED=random $(CAMPAIGN) -run '^TestRandomRsync$$' ./cmd/psync
	FILTER=$(FILTER) FILTER_SEED=random $(CAMPAIGN) -run Against ./internal/filter
	REMOVALS=$(REMOVALS) REMOVALS_SEED=random $(CAMPAIGN) -run '^TestRemovedSourcesOfRandomLinks$$' ./internal/engine
	CLUSTER_DEATHS=$(DEATHS) CLUSTER_DEATHS_SEED=random CLUSTER_OPTIONS=500 CLUSTER_OPTIONS_SEED=random CLUSTER_POISON=500 $(CAMPAIGN) -v \
		-run '^(TestDeaths|TestHostsDoWhatOneDoes|TestDirectoryThatEndsItsHosts)$$' ./internal/cluster
	CPRUNS=$(CPRUNS) CPRUNS_SEED=random $(CAMPAIGN) -run '^TestRandomCp$$' ./cmd/psync
	CUTS=$(CUTS) $(CAMPAIGN) -v -run '^TestPowerCuts$$' ./cmd/psync
	ARCHIVE=20 ARCHIVE_SEED=random $(CAMPAIGN) -run '^TestArchive' ./cmd/psync
	SHAREDKILLS=$(SHAREDKILLS) SHAREDKILLS_SEED=random $(CAMPAIGN) -v -run '^TestRandomDeaths$$' ./cmd/psync-cluster
	SWAPS=100 $(CAMPAIGN) -run Swap ./internal/engine ./cmd/psync

bench: ## run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

bench-peers: build ## compare with other copiers on PATH; ARGS='-h' tells more
	$(GO) run ./cmd/psync-bench -psync bin/psync $(ARGS)

recording: build ## record a run for the README
	@rm -rf /tmp/go-copy
	PATH="$(CURDIR)/bin:$$PATH" $(GO) run ./cmd/psync-bench -record testdata/plots/recording.svg \
		-run 'psync copy --progress "$$(go env GOROOT)" /tmp/go-copy' \
		-run 'psync sync -v --delete "$$(go env GOROOT)" /tmp/go-copy' \
		-run 'psync compare "$$(go env GOROOT)" /tmp/go-copy && echo equal'
	@rm -rf /tmp/go-copy

# The version is that which psync shows. Archives are downloaded from RELEASE_URL; by default
# it is one that cannot exist. Goreleaser wants a remote repository, which a checkout need not have, and puts
# the programs into an archive in the order in which they are built: one at a time, that is always the same.
RELEASE_URL ?= https://psync.invalid
GORELEASER = github.com/goreleaser/goreleaser/v2@v2.15.2
release: share ## make archives, packages, a cask, checksums and SBOMs for every system, in dist
	find bin/share/man -name '*.[1-9]' -exec gzip -9n {} +
	RELEASE_URL=$(RELEASE_URL) GORELEASER_CURRENT_TAG=$$(bin/psync version | cut -d' ' -f2) \
		GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.url GIT_CONFIG_VALUE_0=$(RELEASE_URL) \
		SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) \
		$(GO) run $(GORELEASER) release --clean --parallelism=1 --skip=publish,announce,validate

clean: ## remove what was built
	rm -rf bin dist
