module {
  func.func @main(%arg0: tensor<2x7x7xi1>) -> tensor<2x7x7xi1> {
    %0 = tosa.concat %arg0 {axis = 0 : i32} : (tensor<2x7x7xi1>) -> tensor<2x7x7xi1>
    return %0 : tensor<2x7x7xi1>
  }
}

