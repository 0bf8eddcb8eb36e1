module {
  func.func @main(%arg0: tensor<1x8x9x2xi8>, %arg1: tensor<4x4x3x2xi8>, %arg2: tensor<4xi32>) -> tensor<1x2x3x4xi32> {
    %0 = tosa.conv2d %arg0, %arg1, %arg2 {dilation = array<i64: 2, 3>, pad = array<i64: 1, 0, 1, 1>, quantization_info = #tosa.conv_quant<input_zp = -128, weight_zp = -1>, stride = array<i64: 2, 2>} : (tensor<1x8x9x2xi8>, tensor<4x4x3x2xi8>, tensor<4xi32>) -> tensor<1x2x3x4xi32>
    return %0 : tensor<1x2x3x4xi32>
  }
}

