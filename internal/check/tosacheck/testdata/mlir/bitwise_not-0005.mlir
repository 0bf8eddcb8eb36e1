module {
  func.func @main(%arg0: tensor<1xi16>) -> tensor<1xi16> {
    %0 = tosa.bitwise_not %arg0 : (tensor<1xi16>) -> tensor<1xi16>
    return %0 : tensor<1xi16>
  }
}

