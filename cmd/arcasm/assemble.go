package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"

	"arcv2dsp/asm"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// gcLimit is the memory above which garbage is collected: an assembly that needs less is faster without collection.
const gcLimit = 200 << 20

// runAssemble is arcasm without a command.
func runAssemble(args []string, s cli.Streams) {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(gcLimit)
	o := assembleOptions{out: "a.out"}
	steps.Check(cli.UsageError(parseOptions(assembleTable(), args, &o, o.addFile)))
	cli.Refuse(len(o.files) == 0, "no source files, see arcasm --help")
	obj := o.assemble(o.files, s)
	data, err := obj.Bytes()
	steps.Check(cli.FailedError(err))
	writeFile(o.out, data, 0o666, s)
	o.writeListing(obj, s)
	o.writeDepends(obj, s)
}

func (o *assembleOptions) addFile(name string) { o.files = append(o.files, name) }

// maxInput bounds the files that commands read.
const maxInput = 1 << 30

// maxOptions bounds a file of options.
const maxOptions = 1 << 20

// writeFile writes a result; "-" is standard output.
func writeFile(name string, data []byte, mode fs.FileMode, s cli.Streams) {
	var err error
	if name == "-" {
		_, err = s.Out.Write(data)
	} else {
		err = hostfile.WriteMode(name, data, mode)
	}
	steps.Check(err)
}

// standardInput is the name of what comes from there in messages.
const standardInput = "standard input"

// assemble reads and assembles files as one program, and prints the messages.
func (o *assembleOptions) assemble(files []string, s cli.Streams) *asm.Object {
	// The line tables of -g and of .loc name it.
	dir, err := os.Getwd()
	if err != nil && o.Debug {
		steps.Check(err)
	}
	o.CompDir = dir
	sources := make([]asm.Source, 0, len(files))
	for _, name := range files {
		if name == "-" {
			text := steps.Must(io.ReadAll(s.In))
			sources = append(sources, asm.Source{Name: standardInput, Text: string(text)})
			continue
		}
		read := steps.Must(asm.ReadSources(o.Options, name))
		sources = append(sources, read...)
	}
	obj, err := asm.Assemble(o.withLibrary(files[0]), sources...)
	var list asm.ErrorList
	switch {
	case errors.As(err, &list):
		fmt.Fprintln(s.Err, list.Error())
		if limit := cmp.Or(o.MaxErrors, asm.DefaultMaxErrors); len(list) >= limit {
			fmt.Fprintf(s.Err, "arcasm: there may be more than these %d errors; --max-errors N shows more\n", limit)
		}
		o.hintLibrary(list, s)
		steps.Check(&cli.ExitError{Status: cli.Failed})
	case err != nil:
		steps.Check(cli.UsageError(err))
	}
	for _, line := range obj.Printed {
		fmt.Fprintln(s.Out, line)
	}
	if len(obj.Warnings) > 0 && !o.noWarn {
		fmt.Fprintln(s.Err, obj.Warnings.Error())
		if o.fatalWarn {
			steps.Check(&cli.ExitError{Status: cli.Failed})
		}
	}
	return obj
}

func (o *assembleOptions) writeListing(obj *asm.Object, s cli.Streams) {
	if !o.listed {
		return
	}
	if o.listing == "" || o.listing == "-" {
		steps.Check(obj.WriteListing(s.Out))
		return
	}
	file := steps.Must(hostfile.Create(o.listing))
	defer file.Discard()
	steps.Check(obj.WriteListing(file))
	steps.Check(file.Commit())
}
