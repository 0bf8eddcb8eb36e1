package mlir_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/network/mlir"
	"arcv2dsp/nn"
)

// runTOSA runs the function of a text on lists of i32, by golden functions.
func runTOSA(t *testing.T, text string, inputs ...*nn.Tensor) []*nn.Tensor {
	t.Helper()
	m, err := mlir.Parse("t.mlir", text)
	require.NoError(t, err)
	again, err := mlir.Parse("again.mlir", m.String())
	require.NoError(t, err, m.String())
	g, err := mlir.TOSAGraph(again.Funcs[0])
	require.NoError(t, err)
	out, err := nn.NewSession(g, nn.GoldenExecutor{}).Run(t.Context(), inputs)
	require.NoError(t, err)
	return out
}

func words(v ...int64) *nn.Tensor { return nn.FromInts(nn.I32, []int{len(v)}, v) }

// The loop doubles its list until the sum passes 100: 1+2+3+4 = 10, 20, 40, 80, 160. In its text as mlir-opt 19 prints it.
const loop = `func.func @f(%arg0: tensor<4xi32>) -> tensor<4xi32> {
  %0 = tosa.while_loop (%arg1 = %arg0) : (tensor<4xi32>) -> tensor<4xi32> {
    %1 = tosa.reduce_sum %arg1 {axis = 0 : i32} : (tensor<4xi32>) -> tensor<1xi32>
    %2 = "tosa.const"() <{value = dense<100> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = tosa.greater %2, %1 : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %4 = tosa.reshape %3 {new_shape = array<i64>} : (tensor<1xi1>) -> tensor<i1>
    tosa.yield %4 : tensor<i1>
  } do {
  ^bb0(%arg1: tensor<4xi32>):
    %1 = tosa.add %arg1, %arg1 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    tosa.yield %1 : tensor<4xi32>
  }
  return %0 : tensor<4xi32>
}`

func TestLoopsOfTOSA(t *testing.T) {
	require.Equal(t, []int64{16, 32, 48, 64}, runTOSA(t, loop, words(1, 2, 3, 4))[0].Ints)
	// A body that reads a value and a constant of the function around it.
	text := `func.func @f(%x: tensor<1xi32>, %step: tensor<1xi32>) -> tensor<1xi32> {
  %limit = "tosa.const"() {value = dense<10> : tensor<1xi32>} : () -> tensor<1xi32>
  %0 = "tosa.while_loop"(%x) ({
  ^bb0(%a: tensor<1xi32>):
    %1 = "tosa.greater"(%limit, %a) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    "tosa.yield"(%1) : (tensor<1xi1>) -> ()
  }, {
  ^bb0(%a: tensor<1xi32>):
    %1 = "tosa.add"(%a, %step) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    "tosa.yield"(%1) : (tensor<1xi32>) -> ()
  }) : (tensor<1xi32>) -> tensor<1xi32>
  return %0 : tensor<1xi32>
}`
	require.Equal(t, []int64{13}, runTOSA(t, text, words(1), words(4))[0].Ints) // 1, 5, 9, 13
}

func TestConditionsOfTOSA(t *testing.T) {
	generic := `func.func @f(%c: tensor<i1>, %x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "tosa.cond_if"(%c, %x, %y) ({
  ^bb0(%a: tensor<2xi32>, %b: tensor<2xi32>):
    %1 = "tosa.add"(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    "tosa.yield"(%1) : (tensor<2xi32>) -> ()
  }, {
  ^bb0(%a: tensor<2xi32>, %b: tensor<2xi32>):
    "tosa.yield"(%b) : (tensor<2xi32>) -> ()
  }) : (tensor<i1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}`
	short := `func.func @f(%c: tensor<i1>, %x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %0 = tosa.cond_if %c -> (tensor<2xi32>) {
    %1 = tosa.add %x, %y : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    tosa.yield %1 : tensor<2xi32>
  } else {
    tosa.yield %y : tensor<2xi32>
  }
  return %0 : tensor<2xi32>
}`
	for _, text := range []string{generic, short} {
		for c, want := range map[int64][]int64{1: {11, 22}, 0: {10, 20}} {
			out := runTOSA(t, text, nn.FromInts(nn.Bool, nil, []int64{c}), words(1, 2), words(10, 20))
			require.Equal(t, want, out[0].Ints)
		}
	}
}

