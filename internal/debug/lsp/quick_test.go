package lsp

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/internal/dev/testkit/cputime"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels"
)

// largest is the kernel whose source assembles to most instructions, and largestInclude the longest of its files.
const (
	largest        = "conv2d_chw/mli_krn_conv2d_chw_fx16.s"
	largestInclude = "conv_chw_agu.inc"
)

// kernelTree writes the sources of the largest kernel into a folder, and returns the paths of the two.
func kernelTree(t *testing.T) (dir, root, include string) {
	t.Helper()
	c, err := mlikernels.LookupCollection("mli11")
	require.NoError(t, err)
	o := asm.Options{FS: c.Files()}
	o = c.Complete(o, largest)
	text, err := fs.ReadFile(o.FS, largest)
	require.NoError(t, err)
	var x asm.Index
	o.Index = &x
	_, err = asm.Assemble(o, asm.Source{Name: largest, Text: string(text)})
	require.NoError(t, err)
	dir = t.TempDir()
	for _, f := range x.Files {
		name := filepath.Join(dir, f.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(f.Text), 0o644))
		if filepath.Base(f.Name) == largestInclude {
			include = name
		}
	}
	require.NotEmpty(t, include)
	t.Logf("%d files, %d instructions", len(x.Files), len(x.Insts))
	return dir, filepath.Join(dir, largest), include
}

// TestAnswersAreQuick: CPU time of requests about the largest include of the largest kernel, and of the diagnostics after an edit of
// it, which assemble the kernel again. docs/validation.md has the figures.
func TestAnswersAreQuick(t *testing.T) {
	level.NeedsPlain(t, "it measures")
	dir, root, include := kernelTree(t)
	var out bytes.Buffer
	s := newSession(&out, Options{Include: []string{"@mli11"}, Library: kernels})
	s.sources.folder(uri(dir))
	s.initialized = true
	open := func(name string) {
		s.take(fmt.Appendf(nil, `{"method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"version":1,"text":%q}}}`, uri(name), readText(t, name)))
	}
	open(root)
	open(include)
	s.diagnose()
	require.NotContains(t, out.String(), `"severity"`)
	d := s.docs[filepath.ToSlash(include)]
	require.Equal(t, filepath.ToSlash(root), s.programsOf(d)[0].root)

	const edits, questions = 20, 200
	each := func(n int, f func(i int)) time.Duration {
		return cputime.Of(t, func() {
			for i := range n {
				f(i)
			}
		}) / time.Duration(n)
	}
	diagnostics := each(edits, func(i int) {
		s.take(fmt.Appendf(nil, `{"method":"textDocument/didChange","params":{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":";"}]}}`, d.uri, i+2))
		s.diagnose()
	})
	ask := func(method string) time.Duration {
		return each(questions, func(i int) {
			out.Reset()
			s.take(fmt.Appendf(nil, `{"id":%d,"method":"textDocument/%s","params":{"textDocument":{"uri":%q},"position":{"line":%d,"character":3}}}`, i, method, d.uri, 2*i+20))
			require.NotContains(t, out.String(), `"error"`)
		})
	}
	lines := []string{fmt.Sprintf("diagnostics %v", diagnostics)}
	for _, method := range []string{"hover", "completion", "definition", "documentSymbol", "foldingRange", "semanticTokens/full", "inlayHint"} {
		took := ask(method)
		lines = append(lines, fmt.Sprintf("%s %v", method, took))
		require.Less(t, took, 100*time.Millisecond, method)
	}
	require.Less(t, diagnostics, time.Second)
	t.Log(strings.Join(lines, ", "))
}
