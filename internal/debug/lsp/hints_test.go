package lsp

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/internal/measure/profile"
	"arcv2dsp/loader"
)

// hints are the labels of inlay hints by line.
func hints(f *file) map[int]string {
	out := map[int]string{}
	for _, h := range ask[[]inlayHint](f.c, "textDocument/inlayHint", map[string]any{"textDocument": map[string]string{"uri": f.uri},
		"range": stretch{End: position{Line: 10000}}}) {
		out[h.Position.Line] += h.Label
	}
	return out
}

// machine assembles, links and loads a text.
func machine(t *testing.T, core, name, text string) *arcv2dsp.Machine {
	t.Helper()
	obj, err := asm.AssembleString(asm.Options{CPU: core, Debug: true}, name, text)
	require.NoError(t, err)
	data, err := obj.Bytes()
	require.NoError(t, err)
	exe, err := link.Link(link.Options{}, []link.Input{{Name: name, Data: data}})
	require.NoError(t, err)
	data, err = exe.Bytes()
	require.NoError(t, err)
	im, err := loader.Read(name, data)
	require.NoError(t, err)
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: core})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	require.NoError(t, m.Load(im))
	return m
}

// TestLoopEstimate: the estimate of a loop is what a run takes for a round: the difference of two runs that differ by a thousand
// rounds.
func TestLoopEstimate(t *testing.T) {
	loops := map[string]string{
		"lp":         "\tmov lp_count,%d\n\tlp 2f\n\tld r1,[sp,-8]\n\tadd r2,r2,r1\n\tmpy r3,r2,r2\n\tadd r4,r3,1\n2:\n",
		"brne":       "\tmov r5,%d\n1:\tld r1,[sp,-8]\n\tsub r5,r5,1\n\tadd r2,r1,r1\n\tbrne r5,0,1b\n",
		"delay slot": "\tmov r5,%d\n1:\tsub.f r5,r5,1\n\tmac r0,r1,r2\n\tbne.d 1b\n\tadd r6,r0,r0\n",
		"dbnz":       "\tmov r5,%d\n1:\tmpyd r0,r2,r3\n\tadd r6,r0,r1\n\tdbnz r5,1b\n",
		"next round": "\tmov r5,%d\n\tmov r2,7\n1:\tadd r3,r1,r1\n\tsub.f r5,r5,1\n\tdivu r1,r5,r2\n\tbne 1b\n",
		"divide":     "\tmov r5,%d\n\tmov r2,7\n1:\tdivu r1,r5,r2\n\tnop\n\tadd r3,r1,r1\n\tsub r5,r5,1\n\tbrne r5,0,1b\n",
	}
	for name, text := range loops {
		for _, core := range []string{"em9d", "em5d", "hs38"} {
			if core == "hs38" && name == "lp" {
				core = "em11d"
			}
			cycles := func(rounds int) uint64 {
				m := machine(t, core, "a.s", "\t.global __start\n__start:\n\tmov sp,0x10000\n"+fmt.Sprintf(text, rounds)+"\tflag 1\n")
				_, err := m.Run(context.Background(), arcv2dsp.Limits{Insts: 1e6})
				require.NoError(t, err)
				return m.Stats().Cycles
			}
			c := begin(t, Options{Core: core}, "")
			f := c.open("/nowhere/a.s", fmt.Sprintf(text, 1))
			got := ""
			for _, label := range hints(f) {
				if m := regexp.MustCompile(`loop: (\d+) cycles?`).FindStringSubmatch(label); m != nil {
					got = m[1]
				}
			}
			n, err := strconv.Atoi(got)
			require.NoError(t, err, name)
			require.EqualValues(t, cycles(2100)-cycles(1100), 1000*n, "%s on %s", name, core)
		}
	}
}

// TestLoopHints: what is lost stands at its statement, and what calls or branches in a loop has no estimate.
func TestLoopHints(t *testing.T) {
	c := begin(t, Options{}, "")
	f := c.open("/nowhere/a.s", `	mov	lp_count,5
	lp	done
	ld	r1,[r0]
	add	r2,r1,r1	; waits
done:	nop
1:	bl	done
	brne	r0,0,1b
`)
	require.Equal(t, map[int]string{3: "load-use 1 · loop: 3 cycles for 2 instructions"}, hints(f))
}

// TestProfileHints: the cycles of a run stand at the lines that they were spent in.
func TestProfileHints(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "a.s")
	text := "\t.global __start\n__start:\n\tmov r5,100\n1:\tsub r5,r5,1\n\tbrne r5,0,1b\n\tflag 1\n"
	write(t, dir, map[string]string{"a.s": text})
	m := machine(t, "em9d", source, text)
	counts := m.StartProfile()
	_, err := m.Run(context.Background(), arcv2dsp.Limits{Insts: 1e6})
	require.NoError(t, err)
	p, err := profile.New(m, "a.elf", counts.Stop())
	require.NoError(t, err)
	var listing bytes.Buffer
	require.NoError(t, p.WriteListing(&listing))
	write(t, dir, map[string]string{"last.txt": listing.String()})
	c := begin(t, Options{Profile: "last.txt"}, dir)
	f := c.open(source, text)
	got := hints(f)
	require.Equal(t, "100 cycles", got[3])
	branch := m.Stats().Stalls[arcv2dsp.StallBranch]
	require.Equal(t, fmt.Sprintf("%d cycles: branch %d", 100+branch, branch), got[4])

	// A client that is told of another run.
	told := connect(t, Options{Profile: "last.txt"})
	ask[any](told, "initialize", map[string]any{"rootUri": uri(dir), "capabilities": map[string]any{"workspace": map[string]any{"inlayHint": map[string]bool{"refreshSupport": true}}}})
	for told.any().Method != "workspace/inlayHint/refresh" {
	}

	// A line more: what the profile says is of another text.
	f.change(stretch{}, "; new\n")
	require.Regexp(t, "^branch 1 · loop: 3 cycles for 2 instructions$", hints(f)[5])
}
