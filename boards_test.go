package arcv2dsp_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/dev/testkit/shared"
)

type realBoard struct {
	Props     map[string]string `json:"nsim_props"`
	Registers []realRegister    `json:"bcr"`
}

type realRegister struct {
	Addr, Value uint32
	Name        string
}

func (r *realRegister) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&r.Addr, &r.Value, &r.Name})
}

// realBoards reads what public tool configurations say of real boards: options, and the values that their
// build configuration registers answer. It skips the test in a clone without them.
func realBoards(t *testing.T) map[string]realBoard {
	data, err := os.ReadFile(shared.Path(t, "vectors", "boards", "boards.json"))
	require.NoError(t, err)
	var f struct {
		Boards map[string]realBoard `json:"boards"`
	}
	require.NoError(t, json.Unmarshal(data, &f))
	require.NotEmpty(t, f.Boards)
	return f.Boards
}

// presets names the preset of each board, with what the preset leaves to the user.
var presets = map[string]struct {
	core string
	set  []string
}{
	"axs-103-archs36":              {core: "axs103-hs36"},
	"emsdp-rev2-em7d_esp_dfss-arc": {core: "emsdp-em7d-esp"},
	"emsk-11-arcem4cr16":           {core: "emsk11-em4cr16"},
	"emsk-11-arcem6gp":             {core: "emsk11-em6gp"},
	"emsk-22-arcem7d":              {core: "emsk22-em7d"},
	"emsk-23-arcem11d":             {core: "emsk23-em11d"},
	"emsk-23-arcem7d":              {core: "emsk23-em7d"},
	"emsk-23-arcem7d_em5d":         {core: "emsk23-em5d"},
	"emsk-23-arcem9d":              {core: "emsk23-em9d"},
	"hsdk-10-archs38_c0":           {core: "hsdk-hs38"},
	"hsdk-10-archs38_c2":           {core: "hsdk-hs38", set: []string{"cpunum=2"}},
	"hsdk-20-archs4x_c0":           {core: "hsdk4xd-hs47d"},
	"hsdk-20-archs4x_c2":           {core: "hsdk4xd-hs47d", set: []string{"cpunum=2"}},
	"iotdk-10-arcem9d":             {core: "iotdk-em9d"},
	"nsim-10-archs":                {core: "nsim-hs"},
	"nsim-10-arcsem":               {core: "nsim-sem"},
}

// components lists the registers of each component that is claimed as modelled.
var components = []struct {
	name      string
	registers []string
}{
	{name: "identity", registers: []string{"IDENTITY", "BCR_VER"}},
	{name: "instruction set", registers: []string{"ISA_CONFIG", "CORE_CONFIG", "SWAP_BUILD", "NORM_BUILD", "MINMAX_BUILD", "BARREL_BUILD"}},
	{name: "registers and their banks", registers: []string{"RF_BUILD"}},
	{name: "multiplier", registers: []string{"MULTIPLY_BUILD"}},
	{name: "DSP, AGU, bitstream", registers: []string{"DSP_BUILD", "AGU_BUILD", "BS_BUILD"}},
	{name: "X and Y memory", registers: []string{"XY_BUILD", "XCCM_BASE", "YCCM_BASE"}},
	{name: "closely coupled memories", registers: []string{"DCCM_BUILD", "AUX_DCCM", "ICCM_BUILD", "AUX_ICCM"}},
	{name: "caches", registers: []string{"I_CACHE_BUILD", "D_CACHE_BUILD", "AUX_VOLATILE"}},
	{name: "memory protection, stack checking", registers: []string{"MPU_BUILD", "STACK_REGION_BUILD"}},
	{name: "SecureShield", registers: []string{"SEC_BUILD", "SEC_VECBASE_BUILD"}},
	{name: "interrupts and vectors", registers: []string{"IRQ_BUILD", "VECBASE_AC_BUILD"}},
	{name: "timers", registers: []string{"TIMER_BUILD"}},
	{name: "action points", registers: []string{"AP_BUILD"}},
	{name: "floating point", registers: []string{"FPU_BUILD"}},
	{name: "trace buffer SmaRT", registers: []string{"SMART_BUILD"}},
	{name: "performance counters without interrupts", registers: []string{"PCT_BUILD", "CC_BUILD"}},
	{name: "DMA controller", registers: []string{"DMAC_BUILD"}},
	{name: "bus for peripherals", registers: []string{"DMP_PERIPHERAL"}},
	{name: "fetch and prediction (as described)", registers: []string{"BPU_BUILD", "IFQUEUE_BUILD", "LPB_BUILD"}},
}

// counterInterrupts is the bit of PCT_BUILD that says that performance counters can interrupt.
const counterInterrupts = 1 << 10

