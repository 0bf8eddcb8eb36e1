module {
  func.func @main(%arg0: tensor<1xi32>, %arg1: tensor<1xi32>) -> tensor<1xi1> {
    %0 = tosa.greater_equal %arg0, %arg1 : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    return %0 : tensor<1xi1>
  }
}

