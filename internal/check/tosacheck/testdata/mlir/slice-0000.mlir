module {
  func.func @main(%arg0: tensor<3x3xi1>) -> tensor<1x1xi1> {
    %0 = tosa.slice %arg0 {size = array<i64: 1, 1>, start = array<i64: 0, 2>} : (tensor<3x3xi1>) -> tensor<1x1xi1>
    return %0 : tensor<1x1xi1>
  }
}

