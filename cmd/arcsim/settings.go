package main

import (
	"strings"

	"github.com/spf13/pflag"

	"arcv2dsp"
	"arcv2dsp/mlikernels/kernel"
)

// settingFlags are the flags that change options of a core.
type settingFlags struct {
	tcf   string
	files []string
	props []string
}

func (o *settingFlags) flags(f *pflag.FlagSet) {
	f.StringVar(&o.tcf, "tcf", "", "tool configuration `FILE` of a board, which describes the whole core")
	f.StringArrayVar(&o.files, "props", nil, "property `FILE` as nSIM reads it; one that names nsim_isa_family describes the whole core (repeatable)")
	f.StringArrayVarP(&o.props, "prop", "p", nil, "`NAME=VALUE`: set a property, after all files (repeatable)")
}

// paths lists the files of the settings.
func (o *settingFlags) paths() []string {
	if o.tcf == "" {
		return o.files
	}
	return append([]string{o.tcf}, o.files...)
}

// list returns the settings in the order in which they apply.
func (o *settingFlags) list() []arcv2dsp.Setting {
	var list []arcv2dsp.Setting
	if o.tcf != "" {
		list = append(list, arcv2dsp.Setting{TCF: o.tcf})
	}
	for _, f := range o.files {
		list = append(list, arcv2dsp.Setting{File: f})
	}
	for _, p := range o.props {
		list = append(list, arcv2dsp.Setting{Property: p})
	}
	return list
}

// coreHelp describes --core.
func coreHelp() string {
	return "`CORE` template: " + strings.Join(coreNames(), ", ") + "; or a board that arcsim cores lists"
}

// templateHelp describes --core of commands that take no boards.
func templateHelp() string { return "`CORE` template: " + strings.Join(coreNames(), ", ") }

// coresHelp describes --core where it takes several.
func coresHelp() string {
	return "`CORES`, templates separated by commas: " + strings.Join(coreNames(), ", ")
}

// kernelCoreHelp describes --core of commands that run kernels on it.
func kernelCoreHelp() string {
	return "`CORE` that runs kernels: " + strings.Join(kernel.Cores(), ", ") + ", or such a board that arcsim cores lists"
}

// kernelCoresHelp describes --core of commands that run kernels on several cores.
func kernelCoresHelp() string {
	return "`CORES` that run kernels, separated by commas: " + strings.Join(kernel.Cores(), ", ") + ", and such boards that arcsim cores lists"
}
