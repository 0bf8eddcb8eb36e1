module {
  func.func @main(%arg0: tensor<5xi8>, %arg1: tensor<5xi8>) -> tensor<5xi8> {
    %0 = tosa.logical_right_shift %arg0, %arg1 : (tensor<5xi8>, tensor<5xi8>) -> tensor<5xi8>
    return %0 : tensor<5xi8>
  }
}

