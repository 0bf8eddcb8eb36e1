package fast_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
)

// planted are faults of compiled code alone: a text in a file of the compiler and what stands there instead.
var planted = []struct{ name, file, old, new string }{
	{name: "a narrower range of signed numbers", file: "ssa/looplimit.go", old: "interval{-1 << (n - 1), 1<<(n-1) - 1, true}", new: "interval{-1 << (n - 3), 1<<(n-3) - 1, true}"},
	{name: "less at the limit", file: "ssa/looplimit.go", old: "less, atLeast := a.hi < b.lo,", new: "less, atLeast := a.hi <= b.lo+1<<33,"},
	{name: "a shift to zero by one bit less", file: "ssa/fold.go", old: "case by >= first+32:", new: "case by >= first+16:"},
	{name: "two shifts as their difference", file: "ssa/fold.go", old: "w.op(ir.Shr, false, x.A, w.constant(by-first), -1)", new: "w.op(ir.Shr, false, x.A, w.constant(by-first+1), -1)"},
	{name: "the lower half of a shift", file: "ssa/fold.go", old: "if by >= 32 {", new: "if by >= 16 {"},
	{name: "a mask of a sum", file: "ssa/fold.go", old: "w.b.Nodes[x.B].Imm&y.Imm == 0:", new: "true:"},
	{name: "a difference as a sum", file: "ssa/fold.go", old: "w.constant(ir.Value(ir.Neg, o.wide, o.y.Imm, 0, 0))", new: "w.constant(o.y.Imm)"},
	{name: "a mask of a bit", file: "ssa/fold.go", old: "w.constant(1 << (y.Imm & 31))", new: "w.constant(1 << (y.Imm & 15))"},
	{name: "the wrong half of a number", file: "ssa/memory.go", old: "if w.Locs[first.loc].Off != l.Off {", new: "if w.Locs[first.loc].Off == l.Off {"},
	{name: "a half loaded again from elsewhere", file: "ssa/narrow.go", old: "return w.part(n, LoadX16, 2)", new: "return w.part(n, LoadX16, 1)"},
	{name: "a turn too late", file: "ssa/loopturn.go", old: "min(int64(t.low), t.window-1-t.step)", new: "min(int64(t.low), t.window-1)"},
	{name: "a turn in front of the window", file: "ssa/loopturn.go", old: "least, most := max(0, -t.step),", new: "least, most := int64(0),"},
	{name: "one iteration more", file: "ssa/loopturn.go", old: "l.quotient(way, uint32(step)), l.constant(1), -1), true", new: "l.quotient(way, uint32(step)), l.constant(2), -1), true"},
	{name: "a spill that is given away", file: "x86/alloc.go", old: "p.until[n] = p.last[i]", new: "p.until[n] = p.pos[i]"},
	{name: "a register that is given away", file: "x86/alloc.go", old: "if p.last[o] <= int32(k) {", new: "if p.last[o] <= int32(k)+1 {"},
	{name: "a mirrored comparison", file: "x86/flags.go", old: "ssa.Less: ssa.Greater,", new: "ssa.Less: ssa.GreaterEqual,"},
	{name: "a byte with zeros for its sign", file: "x86/compute.go", old: "e.op2(x.Wide, 0xbf, dst, e.value(x.A, AX), false)", new: "e.op2(x.Wide, 0xb7, dst, e.value(x.A, AX), false)"},
	{name: "an exclusive or", file: "x86/compute.go", old: "e.binary(x, aluXor, dst)", new: "e.binary(x, aluOr, dst)"},
	{name: "a shift of 32 bits", file: "x86/compute.go", old: "e.shifted(x, 7, dst)", new: "e.shifted(x, 5, dst)"},
	{name: "the sign of a word", file: "x86/compute.go", old: "e.op(true, 0x63, dst, e.value(x.A, AX))", new: "e.op(false, 0x63, dst, e.value(x.A, AX))"},
}

// TestPlantedFaults: the random short loops see each fault that is planted in the compiler.
func TestPlantedFaults(t *testing.T) {
	level.NeedsLong(t, "it builds the engine once per fault")
	root, err := filepath.Abs("../internal/jit")
	require.NoError(t, err)
	for _, fault := range planted {
		t.Run(fault.name, func(t *testing.T) {
			file := filepath.Join(root, fault.file)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, 1, strings.Count(string(text), fault.old), "%s has changed", fault.file)
			dir := t.TempDir()
			other := filepath.Join(dir, filepath.Base(file))
			require.NoError(t, os.WriteFile(other, []byte(strings.Replace(string(text), fault.old, fault.new, 1)), 0o600))
			overlay, err := json.Marshal(map[string]map[string]string{"Replace": {file: other}})
			require.NoError(t, err)
			list := filepath.Join(dir, "overlay.json")
			require.NoError(t, os.WriteFile(list, overlay, 0o600))
			out, err := exec.Command("go", "test", "-overlay", list, "-count=1", "-run", "^TestShortLoops$", ".", "-seeds", "500").CombinedOutput()
			require.Error(t, err, "500 loops do not see it")
			require.NotContains(t, string(out), "build failed", "%s", out)
			if !strings.Contains(string(out), "seed ") && !strings.Contains(string(out), "SIGSEGV") && !strings.Contains(string(out), "panic") {
				t.Fatalf("it fails for another reason:\n%s", out)
			}
		})
	}
}
