module {
  func.func @main(%arg0: tensor<7xi8>) -> tensor<7xi8> {
    %0 = tosa.rescale %arg0 {double_round = false, input_unsigned = false, input_zp = 0 : i32, multiplier = array<i32: 32767, 4975, 32767, 30653, 32767, 30520, 8603>, output_unsigned = false, output_zp = 127 : i32, per_channel = true, scale32 = false, shift = array<i8: 31, 39, 14, 35, 14, 17, 25>} : (tensor<7xi8>) -> tensor<7xi8>
    return %0 : tensor<7xi8>
  }
}

