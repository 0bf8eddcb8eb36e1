package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/asm/link"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// linkOptions are the options of a link, spelled as those of GNU ld.
type linkOptions struct {
	link.Options
	out     string
	script  string
	mapFile string
	dirs    []string
	inputs  []linkInput
	group   int // of the archives that come next, 0 outside a group
	groups  int
	whole   bool
}

// linkInput is a file or library of the command line.
type linkInput struct {
	name    string
	library bool // -l: looked up in the directories
	group   int
	whole   bool
}

// linkTable lists the options in the order of the help.
func linkTable() []option[linkOptions] {
	flag := func(p func(o *linkOptions) *bool) func(*linkOptions, string) error {
		return func(o *linkOptions, _ string) error {
			*p(o) = true
			return nil
		}
	}
	section := func(name string) func(*linkOptions, string) error {
		return func(o *linkOptions, v string) error { return o.sectionStart(name + "=" + v) }
	}
	ignore := func(*linkOptions, string) error { return nil }
	return []option[linkOptions]{
		{name: "-o", arg: "FILE", help: "write the program to FILE, a.out by default; - is standard output",
			set: func(o *linkOptions, v string) error { o.out = v; return nil }},
		{name: "-T", arg: "SCRIPT", help: "place sections as the linker script says",
			set: func(o *linkOptions, v string) error { o.script = v; return nil }},
		{name: "-Ttext", arg: "ADDR", help: "address of .text", set: section(".text")},
		{name: "-Tdata", arg: "ADDR", help: "address of .data", set: section(".data")},
		{name: "-Tbss", arg: "ADDR", help: "address of .bss", set: section(".bss")},
		{name: "--section-start", arg: "NAME=ADDR", help: "address of an output section", set: (*linkOptions).sectionStart},
		{name: "-e", arg: "SYMBOL", help: "where the program begins",
			set: func(o *linkOptions, v string) error { o.Entry = v; return nil }},
		{name: "--entry", arg: "SYMBOL", set: func(o *linkOptions, v string) error { o.Entry = v; return nil }},
		{name: "--gc-sections", help: "leave out sections that nothing refers to", set: flag(func(o *linkOptions) *bool { return &o.GCSections })},
		{name: "--no-gc-sections", set: func(o *linkOptions, _ string) error { o.GCSections = false; return nil }},
		{name: "-Map", arg: "FILE", help: "write a map of the program; - is standard output",
			set: func(o *linkOptions, v string) error { o.mapFile = v; return nil }},
		{name: "-L", arg: "DIR", help: "look for -l libraries and INPUT files in DIR",
			set: func(o *linkOptions, v string) error { o.dirs = append(o.dirs, v); return nil }},
		{name: "-l", arg: "NAME", help: "link what is needed of libNAME.a", set: (*linkOptions).library},
		{name: "-u", arg: "SYMBOL", help: "link a symbol from the archives though nothing refers to it",
			set: func(o *linkOptions, v string) error { o.Undefined = append(o.Undefined, v); return nil }},
		{name: "--defsym", arg: "SYM=VALUE", help: "define a symbol", set: (*linkOptions).defsym},
		{name: "--start-group", help: "search the archives up to --end-group again and again", set: (*linkOptions).startGroup},
		{name: "--end-group", help: "end of a group", set: func(o *linkOptions, _ string) error { o.group = 0; return nil }},
		{name: "-(", set: (*linkOptions).startGroup},
		{name: "-)", set: func(o *linkOptions, _ string) error { o.group = 0; return nil }},
		{name: "--whole-archive", help: "link every member of the archives that follow", set: flag(func(o *linkOptions) *bool { return &o.whole })},
		{name: "--no-whole-archive", help: "link only needed members of the archives that follow",
			set: func(o *linkOptions, _ string) error { o.whole = false; return nil }},
		{name: "--no-check-sections", help: "allow sections to overlap", set: flag(func(o *linkOptions) *bool { return &o.NoCheck })},
		{name: "-s", help: "leave out the symbol table", set: flag(func(o *linkOptions) *bool { return &o.StripAll })},
		{name: "-S", help: "leave out debug sections", set: flag(func(o *linkOptions) *bool { return &o.StripDebug })},
		{name: "-x", help: "leave out local symbols", set: flag(func(o *linkOptions) *bool { return &o.StripDiscards })},
		{name: "-m", arg: "EMULATION", set: ignore}, {name: "-static", set: ignore}, {name: "-n", set: ignore},
		{name: "--no-warn-rwx-segments", set: ignore}, {name: "-EL", set: ignore}, {name: "-nostdlib", set: ignore},
	}
}

func (o *linkOptions) addFile(name string) {
	o.inputs = append(o.inputs, linkInput{name: name, group: o.group, whole: o.whole})
}

