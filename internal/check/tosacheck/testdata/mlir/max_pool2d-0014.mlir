module {
  func.func @main(%arg0: tensor<2x7x6x3xi16>) -> tensor<2x5x3x3xi16> {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 1, 2>, stride = array<i64: 1, 3>} : (tensor<2x7x6x3xi16>) -> tensor<2x5x3x3xi16>
    return %0 : tensor<2x5x3x3xi16>
  }
}

