module {
  func.func @main(%arg0: tensor<1x3x6x5xi8>, %arg1: tensor<4x3x1x5xi4>, %arg2: tensor<4xi32>) -> tensor<1x2x7x4xi32> {
    %0 = tosa.conv2d %arg0, %arg1, %arg2 {dilation = array<i64: 2, 3>, pad = array<i64: 3, 0, 1, 0>, quantization_info = #tosa.conv_quant<input_zp = -128, weight_zp = 0>, stride = array<i64: 1, 1>} : (tensor<1x3x6x5xi8>, tensor<4x3x1x5xi4>, tensor<4xi32>) -> tensor<1x2x7x4xi32>
    return %0 : tensor<1x2x7x4xi32>
  }
}

