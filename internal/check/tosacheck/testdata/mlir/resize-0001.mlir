module {
  func.func @main(%arg0: tensor<1x3x5x2xi8>) -> tensor<1x3x5x2xi8> {
    %0 = tosa.resize %arg0 {border = array<i64: 0, 0>, mode = "NEAREST_NEIGHBOR", offset = array<i64: 0, 0>, scale = array<i64: 2, 2, 2, 2>} : (tensor<1x3x5x2xi8>) -> tensor<1x3x5x2xi8>
    return %0 : tensor<1x3x5x2xi8>
  }
}

