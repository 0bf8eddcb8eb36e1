package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// cifarNet is the network of benchmarks/cifar10 with weights of its own, in fixed point or affine.
type cifarNet struct {
	affine bool
	round  nn.Rounding
	rand   *rand.Rand
	data   strings.Builder // cifar10_data.h
}

// Formats of the network: all maps have one, all weights another.
const (
	cifarScale                                    = 128
	cifarDataFrac, cifarWeightFrac, cifarBiasFrac = 11, 15, 14
	cifarDataSFrac, cifarWeightSFrac              = 12, 17
	cifarZero                                     = -5
)

// tensor makes random elements, and their C initialiser.
func (n *cifarNet) tensor(name string, amplitude float64, shape ...int) *nn.Tensor {
	typ := nn.I16
	if n.affine {
		typ = nn.I8
		if strings.HasPrefix(name, "BIAS") {
			typ = nn.I32
		}
	}
	x := nn.New(typ, shape...)
	x.Format = n.format(name)
	fmt.Fprintf(&n.data, "#define %s ", name)
	for i := range x.Ints {
		x.Ints[i] = typ.Clamp(int64(amplitude * n.rand.NormFloat64()))
		fmt.Fprintf(&n.data, "%d,", x.Ints[i])
	}
	n.data.WriteString("\n")
	return x
}

func (n *cifarNet) format(name string) nn.Format {
	scale, frac, sfrac, zero := int32(cifarScale), cifarDataFrac, cifarDataSFrac, int64(cifarZero)
	switch {
	case strings.HasPrefix(name, "WEIGHTS"):
		frac, sfrac, zero = cifarWeightFrac, cifarWeightSFrac, 0
	case strings.HasPrefix(name, "BIAS"):
		scale, frac, sfrac, zero = cifarScale*cifarScale, cifarBiasFrac, cifarDataSFrac+cifarWeightSFrac, 0
	}
	if n.affine {
		return nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{scale}, ScaleFrac: sfrac, Zeros: []int64{zero}}
	}
	return nn.Format{Kind: nn.Fixed, Frac: frac}
}

// layer computes one function with the golden model.
func (n *cifarNet) layer(t *testing.T, name string, attrs nn.Attrs, in ...*nn.Tensor) *nn.Tensor {
	t.Helper()
	weighted, plain := "fx16", "fx16"
	if n.affine {
		weighted, plain = "sa8_sa8_sa32", "sa8"
	}
	suffix := plain
	if len(in) > 1 {
		suffix = weighted
	}
	op, ok := golden.Operators().Lookup(nn.MLI20, "mli_krn_"+name+"_"+suffix)
	require.True(t, ok, name)
	ins := make([]*nn.Tensor, len(op.Inputs))
	copy(ins, in)
	c := &nn.Call{Op: op, Attrs: attrs, In: ins, Rounding: n.round, Out: []*nn.Tensor{{Format: n.format("DATA")}}}
	ran, err := c.Expect()
	require.NoError(t, err)
	return ran.Out[0]
}

// run computes the network and gives the lines that the program writes.
func (n *cifarNet) run(t *testing.T) []string {
	conv := nn.Attrs{"relu": 1, "pad_l": 2, "pad_r": 2, "pad_t": 2, "pad_b": 2}
	pool := nn.Attrs{"kernel_w": 3, "kernel_h": 3, "stride_w": 2, "stride_h": 2, "pad_r": 1, "pad_b": 1}
	data, weights, bias := 2000.0, 1200.0, 900.0
	if n.affine {
		data, weights, bias = 40, 30, 3000
	}
	x := n.tensor("INPUT", data, 32, 32, 3)
	for i, l := range []struct {
		shape []int
		pool  string
	}{{[]int{5, 5, 3, 32}, "maxpool_hwc"}, {[]int{5, 5, 32, 16}, "avepool_hwc"}, {[]int{5, 5, 16, 32}, "avepool_hwc"}} {
		x = n.layer(t, "conv2d_hwcn", conv, x, n.tensor(fmt.Sprintf("WEIGHTS%d", i+1), weights/float64(i+1), l.shape...),
			n.tensor(fmt.Sprintf("BIAS%d", i+1), bias, l.shape[3]))
		x = n.layer(t, l.pool, pool, x)
	}
	x = n.layer(t, "fully_connected", nn.Attrs{}, x, n.tensor("WEIGHTS4", weights, 512, 10), n.tensor("BIAS4", bias, 10))
	y := n.layer(t, "softmax", nn.Attrs{"axis": -1}, x)
	var lines []string
	for _, v := range append(x.Ints, y.Ints...) {
		lines = append(lines, fmt.Sprint(v))
	}
	return lines
}

