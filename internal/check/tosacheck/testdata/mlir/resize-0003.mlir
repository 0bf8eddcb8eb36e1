module {
  func.func @main(%arg0: tensor<1x5x3x1xi8>) -> tensor<1x6x9x1xi8> {
    %0 = tosa.resize %arg0 {border = array<i64: 0, 0>, mode = "NEAREST_NEIGHBOR", offset = array<i64: 0, 0>, scale = array<i64: 10, 8, 16, 4>} : (tensor<1x5x3x1xi8>) -> tensor<1x6x9x1xi8>
    return %0 : tensor<1x6x9x1xi8>
  }
}

