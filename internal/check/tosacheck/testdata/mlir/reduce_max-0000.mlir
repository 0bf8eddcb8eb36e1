module {
  func.func @main(%arg0: tensor<2x5x3xi8>) -> tensor<1x5x3xi8> {
    %0 = tosa.reduce_max %arg0 {axis = 0 : i32} : (tensor<2x5x3xi8>) -> tensor<1x5x3xi8>
    return %0 : tensor<1x5x3xi8>
  }
}

