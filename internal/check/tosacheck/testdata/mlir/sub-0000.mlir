module {
  func.func @main(%arg0: tensor<1x2x1x3xi32>, %arg1: tensor<1x2x7x1xi32>) -> tensor<1x2x7x3xi32> {
    %0 = tosa.sub %arg0, %arg1 : (tensor<1x2x1x3xi32>, tensor<1x2x7x1xi32>) -> tensor<1x2x7x3xi32>
    return %0 : tensor<1x2x7x3xi32>
  }
}

