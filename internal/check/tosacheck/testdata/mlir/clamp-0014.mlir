module {
  func.func @main(%arg0: tensor<3xi16>) -> tensor<3xi16> {
    %0 = tosa.clamp %arg0 {max_fp = 0.000000e+00 : f32, max_int = 32767 : i64, min_fp = 0.000000e+00 : f32, min_int = -32768 : i64} : (tensor<3xi16>) -> tensor<3xi16>
    return %0 : tensor<3xi16>
  }
}

