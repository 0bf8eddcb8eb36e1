module {
  func.func @main(%arg0: tensor<5x6x2xi8>) -> tensor<5x12xi8> {
    %0 = tosa.reshape %arg0 {new_shape = array<i64: 5, 12>} : (tensor<5x6x2xi8>) -> tensor<5x12xi8>
    return %0 : tensor<5x12xi8>
  }
}

