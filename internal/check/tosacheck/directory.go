package tosacheck

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"arcv2dsp/nn"
	files "arcv2dsp/nn/tosa"
)

// Tags of test directories that say more than the keys of desc.json do.
const (
	tagUnpredictable = "expect-unpredictable"
	tagLevel         = "level-"
)

// FromTest makes a case of a test directory. The level is the target's, unless a tag of the directory names
// another and tags count.
func FromTest(t *files.Test, target files.Target, tags bool) (*Case, error) {
	d := &t.Description
	c := &Case{
		Name: filepath.Base(t.Dir), Purpose: d.FailureReason, Target: target, Graph: t.Graph, Fault: t.Fault, Inputs: t.Inputs,
		Want: t.Want, References: t.References, InputFault: t.InputFault,
	}
	switch {
	case d.ExpectedFailure:
		c.Expect = nn.Error
	case slices.Contains(d.Tags, tagUnpredictable):
		c.Expect = nn.Unpredictable
	}
	for _, tag := range d.Tags {
		if name, ok := strings.CutPrefix(tag, tagLevel); ok && tags {
			level, err := files.ParseLevel(name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", filepath.Join(t.Dir, files.DescriptionFile), err)
			}
			c.Target.Level = level
		}
	}
	return c, nil
}

// Directories finds the test directories at or below some paths, in order.
func Directories(paths []string) ([]string, error) {
	var list []string
	for _, path := range paths {
		err := filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && e.Name() == files.DescriptionFile {
				list = append(list, filepath.Dir(p))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}
