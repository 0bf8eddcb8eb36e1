module {
  func.func @main(%arg0: tensor<2x7x1xi8>) -> tensor<2x2x1xi8> {
    %0 = tosa.slice %arg0 {size = array<i64: 2, 2, 1>, start = array<i64: 0, 2, 0>} : (tensor<2x7x1xi8>) -> tensor<2x2x1xi8>
    return %0 : tensor<2x2x1xi8>
  }
}

