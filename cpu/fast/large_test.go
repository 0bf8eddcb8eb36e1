package fast_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/cputime"
)

// largeProgram writes a program of many functions of about 25 instructions, each with a loop and a branch, which it
// calls in an order that looks random, by a table of their addresses.
func largeProgram(functions int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "start:\tmov r13,1\n\tmov r14,0x400000\n\tmov sp,0x3f0000\n")
	fmt.Fprintf(&b, "1:\tmpyu r13,r13,0x41c64e6d\n\tadd r13,r13,12345\n\tlsr r0,r13,8\n\tremu r0,r0,%d\n", functions)
	b.WriteString("\tld.as r1,[r14,r0]\n\tjl [r1]\n\tb 1b\n")
	for i := range functions {
		fmt.Fprintf(&b, "\t.align 4\nf%d:\tadd r2,r2,%d\n\txor r3,r3,r2\n\tst.aw r3,[sp,-4]\n\tmov r4,%d\n", i, i&63, 2+i%5)
		fmt.Fprintf(&b, "2:\tror r5,r3\n\tadd r3,r3,r5\n\tsub.f r4,r4,1\n\tbne 2b\n\tbtst r3,%d\n\tbeq 3f\n\tadd r6,r6,r3\n", i&31)
		b.WriteString("3:\tld.ab r5,[sp,4]\n\tadd r7,r7,r5\n\tasr r8,r7,3\n\tsub r9,r9,r8\n\tj [blink]\n")
	}
	return b.String()
}

// largeCPU is a processor about to run it.
func largeCPU(t testing.TB, functions int) *cpu.CPU {
	t.Helper()
	obj, err := asm.AssembleString(asm.Options{CPU: "em9d"}, "large.s", largeProgram(functions))
	require.NoError(t, err)
	c := newCPU(t, em9d(), false)
	require.NoError(t, c.Mem.Poke(0x1000, obj.Section(".text")))
	for _, s := range obj.Symbols() {
		var i uint32
		if n, _ := fmt.Sscanf(s.Name, "f%d", &i); n == 1 {
			require.NoError(t, c.Mem.Poke(0x400000+4*i, binary.LittleEndian.AppendUint32(nil, 0x1000+s.Value)))
		}
	}
	c.PC = 0x1000
	return c
}

// TestLargeCode holds the engines against each other on a program with more targets of jumps than the tables for them
// begin with.
func TestLargeCode(t *testing.T) {
	for _, compile := range []bool{false, true} {
		ref, got := largeCPU(t, 2500), largeCPU(t, 2500)
		e := fast.New()
		if compile {
			if err := e.CompileAt(2); err != nil {
				t.Skip(err)
			}
		}
		got.SetEngine(e)
		require.Empty(t, lockstep(ref, got, 1_500_000, func() uint64 { return 100_003 }), "compiled: %v", compile)
	}
}

// TestHeat compiles what is executed again and again, and leaves code alone that is met here and there. The latter is a program of 62,000
// instructions, each executed some hundred times.
func TestHeat(t *testing.T) {
	for _, x := range []struct {
		functions, most int     // instructions compiled
		share           float64 // of what is executed, at least, in machine code
	}{
		{functions: 4, most: 200, share: 0.9},
		{functions: 2500, most: 1000},
	} {
		c, e := largeCPU(t, x.functions), fast.New()
		if err := e.Compile(); err != nil {
			t.Skip(err)
		}
		c.SetEngine(e)
		c.Advance(20_000_000)
		insts, _, _ := e.Compiled()
		require.Positive(t, insts, "of %d functions", x.functions)
		require.LessOrEqual(t, insts, x.most, "of %d functions", x.functions)
		require.GreaterOrEqual(t, float64(e.Work().Compiled), x.share*float64(c.Insts), "of %d functions", x.functions)
	}
}

// TestFront compiles functions, of which samples meet the loop first, as one unit each.
func TestFront(t *testing.T) {
	const functions = 100
	c, e := largeCPU(t, functions), fast.New()
	if err := e.Compile(); err != nil {
		t.Skip(err)
	}
	c.SetEngine(e)
	c.Advance(20_000_000)
	_, blocks, _ := e.Compiled()
	require.Greater(t, blocks, 4*functions)
	require.LessOrEqual(t, e.Units(), functions*11/10)
}

// TestTogether compiles the functions of large code one shortly after the other, though they differ in how much is executed of each. A
// program that is compiled in part is slower than before.
func TestTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("executes 100 million cycles")
	}
	const functions = 2500
	c, e := largeCPU(t, functions), fast.New()
	if err := e.Compile(); err != nil {
		t.Skip(err)
	}
	c.SetEngine(e)
	part := func(share float64) (cycles uint64) { // when so many of the instructions are compiled
		for c.Cycles < 200_000_000 {
			if insts, _, _ := e.Compiled(); float64(insts) >= share*functions*25 {
				return c.Cycles
			}
			c.Advance(c.Cycles + 1<<16)
		}
		insts, _, _ := e.Compiled()
		require.FailNow(t, "too little is compiled", "%d instructions", insts)
		return 0
	}
	tenth := part(0.1)
	require.Less(t, part(0.95)-tenth, tenth/4)
}

// BenchmarkLargeCode runs programs of different sizes on each engine, in pieces as long as those of a machine.
func BenchmarkLargeCode(b *testing.B) {
	for _, functions := range []int{16, 256, 1024, 2500} {
		for _, engine := range []string{"reference", "blocks", "compiled", "auto"} {
			b.Run(fmt.Sprintf("%d/%s", functions, engine), func(b *testing.B) {
				c := largeCPU(b, functions)
				e := fast.New()
				switch engine {
				case "compiled":
					if err := e.Compile(); err != nil {
						b.Skip(err)
					}
				case "auto":
					if err := e.CompileLater(func(err error) { b.Fatal(err) }); err != nil {
						b.Skip(err)
					}
				}
				if engine != "reference" {
					c.SetEngine(e)
				}
				insts, spent := c.Insts, time.Duration(0)
				for b.Loop() {
					spent += cputime.Of(b, func() {
						for end := c.Cycles + 20_000_000; c.Cycles < end; {
							c.Advance(c.Cycles + 1<<16)
						}
						c.Settle()
					})
				}
				b.ReportMetric(float64(c.Insts-insts)/spent.Seconds()/1e6, "MIPS")
			})
		}
	}
}
