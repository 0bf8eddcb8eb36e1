module {
  func.func @main(%arg0: tensor<2x8x2x1xi8>, %arg1: tensor<1x1x1x3xi8>, %arg2: tensor<3xi32>) -> tensor<2x4x2x3xi32> {
    %0 = tosa.depthwise_conv2d %arg0, %arg1, %arg2 {dilation = array<i64: 3, 1>, pad = array<i64: 1, 1, 0, 2>, quantization_info = #tosa.conv_quant<input_zp = 127, weight_zp = -128>, stride = array<i64: 3, 3>} : (tensor<2x8x2x1xi8>, tensor<1x1x1x3xi8>, tensor<3xi32>) -> tensor<2x4x2x3xi32>
    return %0 : tensor<2x4x2x3xi32>
  }
}

