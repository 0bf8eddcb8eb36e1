module {
  func.func @main(%arg0: tensor<3x5x1xi8>) -> tensor<3x5xi32> {
    %0 = tosa.argmax %arg0 {axis = 2 : i32} : (tensor<3x5x1xi8>) -> tensor<3x5xi32>
    return %0 : tensor<3x5xi32>
  }
}

