package main

import (
	"fmt"
	"strconv"
	"strings"

	"arcv2dsp/asm"
	"arcv2dsp/mlikernels"
)

// assembleOptions are the options of an assembly.
type assembleOptions struct {
	asm.Options
	out       string
	depends   string // file of the dependencies
	listing   string // file of the listing; "-" is standard output
	listed    bool
	noWarn    bool
	fatalWarn bool
	library   *mlikernels.Collection // whose includes are looked for, nil for none
	files     []string
}

// assembleTable lists the options in the order of the help.
func assembleTable() []option[assembleOptions] {
	flag := func(p func(o *assembleOptions) *bool) func(*assembleOptions, string) error {
		return func(o *assembleOptions, _ string) error {
			*p(o) = true
			return nil
		}
	}
	cpu := func(name string) func(*assembleOptions, string) error {
		return func(o *assembleOptions, _ string) error {
			o.CPU = name
			return nil
		}
	}
	list := []option[assembleOptions]{
		{name: "-o", arg: "FILE", help: "write the object to FILE, a.out by default; - is standard output",
			set: func(o *assembleOptions, v string) error { o.out = v; return nil }},
		{name: "-mcpu=", arg: "NAME", help: "assemble for the core NAME, " + asm.DefaultCPU + " by default",
			set: func(o *assembleOptions, v string) error { o.CPU = v; return nil }},
		{name: "-mcpu", arg: "NAME", set: func(o *assembleOptions, v string) error { o.CPU = v; return nil }},
		{name: "-mEM", help: "the same as -mcpu=arcem", set: cpu("arcem")},
		{name: "-mHS", help: "the same as -mcpu=archs", set: cpu("archs")},
		{name: "-mcode-density", help: "allow the code-density instructions",
			set: flag(func(o *assembleOptions) *bool { return &o.CodeDensity })},
		{name: "-mspfp", help: "allow the single-precision FPX instructions", set: flag(func(o *assembleOptions) *bool { return &o.SPFP })},
		{name: "-mdpfp", help: "allow the double-precision FPX instructions", set: flag(func(o *assembleOptions) *bool { return &o.DPFP })},
		{name: "-mfpuda", help: "allow the double-precision assist instructions", set: flag(func(o *assembleOptions) *bool { return &o.FPUDA })},
		{name: "-mrelax", help: "choose the shortest encoding of symbolic operands", set: flag(func(o *assembleOptions) *bool { return &o.Relax })},
		{name: "-EB", help: "assemble for a big-endian core", set: flag(func(o *assembleOptions) *bool { return &o.BigEndian })},
		{name: "-EL", help: "assemble for a little-endian core, the default",
			set: func(o *assembleOptions, _ string) error { o.BigEndian = false; return nil }},
		{name: "-g", help: "write a line table, so that debuggers show the source", set: flag(func(o *assembleOptions) *bool { return &o.Debug })},
		{name: "-I", arg: "DIR", help: "look for .include and .incbin files in DIR too; in a library of kernels for @mli11, @mli20, @arcq",
			set: (*assembleOptions).include},
		{name: "--defsym", arg: "SYM=VALUE", help: "define a symbol", set: (*assembleOptions).defsym},
		{name: "-a", arg: "[ms][=FILE]", help: "print a listing; m shows macro expansions, s adds the symbols",
			set: (*assembleOptions).list},
		{name: "-L", help: "keep the symbols that begin with .L", set: flag(func(o *assembleOptions) *bool { return &o.KeepLocals })},
		{name: "-no-pad-sections", help: "do not fill sections up to their alignment", set: flag(func(o *assembleOptions) *bool { return &o.NoPad })},
		{name: "-R", help: "put .data at the end of .text", set: flag(func(o *assembleOptions) *bool { return &o.FoldData })},
		{name: "--size-check", arg: "error|warning", help: "what a .size that is not constant counts as, an error by default",
			set: (*assembleOptions).sizeCheck},
		{name: "--MD", arg: "FILE", help: "write to FILE, as a rule for make, which files the object depends on",
			set: func(o *assembleOptions, v string) error { o.depends = v; return nil }},
		{name: "-W", help: "print no warnings", set: flag(func(o *assembleOptions) *bool { return &o.noWarn })},
		{name: "--fatal-warnings", help: "take warnings for errors", set: flag(func(o *assembleOptions) *bool { return &o.fatalWarn })},
		{name: "--strict", help: "refuse instructions that the core lacks, also for GNU's core names; always so for em5d em6 em7d em9d em11d",
			set: flag(func(o *assembleOptions) *bool { return &o.Strict })},
		{name: "--gnu-bugs", help: "encode as GNU as 2.40 does where its table is wrong", set: flag(func(o *assembleOptions) *bool { return &o.GNUBugs })},
		{name: "--max-errors", arg: "N", help: "stop after N errors, 20 by default", set: (*assembleOptions).setMaxErrors},

		{name: "--gen-debug", set: flag(func(o *assembleOptions) *bool { return &o.Debug })},
		{name: "--keep-locals", set: flag(func(o *assembleOptions) *bool { return &o.KeepLocals })},
		{name: "--no-warn", set: flag(func(o *assembleOptions) *bool { return &o.noWarn })},
		{name: "--mcpu=", arg: "NAME", set: func(o *assembleOptions, v string) error { o.CPU = v; return nil }},
	}
	for _, v := range []string{"2", "3", "4", "5"} {
		for _, dash := range []string{"-", "--"} {
			list = append(list, option[assembleOptions]{name: dash + "gdwarf-" + v, set: flag(func(o *assembleOptions) *bool { return &o.Debug })})
		}
	}
	for _, name := range ignoredOptions {
		list = append(list, option[assembleOptions]{name: name, set: func(*assembleOptions, string) error { return nil }})
	}
	return list
}

