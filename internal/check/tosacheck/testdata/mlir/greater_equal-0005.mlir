module {
  func.func @main(%arg0: tensor<4x2x7x2xi32>, %arg1: tensor<4x1x7x1xi32>) -> tensor<4x2x7x2xi1> {
    %0 = tosa.greater_equal %arg0, %arg1 : (tensor<4x2x7x2xi32>, tensor<4x1x7x1xi32>) -> tensor<4x2x7x2xi1>
    return %0 : tensor<4x2x7x2xi1>
  }
}

