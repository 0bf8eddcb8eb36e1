module {
  func.func @main(%arg0: tensor<4x1xi8>, %arg1: tensor<4x3xi8>) -> tensor<4x3xi8> {
    %0 = tosa.arithmetic_right_shift %arg0, %arg1 {round = false} : (tensor<4x1xi8>, tensor<4x3xi8>) -> tensor<4x3xi8>
    return %0 : tensor<4x3xi8>
  }
}

