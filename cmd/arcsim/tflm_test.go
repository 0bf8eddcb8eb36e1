package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

// glueMain is the program around the calls: memory that is taken by counting up, and a comparison.
const glueMain = `#include "arcq_glue.h"

void write_text(const char *text, uint32_t size);

static uint32_t room[1 << 17];
static uint32_t used;
static uint32_t scratch[1 << 14];

static void *take(void *context, uint32_t bytes, enum arcq_use use)
{
    void *at = (char *)room + used;
    (void)context;
    if (use == ARCQ_USE_WEIGHTS && (used & 4))
        return 0;
    used += bytes;
    return used <= sizeof room ? at : 0;
}

static const struct arcq_memory memory = {.take = take};

static void print(const char *text)
{
    uint32_t size = 0;
    while (text[size])
        size++;
    write_text(text, size);
}

static int check(const char *name, int status, struct arcq_glue *glue, const void *in, const void *in2, void *state, void *out, const void *want,
                 uint32_t bytes, const void *want_state, uint32_t state_bytes)
{
    const char *fault = 0;
    if (status)
        fault = "is not prepared";
    if (!fault) {
        *glue->in = in;
        *glue->out = out;
        if (glue->in2)
            *glue->in2 = in2;
        if (glue->state)
            *glue->state = state;
        if (glue->scratch)
            *glue->scratch = scratch;
        if (glue->run(glue->params))
            fault = "is refused";
    }
    for (uint32_t i = 0; i < bytes && !fault; i++)
        if (((const char *)out)[i] != ((const char *)want)[i])
            fault = "differs";
    for (uint32_t i = 0; i < state_bytes && !fault; i++)
        if (((const char *)state)[i] != ((const char *)want_state)[i])
            fault = "leaves another state";
    used = 0;
    print(name);
    print(fault ? " " : " OK");
    print(fault ? fault : "");
    print("\n");
    return fault != 0;
}
`

// glueStep is how many calls of a grid are passed over for one that runs: the compiler takes minutes for a program of all.
const glueStep = 7

