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
}

// try builds the tests of a folder and runs those of its rows: each test once without a fault, then with the fault of each row.
func (t *trial) try(ctx context.Context, pkg string, rows []row) error {
	binary := filepath.Join(t.dir, "package.test")
	started := time.Now()
	out, err := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", t.overlay, "-o", binary, "./"+pkg).CombinedOutput()
	if err != nil {
		return fmt.Errorf("building the tests of %s: %w\n%s", pkg, err, out)
	}
	fmt.Fprintf(t.out, "%s: built in %.0f s\n", pkg, time.Since(started).Seconds())
	passes := map[string]bool{}
	for _, r := range rows {
		started := time.Now()
		test := r.test
		if t.which {
			test = ""
		}
		if !passes[test] {
			output, failed, err := t.run(ctx, binary, pkg, test, 0)
			if err == nil && failed {
				err = fmt.Errorf("the tests of %s fail without a fault:\n%s", pkg, output)
			}
			if err != nil {
				return err
			}
			passes[test] = true
		}
		output, failed, err := t.run(ctx, binary, pkg, test, r.number)
		if err != nil {
			return err
		}
		verdict := "caught"
		if !failed {
			verdict = "LIVES"
			t.living = append(t.living, r)
		}
		fmt.Fprintf(t.out, "  %-6s %5.1f s  %s\n", verdict, time.Since(started).Seconds(), r.name)
		if t.which {
			for _, line := range failure.FindAllString(output, few) {
				fmt.Fprintln(t.out, "        "+strings.TrimSpace(line))
			}
		}
	}
	return nil
}

// failure is the line of a test or case that failed, and the first of a panic.
var failure = regexp.MustCompile(`(?m)^ *--- FAIL: .*|^panic: .*|^fatal error: .*`)

// few is how many such lines are printed.
const few = 20

// run runs a test at the plain level, all of a package for "", with the fault of a number, 0 for none, and reports whether it
// failed.
func (t *trial) run(ctx context.Context, binary, pkg, test string, number int) (output string, failed bool, err error) {
	limited, cancel := context.WithTimeout(ctx, 2*patience) // the tests end themselves before
	defer cancel()
	args := []string{"-test.timeout", patience.String()}
	if test != "" {
		function, of, _ := strings.Cut(test, "/")
		args = append(args, "-test.failfast", "-test.run", "^"+function+"$/"+of)
	}
	cmd := exec.CommandContext(limited, binary, args...)
	cmd.Dir = pkg
	cmd.Env = append(os.Environ(), "ARCV2DSP_LONG=", fmt.Sprintf("ARCV2DSP_MUTANT=%d", number))
	out, err := cmd.CombinedOutput()
	output = string(out)
	switch exit := (*exec.ExitError)(nil); {
	case ctx.Err() != nil:
		return "", false, ctx.Err()
	case err == nil && strings.Contains(output, "no tests to run"):
		return "", false, fmt.Errorf("%s has no test %s", pkg, test)
	case err == nil:
		return output, false, nil
	case errors.As(err, &exit):
		return output, true, nil
	}
	return "", false, fmt.Errorf("the tests of %s: %w", pkg, err)
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
			fmt.Fprintf(t.out, "%-28s %3d of %3d caught\n", r.area, all-count(t.living, r.area), all)
		}
	}
	for _, r := range t.living {
		fmt.Fprintf(t.out, "LIVES: %s (%s, rows.txt:%d); %s of %s passes\n", r.name, r.file, r.line, r.test, r.pkg)
	}
	fmt.Fprintf(t.out, "%d of %d caught\n", len(rows)-len(t.living), len(rows))
}
