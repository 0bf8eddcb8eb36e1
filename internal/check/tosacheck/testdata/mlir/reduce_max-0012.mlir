module {
  func.func @main(%arg0: tensor<3xi16>) -> tensor<1xi16> {
    %0 = tosa.reduce_max %arg0 {axis = 0 : i32} : (tensor<3xi16>) -> tensor<1xi16>
    return %0 : tensor<1xi16>
  }
}

