func.func private @declared(tensor<?xf32>, i32) -> (f32, tensor<*xf32>)

func.func @all(%arg0: tensor<3x2xf32>, %arg1: i32) -> (tensor<3x2xf32>, i32) {
  %0 = arith.constant dense<[[1.000000e+00, -2.500000e-01], [0x7F800000, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
  %1 = arith.constant dense<7> : tensor<4xi8>
  %2 = arith.constant 12 : i32
  %3 = arith.constant true
  %4 = quant.qcast %arg0 : tensor<3x2xf32> to tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>
  %5 = quant.dcast %4 : tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>> to tensor<3x2xf32>
  %6 = quant.scast %4 : tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>> to tensor<3x2xi8>
  %7 = "quant.stats"(%5) {axisStats = dense<[[-1.000000e+00, 1.000000e+00], [0.000000e+00, 1.000000e+00]]> : tensor<2x2xf32>, layerStats = dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf32>} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %8 = "quant.stats_ref"(%7) {statsKey = "a\"b\0A"} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %9 = "quant.coupled_ref"(%8) {coupledKey = "k"} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %10 = "quant.region"(%9) ({
  ^bb0(%arg2: tensor<3x2xf32>):
    %11 = "fxpmath.real_unary_ew"(%arg2) {fn = "TANH"} : (tensor<3x2xf32>) -> tensor<3x2xf32>
    "quant.return"(%11) : (tensor<3x2xf32>) -> ()
  }) {input_specs = [!quant.uniform<i8:f32, 5.000000e-01:3>], logical_kernel = "tanh", output_specs = [tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>]} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %12:2 = "test.pair"(%10, %arg1) {"odd name" = [1 : i64, 2 : i8, @sym, -1.500000e+00 : f64, vector<2xf32>], unit} : (tensor<3x2xf32>, i32) -> (tensor<3x2xf32>, i32)
  %13 = arith.addi %12#1, %2 : i32
  return %12#0, %13 : tensor<3x2xf32>, i32
}
