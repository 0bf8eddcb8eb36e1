module {
  func.func @main(%arg0: tensor<3xi1>) -> tensor<3xi1> {
    %0 = "tosa.const"() <{value = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = tosa.transpose %arg0, %0 : (tensor<3xi1>, tensor<1xi32>) -> tensor<3xi1>
    return %1 : tensor<3xi1>
  }
}

