module {
  func.func @main(%arg0: tensor<2x1x6xi8>) -> tensor<2x1x6xi1> {
    %0 = tosa.cast %arg0 : (tensor<2x1x6xi8>) -> tensor<2x1x6xi1>
    return %0 : tensor<2x1x6xi1>
  }
}