// glueOps are the operators of the glue with the kernels that may compute them.
var glueOps = []string{"CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "AVERAGE_POOL_2D", "MAX_POOL_2D", "ADD", "SUB", "MUL", "SOFTMAX", "SVDF"}

// glueKernels are the kernels that the glue chooses from.
var glueKernels = []string{"arcq_conv2d_s8", "arcq_depthwise_conv2d_s8", "arcq_fully_connected_s8", "arcq_average_pool2d_s8", "arcq_average_pool2d_s16",
	"arcq_max_pool2d_s8", "arcq_max_pool2d_s16", "arcq_add_s8", "arcq_add_s16", "arcq_sub_s8", "arcq_sub_s16", "arcq_mul_s8", "arcq_mul_s16",
	"arcq_softmax_s8", "arcq_softmax_s8_s16", "arcq_svdf_s8", "arcq_svdf_s16s8"}

// glueText writes the calls of a program.
type glueText struct {
	arrays, calls strings.Builder
	n             int
}

// array writes the elements of a tensor and returns its name.
func (g *glueText) array(name string, b []byte) string {
	name = fmt.Sprintf("%s%d", name, g.n)
	fmt.Fprintf(&g.arrays, "static uint8_t %s[%d] __attribute__((aligned(4))) = {", name, max(1, len(b)))
	for _, v := range b {
		fmt.Fprintf(&g.arrays, "%d,", v)
	}
	g.arrays.WriteString("};\n")
	return name
}

// ints writes numbers of 32 bits.
func (g *glueText) ints(name string, v []int64) string {
	return "(const int32_t *)" + g.array(name, mlikernels.Elements(nn.FromInts(nn.I32, []int{len(v)}, v)))
}

// factors writes multipliers and their shifts.
func (g *glueText) factors(list []quant.Multiplier) (multipliers, shifts string) {
	var m, s []int64
	for _, f := range list {
		m, s = append(m, int64(f.Value)), append(s, int64(f.Shift))
	}
	return g.ints("multipliers", m), g.ints("shifts", s)
}

func (g *glueText) bias(c *nn.Call) string {
	if b := c.Input("bias"); b != nil {
		return "(const int32_t *)" + g.array("bias", mlikernels.Elements(b))
	}
	return "0"
}

func mapText(t *nn.Tensor) string {
	return fmt.Sprintf("{%d, %d, %d, %d}", t.Dim(0), t.Dim(1), t.Dim(2), t.Dim(3))
}

func windowText(w tflite.Window) string {
	return fmt.Sprintf("{%d, %d, %d, %d, %d, %d, %d, %d}", w.KernelH, w.KernelW, w.StrideH, w.StrideW, w.PadTop, w.PadLeft, w.DilationH, w.DilationW)
}

func shapeOf(t *nn.Tensor) string {
	return fmt.Sprintf("{%d, {%s}}", len(t.Shape), strings.Trim(strings.ReplaceAll(fmt.Sprint(t.Shape), " ", ", "), "[]"))
}

// describe writes what the glue is told of a call: the structure, and the function that prepares it.
func (g *glueText) describe(t *testing.T, c *nn.Call) (structure, members, function string) {
	halves := 0
	if c.In[0].Type == nn.I16 {
		halves = 1
	}
	switch c.Op.Name {
	case "CONV_2D", "DEPTHWISE_CONV_2D":
		f, err := tflite.Filtered(c)
		require.NoError(t, err)
		w, err := tflite.Windowed(c)
		require.NoError(t, err)
		m, s := g.factors(f.Factors)
		depthwise := 0
		if c.Op.Name != "CONV_2D" {
			depthwise = 1
		}
		return "arcq_convolution", fmt.Sprintf(".in = %s, .out = %s, .window = %s, .depthwise = %d, .weights = (const int8_t *)%s, .bias = %s, .multipliers = %s, .shifts = %s, .in_zero = %d, .out_zero = %d, .limits = {%d, %d}",
			mapText(c.In[0]), mapText(c.Out[0]), windowText(w), depthwise, g.array("weights", mlikernels.Elements(c.In[1])), g.bias(c), m, s, f.InZero, f.OutZero, f.Min, f.Max), "arcq_prepare_convolution(&c, "
	case "FULLY_CONNECTED":
		f, err := tflite.Filtered(c)
		require.NoError(t, err)
		per := 0
		if c.In[1].Format.Steps() > 1 {
			per = 1
		}
		m, s := g.factors(f.Factors)
		outputs := c.In[1].Dim(0)
		return "arcq_product", fmt.Sprintf(".rows = %d, .inputs = %d, .outputs = %d, .weights = (const int8_t *)%s, .bias = %s, .multipliers = %s, .shifts = %s, .per_channel = %d, .in_zero = %d, .weight_zero = %d, .out_zero = %d, .limits = {%d, %d}",
			c.Out[0].Len()/outputs, c.In[1].Dim(1), outputs, g.array("weights", mlikernels.Elements(c.In[1])), g.bias(c), m, s, per, f.InZero, f.WeightZero, f.OutZero, f.Min, f.Max), "arcq_prepare_product(&c, "
	case "AVERAGE_POOL_2D", "MAX_POOL_2D":
		w, err := tflite.Windowed(c)
		require.NoError(t, err)
		l, err := tflite.Activation(c.Attrs.String("fused_activation_function"), c.Out[0])
		require.NoError(t, err)
		greatest := 0
		if c.Op.Name == "MAX_POOL_2D" {
			greatest = 1
		}
		return "arcq_pool", fmt.Sprintf(".in = %s, .out = %s, .window = %s, .greatest = %d, .halves = %d, .limits = {%d, %d}", mapText(c.In[0]), mapText(c.Out[0]), windowText(w), greatest, halves, l.Min, l.Max), "arcq_prepare_pool(&c, "
	case "ADD", "SUB", "MUL":
		shapes := fmt.Sprintf(".in1 = %s, .in2 = %s, .out = %s, .halves = %d, ", shapeOf(c.In[0]), shapeOf(c.In[1]), shapeOf(c.Out[0]), halves)
		if c.Op.Name == "MUL" {
			s, err := tflite.Multiplied(c, 0)
			require.NoError(t, err)
			return "arcq_pair", shapes + fmt.Sprintf(".in1_zero = %d, .in2_zero = %d, .out_zero = %d, .multiplier = %d, .shift = %d, .limits = {%d, %d}",
				s.InZeros[0], s.InZeros[1], s.OutZero, s.Factor.Value, s.Factor.Shift, s.Min, s.Max), "arcq_prepare_mul(&c, "
		}
		s, err := tflite.Summed(c)
		require.NoError(t, err)
		function := "arcq_prepare_sum(&c, 0, "
		if c.Op.Name == "SUB" {
			function = "arcq_prepare_sum(&c, 1, "
		}
		return "arcq_pair", shapes + fmt.Sprintf(".in1_zero = %d, .in2_zero = %d, .out_zero = %d, .left_shift = %d, .multiplier1 = %d, .shift1 = %d, .multiplier2 = %d, .shift2 = %d, .multiplier = %d, .shift = %d, .limits = {%d, %d}",
			s.AZero, s.BZero, s.OutZero, s.LeftShift, s.A.Value, s.A.Shift, s.B.Value, s.B.Shift, s.Out.Value, s.Out.Shift, s.Min, s.Max), function
	case "SOFTMAX":
		a, err := tflite.Softmaxed(c)
		require.NoError(t, err)
		n := c.In[0].Dim(-1)
		out := 0
		if c.Out[0].Type == nn.I16 {
			out = 1
		}
		return "arcq_softmax", fmt.Sprintf(".rows = %d, .count = %d, .halves = %d, .multiplier = %d, .shift = %d, .least_difference = %d", c.In[0].Len()/n, n, out, a.Factor.Value, a.Factor.Shift, -a.Reach), "arcq_prepare_softmax(&c, "
	}
	m, err := tflite.SVDF(c)
	require.NoError(t, err)
	state := 0
	if c.Input("state").Type == nn.I16 {
		state = 1
	}
	return "arcq_svdf", fmt.Sprintf(".batches = %d, .inputs = %d, .filters = %d, .outputs = %d, .cells = %d, .halves = %d, .weights_feature = (const int8_t *)%s, .weights_time = %s, .bias = %s, .in_zero = %d, .state_zero = %d, .out_zero = %d, .feature_multiplier = %d, .feature_shift = %d, .time_multiplier = %d, .time_shift = %d",
		c.In[0].Dim(0), c.In[0].Dim(1), c.In[1].Dim(0), c.Out[0].Dim(1), c.In[2].Dim(1), state, g.array("feature", mlikernels.Elements(c.In[1])), g.array("time", mlikernels.Elements(c.In[2])), g.bias(c),
		m.InZero, m.StateZero, m.OutZero, m.Features.Value, m.Features.Shift, m.Time.Value, m.Time.Shift), "arcq_prepare_svdf(&c, "
}

// add writes a call with the results that it must have.
func (g *glueText) add(t *testing.T, name string, job *mlikernels.Job) {
	g.n++
	c := job.Call
	structure, members, function := g.describe(t, c)
	in, in2, state, wantState, stateBytes := g.array("in", mlikernels.Elements(c.In[0])), "0", "0", "0", 0
	if len(c.In) == 2 && (structure == "arcq_pair") {
		in2 = g.array("in2", mlikernels.Elements(c.In[1]))
	}
	if structure == "arcq_svdf" {
		s := mlikernels.Elements(c.Input("state"))
		state, wantState, stateBytes = g.array("state", s), g.array("want_state", mlikernels.Elements(job.Want["state"])), len(s)
	}
	want := mlikernels.Elements(job.Want[c.Op.Outputs[0].Role])
	fmt.Fprintf(&g.calls, "    {\n        static const struct %s c = {%s};\n        static uint32_t out[%d];\n        struct arcq_glue glue;\n        int status = %s&memory, &glue);\n        wrong += check(%q, status, &glue, %s, %s, %s, out, %s, %d, %s, %d);\n    }\n",
		structure, members, (len(want)+3)/4, function, name, in, in2, state, g.array("want", want), len(want), wantState, stateBytes)
}

// TestGlue: the C of the kernel folder for TensorFlow Lite Micro prepares the calls of the kernels' grids, and the kernels then give
// what the golden functions do. The factors come from the numbers of networks, as the framework computes them, whose
// recorded preparations other tests hold.
func TestGlue(t *testing.T) {
	level.NeedsPlain(t, "builds and runs a program of many calls")
	gcc := gnutools.Path(t, "gcc")
	for _, tool := range []string{"as", "ld"} {
		gnutools.Path(t, tool)
	}
	dir := t.TempDir()
	var out, errs strings.Builder
	require.Zero(t, Main([]string{"kernels", "export", "--tflm", dir}, strings.NewReader(""), &out, &errs), errs.String())
	for _, rounding := range []nn.Rounding{nn.Double, nn.Single} {
		t.Run(rounding.String(), func(t *testing.T) {
			var g glueText
			seen := map[string]int{}
			for _, symbol := range glueKernels {
				k, err := mlikernels.Lookup(symbol)
				require.NoError(t, err)
				for i, p := range k.Grid() {
					if i%glueStep != 0 {
						continue
					}
					job, err := p.Job(rounding, 5)
					require.NoError(t, err)
					if c := job.Call; c.Op.Library == nn.TFLite {
						if chosen, err := mlikernels.Choose(c); err != nil || chosen != k {
							continue
						}
						seen[c.Op.Name]++
						g.add(t, symbol+" "+p.Name, job)
					}
				}
			}
			for _, op := range glueOps {
				require.NotZero(t, seen[op], op)
			}
			text := glueMain + g.arrays.String() + "\nint main(void)\n{\n    int wrong = 0;\n" + g.calls.String() + "    return wrong != 0;\n}\n"
			require.NoError(t, os.WriteFile(filepath.Join(dir, "main.c"), []byte(text), 0o644))
			p := compileAny(t, dir)
			single := 0
			if rounding == nn.Single {
				single = 1
			}
			flags := []string{"-mcpu=em4_dmips", "-std=gnu99", "-O2", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-fno-builtin", "-fno-pic", "-nostdlib", "-nostartfiles",
				fmt.Sprintf("-DARCQ_GLUE_SINGLE_ROUNDING=%d", single), "-I", dir, "-c"}
			for _, name := range []string{"arcq_glue.c", "main.c", p} {
				args := append(append([]string{}, flags...), "-o", filepath.Join(dir, filepath.Base(name)+".o"), filepath.Join(dir, filepath.Base(name)))
				text, err := exec.Command(gcc, args...).CombinedOutput()
				require.NoError(t, err, string(text))
			}
			elf := filepath.Join(dir, "glue.elf")
			ld, err := exec.Command(gnutools.Path(t, "ld"), "-m", "arcv2elf", "-Ttext=0x1000", "-e", "_start", "-o", elf, filepath.Join(dir, "arcq_glue.c.o"), filepath.Join(dir, "main.c.o"),
				filepath.Join(dir, p+".o"), filepath.Join(dir, "libarcq.a")).CombinedOutput()
			require.NoError(t, err, string(ld))
			out.Reset()
			status := Main([]string{"run", "--core", "em9d", elf}, strings.NewReader(""), &out, &errs)
			for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
				require.True(t, strings.HasSuffix(line, " OK"), line)
			}
			require.Zero(t, status, errs.String())
			require.Equal(t, g.n, strings.Count(out.String(), "\n"))
		})
	}
}

// compileAny puts the start of compiled networks beside a program and returns its name.
func compileAny(t *testing.T, dir string) string {
	t.Helper()
	net := t.TempDir()
	var out, errs strings.Builder
	require.Zero(t, Main([]string{"model", "compile", "anomaly", "-o", net}, strings.NewReader(""), &out, &errs), errs.String())
	data, err := os.ReadFile(filepath.Join(net, "start.s"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "start.s"), data, 0o644))
	return "start.s"
}
