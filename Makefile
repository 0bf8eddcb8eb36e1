.PHONY: build test short lint generate check fuzz bench docs cover

build:
	go build ./...

test:
	go test ./...

short:
	go test -short ./...

lint:
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || (gofmt -l $$(git ls-files '*.go'); exit 1)
	go vet ./...
	go tool staticcheck ./...

generate:
	go generate ./...

check:
	.ci/run

# Each fuzz target for 30 seconds.
fuzz:
	@for pkg in $$(go list ./...); do \
		for f in $$(go test -list '^Fuzz' $$pkg | grep ^Fuzz); do \
			go test -run '^$$' -fuzz "^$$f$$" -fuzztime 30s -fuzzminimizetime 1s $$pkg || exit 1; \
		done; \
	done

# Speed of the simulator itself; compare two outputs with benchstat.
bench:
	go test -run '^$$' -bench . -benchtime 1x -count 5 ./cpu/fast ./isa ./asm

docs:
	go generate ./...
	go test ./... -update

cover:
	go test -coverprofile=cover.out ./... && go tool cover -func=cover.out | tail -1
