module {
  func.func @main(%arg0: tensor<1x5x2xi16>, %arg1: tensor<1x2xi32>) -> tensor<1x2x2xi16> {
    %0 = tosa.gather %arg0, %arg1 : (tensor<1x5x2xi16>, tensor<1x2xi32>) -> tensor<1x2x2xi16>
    return %0 : tensor<1x2x2xi16>
  }
}

