module {
  func.func @main(%arg0: tensor<5x6xi16>) -> tensor<10x6xi16> {
    %0 = tosa.tile %arg0 {multiples = array<i64: 2, 1>} : (tensor<5x6xi16>) -> tensor<10x6xi16>
    return %0 : tensor<10x6xi16>
  }
}

