module {
  func.func @main(%arg0: tensor<1xi8>, %arg1: tensor<1xi8>) -> tensor<1xi8> {
    %0 = tosa.logical_left_shift %arg0, %arg1 : (tensor<1xi8>, tensor<1xi8>) -> tensor<1xi8>
    return %0 : tensor<1xi8>
  }
}

