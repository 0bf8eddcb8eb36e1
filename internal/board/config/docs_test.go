package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
)

// TestDocsAreFresh: docs/properties.md lists the cores and properties as the tables here have them.
func TestDocsAreFresh(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<!-- Generated from internal/board/config by go test ./internal/board/config -update; do not edit. -->

# Cores and properties

The settings of the simulated core by ` + "`--core`" + `, ` + "`-p`" + ` and property files.

## Core templates

| core | |
|---|---|
`)
	for _, c := range Templates() {
		fmt.Fprintf(&b, "| %s | %s |\n", c.Name, c.Summary)
	}
	b.WriteString(`
## Boards

Cores as public boards have them: options, memories, and where software of the board is public its console, pins, clocks and
serial buses. Further devices are added with nsim_mem-dev. ` + "`--core`" + ` takes Zephyr's names too, with a board before the core
(emsdp/emsdp_em9d) or without.

| board | |
|---|---|
`)
	for _, c := range Boards() {
		fmt.Fprintf(&b, "| %s | %s |\n", c.Name, c.Summary)
	}
	b.WriteString(`
## What a file says

A property file that names nsim_isa_family, and a tool configuration (` + "`--tcf`" + `), describe the whole core. An option
that they do not mention is absent; sizes and addresses of options that they do mention have the defaults of the
table below. Other property files change the core that ` + "`--core`" + ` or the program chooses. From a tool configuration
come its nsim.props and, where only its bcr_contents.txt says them, the fields of IDENTITY and MULTIPLY_BUILD.CYC.

## Build configuration registers

` + "`arcsim cores show NAME --bcr`" + ` prints what the registers answer. Components that are not modelled read 0, as on a core
without them, so that software which asks first leaves them alone: the MMU, ARConnect and its parts, error protection, code protection, the DMA controller, shared memory and cache of a cluster, FastMath,
real-time trace and the registers of subsystems. CLUSTER_BUILD of an HS says one core without coherency.
Fetch queue, loop buffer and branch predictor are described as configured, for they show in nothing but time.

## Properties

For ` + "`-p NAME=VALUE`" + ` and property files. The prefix nsim_isa_ may be left out. The value is that of em9d.

| name | meaning | em9d |
|---|---|---|
`)
	c, err := New(Default, "")
	require.NoError(t, err)
	for _, s := range c.Effective() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", s.Name, s.Help, s.Value)
	}
	b.WriteString(`
## Known, without effect

Accepted, because property files have them; listed once when a run has one that is not 0.

| name | why |
|---|---|
`)
	for _, p := range Properties() {
		if p.Lacks != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", p.Name, p.Lacks)
		}
	}
	goldenfile.File(t, "../../../docs/properties.md", b.String())
}
