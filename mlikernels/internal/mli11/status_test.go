package mli11

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/program/mli11structs"
	"arcv2dsp/internal/program/mlistructs"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// edit changes one thing in a call that is laid out correctly.
type edit func(*testing.T, *kernel.Layout, *function)

// argIndex finds an argument by its role, "cfg" for the configuration.
func argIndex(t *testing.T, f *function, role string) int {
	for i, a := range f.args {
		if a.Role == role || role == "cfg" && a.Kind == mli.Config {
			return i
		}
	}
	require.Fail(t, "no such argument", "%s: %s", f.Name, role)
	return -1
}

// null passes a null pointer for an argument.
func null(role string) edit {
	return func(t *testing.T, l *kernel.Layout, f *function) { l.Args()[argIndex(t, f, role)] = 0 }
}

// field sets a word of an argument's structure, byte a byte.
func field(role string, offset int, v uint32) edit {
	return func(t *testing.T, l *kernel.Layout, f *function) {
		put32(l.Bytes(l.Args()[argIndex(t, f, role)], offset+4), offset, v)
	}
}

func byteField(role string, offset int, v uint8) edit {
	return func(t *testing.T, l *kernel.Layout, f *function) {
		l.Bytes(l.Args()[argIndex(t, f, role)], offset+1)[offset] = v
	}
}

// noData clears the data pointer of a tensor.
func noData(role string) edit { return field(role, tensorData, 0) }

// overlay moves the output's data to bytes behind the start of an input's.
func overlay(role string, bytes uint32) edit {
	return func(t *testing.T, l *kernel.Layout, f *function) {
		in := get32(l.Bytes(l.Args()[argIndex(t, f, role)], tensorSize), tensorData)
		put32(l.Bytes(l.Args()[argIndex(t, f, "out")], tensorSize), tensorData, in+bytes)
	}
}

// huge gives two dimensions of a tensor an extent whose product wraps around in 32 bits.
func huge(role string, d, e int) edit {
	return both(field(role, tensorShape+4*d, 65537), field(role, tensorShape+4*e, 65537))
}

// short takes a byte from the capacity of a tensor.
func short(role string) edit {
	return func(t *testing.T, l *kernel.Layout, f *function) {
		b := l.Bytes(l.Args()[argIndex(t, f, role)], tensorSize)
		put32(b, tensorCapacity, get32(b, tensorCapacity)-1)
	}
}

func both(a, b edit) edit {
	return func(t *testing.T, l *kernel.Layout, f *function) { a(t, l, f); b(t, l, f) }
}

// intermediate edits the intermediate tensor of a recurrent cell.
func intermediate(f func(b []byte)) edit {
	return func(t *testing.T, l *kernel.Layout, fn *function) {
		cfg := l.Bytes(l.Args()[argIndex(t, fn, "cfg")], mli11structs.RNN.Size())
		f(l.Bytes(get32(cfg, mli11structs.RNN.Offset("ir_tsr")), tensorSize))
	}
}

// listed edits tensor i of concat's list.
func listed(i int, f func(b []byte)) edit {
	return func(_ *testing.T, l *kernel.Layout, _ *function) {
		list := l.Bytes(l.Args()[0], 4*(i+1))
		f(l.Bytes(get32(list, 4*i), tensorSize))
	}
}

const int16Min = 0x8000

