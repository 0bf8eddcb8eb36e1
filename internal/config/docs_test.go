package config

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite docs/properties.md")

// TestDocsAreFresh: docs/properties.md lists the cores and properties as the tables here have them.
func TestDocsAreFresh(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<!-- Generated from internal/config by go test ./internal/config -update; do not edit. -->

# Cores and properties

What ` + "`--core`" + `, ` + "`-p`" + ` and property files can say about the core that is simulated.

## Core templates

| core | |
|---|---|
`)
	for _, c := range Templates() {
		fmt.Fprintf(&b, "| %s | %s |\n", c.Name, c.Summary)
	}
	b.WriteString(`
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
	const file = "../../docs/properties.md"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	have, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, b.String(), string(have), "run go test ./internal/config -update")
}
