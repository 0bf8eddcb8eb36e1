package model

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/measure/report"
)

// WritePage writes measured networks as one HTML page: a picture, a bar for each layer, a table. links are the addresses of the
// annotated sources of kernels by their names; nil for none.
func WritePage(w io.Writer, all []*Bench, version string, links map[string]string) error {
	p := &report.NetworkPage{Title: "Network", Version: version, Note: "One run, every layer compared with its golden function."}
	for r := range (arcv2dsp.Stalls{}) {
		p.Reasons = append(p.Reasons, arcv2dsp.StallReason(r).String())
	}
	for _, b := range all {
		if name := cmp.Or(b.File, b.Name); name != "" {
			p.Title = "Network " + name
		}
		if n := b.Wrong(); n > 0 {
			p.Note += fmt.Sprintf(" On %s %d of them differ from it.", b.coreText(), n)
		}
		p.Runs = append(p.Runs, b.page(links))
	}
	return p.Write(w)
}

// page is a measured network as a page shows it.
func (b *Bench) page(links map[string]string) report.NetworkRun {
	run := report.NetworkRun{Core: b.coreText(), Line: b.sums() + ".", Placed: b.Memories != nil}
	for _, m := range b.Map {
		run.Map = append(run.Map, report.NetworkPlace(m))
	}
	if b.Verdict != nil {
		run.Line += " " + b.Verdict.String() + "."
	}
	if b.Energy != nil {
		run.Line += " " + b.Energy.String() + "."
	}
	for _, shape := range b.Inputs {
		run.Inputs = append(run.Inputs, shapeText(shape))
	}
	for i := range b.Layers {
		l := &b.Layers[i]
		each, peak := b.perMACText(l.Cycles, l.MACs)
		run.Layers = append(run.Layers, report.NetworkLayer{Name: l.title(), Output: shapeText(l.Output), Kernel: l.kernelText(), Source: links[l.Kernel],
			Share: b.share(l) + " %", Each: each, Peak: peak, Lost: l.limits(), Millis: b.millis(l.Cycles), Ins: valueText(l.Ins), Outs: valueText(l.Outs), Attrs: strings.Join(l.Attrs, "; "), Places: l.placesText(), Tiles: max(1, l.Tiles),
			Cycles: l.Cycles, Bound: l.Bound, Insts: l.Insts, Copies: l.Copied, MACs: l.MACs, Bytes: l.Moved, Stalls: l.Stalls, Reads: l.Reads})
	}
	return run
}