// badCalls are calls with one or two faults and the status each must return. The groups of checks come
// in a fixed order: null pointers, ranks and shapes, holes, configuration, capacity, types, formats
// and overlap; the cases with two faults hold it.
var badCalls = []struct {
	kernel string
	fault  string
	edit   edit
	want   mli.Status
}{
	{"conv2d_hwc_fx16", "null in", null("in"), mli.StatusBadTensor},
	{"conv2d_hwc_fx16", "null weights", null("w"), mli.StatusBadTensor},
	{"conv2d_hwc_fx16", "null bias", null("b"), mli.StatusBadTensor},
	{"conv2d_hwc_fx16", "null out", null("out"), mli.StatusBadTensor},
	{"conv2d_hwc_fx16", "in without data", noData("in"), mli.StatusBadTensor},
	{"conv2d_hwc_fx16", "weights without data", noData("w"), mli.StatusBadTensor},
	{"conv2d_hwc_fx16", "bias without data", noData("b"), mli.StatusBadTensor},
	{"conv2d_hwc_fx16", "out without data", noData("out"), mli.StatusBadTensor},
	{"conv2d_hwc_fx16", "in of rank 2", field("in", tensorRank, 2), mli.StatusShapeMismatch},
	{"conv2d_hwc_fx16", "weights of rank 3", field("w", tensorRank, 3), mli.StatusShapeMismatch},
	{"conv2d_hwc_fx16", "bias of rank 2", field("b", tensorRank, 2), mli.StatusShapeMismatch},
	{"conv2d_hwc_fx16", "other channels", field("in", tensorShape+8, 5), mli.StatusShapeMismatch},
	{"conv2d_hwc_fx16", "other number of biases", field("b", tensorShape, 3), mli.StatusShapeMismatch},
	{"conv2d_hwc_fx16", "in without rows", field("in", tensorShape, 0), mli.StatusShapeMismatch},
	{"conv2d_hwc_fx16", "weights without columns", field("w", tensorShape+8, 0), mli.StatusShapeMismatch},
	{"conv2d_hwc_fx16", "channels with holes", field("in", tensorStride+8, 2), mli.StatusIncompatibleTensors},
	{"conv2d_hwc_fx16", "rows backwards", field("in", tensorStride, ^uint32(23)), mli.StatusIncompatibleTensors},
	{"conv2d_hwc_fx16", "rows 2^30 apart", field("in", tensorStride, 1<<30), mli.StatusIncompatibleTensors},
	{"conv2d_hwc_fx16", "rows beyond the memory", field("in", tensorStride, 99), mli.StatusNotEnoughMem},
	{"conv2d_hwc_fx16", "filters beyond the memory", field("w", tensorStride, 99), mli.StatusNotEnoughMem},
	{"conv2d_hwc_fx16", "weights with holes", field("w", tensorStride+12, 2), mli.StatusIncompatibleTensors},
	{"conv2d_hwc_fx16", "bias with holes", field("b", tensorStride, 2), mli.StatusIncompatibleTensors},
	{"conv2d_hwc_fx16", "null configuration", null("cfg"), mli.StatusBadFuncCfg},
	{"conv2d_hwc_fx16", "unknown rectifier", field("cfg", mli11structs.Conv.Offset("relu.type"), 4), mli.StatusBadFuncCfg},
	{"conv2d_hwc_fx16", "stride 0 in width", byteField("cfg", mli11structs.Conv.Offset("stride_width"), 0), mli.StatusBadFuncCfg},
	{"conv2d_hwc_fx16", "stride 0 in height", byteField("cfg", mli11structs.Conv.Offset("stride_height"), 0), mli.StatusBadFuncCfg},
	{"conv2d_hwc_fx16", "padding left", byteField("cfg", mli11structs.Conv.Offset("padding_left"), 3), mli.StatusBadFuncCfg},
	{"conv2d_hwc_fx16", "padding right", byteField("cfg", mli11structs.Conv.Offset("padding_right"), 3), mli.StatusBadFuncCfg},
	{"conv2d_hwc_fx16", "padding top", byteField("cfg", mli11structs.Conv.Offset("padding_top"), 3), mli.StatusBadFuncCfg},
	{"conv2d_hwc_fx16", "padding bottom", byteField("cfg", mli11structs.Conv.Offset("padding_bottom"), 3), mli.StatusBadFuncCfg},
	{"conv2d_hwc_fx16", "kernel larger than the map", field("in", tensorShape, 2), mli.StatusBadFuncCfg},
	{"conv2d_hwc_fx16", "in beyond its memory", short("in"), mli.StatusNotEnoughMem},
	{"conv2d_hwc_fx16", "weights beyond their memory", short("w"), mli.StatusNotEnoughMem},
	{"conv2d_hwc_fx16", "bias beyond its memory", short("b"), mli.StatusNotEnoughMem},
	{"conv2d_hwc_fx16", "out too small", short("out"), mli.StatusNotEnoughMem},
	{"conv2d_hwc_fx16", "in of another type", field("in", tensorType, 0), mli.StatusTypeMismatch},
	{"conv2d_hwc_fx16", "weights of another type", field("w", tensorType, 0), mli.StatusTypeMismatch},
	{"conv2d_hwc_fx16", "bias of another type", field("b", tensorType, 7), mli.StatusTypeMismatch},
	{"conv2d_hwc_fx16", "bias finer than the products", byteField("b", tensorFrac, 200), mli.StatusIncompatibleTensors},
	{"conv2d_hwc_fx16", "out over in", overlay("in", 0), mli.StatusIncompatibleTensors},
	{"conv2d_hwc_fx16", "out over a part of in", overlay("in", 2), mli.StatusIncompatibleTensors},
	{"conv2d_hwc_fx16", "strides spelled out", field("in", tensorStride+8, 1), mli.StatusOK},
	{"conv2d_hwc_fx16", "map of 2^32 + 2^17 + 1 elements", huge("in", 0, 1), mli.StatusShapeMismatch},
	{"conv2d_hwc_fx16", "more weights than can be", huge("w", 1, 2), mli.StatusShapeMismatch},
	{"conv2d_hwc_fx16", "null bias and in of rank 2", both(null("b"), field("in", tensorRank, 2)), mli.StatusBadTensor},
	{"conv2d_hwc_fx16", "channels and holes", both(field("in", tensorShape+8, 5), field("w", tensorStride+12, 7)), mli.StatusShapeMismatch},
	{"conv2d_hwc_fx16", "holes and stride 0", both(field("w", tensorStride+12, 7), byteField("cfg", mli11structs.Conv.Offset("stride_width"), 0)), mli.StatusIncompatibleTensors},
	{"conv2d_hwc_fx16", "stride 0 and capacity", both(byteField("cfg", mli11structs.Conv.Offset("stride_height"), 0), short("out")), mli.StatusBadFuncCfg},
	{"conv2d_hwc_fx16", "capacity and type", both(short("w"), field("in", tensorType, 0)), mli.StatusNotEnoughMem},
	{"conv2d_hwc_fx16", "type and bias format", both(field("w", tensorType, 0), byteField("b", tensorFrac, 200)), mli.StatusTypeMismatch},

	{"conv2d_chw_fx8", "other channels", field("in", tensorShape, 5), mli.StatusShapeMismatch},
	{"conv2d_chw_fx8", "rows with holes", field("in", tensorStride+4, 7), mli.StatusIncompatibleTensors},
	{"depthwise_conv2d_chw_fx16", "filters with holes", field("w", tensorStride, 19), mli.StatusIncompatibleTensors},
	{"depthwise_conv2d_hwcn_sa8_sa8_sa32", "rows beyond the memory", field("in", tensorStride, 99), mli.StatusNotEnoughMem},
	{"depthwise_conv2d_hwcn_sa8_sa8_sa32", "weights of channels with holes", field("w", tensorStride+12, 2), mli.StatusIncompatibleTensors},
	{"conv2d_chw_fx8", "stride 0", byteField("cfg", mli11structs.Conv.Offset("stride_width"), 0), mli.StatusBadFuncCfg},
	{"conv2d_chw_fx8", "out too small", short("out"), mli.StatusNotEnoughMem},
	{"conv2d_chw_fx8w16d", "weights of the data's type", field("w", tensorType, 1), mli.StatusTypeMismatch},
	{"depthwise_conv2d_chw_fx16", "more filters than channels", field("in", tensorShape, 3), mli.StatusShapeMismatch},
	{"depthwise_conv2d_chw_fx16", "filters over one channel", field("in", tensorShape, 1), mli.StatusShapeMismatch},
	{"depthwise_conv2d_hwcn_sa8_sa8_sa32", "more filters than channels", field("in", tensorShape+8, 3), mli.StatusShapeMismatch},
	{"depthwise_conv2d_chw_fx16", "filters over two channels", field("w", tensorShape+4, 2), mli.StatusShapeMismatch},
	{"depthwise_conv2d_chw_fx8", "out over in", overlay("in", 0), mli.StatusIncompatibleTensors},

	{"conv2d_nhwc_sa8_sa8_sa32", "bias of 8 bits", field("b", tensorType, 2), mli.StatusTypeMismatch},
	{"conv2d_nhwc_sa8_sa8_sa32", "one scale for the weights", field("w", tensorDim, ^uint32(0)), mli.StatusIncompatibleTensors},
	{"conv2d_nhwc_sa8_sa8_sa32", "scales of the bias along another axis", field("b", tensorDim, 1), mli.StatusIncompatibleTensors},
	{"conv2d_nhwc_sa8_sa8_sa32", "scales per channel of in", field("in", tensorDim, 0), mli.StatusIncompatibleTensors},
	{"conv2d_nhwc_sa8_sa8_sa32", "scale 0", field("in", tensorScale, 0), mli.StatusIncompatibleTensors},
	{"conv2d_nhwc_sa8_sa8_sa32", "negative output scale", field("out", tensorScale, ^uint32(4)), mli.StatusIncompatibleTensors},
	{"conv2d_nhwc_sa8_sa8_sa32", "zero point without a negative", field("in", tensorZero, int16Min), mli.StatusIncompatibleTensors},
	{"conv2d_nhwc_sa8_sa8_sa32", "output zero point without a negative", field("out", tensorZero, int16Min), mli.StatusIncompatibleTensors},
	{"conv2d_nhwc_sa8_sa8_sa32", "bias scale is not the product", field("in", tensorScale, 9), mli.StatusIncompatibleTensors},
	{"conv2d_nhwc_sa8_sa8_sa32", "bias scale of another shift", byteField("b", tensorScaleFrac, 9), mli.StatusIncompatibleTensors},
	{"conv2d_nhwc_sa8_sa8_sa32", "out over in", overlay("in", 1), mli.StatusIncompatibleTensors},
	{"depthwise_conv2d_hwcn_sa8_sa8_sa32", "more filters than channels", field("in", tensorShape+8, 3), mli.StatusShapeMismatch},
	{"depthwise_conv2d_hwcn_sa8_sa8_sa32", "scales along another axis", field("w", tensorDim, 0), mli.StatusIncompatibleTensors},

	{"fully_connected_fx16", "null weights", null("w"), mli.StatusBadTensor},
	{"fully_connected_fx16", "weights of rank 3", field("w", tensorRank, 3), mli.StatusShapeMismatch},
	{"fully_connected_fx16", "in of rank 0", field("in", tensorRank, 0), mli.StatusShapeMismatch},
	{"fully_connected_fx16", "in of rank 5", field("in", tensorRank, 5), mli.StatusShapeMismatch},
	{"fully_connected_fx16", "other number of inputs", field("in", tensorShape, 3), mli.StatusShapeMismatch},
	{"fully_connected_fx16", "other number of biases", field("b", tensorShape, 3), mli.StatusShapeMismatch},
	{"fully_connected_fx16", "in with holes", field("in", tensorStride, 3), mli.StatusIncompatibleTensors},
	{"fully_connected_fx16", "weights of an output with holes", field("w", tensorStride+4, 2), mli.StatusIncompatibleTensors},
	{"fully_connected_fx16", "weights beyond their memory", field("w", tensorStride, 13), mli.StatusNotEnoughMem},
	{"fully_connected_fx16", "out too small", short("out"), mli.StatusNotEnoughMem},
	{"fully_connected_fx16", "bias of another type", field("b", tensorType, 0), mli.StatusTypeMismatch},
	{"fully_connected_fx16", "bias finer than the products", byteField("b", tensorFrac, 99), mli.StatusIncompatibleTensors},
	{"fully_connected_fx16", "out over in", overlay("in", 4), mli.StatusIncompatibleTensors},
	{"fully_connected_sa8_sa8_sa32", "scales per output", field("w", tensorDim, 0), mli.StatusIncompatibleTensors},
	{"fully_connected_sa8_sa8_sa32", "zero point without a negative", field("in", tensorZero, int16Min), mli.StatusIncompatibleTensors},
	{"fully_connected_sa8_sa8_sa32", "bias scale is not the product", field("b", tensorScale, 7), mli.StatusIncompatibleTensors},
	{"fully_connected_sa8_sa8_sa32", "bias scale far beyond the product", byteField("b", tensorScaleFrac, 127), mli.StatusIncompatibleTensors},

	{"maxpool_chw_fx16", "null in", null("in"), mli.StatusBadTensor},
	{"maxpool_chw_fx16", "in of rank 4", field("in", tensorRank, 4), mli.StatusShapeMismatch},
	{"maxpool_chw_fx16", "null configuration", null("cfg"), mli.StatusBadFuncCfg},
	{"maxpool_chw_fx16", "columns with holes", field("in", tensorStride+8, 2), mli.StatusIncompatibleTensors},
	{"maxpool_chw_fx16", "planes beyond the memory", field("in", tensorStride, 31), mli.StatusNotEnoughMem},
	{"avepool_hwc_sa8", "channels with holes", field("in", tensorStride+8, 3), mli.StatusIncompatibleTensors},
	{"avepool_hwc_sa8", "rows backwards", field("in", tensorStride, ^uint32(23)), mli.StatusIncompatibleTensors},
	{"maxpool_chw_fx16", "kernel of no width", byteField("cfg", mlistructs.Pool.Offset("kernel_width"), 0), mli.StatusBadFuncCfg},
	{"maxpool_chw_fx16", "stride 0", byteField("cfg", mlistructs.Pool.Offset("stride_height"), 0), mli.StatusBadFuncCfg},
	{"maxpool_chw_fx16", "kernel larger than the map", byteField("cfg", mlistructs.Pool.Offset("kernel_height"), 99), mli.StatusBadFuncCfg},
	{"maxpool_hwc_fx8", "map of 2^32 + 2^17 + 1 elements", huge("in", 0, 1), mli.StatusShapeMismatch},
	{"maxpool_hwc_fx8", "padding as wide as the kernel", byteField("cfg", mlistructs.Pool.Offset("padding_right"), 2), mli.StatusBadFuncCfg},
	{"avepool_hwc_sa8", "in of another type", field("in", tensorType, 0), mli.StatusTypeMismatch},
	{"avepool_chw_fx8", "out too small", short("out"), mli.StatusNotEnoughMem},
	{"avepool_chw_fx8", "out over in", overlay("in", 0), mli.StatusIncompatibleTensors},

	{"relu_fx16", "null configuration", null("cfg"), mli.StatusBadFuncCfg},
	{"relu_fx16", "unknown rectifier", field("cfg", 0, 4), mli.StatusBadFuncCfg},
	{"relu_fx16", "out one element behind in", overlay("in", 2), mli.StatusIncompatibleTensors},
	{"relu_fx16", "out exactly over in", overlay("in", 0), mli.StatusOK},
	{"relu_fx16", "2^32 + 2^17 + 1 elements", huge("in", 0, 1), mli.StatusShapeMismatch},
	{"relu_fx16", "2^31 elements", field("in", tensorShape, 1<<28), mli.StatusShapeMismatch},
	{"fully_connected_fx16", "2^32 + 2^17 + 1 weights", both(huge("w", 0, 1), both(field("in", tensorShape, 65537), field("b", tensorShape, 65537))), mli.StatusNotEnoughMem},
	{"padding2d_chw_fx16", "2^32 + 2^17 + 1 elements", huge("in", 1, 2), mli.StatusShapeMismatch},
	{"concat_fx8", "2^32 + 2^17 + 1 elements", listed(0, func(b []byte) { put32(b, tensorShape, 65537); put32(b, tensorShape+4, 65537) }), mli.StatusShapeMismatch},
	{"relu_fx8", "in of rank 0", field("in", tensorRank, 0), mli.StatusShapeMismatch},
	{"leaky_relu_fx8", "slope of two elements", field("slope", tensorShape, 2), mli.StatusShapeMismatch},
	{"leaky_relu_fx8", "slope of rank 0 and another type", both(field("slope", tensorRank, 0), field("slope", tensorType, 1)), mli.StatusTypeMismatch},
	{"leaky_relu_fx8", "slope of rank 0, null in", both(field("slope", tensorRank, 0), null("in")), mli.StatusBadTensor},
	{"leaky_relu_fx8", "slope of another type", field("slope", tensorType, 1), mli.StatusTypeMismatch},
	{"sigm_fx16", "null out", null("out"), mli.StatusBadTensor},
	{"sigm_fx16", "out too small", short("out"), mli.StatusNotEnoughMem},
	{"tanh_fx8", "in of another type", field("in", tensorType, 1), mli.StatusTypeMismatch},
	{"softmax_fx16", "in with holes", field("in", tensorStride, 9), mli.StatusIncompatibleTensors},

	{"eltwise_add_fx16", "null second operand", null("in2"), mli.StatusBadTensor},
	{"eltwise_add_fx16", "zero as an operand of rank 0", both(field("in2", tensorRank, 0), noData("in2")), mli.StatusOK},
	{"eltwise_add_fx16", "operand of rank 0 and null out", both(field("in1", tensorRank, 0), null("out")), mli.StatusBadTensor},
	{"eltwise_mul_fx8", "operand of rank 0 and another type", both(field("in1", tensorRank, 0), field("in1", tensorType, 1)), mli.StatusTypeMismatch},
	{"eltwise_add_fx16", "other shape", field("in2", tensorShape, 3), mli.StatusShapeMismatch},
	{"eltwise_add_fx16", "other fractional bits", byteField("in2", tensorFrac, 99), mli.StatusIncompatibleTensors},
	{"eltwise_mul_fx8", "out one element behind", overlay("in2", 1), mli.StatusIncompatibleTensors},
	{"eltwise_max_fx8", "operand of another type", field("in2", tensorType, 1), mli.StatusTypeMismatch},

	{"basic_rnn_cell_fx16", "null state", null("prev_out"), mli.StatusBadTensor},
	{"basic_rnn_cell_fx16", "null configuration", null("cfg"), mli.StatusBadFuncCfg},
	{"basic_rnn_cell_fx16", "unknown mode", field("cfg", mli11structs.RNN.Offset("mode"), 3), mli.StatusBadFuncCfg},
	{"basic_rnn_cell_fx16", "unknown activation", field("cfg", mli11structs.RNN.Offset("act"), 3), mli.StatusBadFuncCfg},
	{"basic_rnn_cell_fx16", "no intermediate tensor", field("cfg", mli11structs.RNN.Offset("ir_tsr"), 0), mli.StatusBadFuncCfg},
	{"basic_rnn_cell_fx16", "intermediate tensor without data", intermediate(func(b []byte) { put32(b, tensorData, 0) }), mli.StatusBadFuncCfg},
	{"basic_rnn_cell_fx16", "intermediate tensor too small", intermediate(func(b []byte) { put32(b, tensorCapacity, 3) }), mli.StatusNotEnoughMem},
	{"basic_rnn_cell_fx16", "weights of another width", field("w", tensorShape+4, 3), mli.StatusShapeMismatch},
	{"basic_rnn_cell_fx8w16d", "bias finer than the products", byteField("b", tensorFrac, 99), mli.StatusIncompatibleTensors},
	{"lstm_cell_fx8", "three gates", field("w", tensorShape, 3), mli.StatusShapeMismatch},
	{"lstm_cell_fx8", "cell of another size", field("cell", tensorShape, 3), mli.StatusShapeMismatch},
	{"lstm_cell_fx8", "cell of another type", field("cell", tensorType, 1), mli.StatusTypeMismatch},
	{"lstm_cell_fx16", "null cell", null("cell"), mli.StatusBadTensor},

	{"concat_fx8", "null out", null("out"), mli.StatusBadTensor},
	{"concat_fx8", "no tensors", byteField("cfg", mli11structs.Concat.Offset("tensors_num"), 0), mli.StatusBadFuncCfg},
	{"concat_fx8", "nine tensors", byteField("cfg", mli11structs.Concat.Offset("tensors_num"), 9), mli.StatusBadFuncCfg},
	{"concat_fx8", "axis beyond the rank", byteField("cfg", mli11structs.Concat.Offset("axis"), 4), mli.StatusBadFuncCfg},
	{"concat_fx8", "second tensor without data", listed(1, func(b []byte) { put32(b, tensorData, 0) }), mli.StatusBadTensor},
	{"concat_fx8", "second tensor of another rank", listed(1, func(b []byte) { put32(b, tensorRank, 1) }), mli.StatusShapeMismatch},
	{"concat_fx8", "second tensor of another format", listed(1, func(b []byte) { b[tensorFrac] ^= 1 }), mli.StatusIncompatibleTensors},
	{"concat_fx8", "second tensor of another type", listed(1, func(b []byte) { put32(b, tensorType, 1) }), mli.StatusTypeMismatch},
	{"permute_fx16", "an axis twice", byteField("cfg", 0, 1), mli.StatusBadFuncCfg},
	{"permute_fx16", "out over in", overlay("in", 0), mli.StatusIncompatibleTensors},
	{"padding2d_hwc_fx8", "in of rank 2", field("in", tensorRank, 2), mli.StatusShapeMismatch},
	{"padding2d_chw_fx16", "out too small", short("out"), mli.StatusNotEnoughMem},
	{"padding2d_chw_fx16", "null configuration", null("cfg"), mli.StatusBadFuncCfg},
}

