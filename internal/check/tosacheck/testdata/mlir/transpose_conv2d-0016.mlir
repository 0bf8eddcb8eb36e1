module {
  func.func @main(%arg0: tensor<1x3x1x3xi8>, %arg1: tensor<1x1x3x3xi4>, %arg2: tensor<1xi32>) -> tensor<1x8x3x1xi32> {
    %0 = tosa.transpose_conv2d %arg0, %arg1, %arg2 {out_pad = array<i64: 1, 2, 2, -2>, out_shape = array<i64: 1, 8, 3, 1>, quantization_info = #tosa.conv_quant<input_zp = -37, weight_zp = 0>, stride = array<i64: 2, 3>} : (tensor<1x3x1x3xi8>, tensor<1x1x3x3xi4>, tensor<1xi32>) -> tensor<1x8x3x1xi32>
    return %0 : tensor<1x8x3x1xi32>
  }
}

