module {
  func.func @main(%arg0: tensor<7x1xi1>) -> tensor<7x1xi8> {
    %0 = tosa.cast %arg0 : (tensor<7x1xi1>) -> tensor<7x1xi8>
    return %0 : tensor<7x1xi8>
  }
}

