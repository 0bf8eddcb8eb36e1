package main

import (
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
)

// energyFlags ask for an estimate of energy.
type energyFlags struct {
	picojoules float64
	part       string
}

func (o *energyFlags) vars() cli.Vars {
	return cli.Vars{"pj-per-cycle": &o.picojoules, "part": &o.part}
}

// perCycle is what a cycle takes, nil when nobody said it.
func (o *energyFlags) perCycle() *render.PerCycle {
	cli.Refuse(o.picojoules != 0 && o.part != "", "either --pj-per-cycle or --part")
	cli.Refuse(o.picojoules < 0 || o.picojoules > 1e6, "--pj-per-cycle %g: a cycle takes more than 0 and at most 1,000,000 pJ", o.picojoules)
	switch {
	case o.picojoules != 0:
		return &render.PerCycle{PJ: o.picojoules}
	case o.part != "":
		return cli.Parse("--part", o.part, render.PartNamed)
	}
	return nil
}
