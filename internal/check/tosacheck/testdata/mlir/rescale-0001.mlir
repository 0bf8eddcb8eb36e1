module {
  func.func @main(%arg0: tensor<4x3xi8>) -> tensor<4x3xi8> {
    %0 = tosa.rescale %arg0 {double_round = false, input_unsigned = false, input_zp = -1 : i32, multiplier = array<i32: 13107>, output_unsigned = false, output_zp = 5 : i32, per_channel = false, scale32 = false, shift = array<i8: 14>} : (tensor<4x3xi8>) -> tensor<4x3xi8>
    return %0 : tensor<4x3xi8>
  }
}

