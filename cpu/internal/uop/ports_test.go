package uop

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/dspunit"
	"arcv2dsp/internal/dev/testkit/compiled"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// TestPortsStayInTheLeaf: on every core with an AGU the instructions that use ports have micro-operations,
// whichever of its memories are interleaved.
func TestPortsStayInTheLeaf(t *testing.T) {
	files, err := filepath.Glob("../../fast/testdata/loops/*ports*.elf")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		for i := range 4 {
			xy, dccm := i&1 != 0, i&2 != 0
			t.Run(fmt.Sprintf("%s/xy=%v,dccm=%v", filepath.Base(file), xy, dccm), func(t *testing.T) {
				mem := memory.New(memory.RAM, 16<<20)
				for name, base := range map[string]uint32{"xccm": 0xc0000000, "yccm": 0xe0000000} {
					require.NoError(t, mem.Map(memory.Region{Name: name, Kind: memory.XCCM, Base: base, Size: 64 << 10}))
				}
				c, err := cpu.New(cpu.Config{
					Features: isa.EM | isa.CodeDensity | isa.BarrelShift | isa.ShiftAssist | isa.AllMPY&^isa.MPY9 | isa.DSP | isa.AGU,
					Timing:   "em9d", ARCVer: 0x43, MPYOption: 8, AGU: dspunit.AGULarge,
					XYConfig: 2, XYSize: 64 << 10, XYInterleaved: xy, DCCMInterleaved: dccm,
				}, mem)
				require.NoError(t, err)
				compiled.Load(t, c, file)
				var known Code
				known.Init(func() {})
				known.Begin(c)
				found := 0
				for range 10_000 {
					require.Equal(t, cpu.StopStepped, c.Step().Reason, "%v", c.LastException())
					b := known.At(c)
					for k := range b.Src.Insts {
						if cpu.Ports(&b.Src.Insts[k].Inst) != 0 {
							found++
							require.NotEqual(t, SLOW, b.Uops[b.start[k]].Op, "%v", b.Src.Insts[k].Inst)
						}
					}
				}
				require.NotZero(t, found)
			})
		}
	}
}
