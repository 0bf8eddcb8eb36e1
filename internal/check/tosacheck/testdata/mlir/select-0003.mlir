module {
  func.func @main(%arg0: tensor<1x6x5xi1>, %arg1: tensor<6x6x1xi32>, %arg2: tensor<6x1x5xi32>) -> tensor<6x6x5xi32> {
    %0 = tosa.select %arg0, %arg1, %arg2 : (tensor<1x6x5xi1>, tensor<6x6x1xi32>, tensor<6x1x5xi32>) -> tensor<6x6x5xi32>
    return %0 : tensor<6x6x5xi32>
  }
}

