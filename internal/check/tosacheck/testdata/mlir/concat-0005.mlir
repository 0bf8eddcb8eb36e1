module {
  func.func @main(%arg0: tensor<6x5xi8>, %arg1: tensor<6x5xi8>) -> tensor<6x10xi8> {
    %0 = tosa.concat %arg0, %arg1 {axis = 1 : i32} : (tensor<6x5xi8>, tensor<6x5xi8>) -> tensor<6x10xi8>
    return %0 : tensor<6x10xi8>
  }
}

