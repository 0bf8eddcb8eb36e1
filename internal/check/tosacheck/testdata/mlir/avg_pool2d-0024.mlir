module {
  func.func @main(%arg0: tensor<1x8x1x3xi16>) -> tensor<1x7x1x3xi16> {
    %0 = tosa.avg_pool2d %arg0 {acc_type = i32, kernel = array<i64: 3, 4>, pad = array<i64: 0, 1, 0, 3>, stride = array<i64: 1, 3>} : (tensor<1x8x1x3xi16>) -> tensor<1x7x1x3xi16>
    return %0 : tensor<1x7x1x3xi16>
  }
}