// TestCIFAR10Program: a program in C on the functions of MLI 2.0, compiled by GCC and linked by GNU ld with an exported
// archive, writes what the golden functions give.
func TestCIFAR10Program(t *testing.T) {
	level.NeedsLong(t, "builds programs with both libraries")
	gcc, as, ld := gnutools.Path(t, "gcc"), gnutools.Path(t, "as"), gnutools.Path(t, "ld")
	source, err := filepath.Abs("../../benchmarks")
	require.NoError(t, err)
	tool := func(t *testing.T, name string, args ...string) {
		t.Helper()
		out, err := exec.Command(name, args...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	for i, core := range []string{"em9d", "em7d"} {
		dir := t.TempDir()
		in := func(name string) string { return filepath.Join(dir, name) }
		var out, errs strings.Builder
		require.Zero(t, Main([]string{"kernels", "export", "-o", dir, "--core", core}, strings.NewReader(""), &out, &errs), errs.String())
		for k, affine := range []bool{false, true} {
			for lib, round := range map[string]nn.Rounding{"libmli2_arcv2.a": nn.Convergent, "libmli2_arcv2_up.a": nn.Up} {
				if !level.Long() && (i != k || affine != (round == nn.Up)) { // two programs have each of all
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/affine=%v", core, lib, affine), func(t *testing.T) {
					n := &cifarNet{affine: affine, round: round, rand: rand.New(rand.NewPCG(10, 32))}
					want := n.run(t)
					fracs := [...]int{cifarDataFrac, cifarWeightFrac, cifarBiasFrac, 0}
					if affine {
						fracs = [...]int{cifarDataSFrac, cifarWeightSFrac, cifarDataSFrac + cifarWeightSFrac, 1}
					}
					fmt.Fprintf(&n.data, "#define DATA_FRAC %d\n#define WEIGHT_FRAC %d\n#define BIAS_FRAC %d\n#define AFFINE %d\n#define SCALE %d\n#define DATA_ZERO %d\n",
						fracs[0], fracs[1], fracs[2], fracs[3], cifarScale, cifarZero)
					require.NoError(t, os.WriteFile(in("cifar10_data.h"), []byte(n.data.String()), 0o644))
					tool(t, gcc, "-mcpu=em4_dmips", "-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-fno-builtin", "-fno-pic",
						"-I"+in("include/mli2"), "-I"+dir, "-c", "-o", in("cifar10.o"), filepath.Join(source, "cifar10", "cifar10.c"))
					tool(t, as, "-mcpu=em4_dmips", "-o", in("start.o"), filepath.Join(source, "../internal/network/netc/board/start.s"))
					tool(t, ld, "-m", "arcv2elf", "-Ttext=0x1000", "-e", "_start", "-o", in("cifar10.elf"), in("cifar10.o"), in("start.o"), in("lib/"+lib))
					out.Reset()
					status := Main([]string{"run", "--core", core, in("cifar10.elf")}, strings.NewReader(""), &out, &errs)
					require.Zero(t, status, errs.String())
					require.Equal(t, want, strings.Fields(out.String()))
					distinct := map[string]bool{}
					for _, v := range want[:10] {
						distinct[v] = true
					}
					require.Greater(t, len(distinct), 4, "the outputs are saturated: %v", want)
				})
			}
		}
	}
}
