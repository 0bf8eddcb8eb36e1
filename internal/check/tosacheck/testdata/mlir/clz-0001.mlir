module {
  func.func @main(%arg0: tensor<3xi32>) -> tensor<3xi32> {
    %0 = tosa.clz %arg0 : (tensor<3xi32>) -> tensor<3xi32>
    return %0 : tensor<3xi32>
  }
}

