module {
  func.func @main(%arg0: tensor<1x2x1x2x3xi32>) -> tensor<1x2x1x2x3xi32> {
    %0 = tosa.reduce_sum %arg0 {axis = 0 : i32} : (tensor<1x2x1x2x3xi32>) -> tensor<1x2x1x2x3xi32>
    return %0 : tensor<1x2x1x2x3xi32>
  }
}

