module {
  func.func @main(%arg0: tensor<7x7xi1>, %arg1: tensor<7x1xi1>) -> tensor<7x7xi1> {
    %0 = tosa.logical_or %arg0, %arg1 : (tensor<7x7xi1>, tensor<7x1xi1>) -> tensor<7x7xi1>
    return %0 : tensor<7x7xi1>
  }
}

