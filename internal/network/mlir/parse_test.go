package mlir_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/network/mlir"
)

const everything = `
// Comments and names of types are for people.
!q = !quant.uniform<i8:f32, 0.5:3>
!axis = !quant.uniform<i8<-127:127>:f32:1, {0.5,0.25}>
module @m {
  func.func private @declared(tensor<?xf32>, i32) -> (f32, tensor<*xf32>)
  func @all(%x: tensor<3x2xf32>, %n: i32) -> (tensor<3x2xf32>, i32) attributes {kept = false} {
    %c = constant dense<[[1.0, -2.5e-1], [0x7F800000, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
    %s = arith.constant dense<7> : tensor<4xi8>
    %k = arith.constant 12 : i32
    %b = arith.constant true
    %q = quant.qcast %x : tensor<3x2xf32> to tensor<3x2x!q>
    %d = "quant.dcast"(%q) : (tensor<3x2x!q>) -> tensor<3x2xf32>
    %i = quant.scast %q : tensor<3x2x!q> to tensor<3x2xi8>
    %st = "quant.stats"(%d) {layerStats = dense<[-1.0, 1.0]> : tensor<2xf32>,
      axisStats = dense<[[-1.0, 1.0], [0.0, 1.0]]> : tensor<2x2xf32>} : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %r = "quant.stats_ref"(%st) {statsKey = "a\"b\0A"} : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %w = "quant.coupled_ref"(%r) {coupledKey = "k"} : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %g = "quant.region"(%w) ({
    ^bb0(%y: tensor<3x2xf32>):
      %z = "fxpmath.real_unary_ew"(%y) {fn = "TANH"} : (tensor<3x2xf32>) -> tensor<3x2xf32>
      "quant.return"(%z) : (tensor<3x2xf32>) -> ()
    }) {logical_kernel = "tanh", input_specs = [!q], output_specs = [tensor<3x2x!q>]} : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %two:2 = "test.pair"(%g, %n) {unit, "odd name" = [1, 2 : i8, @sym, -1.5, vector<2xf32>]} : (tensor<3x2xf32>, i32) -> (tensor<3x2xf32>, i32)
    %sum = arith.addi %two#1, %k : i32
    return %two#0, %sum : tensor<3x2xf32>, i32
  }
}
`

func TestCanonicalForm(t *testing.T) {
	m, err := mlir.Parse("all.mlir", everything)
	require.NoError(t, err)
	const file = "testdata/all.mlir"
	goldenfile.File(t, file, m.String())
	again, err := mlir.Parse(file, m.String())
	require.NoError(t, err)
	require.Equal(t, m.String(), again.String())
}

func TestErrorsShowThePlace(t *testing.T) {
	_, err := mlir.Parse("bad.mlir", "func.func @f(%x: f32) -> f32 {\n\treturn %y : f32\n}\n")
	require.EqualError(t, err, "bad.mlir:2:9: value %y is not defined before this\n\treturn %y : f32\n\t       ^")
	_, err = mlir.Parse("bad.mlir", "func.func @f(%x: tensor<2x!quant.uniform<i8:f32, 1>>) {\n return\n}")
	require.EqualError(t, err, "bad.mlir:1:50: 1 is an integer, expected a number with a point\n"+
		"func.func @f(%x: tensor<2x!quant.uniform<i8:f32, 1>>) {\n"+strings.Repeat(" ", 49)+"^")
}

// body wraps lines in a function of a float and a quantized tensor.
func body(lines string) string {
	return "func.func @f(%x: tensor<4xf32>, %q: tensor<4x!quant.uniform<i8:f32, 0.5>>, %i: tensor<4xi32>) {\n" + lines + "\nreturn\n}"
}

func TestFaultsAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"func.func f()":                            "1:11: expected '@'",
		"func.func @f() {\n":                       "2:1: expected '}'",
		"func.func @f() {}":                        "1:1: the block does not end with func.return",
		"func.func @f()\nfunc.func @f()":           "2:1: function @f is there twice",
		"module {":                                 "1:9: expected '}'",
		"junk":                                     "1:1: expected func.func, a type name or module",
		"!a = i8\n!a = i8":                         "2:1: type name !a is taken",
		"func.func @f(%x: tensor<2xf33>)":          `1:27: unknown type "f33"`,
		"func.func @f(%x: tensor<9999999999xf32>)": "1:25: dimension 9999999999 is too large",
		"func.func @f() -> f32 {\nreturn\n}":       "2:1: func.return: 0 values, 1 are promised",
		body("\"a.b\"() ({\n%in = arith.constant 1 : i32\n}) : () -> ()\n%o = arith.addi %in, %in : i32"): "5:17: value %in is not defined before this",
		body(`%x = arith.constant 1 : i32`):                                                                                            "2:1: value %x is defined twice",
		body(`%0 = arith.constant dense<[1.0, 2.0]> : tensor<3xf32>`):                                                                  "2:27: elements of shape [2] for tensor<3xf32>",
		body(`%0 = arith.constant dense<[1.0, [2.0]]> : tensor<2xf32>`):                                                                "2:33: elements of shape [1] among []",
		body(`%0 = arith.constant dense<1> : tensor<2xf32>`):                                                                           "2:27: 1 is an integer, expected a number with a point",
		body(`%0 = arith.constant dense<300> : tensor<2xi8>`):                                                                          "2:27: 300 does not fit i8",
		body(`%0 = arith.constant dense<0> : tensor<99999x99999xi8>`):                                                                  "2:32: a constant of more than 16777216 elements",
		body(`%0 = arith.constant dense<0> : tensor<?xi8>`):                                                                            "2:32: a constant has a tensor of known size, not tensor<?xi8>",
		body(`%0 = quant.qcast %x : tensor<4xf32> to tensor<5x!quant.uniform<i8:f32, 0.5>>`):                                           "2:6: quant.qcast: tensor<5x!quant.uniform<i8:f32, 5.000000e-01>> and tensor<4xf32> differ in shape",
		body(`%0 = quant.qcast %x : tensor<4xf32> to tensor<4x!quant.uniform<i8:f16, 0.5>>`):                                           "2:6: quant.qcast: tensor<4xf32> has elements of f32, the expressed type is f16",
		body(`%0 = quant.qcast %x : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32:0, {0.5,0.5}>>`):                                   "2:6: quant.qcast: 2 scales along axis 0 of size 4",
		body(`%0 = quant.qcast %x : tensor<4xf32> to tensor<4x!quant.any<i8:f32>>`):                                                    "2:6: quant.qcast: !quant.any<i8:f32> has no scale",
		body(`%0 = quant.scast %q : tensor<4x!quant.uniform<i8:f32, 0.5>> to tensor<4xi16>`):                                           "2:6: quant.scast: tensor<4xi16> has elements of i16, the storage type is i8",
		body(`%0 = quant.scast %i : tensor<4xi32> to tensor<4xi32>`):                                                                   "2:6: quant.scast: neither tensor<4xi32> nor tensor<4xi32> is quantized",
		body(`%0 = "quant.nothing"(%x) : (tensor<4xf32>) -> tensor<4xf32>`):                                                            "2:6: quant.nothing: unknown operation",
		body(`%0 = "quant.stats"(%x) {layerStats = dense<[1.0, -1.0]> : tensor<2xf32>} : (tensor<4xf32>) -> tensor<4xf32>`):            "2:6: quant.stats: statistics 1 to -1 are no range",
		body(`%0 = "quant.stats"(%x) {layerStats = dense<[0x7FC00000, 1.0]> : tensor<2xf32>} : (tensor<4xf32>) -> tensor<4xf32>`):      "2:6: quant.stats: statistics NaN to 1 are no range",
		body(`%0 = "quant.stats"(%x) {layerStats = dense<[]> : tensor<0xf32>} : (tensor<4xf32>) -> tensor<4xf32>`):                     "2:6: quant.stats: layerStats has 0 numbers, a minimum and a maximum are needed",
		body(`%0 = "quant.const_fake_quant"(%x) {min = 0.0, max = 1.0} : (tensor<4xf32>) -> tensor<4xf32>`):                            "2:6: quant.const_fake_quant: attribute num_bits is missing",
		body(`%0 = "quant.const_fake_quant"(%x) {min = 0.0, max = 0x7F800000 : f32, num_bits = 8} : (tensor<4xf32>) -> tensor<4xf32>`): "2:6: quant.const_fake_quant: range 0 to +Inf is not finite",
		body(`%0 = "quant.stats_ref"(%x) {statsKey = 5} : (tensor<4xf32>) -> tensor<4xf32>`):                                           "2:6: quant.stats_ref: attribute statsKey is 5 : i64, expected a string",
		body(`%0 = "quant.stats_ref"(%x) {statsKey = "a", more} : (tensor<4xf32>) -> tensor<4xf32>`):                                   "2:6: quant.stats_ref: there is no attribute more",
		body(`%0 = "fxpmath.real_unary_ew"(%x) {fn = "COT"} : (tensor<4xf32>) -> tensor<4xf32>`):                                       `2:6: fxpmath.real_unary_ew: unknown function "COT"`,
		body(`%0 = "fxpmath.real_matmul"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`):                                   "2:6: fxpmath.real_matmul: tensor<4xf32> is no matrix",
		body(`%0 = arith.addf %x, %i : tensor<4xf32>`):                                                                                 "2:26: operand 2 is tensor<4xi32>, not tensor<4xf32>",
		body(`%0, %1 = arith.addi %i, %i : tensor<4xi32>`):                                                                             "2:1: arith.addi has 1 results, 2 are named",
		body(`%0 = "fxpmath.rounding_divide_by_potis"(%i) {exponent = 32} : (tensor<4xi32>) -> tensor<4xi32>`):                         "2:6: fxpmath.rounding_divide_by_potis: exponent 32 (0 to 31)",
		body(`"test.op"() ({` + "\n" + `^a:` + "\n" + `^b:` + "\n})"):                                                                  "4:1: a second block: there is no control flow here",
		body(`%0 = some.op %x`):                              `2:6: some.op has no short form; write "some.op"(...) : (...) -> ...`,
		body(strings.Repeat(`"a.b"() ({`, 70)):               "2:651: regions more than 64 deep",
		body(`%0 = "a.b"() {x = ` + strings.Repeat("[", 70)): "2:84: lists more than 64 deep",
	} {
		_, err := mlir.Parse("x", text)
		var e *mlir.Error
		require.True(t, errors.As(err, &e), "%v", err)
		first, _, _ := strings.Cut(err.Error(), "\n")
		assert.Equal(t, "x:"+want, first, text)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(everything)
	f.Add(body(`%0 = "quant.const_fake_quant"(%x) {min = 0.0, max = 1.0, num_bits = 8} : (tensor<4xf32>) -> tensor<4xf32>`))
	f.Add(matmul)
	f.Add(trained)
	f.Add(additions)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := mlir.Parse("fuzz", text)
		if err != nil {
			var e *mlir.Error
			require.True(t, errors.As(err, &e), "%v", err)
			return
		}
		again, err := mlir.Parse("again", m.String())
		require.NoError(t, err, m.String())
		require.Equal(t, m.String(), again.String())
		for _, p := range mlir.Passes() {
			if mlir.Run(again, []string{p.Name}, mlir.Options{}) != nil {
				continue
			}
			_, err := mlir.Parse("after "+p.Name, again.String())
			require.NoError(t, err, again.String())
		}
	})
}
