module {
  func.func @main(%arg0: tensor<4x1x1x2xi8>, %arg1: tensor<4x4x1x1xi8>) -> tensor<4x4x1x2xi8> {
    %0 = tosa.logical_left_shift %arg0, %arg1 : (tensor<4x1x1x2xi8>, tensor<4x4x1x1xi8>) -> tensor<4x4x1x2xi8>
    return %0 : tensor<4x4x1x2xi8>
  }
}

