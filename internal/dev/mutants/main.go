// Command mutants proves that the tests see faults. The tables, rows*.txt, have single faults of Go code and of assembly,
// each with the test that must fail when the fault is in its place; the command prints the faults that no test sees.
//
//	go run ./internal/dev/mutants [-run PATTERN] [-which]
//
// The sources of the product carry nothing for it. The go tool builds them with an overlay, in which the function (the
// variable, the piece of assembly) of every row stands twice, as it is and with the fault. ARCV2DSP_MUTANT has the number
// of the row whose fault is switched on, so that one test binary of a package serves all rows.
package main

import (
	"context"
	"embed"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/signal"
	"regexp"
	"slices"
)

// tables are the faults: rows_*.txt those of one subject, rows.txt those of every other.
//
//go:embed rows*.txt
var tables embed.FS

func main() {
	run := flag.String("run", "", "only rows whose name or area matches this regular expression")
	which := flag.Bool("which", false, "run all tests of each row's package and print which of them see the fault")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	living, err := check(ctx, os.Stdout, tables, *run, *which)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
	if living > 0 {
		os.Exit(1)
	}
}

// check tries the rows that a pattern selects and prints what became of them.
func check(ctx context.Context, w io.Writer, tables fs.FS, pattern string, which bool) (living int, err error) {
	selects, err := regexp.Compile(pattern)
	if err != nil {
		return 0, err
	}
	rows, err := readRows(tables)
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	rows = slices.DeleteFunc(rows, func(r row) bool { return !selects.MatchString(r.area + ": " + r.name) })
	overlay, err := writeOverlay(os.DirFS("."), dir, rows)
	if err != nil {
		return 0, err
	}
	t := trial{dir: dir, overlay: overlay, out: w, which: which}
	byPackage := map[string][]row{}
	for _, r := range rows {
		byPackage[r.pkg] = append(byPackage[r.pkg], r)
	}
	for _, pkg := range slices.Sorted(maps.Keys(byPackage)) {
		if err := t.try(ctx, pkg, byPackage[pkg]); err != nil {
			return 0, err
		}
	}
	t.print(rows)
	return len(t.living), nil
}
