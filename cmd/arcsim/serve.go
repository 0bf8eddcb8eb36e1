//go:build !programs && !wasm

package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/debug/gdbserver"
	"arcv2dsp/internal/debug/workbench"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

func newServeCmd(s cli.Streams) *cobra.Command {
	var port int
	return pages.Command("serve", func(cmd *cobra.Command, args []string) {
		listener := steps.Must(gdbserver.Listen(fmt.Sprint(port)))
		o := workbench.Options{Page: steps.Must(workbench.Files()), Program: steps.Must(os.Executable()), Name: s.Name}
		if len(args) > 0 {
			info := steps.Must(os.Stat(args[0]))
			switch {
			case info.IsDir():
				o.Folder = args[0]
			case info.Mode().IsRegular():
				o.Folder, o.Open = filepath.Dir(args[0]), filepath.Base(args[0])
			default:
				steps.Refuse(true, "%s is neither a folder nor a file", args[0])
			}
		}
		server := steps.Must(workbench.New(listener, o))
		_, err := fmt.Fprintln(s.Out, server.URL())
		steps.Check(err)
		ctx, end := untilClosed(cmd.Context(), s.In)
		defer end()
		steps.Check(server.Serve(ctx))
	}, cli.Vars{"port": &port})
}

// untilClosed returns a context that ends when the other end of an input is closed. A file or a device, such as /dev/null, has
// none; the end of a terminal is a signal.
func untilClosed(parent context.Context, in io.Reader) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancel(parent)
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 {
			go func() {
				_, _ = io.Copy(io.Discard, f)
				end()
			}()
		}
	}
	return ctx, end
}
