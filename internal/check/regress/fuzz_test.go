package regress

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/nn/golden"
)

// FuzzRecord: no record can do more than fail its case.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(reluRecord))
	for i, file := range recorded() {
		if !level.Wants(i, 1, 9) {
			continue
		}
		n := 0
		for c, err := range file.cases() {
			require.NoError(f, err)
			if n++; n > 2 {
				break
			}
			size := 0
			for _, t := range c.Tensors {
				size += t.Len()
			}
			if size > 300 {
				continue
			}
			var b writer
			require.NoError(f, golden.WriteMLIRecord(&b, c))
			f.Add([]byte(b))
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		c, err := golden.ParseMLIRecord(line)
		if err != nil {
			return
		}
		size := 0
		for _, tensor := range c.Tensors {
			size += tensor.Len()
		}
		for _, v := range c.Attrs {
			if n, ok := v.(int); ok && (n > 300 || n < -300) { // such maps take their time and show nothing more
				return
			}
		}
		if size > 10000 {
			return
		}
		op, err := c.Operator(golden.Operators())
		if err != nil {
			return
		}
		a, err := ask(c.Case(op))
		if err != nil {
			return
		}
		s, err := RunSingle(context.Background(), a, SingleOptions{Core: "em9d"})
		if err == nil && s.Failure == nil && c.Status == 0 {
			require.NotNil(t, s.Report)
		}
	})
}

// writer collects what is written.
type writer []byte

func (w *writer) Write(b []byte) (int, error) {
	*w = append(*w, b...)
	return len(b), nil
}
