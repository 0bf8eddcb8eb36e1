module {
  func.func @main(%arg0: tensor<4x6xi8>) -> tensor<4x1xi8> {
    %0 = tosa.reduce_min %arg0 {axis = 1 : i32} : (tensor<4x6xi8>) -> tensor<4x1xi8>
    return %0 : tensor<4x1xi8>
  }
}