func (o *linkOptions) library(name string) error {
	o.inputs = append(o.inputs, linkInput{name: name, library: true, group: o.group, whole: o.whole})
	return nil
}

func (o *linkOptions) startGroup(string) error {
	o.groups++
	o.group = o.groups
	return nil
}

func (o *linkOptions) sectionStart(v string) error {
	name, addr, ok := strings.Cut(v, "=")
	n, err := strconv.ParseUint(addr, 0, 32)
	if err != nil { // GNU ld reads addresses as hexadecimal
		n, err = strconv.ParseUint(addr, 16, 32)
	}
	if !ok || name == "" || err != nil {
		return fmt.Errorf("address of section %s: %q is not an address", name, addr)
	}
	if o.SectionStart == nil {
		o.SectionStart = make(map[string]uint32)
	}
	o.SectionStart[name] = uint32(n)
	return nil
}

func (o *linkOptions) defsym(v string) error {
	name, value, ok := strings.Cut(v, "=")
	if !ok || name == "" || value == "" {
		return fmt.Errorf("--defsym %s: expected SYM=VALUE", v)
	}
	o.Defines = append(o.Defines, link.Define{Name: name, Expr: value})
	return nil
}

func newLinkCmd(s cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "link [option...] FILE...",
		Short: "Link objects and archives",
		Long: `Combine objects and archives, ours and those of the GNU tools, into an executable. Without -T code is
placed at 0x100 and data on the page behind it.

Options:
` + optionHelp(linkTable()),
		Example: `  arcasm link -o app.elf start.o app.o libmli_arcv2.a
  arcasm link -T board.ld --gc-sections -Map app.map -o app.elf start.o app.o`,
		DisableFlagParsing: true,
		ValidArgsFunction:  completeOptions(linkTable()),
		RunE: func(cmd *cobra.Command, args []string) error {
			if wantsHelp(args) {
				return cmd.Help()
			}
			o := linkOptions{out: "a.out"}
			if err := parseOptions(linkTable(), args, &o, o.addFile); err != nil {
				return cli.UsageError(err)
			}
			return cli.HostError(steps.Run(func() { runLink(&o, nil, s) }))
		},
	}
}

// wantsHelp looks for the help flag, which commands with options of their own must do themselves.
func wantsHelp(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return a == "--help" || a == "-h" })
}

// runLink links the files of the options behind the objects given.
func runLink(o *linkOptions, objects []link.Input, s cli.Streams) {
	inputs := objects
	for _, in := range o.inputs {
		name, data, err := o.read(in)
		steps.Check(err)
		inputs = append(inputs, link.Input{Name: name, Data: data, Group: in.group, Whole: in.whole})
	}
	cli.Refuse(len(inputs) == 0, "no files to link")
	if o.script != "" {
		text := steps.Must(o.find(o.script))
		o.Script = &link.Script{Name: o.script, Text: string(text)}
	}
	o.Open = o.find
	var linkMap bytes.Buffer
	if o.mapFile != "" {
		o.Map = &linkMap
	}
	image, err := link.Link(o.Options, inputs)
	if err != nil {
		fmt.Fprintln(s.Err, err)
		steps.Check(&cli.ExitError{Status: cli.Failed})
	}
	for _, w := range image.Warnings {
		fmt.Fprintln(s.Err, w)
	}
	data, err := image.Bytes()
	if err != nil {
		err = fmt.Errorf("%s: %w", o.out, err)
	}
	steps.Check(cli.FailedError(err))
	if o.mapFile != "" {
		writeFile(o.mapFile, linkMap.Bytes(), 0o666, s)
	}
	writeFile(o.out, data, 0o777, s)
}

// read reads an input of the command line.
func (o *linkOptions) read(in linkInput) (name string, data []byte, err error) {
	if !in.library {
		data, err = hostfile.Read(in.name, maxInput)
		return in.name, data, err
	}
	file := "lib" + in.name + ".a"
	if exact, ok := strings.CutPrefix(in.name, ":"); ok {
		file = exact
	}
	for _, dir := range o.dirs {
		name = filepath.Join(dir, file)
		if data, err = hostfile.Read(name, maxInput); err == nil {
			return name, data, nil
		}
	}
	return "", nil, fmt.Errorf("library %s is in none of the -L directories", file)
}

// find reads a file that a script names: as it is, then in the -L directories.
func (o *linkOptions) find(name string) ([]byte, error) {
	data, err := hostfile.Read(name, maxInput)
	if err == nil || filepath.IsAbs(name) {
		return data, err
	}
	for _, dir := range o.dirs {
		if data, err := hostfile.Read(filepath.Join(dir, name), maxInput); err == nil {
			return data, nil
		}
	}
	return nil, err
}
