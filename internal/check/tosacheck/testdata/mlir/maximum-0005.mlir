module {
  func.func @main(%arg0: tensor<2x1x1x5xi32>, %arg1: tensor<1x2x1x5xi32>) -> tensor<2x2x1x5xi32> {
    %0 = tosa.maximum %arg0, %arg1 : (tensor<2x1x1x5xi32>, tensor<1x2x1x5xi32>) -> tensor<2x2x1x5xi32>
    return %0 : tensor<2x2x1x5xi32>
  }
}

