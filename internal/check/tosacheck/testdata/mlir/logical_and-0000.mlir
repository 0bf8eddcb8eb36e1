module {
  func.func @main(%arg0: tensor<2x1xi1>, %arg1: tensor<2x6xi1>) -> tensor<2x6xi1> {
    %0 = tosa.logical_and %arg0, %arg1 : (tensor<2x1xi1>, tensor<2x6xi1>) -> tensor<2x6xi1>
    return %0 : tensor<2x6xi1>
  }
}

