package model

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/shared"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// Damaged files are refused in one line, or are networks that can be described and run: no panic, no hang, and memory
// that stays far below a gigabyte. Files are public networks of every kind; damage is a few bytes, words or a piece that
// is gone.
func TestDamagedNetworks(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared.Path(t, "vectors", "networks"), "*.tflite"))
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(27, 1))
	var texts [][]byte
	for _, path := range files {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		if len(data) < 130_000 {
			texts = append(texts, data)
		}
	}
	require.Greater(t, len(texts), 20)
	read, ran, most := 0, 0, uint64(0)
	tries := level.Count(10_000, 600, 300)
	for i := range tries {
		data := damaged(r, texts[i%len(texts)])
		ops := []*nn.Registry{golden.Operators(), golden.Mixed()}[i/len(texts)%2]
		g, err := tflite.Read(data, ops, nn.Double)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			require.Less(t, len(err.Error()), 2000)
			continue
		}
		read++
		if again, err := tflite.Write(g); err == nil && i%8 == 0 {
			_, err = tflite.Read(again, ops, nn.Double)
			require.NoError(t, err, "what is read and written is read again")
		}
		_, err = Describe(g, nil)
		if err != nil {
			require.NotContains(t, strings.TrimSpace(err.Error()), "\n")
		}
		if i%4 == 0 {
			ctx, stop := context.WithTimeout(context.Background(), 200*time.Millisecond)
			_, err := nn.NewSession(g, nn.GoldenExecutor{}).Run(ctx, RandomInputs(g, 1))
			stop()
			if err == nil {
				ran++
			}
		}
		if i%100 == 0 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.Sys)
		}
	}
	require.Less(t, most, uint64(1<<30))
	t.Logf("%d files, %d are read, %d of a quarter of them run, %d MB", tries, read, ran, most>>20)
}

// damaged is a file with damage.
func damaged(r *rand.Rand, data []byte) []byte {
	d := bytes.Clone(data)
	for range 1 + r.IntN(6) {
		// Tables are at both ends of most files.
		at := r.IntN(len(d))
		if r.IntN(2) == 0 {
			at = r.IntN(min(len(d), 4096))
		}
		switch r.IntN(5) {
		case 0:
			d[at] ^= 1 << r.IntN(8)
		case 1:
			d[at] = byte(r.Uint32())
		case 2:
			for k := at; k < min(len(d), at+4); k++ {
				d[k] = []byte{0, 0xff, 0x7f, 0x80}[r.IntN(4)]
			}
		case 3:
			copy(d[at:], d[r.IntN(len(d)):])
			d = d[:max(8, len(d))]
		case 4:
			if r.IntN(4) == 0 {
				d = slices.Delete(d, at, min(len(d), at+1+r.IntN(16)))
			} else {
				d[at&^3]++
			}
		}
	}
	return d
}
