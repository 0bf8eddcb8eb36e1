module {
  func.func @main(%arg0: tensor<1x2x5x5xi8>) -> tensor<1x2x5x5xi8> {
    %0 = tosa.max_pool2d %arg0 {kernel = array<i64: 2, 3>, pad = array<i64: 1, 1, 0, 2>, stride = array<i64: 2, 1>} : (tensor<1x2x5x5xi8>) -> tensor<1x2x5x5xi8>
    return %0 : tensor<1x2x5x5xi8>
  }
}

