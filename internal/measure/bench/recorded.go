package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"arcv2dsp/benchmarks"
	"arcv2dsp/mlikernels"
)

// readRecorded reads results in any of the formats that a bench is printed in.
func readRecorded(path string, data []byte) ([]Recorded, error) {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		var doc Document
		if err := json.Unmarshal(data, &doc); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		var all []Recorded
		for _, r := range Counted(doc.Results) {
			all = append(all, Recorded{Core: r.Core, Options: r.Options, Name: goName(r), Cycles: r.Cycles})
		}
		return all, nil
	}
	if all, ok, err := readTable(path, string(data)); ok {
		return all, err
	}
	return readGo(path, data)
}

// gapOfText separates the cells of a table printed as text.
var gapOfText = regexp.MustCompile(` {2,}`)

// cells takes a line of a table apart: markdown, tab-separated or text.
func cells(line string) []string {
	switch {
	case strings.HasPrefix(line, "| "):
		list := strings.Split(strings.Trim(line, "|"), "|")
		for i := range list {
			list[i] = strings.TrimSpace(list[i])
		}
		return list
	case strings.Contains(line, "\t"):
		return strings.Split(line, "\t")
	}
	return gapOfText.Split(strings.TrimSpace(line), -1)
}

// readTable reads the rows of the first table of results, which ends with an empty line; ok is false without such a table.
func readTable(path, text string) (all []Recorded, ok bool, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		row := cells(line)
		switch {
		case !ok:
			ok = len(row) > 3 && slices.Equal(row[:3], []string{"subject", "core", "cycles"})
			continue
		case line == "":
			return all, ok, nil
		case strings.HasPrefix(line, "-"), strings.HasPrefix(line, "|-"):
			continue // a rule
		}
		if len(row) < 3 {
			return nil, true, fmt.Errorf("%s:%d: %d cells, a result has at least three", path, number, len(row))
		}
		if row[2] == "-" || row[2] == "FAILED" {
			continue
		}
		cycles, err := strconv.ParseUint(strings.ReplaceAll(row[2], ",", ""), 10, 64)
		if err != nil {
			return nil, true, fmt.Errorf("%s:%d: %q is no number of cycles", path, number, row[2])
		}
		core, options, _ := strings.Cut(row[1], " ")
		all = append(all, Recorded{Core: core, Options: options, Name: goName(Result{Name: row[0], Kind: kindOfName(row[0])}), Cycles: cycles})
	}
	return all, ok, nil
}

// kindOfName returns the kind of the subject with a name: a program of ours, a call of a kernel, else a file.
func kindOfName(name string) Kind {
	if slices.ContainsFunc(benchmarks.Programs(), func(p benchmarks.Program) bool { return p.Name == name }) {
		return Program
	}
	symbol, _, _ := strings.Cut(name, "/")
	if _, err := mlikernels.Lookup(symbol); err == nil {
		return Kernel
	}
	return File
}
