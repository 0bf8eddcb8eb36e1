package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/asm/link"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

// buildOptions are those of the assembly and of the link.
type buildOptions struct {
	asm  assembleOptions
	link linkOptions
}

// buildTable joins the two tables; where both have an option, a build means that of the assembler.
func buildTable() []option[buildOptions] {
	var table []option[buildOptions]
	taken := map[string]bool{"-o": true, "-L": true, "-n": true}
	table = append(table, option[buildOptions]{name: "-o", arg: "FILE", help: "write the program to FILE, a.out by default",
		set: func(o *buildOptions, v string) error { o.link.out = v; return nil }})
	for _, x := range assembleTable() {
		// --MD writes the rule of an object, and a build leaves no object behind.
		if x.name == "-o" || x.name == "-L" || x.name == "--MD" {
			continue
		}
		taken[x.name] = true
		table = append(table, option[buildOptions]{name: x.name, arg: x.arg, help: x.help,
			set: func(o *buildOptions, v string) error { return x.set(&o.asm, v) }})
	}
	for _, x := range linkTable() {
		if taken[x.name] && x.name != "-L" {
			continue
		}
		table = append(table, option[buildOptions]{name: x.name, arg: x.arg, help: x.help,
			set: func(o *buildOptions, v string) error { return x.set(&o.link, v) }})
	}
	return table
}

func newBuildCmd(s cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "build [option...] FILE...",
		Short: "Assemble and link in one step",
		Long: `Assemble each .s file into an object of its own and link them, with the objects and archives that are
named too, into an executable.

Options:
` + optionHelp(buildTable()),
		Example: `  arcasm build -o fir.elf main.s fir.s
  arcasm build -mcpu=em9d -g -T board.ld -o app.elf start.s app.s libmli_arcv2.a`,
		DisableFlagParsing: true,
		ValidArgsFunction:  completeOptions(buildTable()),
		RunE: func(cmd *cobra.Command, args []string) error {
			if wantsHelp(args) {
				return cmd.Help()
			}
			var o buildOptions
			o.link.out = "a.out"
			var sources []string
			file := func(name string) {
				switch strings.ToLower(filepath.Ext(name)) {
				case ".o", ".a", ".ld", ".lds":
					o.link.addFile(name)
				default:
					sources = append(sources, name)
				}
			}
			if err := parseOptions(buildTable(), args, &o, file); err != nil {
				return cli.UsageError(err)
			}
			return cli.HostError(steps.Run(func() { runBuild(&o, sources, s) }))
		},
	}
}

// runBuild assembles the sources and links the result.
func runBuild(o *buildOptions, sources []string, s cli.Streams) {
	cli.Refuse(len(sources) == 0, "no source files")
	var objects []link.Input
	for _, name := range sources {
		obj := o.asm.assemble([]string{name}, s)
		o.asm.writeListing(obj, s)
		data, err := obj.Bytes()
		steps.Check(cli.FailedError(err))
		objects = append(objects, link.Input{Name: name, Data: data})
	}
	runLink(&o.link, objects, s)
}
