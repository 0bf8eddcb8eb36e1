module {
  func.func @main(%arg0: tensor<3x1x1xi8>, %arg1: tensor<3x1x1xi8>) -> tensor<3x1x1xi8> {
    %0 = tosa.bitwise_xor %arg0, %arg1 : (tensor<3x1x1xi8>, tensor<3x1x1xi8>) -> tensor<3x1x1xi8>
    return %0 : tensor<3x1x1xi8>
  }
}

