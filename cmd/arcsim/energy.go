package main

import (
	"errors"
	"fmt"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
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
	switch {
	case o.picojoules != 0 && o.part != "":
		steps.Check(cli.UsageError(errors.New("either --pj-per-cycle or --part")))
	case o.picojoules < 0 || o.picojoules > 1e6:
		steps.Check(cli.UsageError(fmt.Errorf("--pj-per-cycle %g: a cycle takes more than 0 and at most 1,000,000 pJ", o.picojoules)))
	case o.picojoules != 0:
		return &render.PerCycle{PJ: o.picojoules}
	case o.part != "":
		p, err := render.PartNamed(o.part)
		steps.Check(cli.UsageError(steps.In("--part", err)))
		return p
	}
	return nil
}
