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
)

// gcLimit is the memory above which garbage is collected: an assembly that needs less is faster without collection.
const gcLimit = 200 << 20

// runAssemble is arcasm without a command.
func runAssemble(args []string, s cli.Streams) error {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(gcLimit)
	o := assembleOptions{out: "a.out"}
	if err := parseOptions(assembleTable(), args, &o, o.addFile); err != nil {
		return cli.UsageError(err)
	}
	if len(o.files) == 0 {
		return cli.UsageError(errors.New("no source files, see arcasm --help"))
	}
	obj, err := o.assemble(o.files, s)
	if err != nil {
		return err
	}
	data, err := obj.Bytes()
	if err != nil {
		return cli.FailedError(err)
	}
	if err := writeFile(o.out, data, 0o666, s); err != nil {
		return err
	}
	if err := o.writeListing(obj, s); err != nil {
		return err
	}
	return o.writeDepends(obj, s)
}

func (o *assembleOptions) addFile(name string) { o.files = append(o.files, name) }

// maxInput bounds the files that commands read.
const maxInput = 1 << 30

// maxOptions bounds a file of options.
const maxOptions = 1 << 20

// writeFile writes a result; "-" is standard output.
func writeFile(name string, data []byte, mode fs.FileMode, s cli.Streams) error {
	var err error
	if name == "-" {
		_, err = s.Out.Write(data)
	} else {
		err = hostfile.WriteMode(name, data, mode)
	}
	if err != nil {
		return cli.HostError(err)
	}
	return nil
}

// standardInput is the name of what comes from there in messages.
const standardInput = "standard input"

// assemble reads and assembles files as one program, and prints the messages.
func (o *assembleOptions) assemble(files []string, s cli.Streams) (*asm.Object, error) {
	// The line tables of -g and of .loc name it.
	dir, err := os.Getwd()
	if err != nil && o.Debug {
		return nil, cli.HostError(err)
	}
	o.CompDir = dir
	sources := make([]asm.Source, 0, len(files))
	for _, name := range files {
		if name == "-" {
			text, err := io.ReadAll(s.In)
			if err != nil {
				return nil, cli.HostError(err)
			}
			sources = append(sources, asm.Source{Name: standardInput, Text: string(text)})
			continue
		}
		read, err := asm.ReadSources(o.Options, name)
		if err != nil {
			return nil, cli.HostError(err)
		}
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
		return nil, &cli.ExitError{Status: cli.Failed}
	case err != nil:
		return nil, cli.UsageError(err)
	}
	for _, line := range obj.Printed {
		fmt.Fprintln(s.Out, line)
	}
	if len(obj.Warnings) > 0 && !o.noWarn {
		fmt.Fprintln(s.Err, obj.Warnings.Error())
		if o.fatalWarn {
			return nil, &cli.ExitError{Status: cli.Failed}
		}
	}
	return obj, nil
}

func (o *assembleOptions) writeListing(obj *asm.Object, s cli.Streams) error {
	if !o.listed {
		return nil
	}
	if o.listing == "" || o.listing == "-" {
		if err := obj.WriteListing(s.Out); err != nil {
			return cli.HostError(err)
		}
		return nil
	}
	file, err := hostfile.Create(o.listing)
	if err != nil {
		return cli.HostError(err)
	}
	defer file.Discard()
	if err := obj.WriteListing(file); err != nil {
		return cli.HostError(err)
	}
	if err := file.Commit(); err != nil {
		return cli.HostError(err)
	}
	return nil
}