// TestBadCalls: every fault gives its status, and a kernel that refuses a call writes nothing.
func TestBadCalls(t *testing.T) {
	require.GreaterOrEqual(t, len(badCalls), 60)
	for _, core := range testCores {
		m := newTestMachine(t, core, nn.Convergent)
		for _, row := range badCalls {
			t.Run(fmt.Sprintf("%s/%s/%s", core, row.kernel, row.fault), func(t *testing.T) {
				f := lookup(t, row.kernel)
				g := generator{function: f, rand: kernel.NewRand(row.kernel, kernel.Stream)}
				l, err := m.LayOut(f.kernel, newJob(t, g.build(f.plainShapes())))
				require.NoError(t, err)
				row.edit(t, l, f)
				status, err := callAsLaidOut(m, f, l)
				require.NoError(t, err)
				require.Equal(t, row.want, status)
			})
		}
	}
}

// callAsLaidOut calls a function with what lies in a layout. Besides a call that goes wrong, it is an
// error when one that is refused writes anything.
func callAsLaidOut(m *kernel.Machine, f *function, l *kernel.Layout) (mli.Status, error) {
	entry, err := m.Entry(f.Name)
	if err != nil {
		return 0, err
	}
	rep, err := m.CallAt(context.Background(), entry, l)
	if err != nil {
		return 0, err
	}
	status := mli.Status(rep.R0)
	if status != mli.StatusOK && l.Written() {
		return status, fmt.Errorf("status %v, and something is written", status)
	}
	return status, nil
}

