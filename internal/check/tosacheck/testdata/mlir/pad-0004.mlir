module {
  func.func @main(%arg0: tensor<7x5x1xi8>) -> tensor<9x8x4xi8> {
    %0 = "tosa.const"() <{value = dense<[[1, 1], [2, 1], [1, 2]]> : tensor<3x2xi32>}> : () -> tensor<3x2xi32>
    %1 = "tosa.const"() <{value = dense<83> : tensor<i8>}> : () -> tensor<i8>
    %2 = tosa.pad %arg0, %0, %1 : (tensor<7x5x1xi8>, tensor<3x2xi32>, tensor<i8>) -> tensor<9x8x4xi8>
    return %2 : tensor<9x8x4xi8>
  }
}

