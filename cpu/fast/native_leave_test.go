package fast_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
)

// TestPortsOfInstructionsThatLeave: an instruction that leaves for the reference engine or for the driver behind the
// reads of its ports moves their pointers once, on each engine: a division by zero that raises an exception or does not,
// a store to where nothing is, two ports with one pointer.
func TestPortsOfInstructionsThatLeave(t *testing.T) {
	bodies := []string{"st r33,[r9]", "stb r36,[r9]", "st.ab r33,[r9,4]", "st r33,[r10]", "add r0,r33,r33", "dmach r0,r33,r33"}
	for _, op := range []string{"div", "divu", "rem", "remu", "div.f"} {
		bodies = append(bodies, op+" r0,r33,r36", op+" r0,r1,r36", op+" r0,r36,r1", op+" r34,r33,r36", op+" r0,r33,r33")
	}
	for _, body := range bodies {
		for _, status := range []uint32{0, 1 << 13} { // STATUS32.DZ
			for _, circular := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s,status %#x,circular %v", body, status, circular), func(t *testing.T) {
					modifier := uint32(0x20100ae0)
					if circular {
						modifier = 0xa01802e0 // a window of 2 to the power of the field, step 6
					}
					var source strings.Builder
					fmt.Fprintf(&source, "start: mov r9,0x10000\n mov r10,0x70000000\n sr 0x21000,[0x5c4]\n sr 0x22000,[0x5ca]\n sr 0x23000,[0x5c2]\n")
					fmt.Fprintf(&source, " sr %#x,[0x5e1]\n sr %#x,[0x5e4]\n sr %#x,[0x5e2]\n", modifier|4, modifier|10, modifier|2)
					fmt.Fprintf(&source, " mov r26,20\n1: mov lp_count,20\n lp 2f\n add r1,r1,1\n %s\n2: dbnz r26,1b\n b start\n", body)
					obj, err := asm.AssembleString(asm.Options{CPU: "em9d"}, "leave.s", source.String())
					require.NoError(t, err)
					handler, err := asm.AssembleString(asm.Options{CPU: "em9d"}, "handler.s",
						" lr r24,[0x400]\n add r24,r24,4\n sr r24,[0x400]\n rtie\n")
					require.NoError(t, err)
					start := func(c *cpu.CPU) *cpu.CPU {
						require.NoError(t, c.Mem.Poke(0x1000, obj.Section(".text")))
						require.NoError(t, c.Mem.Poke(0x800, handler.Section(".text")))
						for v := range uint32(16) {
							require.NoError(t, c.Mem.Poke(4*v, []byte{0, 8, 0, 0}))
						}
						// some divisors are zero
						require.NoError(t, c.Mem.Poke(0x22000, []byte{1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255}))
						require.NoError(t, c.Mem.Poke(0x21000, []byte{0, 0, 0, 0, 9, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80}))
						c.SetStatus32(status)
						c.PC = 0x1000
						return c
					}
					block := newCPU(t, em9d(), false)
					block.SetEngine(fast.New())
					compiled, _ := newNative(t, em9d())
					for name, c := range map[string]*cpu.CPU{"blocks": block, "compiled": compiled} {
						require.Empty(t, lockstep(start(newCPU(t, em9d(), false)), start(c), 30_000, func() uint64 { return 997 }), name)
					}
				})
			}
		}
	}
}

// TestTurnsOfLoops compiles a loop within another one when it has ended often, after 3 turns each time or after 50: code that does
// many turns in a row is made for the long one alone.
func TestTurnsOfLoops(t *testing.T) {
	size := func(turns int) int {
		text := fmt.Sprintf("1:\tmov r4,%d\n2:\tldb.ab r5,[r6,1]\n\tadd r3,r3,r5\n\tsub.f r4,r4,1\n\tbne 2b\n\tmov r6,0x8000\n\tb 1b\n", turns)
		obj, err := asm.AssembleString(asm.Options{CPU: "em9d"}, "loops.s", text)
		require.NoError(t, err)
		ref, got := newCPU(t, em9d(), false), newCPU(t, em9d(), false)
		e := fast.New()
		if err := e.CompileAt(9); err != nil {
			t.Skip(err)
		}
		got.SetEngine(e)
		for _, c := range []*cpu.CPU{ref, got} {
			require.NoError(t, c.Mem.Poke(0x1000, obj.Section(".text")))
			c.PC, c.R[6] = 0x1000, 0x8000
		}
		require.Empty(t, lockstep(ref, got, 60_000, func() uint64 { return 101 }))
		_, _, bytes := e.Compiled()
		return bytes
	}
	short, long := size(3), size(50)
	require.NotZero(t, short)
	require.Less(t, 3*short, 2*long)
}
