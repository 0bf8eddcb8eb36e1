module {
  func.func @main(%arg0: tensor<4x1x2xi32>) -> tensor<4x1x2xi32> {
    %0 = tosa.reverse %arg0 {axis = 2 : i32} : (tensor<4x1x2xi32>) -> tensor<4x1x2xi32>
    return %0 : tensor<4x1x2xi32>
  }
}