// props is the property file of a board.
func (b *realBoard) props() string {
	var lines []string
	for name, value := range b.Props {
		lines = append(lines, name+"="+value)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// tcf is a tool configuration that says what the board's does.
func (b *realBoard) tcf() string {
	var registers strings.Builder
	for _, r := range b.Registers {
		fmt.Fprintf(&registers, "\t%#x\t%#x\t\t%s\n", r.Addr, r.Value, r.Name)
	}
	return `<?xml version="1.0" encoding="UTF-8"?>
<config_list>
  <configuration name="BCRs" filename="bcr_contents.txt">
    <string><![CDATA[
` + registers.String() + `]]></string>
  </configuration>
  <configuration name="nSIM" filename="nsim.props">
    <string><![CDATA[
` + b.props() + `
]]></string>
  </configuration>
</config_list>
`
}

// TestChip: the tool configuration of a commercial chip, as its maker's tools write it, loads as a whole, says the same as
// the preset, and the registers of its own table answer.
func TestChip(t *testing.T) {
	file := shared.Path(t, "vectors", "boards", "wei_em9d.tcf")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(data), `filename="bcr_contents.txt"`)
	require.True(t, ok)
	_, table, _ = strings.Cut(table, "<![CDATA[")
	table, _, _ = strings.Cut(table, "]]>")

	byTCF := board(t, arcv2dsp.Config{Settings: []arcv2dsp.Setting{{TCF: file}}})
	preset := board(t, arcv2dsp.Config{Core: "wei-em9d"})
	// Only the registers tell the cycles of the multiplier, which follow from the version as well.
	require.Subset(t, []string{"mac_cycles"}, differences(preset, byTCF))

	claimed := map[string]bool{}
	for _, c := range components {
		for _, name := range c.registers {
			claimed[name] = true
		}
	}
	rows, modelled := 0, 0
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		var addr, value uint32
		_, err := fmt.Sscan(f[0]+" "+f[1], &addr, &value)
		require.NoError(t, err)
		rows++
		for what, m := range map[string]*arcv2dsp.Machine{"preset": preset, "tool configuration": byTCF} {
			have, _ := m.Aux(addr)
			if claimed[f[2]] {
				require.Equal(t, value, have, "%s of the %s: %#x, not %#x", f[2], what, have, value)
			} else {
				require.Zero(t, have, "%s of the %s", f[2], what)
			}
		}
		if claimed[f[2]] {
			modelled++
		}
	}
	require.Equal(t, 39, rows)
	require.Equal(t, 28, modelled)
}

// board makes a machine of a board.
func board(t *testing.T, cfg arcv2dsp.Config) *arcv2dsp.Machine {
	m, err := arcv2dsp.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = m.Close() })
	return m
}

// differences lists the options by which two machines differ.
func differences(a, b *arcv2dsp.Machine) []string {
	var names []string
	theirs := b.Core().Options()
	for i, s := range a.Core().Options() {
		if s.Value != theirs[i].Value {
			names = append(names, s.Name)
		}
	}
	return names
}

// TestBoards: every board loads as a preset, a property file and a tool configuration, the three agree,
// and the registers of all components that are modelled answer as the real board does.
func TestBoards(t *testing.T) {
	boards := realBoards(t)
	claimed := map[string]bool{}
	for _, c := range components {
		for _, name := range c.registers {
			claimed[name] = true
		}
	}
	var all, equal, modelled int
	count := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(boards)) {
		b := boards[name]
		t.Run(name, func(t *testing.T) {
			p, ok := presets[name]
			require.True(t, ok, "no preset")
			dir := t.TempDir()
			props, tcf := filepath.Join(dir, "nsim.props"), filepath.Join(dir, "board.tcf")
			require.NoError(t, os.WriteFile(props, []byte(b.props()), 0o644))
			require.NoError(t, os.WriteFile(tcf, []byte(b.tcf()), 0o644))
			cfg := arcv2dsp.Config{Core: p.core}
			for _, s := range p.set {
				cfg.Settings = append(cfg.Settings, arcv2dsp.Setting{Property: s})
			}
			preset := board(t, cfg)
			byTCF := board(t, arcv2dsp.Config{Settings: []arcv2dsp.Setting{{TCF: tcf}}})
			byProps := board(t, arcv2dsp.Config{Settings: []arcv2dsp.Setting{{File: props}}})

			// Only the preset gives the memories beside the core, its clock and the board's console; only registers tell the
			// number of a core and the cycles of its multiplier.
			require.Subset(t, []string{"memory", "ram", "clock", "nsim_mem-dev", "mac_cycles"}, differences(preset, byTCF))
			require.Subset(t, []string{"memory", "ram", "clock", "nsim_mem-dev", "cpunum"}, differences(preset, byProps))

			for _, r := range b.Registers {
				have, _ := preset.Aux(r.Addr)
				all++
				if have == r.Value {
					equal++
				}
				if r.Name == "PCT_BUILD" && r.Value&counterInterrupts != 0 {
					require.Equal(t, r.Value&^counterInterrupts, have)
					continue
				}
				if !claimed[r.Name] {
					require.True(t, have == 0 || have == r.Value || r.Name == "CLUSTER_BUILD", "%s %#x", r.Name, have)
					continue
				}
				modelled++
				count[r.Name]++
				require.Equal(t, r.Value, have, "%s of the preset: %#x, not %#x", r.Name, have, r.Value)
				have, _ = byTCF.Aux(r.Addr)
				require.Equal(t, r.Value, have, "%s of the tool configuration: %#x, not %#x", r.Name, have, r.Value)
				have, _ = byProps.Aux(r.Addr)
				if r.Name == "IDENTITY" {
					have |= r.Value & 0xff00
				}
				require.Equal(t, r.Value, have, "%s of the property file: %#x, not %#x", r.Name, have, r.Value)
			}
		})
	}
	require.GreaterOrEqual(t, 4*equal, 3*all, "three quarters of all registers")

	var table strings.Builder
	table.WriteString("| component | registers | equal on the boards |\n|---|---|---|\n")
	for _, c := range components {
		n := 0
		for _, name := range c.registers {
			n += count[name]
		}
		fmt.Fprintf(&table, "| %s | %s | %d of %d |\n", c.name, strings.Join(c.registers, ", "), n, n)
	}
	fmt.Fprintf(&table, "| all of these | | %d of %d |\n| all registers in the files, components that are not modelled included | | %d of %d |\n",
		modelled, modelled, equal, all)
	requireSection(t, "docs/validation.md", "boards", table.String())
}

// requireSection compares the text between the marks of a section with what it should be.
func requireSection(t *testing.T, file, section, want string) {
	t.Helper()
	goldenfile.Section(t, file, "<!-- "+section+" -->\n", "<!-- end of "+section+" -->", want)
}
