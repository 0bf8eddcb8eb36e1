module {
  func.func @main(%arg0: tensor<1x2xi1>, %arg1: tensor<1x2xi1>) -> tensor<1x2xi1> {
    %0 = tosa.logical_and %arg0, %arg1 : (tensor<1x2xi1>, tensor<1x2xi1>) -> tensor<1x2xi1>
    return %0 : tensor<1x2xi1>
  }
}

