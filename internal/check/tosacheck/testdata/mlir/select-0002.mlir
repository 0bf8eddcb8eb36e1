module {
  func.func @main(%arg0: tensor<1x5x5x1xi1>, %arg1: tensor<1x1x1x7xi8>, %arg2: tensor<1x5x5x1xi8>) -> tensor<1x5x5x7xi8> {
    %0 = tosa.select %arg0, %arg1, %arg2 : (tensor<1x5x5x1xi1>, tensor<1x1x1x7xi8>, tensor<1x5x5x1xi8>) -> tensor<1x5x5x7xi8>
    return %0 : tensor<1x5x5x7xi8>
  }
}

