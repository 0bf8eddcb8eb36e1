package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

// examples are the folders that the command writes.
//
//go:embed examples/first examples/kernel
var examples embed.FS

func newNewCmd(s cli.Streams) *cobra.Command {
	var kernel, like string
	return pages.Command("new", func(cmd *cobra.Command, args []string) {
		cli.Refuse((kernel == "") != (like == ""), "--kernel and --like belong together: the new function, and the kernel that it begins as")
		if kernel != "" {
			writeKernel(cmd.Context(), args[0], kernel, like, s)
			return
		}
		writeExample(cmd.Context(), args[0], s)
	}, cli.Vars{"kernel": &kernel, "like": &like})
}

// writeExample writes the first program into an empty or new folder.
func writeExample(ctx context.Context, dir string, s cli.Streams) {
	newFolder(dir)
	first := steps.Must(fs.Sub(examples, "examples/first"))
	files := map[string][]byte{}
	steps.Check(fs.WalkDir(first, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			files[name], err = fs.ReadFile(first, name)
		}
		return err
	}))
	writeFolder(ctx, dir, files)
	fmt.Fprintf(s.Out, "%s has a program; make -C %s run builds and runs it\n", dir, dir)
}

// newFolder makes a folder, which may be there when it is empty.
func newFolder(dir string) {
	list, err := os.ReadDir(dir)
	steps.Refuse(len(list) > 0, "%s is not empty", dir)
	if !errors.Is(err, os.ErrNotExist) {
		steps.Check(err)
	}
	steps.Check(os.MkdirAll(dir, 0o777))
}
