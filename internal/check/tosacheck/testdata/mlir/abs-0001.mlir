module {
  func.func @main(%arg0: tensor<2x3x5xi32>) -> tensor<2x3x5xi32> {
    %0 = tosa.abs %arg0 : (tensor<2x3x5xi32>) -> tensor<2x3x5xi32>
    return %0 : tensor<2x3x5xi32>
  }
}

