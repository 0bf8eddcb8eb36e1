module {
  func.func @main(%arg0: tensor<5x1x2xi1>) -> tensor<5x1x2xi1> {
    %0 = tosa.reverse %arg0 {axis = 2 : i32} : (tensor<5x1x2xi1>) -> tensor<5x1x2xi1>
    return %0 : tensor<5x1x2xi1>
  }
}

