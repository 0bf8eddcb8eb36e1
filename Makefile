.PHONY: help build short test long mutants check lint generate fuzz bench docs page cover prose lines names module

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 20

build: ## compile everything
	go build ./...

short: ## the tests of a minute, with the CPU time of each package: a part of what repeats, nothing that takes seconds
	.ci/short

test: ## all tests but those of minutes
	go test ./...

long: ## all tests
	ARCV2DSP_LONG=1 go test -timeout 60m ./...

lint: ## gofmt, vet, staticcheck
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || (gofmt -l $$(git ls-files '*.go'); exit 1)
	go vet ./...
	go tool staticcheck ./...

generate: ## generated code and tables
	go generate ./...

mutants: ## the faults of internal/dev/mutants that no test sees; ROWS=PATTERN takes an area or a name
	@nice go run ./internal/dev/mutants -run '$(ROWS)'

check: ## the gate: all tests, the tools that judge us, fuzzing; installs what it needs
	.ci/run

fuzz: ## each fuzz target for 30 seconds
	@for pkg in $$(go list ./...); do \
		for f in $$(go test -list '^Fuzz' $$pkg | grep ^Fuzz); do \
			go test -run '^$$' -fuzz "^$$f$$" -fuzztime 30s -fuzzminimizetime 30x $$pkg || exit 1; \
		done; \
	done

bench: ## speed of the simulator itself; compare two outputs with benchstat
	go test -run '^$$' -bench . -benchtime 1x -count 5 ./cpu/fast ./isa ./asm

docs: ## generated documents and golden files
	go generate ./...
	go test ./... -update

page: ## the documents and the workbench as a web site in DIR=site, for any server of files; needs npm
	go run ./docs/site -o $(or $(DIR),site)

cover: ## coverage of the tests
	go test -coverprofile=cover.out ./... && go tool cover -func=cover.out | tail -1

prose: ## style of comments and documents: places worth another look
	@go test -count=1 -v -run TestProse ./internal/dev/policy

lines: ## lines by area: written by hand, tests, generated, assembly
	@go run ./internal/dev/policy/lines

names: ## exported names by public package, of this tree or of OF=DIR
	@go run ./internal/dev/policy/names $(OF)

# PATH=... on the command line hides the search path from commands, so it becomes MODULE and the search path comes back.
ifeq ($(origin PATH),command line)
MODULE := $(PATH)
override PATH := $(patsubst $(MODULE),/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin,$(shell echo $$PATH))
endif

module: ## a copy with another module path, to publish it: PATH=example.org/x, DIR=FOLDER (else ../x)
	@go run ./internal/dev/module $(MODULE) $(DIR)
