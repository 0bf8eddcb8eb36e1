package main

import (
	"debug/elf"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/program/dwarf"
	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/internal/program/listing"
	"arcv2dsp/internal/program/source"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// disasmOptions are the flags of disasm, spelled as those of objdump.
type disasmOptions struct {
	machine     []string
	all         bool
	relocs      bool
	lines       bool
	source      bool
	noBytes     bool
	start, stop string
}

func newDisasmCmd(s cli.Streams) *cobra.Command {
	var o disasmOptions
	cmd := &cobra.Command{
		Use:   "disasm [flags] FILE...",
		Short: "Disassemble objects and executables",
		Long: `Print the code of ELF files as objdump -d does: addresses, bytes, text, and the targets of branches
as comments. The core comes from the file; -M changes it.`,
		Example: `  arcasm disasm fir.o
  arcasm disasm -r -M cpu=em4,dsp fir.o
  arcasm disasm --source app.elf`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return cli.HostError(steps.Run(func() { runDisasm(&o, args, s) }))
		},
	}
	f := cmd.Flags()
	f.StringArrayVarP(&o.machine, "disassembler-options", "M", nil,
		"`LIST` of cpu=NAME dsp spfp dpfp fpus fpud fpuda quarkse_em hex, separated by commas (repeatable)")
	f.BoolP("disassemble", "d", true, "sections that hold code; always the case")
	f.BoolVarP(&o.all, "disassemble-all", "D", false, "every section with contents")
	f.BoolVarP(&o.relocs, "reloc", "r", false, "show relocations after the instruction they change")
	f.BoolVarP(&o.lines, "line-numbers", "l", false, "show file and line of the code")
	f.BoolVarP(&o.source, "source", "S", false, "show the source lines of the code")
	f.BoolVar(&o.noBytes, "no-show-raw-insn", false, "leave the bytes out")
	f.StringVar(&o.start, "start-address", "", "first `ADDRESS`")
	f.StringVar(&o.stop, "stop-address", "", "`ADDRESS` to stop before")
	return cmd
}

func runDisasm(o *disasmOptions, args []string, s cli.Streams) {
	for _, name := range args {
		o.file(name, s)
	}
}

// file prints one file, of an archive all its members.
func (o *disasmOptions) file(name string, s cli.Streams) {
	data := steps.Must(hostfile.Read(name, maxInput))
	if !elfarc.IsArchive(data) {
		o.object(name, name, data, s)
		return
	}
	archive, err := elfarc.ReadArchive(data)
	steps.Check(cli.FailedError(steps.In(name, err)))
	fmt.Fprintf(s.Out, "In archive %s:\n", name)
	for _, m := range archive.Members {
		o.object(m.Name, fmt.Sprintf("%s(%s)", name, m.Name), m.Data, s)
	}
}

// object prints an object or a program; place names it in messages.
func (o *disasmOptions) object(name, place string, data []byte, s cli.Streams) {
	f, err := elfarc.Read(data)
	steps.Check(cli.FailedError(steps.In(place, err)))
	l := listing.Listing{All: o.all, NoBytes: o.noBytes, Relocs: o.relocs, Numbers: o.lines, Source: o.source}
	l.Features = listing.FileFeatures(f)
	for _, m := range o.machine {
		steps.Check(cli.UsageError(l.ParseOption(m)))
	}
	l.Start = address("--start-address", o.start)
	l.Stop = address("--stop-address", o.stop)
	if o.lines || o.source {
		lines := &sourceLines{bases: sectionBases(f), texts: make(map[string][]string)}
		var err error
		lines.info, err = dwarf.ReadAt(f, func(s *elfarc.Section) uint32 { return lines.bases[s] })
		if err != nil {
			s.Warn("%s: line information: %v", place, err)
		}
		if lines.info != nil {
			l.Lines = lines
		}
	}
	steps.Check(l.File(s.Out, name, f))
}

func address(flag, text string) uint32 {
	if text == "" {
		return 0
	}
	n, err := strconv.ParseUint(text, 0, 32)
	if err != nil {
		steps.Check(cli.UsageError(fmt.Errorf("%s %s: not an address", flag, text)))
	}
	return uint32(n)
}

// sectionBases gives each section an address of its own: in objects all begin at 0.
func sectionBases(f *elfarc.File) map[*elfarc.Section]uint32 {
	bases := make(map[*elfarc.Section]uint32)
	next := uint32(0)
	for _, s := range f.Sections {
		bases[s] = s.Addr
		if f.Type == elf.ET_REL && s.Flags&elf.SHF_ALLOC != 0 {
			bases[s] = next
			next += (s.Len() + 15) &^ 15
		}
	}
	return bases
}

// sourceLines answers the questions of a listing from debug information and the source files.
type sourceLines struct {
	info  *dwarf.Info
	bases map[*elfarc.Section]uint32
	texts map[string][]string
}

// Place returns the function, file and line of an address.
func (l *sourceLines) Place(s *elfarc.Section, addr uint32) listing.Place {
	addr += l.bases[s] - s.Addr
	frames := l.info.Frames(addr)
	if len(frames) == 0 {
		return listing.Place{}
	}
	at := frames[0]
	row, _ := l.info.At(addr)
	return listing.Place{Function: at.Function, File: at.At.File, Line: at.At.Line, Discriminator: row.Discriminator}
}

// Text returns a line of a source file.
func (l *sourceLines) Text(file string, line int) (string, bool) {
	lines, ok := l.texts[file]
	if !ok {
		data, err := hostfile.Read(filepath.FromSlash(file), source.MaxFile)
		if err == nil {
			lines = strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
		}
		l.texts[file] = lines
	}
	if line < 1 || line > len(lines) {
		return "", false
	}
	return lines[line-1], true
}
