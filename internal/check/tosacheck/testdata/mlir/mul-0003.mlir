module {
  func.func @main(%arg0: tensor<6x1x1x2xi8>, %arg1: tensor<6x5x1x2xi8>) -> tensor<6x5x1x2xi32> {
    %0 = tosa.mul %arg0, %arg1 {shift = 0 : i8} : (tensor<6x1x1x2xi8>, tensor<6x5x1x2xi8>) -> tensor<6x5x1x2xi32>
    return %0 : tensor<6x5x1x2xi32>
  }
}

