module {
  func.func @main(%arg0: tensor<5x3x1xi16>) -> tensor<5x3xi16> {
    %0 = tosa.reshape %arg0 {new_shape = array<i64: 5, 3>} : (tensor<5x3x1xi16>) -> tensor<5x3xi16>
    return %0 : tensor<5x3xi16>
  }
}

