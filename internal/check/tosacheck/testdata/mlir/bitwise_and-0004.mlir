module {
  func.func @main(%arg0: tensor<4x7x1x2xi8>, %arg1: tensor<1x7x1x1xi8>) -> tensor<4x7x1x2xi8> {
    %0 = tosa.bitwise_and %arg0, %arg1 : (tensor<4x7x1x2xi8>, tensor<1x7x1x1xi8>) -> tensor<4x7x1x2xi8>
    return %0 : tensor<4x7x1x2xi8>
  }
}

