module {
  func.func @main(%arg0: tensor<5x4x6xi8>, %arg1: tensor<1x4x6xi8>) -> tensor<5x4x6xi8> {
    %0 = tosa.bitwise_xor %arg0, %arg1 : (tensor<5x4x6xi8>, tensor<1x4x6xi8>) -> tensor<5x4x6xi8>
    return %0 : tensor<5x4x6xi8>
  }
}

