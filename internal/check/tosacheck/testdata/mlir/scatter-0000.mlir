module {
  func.func @main(%arg0: tensor<3x1x2xi8>, %arg1: tensor<3x1xi32>, %arg2: tensor<3x1x2xi8>) -> tensor<3x1x2xi8> {
    %0 = tosa.scatter %arg0, %arg1, %arg2 : (tensor<3x1x2xi8>, tensor<3x1xi32>, tensor<3x1x2xi8>) -> tensor<3x1x2xi8>
    return %0 : tensor<3x1x2xi8>
  }
}

