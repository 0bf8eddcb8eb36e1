module {
  func.func @main(%arg0: tensor<1x7xi8>) -> tensor<1x7xi8> {
    %0 = "tosa.const"() <{value = dense<[0, 1]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %1 = tosa.transpose %arg0, %0 : (tensor<1x7xi8>, tensor<2xi32>) -> tensor<1x7xi8>
    return %1 : tensor<1x7xi8>
  }
}

