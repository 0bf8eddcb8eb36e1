module {
  func.func @main(%arg0: tensor<2x2x3x1xi8>, %arg1: tensor<3x1x2x1xi8>, %arg2: tensor<3xi32>) -> tensor<2x6x12x3xi32> {
    %0 = tosa.transpose_conv2d %arg0, %arg1, %arg2 {out_pad = array<i64: 1, 1, 2, 2>, out_shape = array<i64: 2, 6, 12, 3>, quantization_info = #tosa.conv_quant<input_zp = -128, weight_zp = 127>, stride = array<i64: 3, 3>} : (tensor<2x2x3x1xi8>, tensor<3x1x2x1xi8>, tensor<3xi32>) -> tensor<2x6x12x3xi32>
    return %0 : tensor<2x6x12x3xi32>
  }
}

