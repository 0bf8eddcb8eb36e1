module {
  func.func @main(%arg0: tensor<2x1x5x2xi8>, %arg1: tensor<2x4x2x2xi4>, %arg2: tensor<4xi32>) -> tensor<2x1x3x4xi32> {
    %0 = tosa.depthwise_conv2d %arg0, %arg1, %arg2 {dilation = array<i64: 2, 1>, pad = array<i64: 2, 0, 4, 1>, quantization_info = #tosa.conv_quant<input_zp = -128, weight_zp = 0>, stride = array<i64: 3, 3>} : (tensor<2x1x5x2xi8>, tensor<2x4x2x2xi4>, tensor<4xi32>) -> tensor<2x1x3x4xi32>
    return %0 : tensor<2x1x3x4xi32>
  }
}

