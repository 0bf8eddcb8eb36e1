package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"

	"arcv2dsp/asm"
)

// gcLimit is the memory above which garbage is collected: below it a run is over sooner without.
const gcLimit = 200 << 20

// runAssemble is arcasm without a command.
func runAssemble(args []string, s streams) error {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(gcLimit)
	o := assembleOptions{out: "a.out"}
	if err := parseOptions(assembleTable(), args, &o, o.addFile); err != nil {
		return usageError(err)
	}
	if len(o.files) == 0 {
		return usageError(errors.New("no source files, see arcasm --help"))
	}
	obj, err := o.assemble(o.files, s)
	if err != nil {
		return err
	}
	data, err := obj.Bytes()
	if err != nil {
		return failedError(err)
	}
	if err := writeFile(o.out, data, 0o666, s); err != nil {
		return err
	}
	return o.writeListing(obj, s)
}

func (o *assembleOptions) addFile(name string) { o.files = append(o.files, name) }

// writeFile writes a result; "-" is standard output.
func writeFile(name string, data []byte, mode fs.FileMode, s streams) error {
	var err error
	if name == "-" {
		_, err = s.out.Write(data)
	} else {
		err = os.WriteFile(name, data, mode)
	}
	if err != nil {
		return hostError(err)
	}
	return nil
}

// assemble reads and assembles files as one program, and prints the messages.
func (o *assembleOptions) assemble(files []string, s streams) (*asm.Object, error) {
	// The line tables of -g and of .loc name it.
	dir, err := os.Getwd()
	if err != nil && o.Debug {
		return nil, hostError(err)
	}
	o.CompDir = dir
	sources := make([]asm.Source, 0, len(files))
	for _, name := range files {
		var text []byte
		var err error
		if name == "-" {
			name = "standard input"
			text, err = io.ReadAll(s.in)
		} else {
			text, err = os.ReadFile(name)
		}
		if err != nil {
			return nil, hostError(err)
		}
		sources = append(sources, asm.Source{Name: name, Text: string(text)})
	}
	obj, err := asm.Assemble(o.Options, sources...)
	var list asm.ErrorList
	switch {
	case errors.As(err, &list):
		fmt.Fprintln(s.err, list.Error())
		return nil, &exitError{status: statusFailed}
	case err != nil:
		return nil, usageError(err)
	}
	for _, line := range obj.Printed {
		fmt.Fprintln(s.out, line)
	}
	if len(obj.Warnings) > 0 && !o.noWarn {
		fmt.Fprintln(s.err, obj.Warnings.Error())
		if o.fatalWarn {
			return nil, &exitError{status: statusFailed}
		}
	}
	return obj, nil
}

func (o *assembleOptions) writeListing(obj *asm.Object, s streams) error {
	if !o.listed {
		return nil
	}
	if o.listing == "" || o.listing == "-" {
		if err := obj.WriteListing(s.out); err != nil {
			return hostError(err)
		}
		return nil
	}
	file, err := os.Create(o.listing)
	if err != nil {
		return hostError(err)
	}
	if err := obj.WriteListing(file); err != nil {
		file.Close()
		return hostError(err)
	}
	if err := file.Close(); err != nil {
		return hostError(err)
	}
	return nil
}
