module {
  func.func @main(%arg0: tensor<1x5x4xi1>) -> tensor<2x6x6xi1> {
    %0 = "tosa.const"() <{value = dense<[[0, 1], [0, 1], [2, 0]]> : tensor<3x2xi32>}> : () -> tensor<3x2xi32>
    %1 = "tosa.const"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %2 = tosa.pad %arg0, %0, %1 : (tensor<1x5x4xi1>, tensor<3x2xi32>, tensor<i1>) -> tensor<2x6x6xi1>
    return %2 : tensor<2x6x6xi1>
  }
}

