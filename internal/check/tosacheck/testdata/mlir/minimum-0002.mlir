module {
  func.func @main(%arg0: tensor<2x3x1xi32>, %arg1: tensor<1x1x1xi32>) -> tensor<2x3x1xi32> {
    %0 = tosa.minimum %arg0, %arg1 : (tensor<2x3x1xi32>, tensor<1x1x1xi32>) -> tensor<2x3x1xi32>
    return %0 : tensor<2x3x1xi32>
  }
}

