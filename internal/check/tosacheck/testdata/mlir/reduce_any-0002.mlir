module {
  func.func @main(%arg0: tensor<5x2xi1>) -> tensor<5x1xi1> {
    %0 = tosa.reduce_any %arg0 {axis = 1 : i32} : (tensor<5x2xi1>) -> tensor<5x1xi1>
    return %0 : tensor<5x1xi1>
  }
}

