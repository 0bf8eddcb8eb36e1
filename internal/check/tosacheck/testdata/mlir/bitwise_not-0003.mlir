module {
  func.func @main(%arg0: tensor<3x4x4x1xi8>) -> tensor<3x4x4x1xi8> {
    %0 = tosa.bitwise_not %arg0 : (tensor<3x4x4x1xi8>) -> tensor<3x4x4x1xi8>
    return %0 : tensor<3x4x4x1xi8>
  }
}

