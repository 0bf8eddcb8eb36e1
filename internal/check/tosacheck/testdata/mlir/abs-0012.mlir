module {
  func.func @main(%arg0: tensor<i32>) -> tensor<i32> {
    %0 = tosa.abs %arg0 : (tensor<i32>) -> tensor<i32>
    return %0 : tensor<i32>
  }
}

