package main

import (
	"maps"
	"slices"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/board/config"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/measure/timeline"
	"arcv2dsp/internal/term/cli"
)

// settingFlags are the flags that change options of a core.
type settingFlags struct {
	tcf, ram     string
	timing       string
	files, props []string
}

func (o *settingFlags) vars() cli.Vars {
	return cli.Vars{"tcf": &o.tcf, "props": &o.files, "prop": &o.props, "ram": &o.ram, "timing": &o.timing}
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
	if o.ram != "" {
		list = append(list, arcv2dsp.Setting{Property: "ram=" + o.ram})
	}
	for _, p := range o.props {
		list = append(list, arcv2dsp.Setting{Property: p})
	}
	if o.timing != "" {
		list = append(list, arcv2dsp.Setting{Property: "timing=" + o.timing})
	}
	return list
}

// describeCore reports whether settings describe a whole core.
func describeCore(settings []arcv2dsp.Setting) bool {
	return slices.ContainsFunc(settings, func(s arcv2dsp.Setting) bool { return s.TCF != "" || s.File != "" })
}

// orCore is the name of a core, "" where the settings describe one.
func (o *settingFlags) orCore(name string) string {
	if describeCore(o.list()) {
		return ""
	}
	return name
}

func coreNames() []string {
	return textOf(arcv2dsp.Cores(), func(c arcv2dsp.Preset) string { return c.Name })
}

// pageWords are the parts of pages that tables of the program give.
var pageWords = func() map[string]func() string {
	words := map[string]func() string{
		"cores":  func() string { return strings.Join(coreNames(), ", ") },
		"core":   func() string { return config.Default },
		"parts":  func() string { return strings.Join(render.Parts(), ", ") },
		"legend": timeline.Legend,
	}
	maps.Copy(words, kernelWords())
	return words
}()
