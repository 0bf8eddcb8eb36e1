package main

import (
	"fmt"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/board/config"
	"arcv2dsp/internal/measure/timeline"
	"arcv2dsp/internal/network/mlir"
	"arcv2dsp/internal/network/quantnet"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/mlikernels"
)

// settingFlags are the flags that change options of a core.
type settingFlags struct {
	tcf          string
	files, props []string
}

func (o *settingFlags) vars() cli.Vars {
	return cli.Vars{"tcf": &o.tcf, "props": &o.files, "prop": &o.props}
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

func coreNames() []string {
	var names []string
	for _, c := range arcv2dsp.Cores() {
		names = append(names, c.Name)
	}
	return names
}

// pageWords are the parts of pages that tables of the program give.
var pageWords = map[string]func() string{
	"cores":        func() string { return strings.Join(coreNames(), ", ") },
	"kernel-cores": func() string { return strings.Join(mlikernels.Cores(), ", ") },
	"core":         func() string { return config.Default },
	"legend":       timeline.Legend,
	"samples":      func() string { return strings.Join(quantnet.SampleNames(), ", ") },
	"observers":    func() string { return strings.Join(quantnet.Observers(), ", ") },
	"ways": func() string {
		var b strings.Builder
		for _, w := range quantnet.Ways() {
			fmt.Fprintf(&b, "  %-7s %s\n", w.Name, w.Doc)
		}
		return strings.TrimRight(b.String(), "\n")
	},
	"passes": func() string {
		var b strings.Builder
		for _, p := range mlir.Passes() {
			fmt.Fprintf(&b, "  %-31s %s\n", p.Name, p.Doc)
		}
		return strings.TrimRight(b.String(), "\n")
	},
}
