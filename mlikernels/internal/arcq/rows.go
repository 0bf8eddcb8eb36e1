package arcq

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"arcv2dsp/internal/program/cstruct"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// row is one kernel of the library.
type row struct {
	symbol   string // "arcq_clamp_s8"
	doc      string // one line about its result
	operator string // in lists
	types    string // in lists, one of typeColumns
	body     string // include with the code, in the folder of its name up to the first dot
	equ      []string
	text     string // assembly before the include, of kernels in single precision
	params   *cstruct.Struct
	walks    int               // tensors of the walk in params or in records, 0 for none
	records  *cstruct.Struct   // what params points to, nil when that is elements
	tables   []*cstruct.Struct // further records that params points to
	computes []*nn.Operator
	// fits says why the kernel cannot take a legal call; nil when it takes all.
	fits func(*nn.Call) error
	// fill places the tensors of a call and fills the parameter block in.
	fill func(*params, *nn.Call)
	rank int // see kernel.Kernel
	// macs says that the kernel multiplies weights, in sums of accBits.
	macs    bool
	accBits int
	rounds  []nn.Rounding         // that it tells apart; nil when it rounds nothing
	taps    func(*nn.Call) uint64 // see kernel.Kernel
	grid    func(g *grid)
}

// rows lists the kernels. Each operator has a file of its own with its rows.
func rows() []row {
	return slices.Concat(
		products(),
		convolutions(),
		generalConvolutions(),
		matrixProducts(),
		svdfs(),
		recurrent(),
		signals(),
		clamps(),
		accumulations(),
		shapes(),
		pairs(),
		softmaxes(),
		normalizations(),
		quotients(),
		bilinears(),
		unaries(),
		pickers(),
		reductions(),
		rescales(),
		tables(),
		moves(),
		pools(),
		gemms(),
	)
}

// typical are parts of the names of cases that stand for the kernels of a body: long rows, and layers of networks. The
// others are those with the most work.
var typical = map[string]string{
	"clamp.inc": "257_0", "table.inc": "_257", "unary.inc": "_257", "rescale.inc": "_257",
	"add.inc": "[257]", "mul.inc": "[257]", "prelu.inc": "[257]", "integer.inc": "[257]", "div.inc": "[257]", "select.inc": "[257]",
	"softmax.inc": "1x1000", "log_softmax.inc": "1x1000", "softmax16.inc": "1x1000", "l2_normalization.inc": "1x257_any",
	"reduce.inc": "[3 257 5]", "argmax.inc": "[3 257 5]", "gather.inc": "tflite_batch_257", "scatter.inc": "[3 20 1]_127", "update.inc": "[2 6 127]", "compare.inc": "[257]",
	"move.inc": "CONCATENATION_127", "bilinear.inc": "[9 11 20 7]", "average_pool2d.inc": "1x5x6x32-32_3x3", "max_pool2d.inc": "1x5x6x32-32_3x3",
	"fully_connected.inc": "1x2048-33", "conv2d.inc": "2x7x11x13-17_3x5", "depthwise_conv2d.inc": "1x11x10x4-4_7x7_s1x1_same",
	"matmul.inc": "32x64x32", "svdf.inc": "1x392-8", "lstm.inc": "47_", "gemm.inc": "257x3x8",
	"signal_bank.inc": "257_", "signal_frames.inc": "257_", "signal_overlap.inc": "257_", "signal_stack.inc": "257_", "signal_energy.inc": "257_", "signal_gain.inc": "257_", "signal_log.inc": "257_", "signal_noise.inc": "257_",
	"signal_rfft.inc": "65_", "signal_irfft.inc": "512_", "signal_root.inc": "257_", "signal_scale.inc": "257_", "signal_window.inc": "257_",
}

// walk is the structure of the walk, nil for none.
func (r row) walk() *cstruct.Struct { return walkStructs[r.walks] }

// operator finds an operator of a library. One that is not there is a fault of the program.
func operator(lib nn.Library, name string) *nn.Operator {
	op, ok := golden.Operators().Lookup(lib, name)
	if !ok {
		panic(fmt.Sprintf("mlikernels/internal/arcq: there is no %s of %s", name, lib))
	}
	return op
}

// source is the text of a kernel: symbols and the include with its code, under its name.
func (r row) source() kernel.Source {
	folder, _, _ := strings.Cut(r.body, ".")
	var b strings.Builder
	fmt.Fprintf(&b, "; %s: %s.\n\n", r.symbol, r.doc)
	for _, e := range r.equ {
		fmt.Fprintf(&b, "\t.equ\t%s\n", e)
	}
	b.WriteString(r.text)
	fmt.Fprintf(&b, "\t.text\n\t.align\t4\n\t.global\t%[1]s\n\t.type\t%[1]s,@function\n%[1]s:\n\t.include \"%[2]s\"\n\t.size\t%[1]s,.-%[1]s\n",
		r.symbol, r.body)
	return kernel.Source{File: path.Join(folder, r.symbol+".s"), Text: b.String()}
}

// moving are the bodies of kernels that move elements whatever they stand for. The others compute with integers.
var moving = []string{"move.inc", "gather.inc", "scatter.inc", "select.inc"}

// ofIntegers is the rule of kernels that compute: TOSA has its operators for floating-point numbers too.
func ofIntegers(fits func(*nn.Call) error) func(*nn.Call) error {
	return func(c *nn.Call) error {
		if c.Op.Library == nn.TOSA {
			for _, t := range slices.Concat(c.In, c.Out) {
				if t != nil && t.Type.Float() {
					return fmt.Errorf("elements of %s", t.Type)
				}
			}
		}
		return fits(c)
	}
}

func (r row) kernel() *kernel.Kernel {
	if !slices.Contains(moving, r.body) && r.types != "f32" {
		r.fits = ofIntegers(r.fits)
	}
	k := &kernel.Kernel{
		Symbol: r.symbol, Source: r.source(), Computes: r.computes, Fits: r.fits, ABI: abi{row: r},
		Operator: r.operator, Types: r.types, Arguments: []string{"params"}, AccBits: r.accBits, Unit: kernel.Element,
		Rounds: r.rounds, InPlace: r.inPlace(), Stands: typical[r.body], Rank: r.rank, Taps: r.taps,
	}
	if k.Rounds == nil {
		k.Rounds = []nn.Rounding{nn.Double}
	}
	if r.macs {
		k.Unit, k.Products = kernel.MAC, func(c *nn.Call) uint64 { return uint64(c.Op.NominalMACs(c)) }
	}
	k.Grid = func() []kernel.Case {
		g := &grid{row: r, kernel: k}
		r.grid(g)
		return g.points
	}
	return k
}
