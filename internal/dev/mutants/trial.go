package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// patience is how long the tests of one row may take.
const patience = time.Minute

// trial runs the tests of rows.
type trial struct {
	dir     string // of the binaries
	overlay string
	out     io.Writer
	which   bool // all tests of the packages, and the names of those that fail
	living  []row
	skipped []row // their tests skip themselves without a fault: what they need is not here
}

// try builds the tests of a folder and runs those of its rows: each test once without a fault, then with the fault of each row.
func (t *trial) try(ctx context.Context, pkg string, rows []row) error {
	binary := filepath.Join(t.dir, "package.test")
	started := time.Now()
	out, err := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", t.overlay, "-o", binary, "./"+pkg).CombinedOutput()
	if err != nil {
		return fmt.Errorf("building the tests of %s: %w\n%s", pkg, err, out)
	}
	fmt.Fprintf(t.out, "%s: built in %.0f s\n", pkg, time.Since(started).Seconds())
	right := map[string]verdict{}
	for _, r := range rows {
		started := time.Now()
		if t.which {
			r.test, r.args = "", nil
		}
		by := fmt.Sprint(r.test, r.args)
		if _, known := right[by]; !known {
			without := r
			without.number = 0
			output, v, err := without.run(ctx, binary)
			if err == nil && v == failed {
				err = fmt.Errorf("the tests of %s fail without a fault:\n%s", pkg, output)
			}
			if err != nil {
				return err
			}
			right[by] = v
		}
		var output string
		v := right[by]
		if v == passed {
			if output, v, err = r.run(ctx, binary); err != nil {
				return err
			}
		}
		switch v {
		case passed:
			t.living = append(t.living, r)
		case skipped:
			t.skipped = append(t.skipped, r)
		}
		fmt.Fprintf(t.out, "  %-6s %5.1f s  %s\n", v, time.Since(started).Seconds(), r.name)
		if t.which {
			for _, line := range failure.FindAllString(output, few) {
				fmt.Fprintln(t.out, "        "+strings.TrimSpace(line))
			}
		}
	}
	return nil
}

// verdict is what became of a test.
type verdict int

const (
	passed verdict = iota
	failed
	skipped
)

// String is what it says about a fault.
func (v verdict) String() string { return [...]string{"LIVES", "caught", "skip"}[v] }

// failure is the line of a test or case that failed, and the first of a panic.
var failure = regexp.MustCompile(`(?m)^ *--- FAIL: .*|^panic: .*|^fatal error: .*`)

// few is how many such lines are printed.
const few = 20

// run runs the test of a row at the plain level, all of its package for "", with its fault, none for number 0.
func (r *row) run(ctx context.Context, binary string) (output string, v verdict, err error) {
	limited, cancel := context.WithTimeout(ctx, 2*patience) // the tests end themselves before
	defer cancel()
	args := []string{"-test.timeout", patience.String(), "-test.v"}
	if r.test != "" {
		function, of, _ := strings.Cut(r.test, "/")
		args = append(args, "-test.failfast", "-test.run", "^"+function+"$/"+of)
	}
	cmd := exec.CommandContext(limited, binary, append(args, r.args...)...)
	cmd.Dir = r.pkg
	cmd.Env = append(os.Environ(), "ARCV2DSP_LONG=", fmt.Sprintf("ARCV2DSP_MUTANT=%d", r.number))
	out, err := cmd.CombinedOutput()
	output = string(out)
	switch exit := (*exec.ExitError)(nil); {
	case ctx.Err() != nil:
		return "", failed, ctx.Err()
	case err == nil && strings.Contains(output, "no tests to run"):
		return "", failed, fmt.Errorf("%s has no test %s", r.pkg, r.test)
	case err == nil && r.test != "" && strings.Contains(output, "\n--- SKIP: "):
		return output, skipped, nil
	case err == nil:
		return output, passed, nil
	case errors.As(err, &exit):
		return output, failed, nil
	}
	return "", failed, fmt.Errorf("the tests of %s: %w", r.pkg, err)
}

// print writes the figures of each area and the faults that no test sees.
func (t *trial) print(rows []row) {
	count := func(of []row, area string) (n int) {
		for _, r := range of {
			if r.area == area {
				n++
			}
		}
		return n
	}
	last := ""
	for _, r := range rows {
		if r.area != last {
			last = r.area
			all := count(rows, r.area)
			fmt.Fprintf(t.out, "%-28s %3d of %3d caught\n", r.area, all-count(t.living, r.area)-count(t.skipped, r.area), all)
		}
	}
	for _, r := range t.living {
		fmt.Fprintf(t.out, "LIVES: %s (%s, %s:%d); %s of %s passes\n", r.name, r.file, r.table, r.line, r.test, r.pkg)
	}
	if len(t.skipped) > 0 {
		fmt.Fprintf(t.out, "%d not tried: their tests need files or tools that are not here\n", len(t.skipped))
	}
	fmt.Fprintf(t.out, "%d of %d caught\n", len(rows)-len(t.living)-len(t.skipped), len(rows))
}