// TestDamagedCalls: whatever the structures of a call say, short of false addresses and more memory
// than there is, a kernel returns, and writes nowhere but into its outputs.
func TestDamagedCalls(t *testing.T) {
	cases := level.Count(100, 12, 3)
	for _, core := range testCores {
		t.Run(core, func(t *testing.T) {
			t.Parallel()
			m := suite.Machine(t, core, nn.Convergent, kernel.MachineOptions{Limit: 20_000_000})
			refused := 0
			for _, f := range functions() {
				for seed := range cases {
					r := kernel.NewRand(fmt.Sprintf("damaged %s %d", f.Name, seed), kernel.Stream)
					job, err := kernel.NewJob(randomCase(r, f, nn.Convergent))
					require.NotNil(t, job, "%v", err)
					l, err := m.LayOut(f.kernel, job)
					require.NoError(t, err)
					for range 1 + r.IntN(3) {
						damage(r, f, l)
					}
					status, err := callAsLaidOut(m, f, l)
					require.NoError(t, err, "%s seed %d: %v %v", f.Name, seed, job.Attrs, shapesOf(job.Call))
					if status != mli.StatusOK {
						refused++
					}
				}
			}
			require.Greater(t, refused, cases*len(functions())/3)
		})
	}
}

// damage changes a field of a structure.
func damage(r *rand.Rand, f *function, l *kernel.Layout) {
	pieces := l.Pieces(kernel.Structs)
	s := pieces[r.IntN(len(pieces))]
	b := l.Bytes(s.Addr, s.Size)
	switch {
	case strings.HasPrefix(s.Name, "tensor ") && s.Size == tensorSize:
		field := 4 * (1 + r.IntN(tensorSize/4-1))
		affine := f.Data == golden.SA8 && field >= tensorZero && field < tensorScaleFrac
		v := []uint32{0, 1, 2, 3, 4, 7, 16, 255, 0x7fff, 0x8000, 0xffff, 0x10000, 0x10001, 0x3fffffff, 0x40000000,
			0x55555556, 0x7fffffff, 0x80000000, 0xffffffff, r.Uint32(), r.Uint32N(40)}[r.IntN(21)]
		switch {
		case field == tensorCapacity:
			put32(b, field, r.Uint32N(get32(b, field)+1))
		case !affine: // those may be addresses
			put32(b, field, v)
		}
	case s.Name == "configuration" && f.config == rnnConfiguration:
		put32(b, 4*r.IntN(2), r.Uint32N(5)) // mode or activation
	case s.Name == "configuration":
		first := 0
		if f.config == concatConfiguration {
			first = mli11structs.Concat.Offset("axis") // the number of tensors is the length of a list
		}
		b[first+r.IntN(len(b)-first)] = []byte{0, 1, 2, 3, 4, 8, 127, 128, 255}[r.IntN(9)]
	}
}