// TestPackedConstants: bytes as mlir-opt prints long constants; the elements follow from the bytes by hand.
func TestPackedConstants(t *testing.T) {
	text := func(typ, literal string) string {
		return `func.func @f() -> ` + typ + ` {
  %0 = "tosa.const"() <{value = dense<` + literal + `> : ` + typ + `}> : () -> ` + typ + `
  return %0 : ` + typ + `
}`
	}
	for _, c := range []struct {
		typ, literal string
		want         []int64
	}{
		{typ: "tensor<3xi8>", literal: `"0x01FF80"`, want: []int64{1, -1, -128}},
		{typ: "tensor<2xi16>", literal: `"0x0100FEFF"`, want: []int64{1, -2}},
		{typ: "tensor<2x2xi32>", literal: `"0x78563412"`, want: []int64{0x12345678, 0x12345678, 0x12345678, 0x12345678}},
		{typ: "tensor<10xi1>", literal: `"0x0502"`, want: []int64{1, 0, 1, 0, 0, 0, 0, 0, 0, 1}},
		{typ: "tensor<2xui8>", literal: `"0x01FF"`, want: []int64{1, 255}},
	} {
		require.Equal(t, c.want, runTOSA(t, text(c.typ, c.literal))[0].Ints, c.typ)
	}
	require.Equal(t, []float32{1.5, -2}, runTOSA(t, text("tensor<2xf32>", `"0x0000C03F000000C0"`))[0].Floats)
	require.Equal(t, []float32{1.5, -2}, runTOSA(t, text("tensor<2xf16>", `"0x003E00C0"`))[0].Floats)
}

// TestTOSATextRefused: each mistake has its place and its reason.
func TestTOSATextRefused(t *testing.T) {
	body := func(op string) string {
		return "func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {\n  " + op + "\n  return %0 : tensor<4xi32>\n}"
	}
	for _, c := range []struct{ op, want string }{
		{op: `%0 = tosa.custom %x name "a" : (tensor<4xi32>) -> tensor<4xi32>`, want: "t.mlir:2:8: the short form of tosa.custom is not read; print it by mlir-opt --mlir-print-op-generic"},
		{op: `%0 = tosa.add %x, %x : (tensor<4xi32>) -> tensor<4xi32>`, want: "1 types for 2 operands"},
		{op: `%0 = tosa.abs %x {a = array<f32: 1>} : (tensor<4xi32>) -> tensor<4xi32>`, want: "an array has integers, not f32"},
		{op: `%0 = tosa.abs %x {a = #tosa} : (tensor<4xi32>) -> tensor<4xi32>`, want: "an attribute #tosa is not known here"},
		{op: `%0 = "tosa.const"() <{value = dense<"0x12"> : tensor<4xi32>}> : () -> tensor<4xi32>`, want: "1 bytes for the elements of tensor<4xi32>"},
		{op: `%0 = "tosa.const"() <{value = dense<"12"> : tensor<4xi32>}> : () -> tensor<4xi32>`, want: "a constant in bytes is a string of hexadecimal digits that begins with 0x"},
		{op: `%0 = "tosa.const"() <{a = 1}> {a = 2} : () -> tensor<4xi32>`, want: "attribute a is there twice"},
		{op: `%0 = tosa.cond_if %x -> (tensor<4xi32>) { tosa.yield %arg8 : tensor<4xi32> } else { tosa.yield %x : tensor<4xi32> }`,
			want: "the short form of tosa.cond_if leaves out operands, print it by mlir-opt --mlir-print-op-generic"},
	} {
		_, err := mlir.Parse("t.mlir", body(c.op))
		require.ErrorContains(t, err, c.want, c.op)
	}
	for _, c := range []struct{ op, want string }{
		{op: `%0 = "tosa.frobnicate"(%x) : (tensor<4xi32>) -> tensor<4xi32>`, want: "2:8: tosa.frobnicate: that is no operator of TOSA"},
		{op: `%0 = "tosa.reshape"(%x) {new_shape = 4} : (tensor<4xi32>) -> tensor<4xi32>`, want: "shape: 4 : i64 is of another kind"},
		{op: `%0 = "tosa.transpose"(%x, %x) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>`, want: "perms: the operand is not constant"},
		{op: `%0 = "tosa.rescale"(%x) {shift = array<i8: 1>} : (tensor<4xi32>) -> tensor<4xi32>`, want: "multiplier and shift are lists of integers"},
	} {
		m, err := mlir.Parse("t.mlir", body(c.op))
		require.NoError(t, err, c.op)
		require.True(t, m.Funcs[0].HasTOSA())
		_, err = mlir.TOSAGraph(m.Funcs[0])
		require.ErrorContains(t, err, c.want, c.op)
	}
	m, err := mlir.Parse("t.mlir", "func.func @f(%x: tensor<?xi32>) -> tensor<?xi32> {\n  return %x : tensor<?xi32>\n}")
	require.NoError(t, err)
	_, err = mlir.TOSAGraph(m.Funcs[0])
	require.ErrorContains(t, err, "argument 1: tensor<?xi32> is no tensor of known size")
}
