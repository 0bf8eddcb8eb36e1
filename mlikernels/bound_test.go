package mlikernels

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels/internal/kernel"
)

// fairShare is the share of its bound below which a call needs a reason.
const fairShare = 0.7

// boundReason is why calls of some kernels take far more cycles than their bound.
type boundReason struct {
	kernels string // the names that the pattern finds
	core    string // empty for all
	because string
}

// boundReasons are looked through in order; the first that fits counts.
var boundReasons = []boundReason{
	{kernels: "signal_[ir]+fft", because: "the bound counts no butterflies"},
	{kernels: "signal_(frames|stack|overlap)|move|update|gather|broadcast_args|scatter|concat|padding", because: "short pieces, each with addresses and tests"},
	{kernels: "signal_", because: "several products, shifts, divisions or roots for each element"},
	{kernels: "permute", because: "one element at a time: neighbours go to places apart"},
	{kernels: "pool", because: "short windows: steps between them and stores, and for a mean its product and rounding, beside comparisons or sums"},
	{kernels: "bilinear", because: "an output takes four elements with weights"},
	{kernels: "softmax|l2_normali", because: "several passes over the elements, exponentials or roots between them"},
	{kernels: "convert_tensor", because: "floating-point numbers are made and read by integer instructions"},
	{kernels: "sigm|tanh|logistic|table", because: "an element is shifted, limited and interpolated beside its look-up, or takes an exponential"},
	{kernels: "_div_", because: "a division for each element"},
	{kernels: "argm|reduce|mean|cumsum", because: "each element waits for the result so far, one at a time"},
	{kernels: "arcq_(abs|negate|clz|select|truth|cast|compare.*|(not_)?equal|greater.*|less.*|and|logical_.*|or|xor|not|asr|lsl|lsr|max|min|product)_|" +
		"^mli_krn_eltwise|^mli_krn_relu", because: "one element at a time, where words hold several, or a call so short that its checks count"},
	{kernels: "rescale|add|sub|mul|relu|squared|eltwise_m|clamp", because: "elements are scaled or limited: products, rounding, zero points or saturation for each"},
	{kernels: "lstm|gru|rnn|svdf", because: "gates, activations and few products for each output"},
	{kernels: "gemm", because: "8 products an output, in an order that loads them singly"},
	{kernels: "conv|fully_connected|matmul", core: "em9d", because: "few products an output beside its start, its scaling and the parameters of its channel"},
	{kernels: "conv|fully_connected|matmul", core: "em7d", because: "no ports: both factors are loaded, bytes are widened by instructions"},
	{kernels: "conv|fully_connected|matmul", core: "iotdk-em9d", because: "four pointers: sums and stores take instructions, other kernels load"},
}

// because is the reason for a call, its place in the table; -1 for none.
func because(name, core string) int {
	for i, r := range boundReasons {
		if (r.core == "" || r.core == core) && regexp.MustCompile(r.kernels).MatchString(name) {
			return i
		}
	}
	return -1
}

// shares are the shares of the calls of a core that one reason stands for.
type shares struct {
	calls       int
	least, most float64
}

// add takes a call in.
func (s *shares) add(share float64) {
	if s.calls == 0 {
		s.least, s.most = share, share
	}
	s.calls, s.least, s.most = s.calls+1, min(s.least, share), max(s.most, share)
}

// boundsTitle begins the part of docs/slow_calls.md that TestBounds writes.
const boundsTitle = "\n## Calls far from their bound\n"

// TestBounds: no kernel takes fewer cycles than what is said to be the least, and calls that take many more have a reason,
// which the document states.
func TestBounds(t *testing.T) {
	var text strings.Builder
	fmt.Fprintf(&text, `
The bound of a call is the least number of cycles in which the core's instructions do its work, as bench.md says. These are the
measured calls below %.0f %% of it, with the share that they reach; %s
`, 100*fairShare, "`bench` states the bound of each.")
	text.WriteString("\n| why | core | calls | share |\n|---|---|--:|--:|\n")
	sums := map[string][]shares{}
	cores := []string{"em9d", "em7d", "iotdk-em9d"}
	for _, core := range cores {
		sums[core] = make([]shares, len(boundReasons))
		for _, c := range Collections() {
			bounds(t, core, c, sums[core])
		}
	}
	if testing.Short() {
		return
	}
	for i, r := range boundReasons {
		used := false
		for _, core := range cores {
			if s := sums[core][i]; s.calls > 0 {
				used = true
				fmt.Fprintf(&text, "| %s | %s | %d | %.0f to %.0f %% |\n", r.because, core, s.calls, 100*s.least, 100*s.most)
			}
		}
		require.True(t, used, "no call needs the reason %q of %q", r.because, r.kernels)
	}
	goldenfile.Section(t, "../docs/slow_calls.md", boundsTitle, "", text.String())
}

// bounds runs what is measured of the kernels of a library, and sums up what is far from its bound.
func bounds(t *testing.T, core string, c *kernel.Collection, sums []shares) {
	t.Helper()
	agu := kernel.AGUOf(core)
	lib, err := c.Build(c.Variant(agu, c.Roundings[0]))
	require.NoError(t, err)
	m, err := kernel.NewMachine(kernel.MachineOptions{Core: core, Library: lib})
	require.NoError(t, err)
	defer func() { require.NoError(t, m.Close()) }()
	for n, k := range c.Kernels {
		if !level.Wants(n, 1, 11) {
			continue
		}
		for _, p := range k.Measured() {
			job, err := p.Typical()
			require.NoError(t, err, p.FullName())
			rep, err := m.Run(t.Context(), k, job)
			require.NoError(t, err, p.FullName())
			bound := k.Bound(job.Call, agu)
			if bound == 0 || bound > rep.Cycles {
				t.Errorf("%s of %s takes %d cycles, its bound is %d", p.FullName(), core, rep.Cycles, bound)
			}
			share := float64(bound) / float64(rep.Cycles)
			if share >= fairShare {
				continue
			}
			why := because(k.Name(), core)
			if why < 0 {
				t.Errorf("%s of %s takes %d cycles, its bound is %d: no reason says why", p.FullName(), core, rep.Cycles, bound)
				continue
			}
			sums[why].add(share)
		}
	}
}
