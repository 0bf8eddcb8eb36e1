module {
  func.func @main(%arg0: tensor<1xi8>, %arg1: tensor<7xi8>) -> tensor<7xi8> {
    %0 = tosa.bitwise_or %arg0, %arg1 : (tensor<1xi8>, tensor<7xi8>) -> tensor<7xi8>
    return %0 : tensor<7xi8>
  }
}

