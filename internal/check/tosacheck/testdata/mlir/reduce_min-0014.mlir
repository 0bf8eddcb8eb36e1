module {
  func.func @main(%arg0: tensor<5x3x6xi16>) -> tensor<5x1x6xi16> {
    %0 = tosa.reduce_min %arg0 {axis = 1 : i32} : (tensor<5x3x6xi16>) -> tensor<5x1x6xi16>
    return %0 : tensor<5x1x6xi16>
  }
}

