module {
  func.func @main(%arg0: tensor<1x6x4xi8>, %arg1: tensor<1x5xi32>) -> tensor<1x5x4xi8> {
    %0 = tosa.gather %arg0, %arg1 : (tensor<1x6x4xi8>, tensor<1x5xi32>) -> tensor<1x5x4xi8>
    return %0 : tensor<1x5x4xi8>
  }
}

