module {
  func.func @main(%arg0: tensor<1x5x1x6xi8>, %arg1: tensor<1x1x6x6xi8>) -> tensor<1x5x6x6xi8> {
    %0 = tosa.logical_right_shift %arg0, %arg1 : (tensor<1x5x1x6xi8>, tensor<1x1x6x6xi8>) -> tensor<1x5x6x6xi8>
    return %0 : tensor<1x5x6x6xi8>
  }
}

