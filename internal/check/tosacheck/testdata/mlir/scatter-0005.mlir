module {
  func.func @main(%arg0: tensor<1x5x2xi16>, %arg1: tensor<1x5xi32>, %arg2: tensor<1x5x2xi16>) -> tensor<1x5x2xi16> {
    %0 = tosa.scatter %arg0, %arg1, %arg2 : (tensor<1x5x2xi16>, tensor<1x5xi32>, tensor<1x5x2xi16>) -> tensor<1x5x2xi16>
    return %0 : tensor<1x5x2xi16>
  }
}

