module {
  func.func @main(%arg0: tensor<6x2xi8>) -> tensor<6x2xi8> {
    %0 = tosa.clamp %arg0 {max_fp = 0.000000e+00 : f32, max_int = -128 : i64, min_fp = 0.000000e+00 : f32, min_int = -128 : i64} : (tensor<6x2xi8>) -> tensor<6x2xi8>
    return %0 : tensor<6x2xi8>
  }
}