// ignoredOptions say nothing to this assembler, as most of them to the GNU assembler of today.
var ignoredOptions = []string{
	"-D", "-f", "-J", "-K", "-w", "-X", "-Z", "-nocpp", "--warn", "--traditional-format", "--reduce-memory-overheads",
	"--execstack", "--noexecstack", "--statistics", "--nocompress-debug-sections",
	"-mEA", "-mbarrel-shifter", "-mbarrel_shifter", "-mcrc", "-mdsp-packa", "-mdsp_packa", "-mdvbf",
	"-mld-extension-reg-mask", "-mlock", "-mmac-24", "-mmac-d16", "-mmac_24", "-mmac_d16", "-mmin-max", "-mmin_max",
	"-mmul64", "-mno-mpy", "-mnorm", "-mrtsc", "-msimd", "-mswap", "-mswape", "-mtelephony", "-muser-mode-only", "-mxy",
}

func (o *assembleOptions) include(dir string) error {
	if library, ok := strings.CutPrefix(dir, "@"); ok {
		return o.useLibrary(library)
	}
	o.Include = append(o.Include, dir)
	return nil
}

func (o *assembleOptions) defsym(v string) error {
	name, value, ok := strings.Cut(v, "=")
	if !ok || name == "" {
		return fmt.Errorf("--defsym %s: expected SYM=VALUE", v)
	}
	n, err := strconv.ParseInt(value, 0, 64)
	if err != nil {
		u, uerr := strconv.ParseUint(value, 0, 64)
		if uerr != nil {
			return fmt.Errorf("--defsym %s: %q is not a number", v, value)
		}
		n = int64(u)
	}
	if o.Defsym == nil {
		o.Defsym = make(map[string]int64)
	}
	o.Defsym[name] = n
	return nil
}

// list reads what follows -a: letters, then =FILE.
func (o *assembleOptions) list(v string) error {
	letters, file, _ := strings.Cut(v, "=")
	l := &asm.ListingOptions{}
	for _, c := range letters {
		switch c {
		case 'm':
			l.Macros = true
		case 's':
			l.Symbols = true
		case 'c':
			l.NoFalse = true
		case 'd', 'g', 'h', 'l', 'n': // parts that are always there, or never
		default:
			return fmt.Errorf("-a%s: unknown letter %q", v, c)
		}
	}
	o.Listing, o.listed, o.listing = l, true, file
	return nil
}

func (o *assembleOptions) sizeCheck(v string) error {
	switch v {
	case "error", "warning":
		o.WarnSize = v == "warning"
		return nil
	}
	return fmt.Errorf("--size-check %s: expected error or warning", v)
}

func (o *assembleOptions) setMaxErrors(v string) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 {
		return fmt.Errorf("--max-errors %s: expected a number above 0", v)
	}
	o.MaxErrors = n
	return nil
}
