module {
  func.func @main(%arg0: tensor<4xi16>, %arg1: tensor<4xi16>) -> tensor<4xi16> {
    %0 = tosa.bitwise_and %arg0, %arg1 : (tensor<4xi16>, tensor<4xi16>) -> tensor<4xi16>
    return %0 : tensor<4xi16>
  }
}

