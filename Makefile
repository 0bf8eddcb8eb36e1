.PHONY: help build short test long check lint generate fuzz bench docs cover lines names

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

cover: ## coverage of the tests
	go test -coverprofile=cover.out ./... && go tool cover -func=cover.out | tail -1

lines: ## lines by area: written by hand, tests, generated, assembly
	@go run ./internal/policy/lines

names: ## exported names by public package, of this tree or of OF=DIR
	@go run ./internal/policy/names $(OF)
