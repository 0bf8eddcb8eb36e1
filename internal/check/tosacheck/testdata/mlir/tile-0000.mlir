module {
  func.func @main(%arg0: tensor<6x6xi1>) -> tensor<12x18xi1> {
    %0 = tosa.tile %arg0 {multiples = array<i64: 2, 3>} : (tensor<6x6xi1>) -> tensor<12x18xi1>
    return %0 : tensor<12x18xi1>
  }
}

