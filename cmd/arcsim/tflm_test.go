package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

static int check(const char *name, int status, struct arcq_glue *glue, const void *in, const void *in2, void *state, void *cell, void *out, const void *want,
                 uint32_t bytes, const void *want_state, uint32_t state_bytes, const void *want_cell, uint32_t cell_bytes)
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
        if (glue->cell)
            *glue->cell = cell;
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
    for (uint32_t i = 0; i < cell_bytes && !fault; i++)
        if (((const char *)cell)[i] != ((const char *)want_cell)[i])
            fault = "leaves another cell";
    used = 0;
    print(name);
    print(fault ? " " : " OK");
    print(fault ? fault : "");
    print("\n");
    return fault != 0;
}
`

// glueStep is how many calls of a grid are passed over for one that runs: the compiler takes minutes for a program of all.
const glueStep = 6

// glueOps are the operators of the glue with the kernels that may compute them.
var glueOps = []string{"CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "AVERAGE_POOL_2D", "MAX_POOL_2D", "ADD", "SUB", "MUL", "SOFTMAX", "SVDF",
	"UNIDIRECTIONAL_SEQUENCE_LSTM"}

// glueKernels are the kernels that the glue chooses from.
var glueKernels = []string{"arcq_conv2d_s8", "arcq_depthwise_conv2d_s8", "arcq_fully_connected_s8", "arcq_average_pool2d_s8", "arcq_average_pool2d_s16",
	"arcq_max_pool2d_s8", "arcq_max_pool2d_s16", "arcq_add_s8", "arcq_add_s16", "arcq_sub_s8", "arcq_sub_s16", "arcq_mul_s8", "arcq_mul_s16",
	"arcq_softmax_s8", "arcq_softmax_s8_s16", "arcq_svdf_s8", "arcq_svdf_s16s8",
	"arcq_convolve_s8", "arcq_convolve_s16s8", "arcq_convolve_narrow_s16s8", "arcq_softmax_s16", "arcq_lstm_s8", "arcq_lstm_s16s8"}

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

// optional writes the elements of an input, or that there is none.
func (g *glueText) optional(c *nn.Call, role string) string {
	if b := c.Input(role); b != nil {
		return "(const void *)" + g.array(role, mlikernels.Elements(b))
	}
	return "0"
}

// sums writes what products of weights have.
func (g *glueText) sums(c *nn.Call, f tflite.Filter) string {
	m, s := g.factors(f.Factors)
	return fmt.Sprintf("{%d, %d, %s, %s, %s, %d, %d, %d, {%d, %d}}", number(c.In[0].Type == nn.I16), number(f.Wide), g.optional(c, "bias"), m, s, number(len(f.Factors) > 1), f.InZero, f.OutZero, f.Min, f.Max)
}

// lstm writes what the glue is told of a recurrent layer.
func (g *glueText) lstm(t *testing.T, c *nn.Call) string {
	s, err := tflite.LSTM(c)
	require.NoError(t, err)
	weights := func(role string) string {
		return "(const int8_t *)" + g.array(role, mlikernels.Elements(c.Input(role)))
	}
	var gates []string
	for i, name := range []string{"input", "forget", "cell", "output"} {
		gates = append(gates, fmt.Sprintf("{%s, %s, %s, %d, %d, %d, %d}", weights("input_to_"+name), weights("recurrent_to_"+name), g.optional(c, name+"_bias"),
			s.Input[i].Value, s.Input[i].Shift, s.Recurrent[i].Value, s.Recurrent[i].Shift))
	}
	table := make([]int64, len(quant.SigmoidTable))
	for i, v := range quant.SigmoidTable {
		table[i] = int64(v)
	}
	clip := s.Clip
	if clip > math.MaxInt16 {
		clip = 0
	}
	time := 0
	if c.Attrs.Bool("time_major") {
		time = 1
	}
	return fmt.Sprintf(".batches = %d, .steps = %d, .inputs = %d, .units = %d, .time_major = %d, .halves = %d, .gates = {%s}, .in_zero = %d, .hidden_zero = %d, .keep_multiplier = %d, .keep_shift = %d, .take_multiplier = %d, .take_shift = %d, .hidden_multiplier = %d, .hidden_shift = %d, .cell_power = %d, .clip = %d, .logistic = (const uint16_t *)%s",
		c.In[0].Dim(time), c.In[0].Dim(1-time), c.In[0].Dim(2), c.Out[0].Dim(2), time, number(c.In[0].Type == nn.I16), strings.Join(gates, ", "), s.InZero, s.HiddenZero,
		s.Keep.Value, s.Keep.Shift, s.Take.Value, s.Take.Shift, s.Hidden.Value, s.Hidden.Shift, int(math.Log2(float64(c.Input("cell").Format.Scales[0]))), clip,
		g.array("logistic", mlikernels.Elements(nn.FromInts(nn.U16, []int{len(table)}, table))))
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
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
	halves := number(c.In[0].Type == nn.I16)
	switch c.Op.Name {
	case "CONV_2D", "DEPTHWISE_CONV_2D":
		f, err := tflite.Filtered(c)
		require.NoError(t, err)
		w, err := tflite.Windowed(c)
		require.NoError(t, err)
		return "arcq_convolution", fmt.Sprintf(".in = %s, .out = %s, .window = %s, .depthwise = %d, .depth = %d, .weights = (const int8_t *)%s, .sums = %s",
			mapText(c.In[0]), mapText(c.Out[0]), windowText(w), number(c.Op.Name != "CONV_2D"), c.In[1].Dim(3), g.array("weights", mlikernels.Elements(c.In[1])), g.sums(c, f)), "arcq_prepare_convolution(&c, "
	case "FULLY_CONNECTED":
		f, err := tflite.Filtered(c)
		require.NoError(t, err)
		outputs := c.In[1].Dim(0)
		return "arcq_product", fmt.Sprintf(".rows = %d, .inputs = %d, .outputs = %d, .weights = (const int8_t *)%s, .weight_zero = %d, .sums = %s",
			c.Out[0].Len()/outputs, c.In[1].Dim(1), outputs, g.array("weights", mlikernels.Elements(c.In[1])), f.WeightZero, g.sums(c, f)), "arcq_prepare_product(&c, "
	case "AVERAGE_POOL_2D", "MAX_POOL_2D":
		w, err := tflite.Windowed(c)
		require.NoError(t, err)
		l, err := tflite.Activation(c.Attrs.String("fused_activation_function"), c.Out[0])
		require.NoError(t, err)
		return "arcq_pool", fmt.Sprintf(".in = %s, .out = %s, .window = %s, .greatest = %d, .halves = %d, .limits = {%d, %d}", mapText(c.In[0]), mapText(c.Out[0]), windowText(w), number(c.Op.Name == "MAX_POOL_2D"), halves, l.Min, l.Max), "arcq_prepare_pool(&c, "
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
		return "arcq_pair", shapes + fmt.Sprintf(".in1_zero = %d, .in2_zero = %d, .out_zero = %d, .left_shift = %d, .multiplier1 = %d, .shift1 = %d, .multiplier2 = %d, .shift2 = %d, .multiplier = %d, .shift = %d, .limits = {%d, %d}",
			s.AZero, s.BZero, s.OutZero, s.LeftShift, s.A.Value, s.A.Shift, s.B.Value, s.B.Shift, s.Out.Value, s.Out.Shift, s.Min, s.Max), "arcq_prepare_" + strings.ToLower(c.Op.Name) + "(&c, "
	case "SOFTMAX":
		a, err := tflite.Softmaxed(c)
		require.NoError(t, err)
		n, tables := c.In[0].Dim(-1), ""
		if halves == 1 {
			half := func(name string, v []int64) string {
				return "(const int16_t *)" + g.array(name, mlikernels.Elements(nn.FromInts(nn.I16, []int{len(v)}, v)))
			}
			tables = fmt.Sprintf(", .exponentials = %s, .inverses = %s", half("exponentials", tflite.Exponentials()), half("inverses", tflite.Inverses()))
		}
		return "arcq_softmax", fmt.Sprintf(".rows = %d, .count = %d, .halves = %d, .multiplier = %d, .shift = %d, .least_difference = %d", c.In[0].Len()/n, n, number(c.Out[0].Type == nn.I16), a.Factor.Value, a.Factor.Shift, -a.Reach) + tables, "arcq_prepare_softmax(&c, "
	}
	if c.Op.Name != "SVDF" {
		return "arcq_lstm", g.lstm(t, c), "arcq_prepare_lstm(&c, "
	}
	m, err := tflite.SVDF(c)
	require.NoError(t, err)
	return "arcq_svdf", fmt.Sprintf(".batches = %d, .inputs = %d, .filters = %d, .outputs = %d, .cells = %d, .halves = %d, .weights_feature = (const int8_t *)%s, .weights_time = %s, .bias = %s, .in_zero = %d, .state_zero = %d, .out_zero = %d, .feature_multiplier = %d, .feature_shift = %d, .time_multiplier = %d, .time_shift = %d",
		c.In[0].Dim(0), c.In[0].Dim(1), c.In[1].Dim(0), c.Out[0].Dim(1), c.In[2].Dim(1), number(c.Input("state").Type == nn.I16), g.array("feature", mlikernels.Elements(c.In[1])), g.array("time", mlikernels.Elements(c.In[2])), g.optional(c, "bias"),
		m.InZero, m.StateZero, m.OutZero, m.Features.Value, m.Features.Shift, m.Time.Value, m.Time.Shift), "arcq_prepare_svdf(&c, "
}

// add writes a call with the results that it must have.
func (g *glueText) add(t *testing.T, name string, job *mlikernels.Job) {
	g.n++
	c := job.Call
	structure, members, function := g.describe(t, c)
	in, in2 := g.array("in", mlikernels.Elements(c.In[0])), "0"
	if structure == "arcq_pair" {
		in2 = g.array("in2", mlikernels.Elements(c.In[1]))
	}
	states := map[string][2]string{"arcq_svdf": {"state"}, "arcq_lstm": {"hidden", "cell"}}[structure]
	var at, left [2]string
	for i, role := range states {
		at[i], left[i] = "0", "0, 0"
		if role == "" {
			continue
		}
		s := mlikernels.Elements(c.Input(role))
		at[i], left[i] = g.array("state_"+role, s), fmt.Sprintf("%s, %d", g.array("want_"+role, mlikernels.Elements(job.Want[role])), len(s))
	}
	want := mlikernels.Elements(job.Want[c.Op.Outputs[0].Role])
	fmt.Fprintf(&g.calls, "    {\n        static const struct %s c = {%s};\n        static uint32_t out[%d];\n        struct arcq_glue glue;\n        int status = %s&memory, &glue);\n        wrong += check(%q, status, &glue, %s, %s, %s, %s, out, %s, %d, %s, %s);\n    }\n",
		structure, members, (len(want)+3)/4, function, name, in, in2, at[0], at[1], g.array("want", want), len(want), left[0], left[1])
}

// forGlue reports whether the framework has a call: no weights of 4 bits, none with a zero point beside halves, no bytes without a sign.
func forGlue(c *nn.Call) bool {
	if c.Op.Library != nn.TFLite || !slices.Contains(glueOps, c.Op.Name) {
		return false
	}
	return !slices.ContainsFunc(c.In, func(in *nn.Tensor) bool {
		return in != nil && (in.Type == nn.I4 || in.Type == nn.U8 || in.Type == nn.I8 && c.In[0].Type == nn.I16 && in.Format.Zero(0) != 0)
	})
}

// TestGlue: the C of the kernel folder for TensorFlow Lite Micro prepares the calls of the kernels' grids, and the kernels then give
// what the golden functions do. The factors come from the numbers of networks, as the framework computes them, whose
// recorded preparations other tests hold.
func TestGlue(t *testing.T) {
	level.NeedsLong(t, "builds and runs a program of many calls")
	gcc := gnutools.Path(t, "gcc")
	for _, tool := range []string{"as", "ld"} {
		gnutools.Path(t, tool)
	}
	dir := t.TempDir()
	var out, errs strings.Builder
	require.Zero(t, Main([]string{"kernels", "export", "--tflm", dir}, strings.NewReader(""), &out, &errs), errs.String())
	for i, rounding := range []nn.Rounding{nn.Double, nn.Single} {
		if !level.Wants(i, 2, 2) {
			continue
		}
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
					if c := job.Call; forGlue(c) {
						if chosen, err := mlikernels.Choose(c); err != nil || chosen != k {
							continue
						}
						seen[symbol]++
						seen[c.Op.Name]++
						g.add(t, symbol+" "+p.Name, job)
					}
				}
			}
			for _, name := range slices.Concat(glueOps, glueKernels) {
				require.NotZero(t, seen[name], name)
			}
			text := glueMain + g.arrays.String() + "\nint main(void)\n{\n    int wrong = 0;\n" + g.calls.String() + "    return wrong != 0;\n}\n"
			require.NoError(t, os.WriteFile(filepath.Join(dir, "main.c"), []byte(text), 0o644))
			p := compileAny(t, dir)
			flags := []string{"-mcpu=em4_dmips", "-std=gnu99", "-O2", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-fno-builtin", "-fno-pic", "-nostdlib", "-nostartfiles",
				fmt.Sprintf("-DARCQ_GLUE_SINGLE_ROUNDING=%d", number(rounding == nn.Single)), "-I", dir, "-c"}
			glue, err := filepath.Glob(filepath.Join(dir, "arcq_glue*.c"))
			require.NoError(t, err)
			elf := filepath.Join(dir, "glue.elf")
			link := []string{"-m", "arcv2elf", "-Ttext=0x1000", "-e", "_start", "-o", elf}
			for _, name := range append(glue, filepath.Join(dir, "main.c"), filepath.Join(dir, p)) {
				args := append(append([]string{}, flags...), "-o", name+".o", name)
				text, err := exec.Command(gcc, args...).CombinedOutput()
				require.NoError(t, err, string(text))
				link = append(link, name+".o")
			}
			ld, err := exec.Command(gnutools.Path(t, "ld"), append(link, filepath.Join(dir, "libarcq.a"))...).CombinedOutput()
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
