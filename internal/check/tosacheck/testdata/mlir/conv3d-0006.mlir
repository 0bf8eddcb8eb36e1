module {
  func.func @main(%arg0: tensor<2x3x4x5x1xi8>, %arg1: tensor<1x3x2x3x1xi4>, %arg2: tensor<1xi32>) -> tensor<2x1x2x2x1xi32> {
    %0 = tosa.conv3d %arg0, %arg1, %arg2 {dilation = array<i64: 2, 3, 2>, pad = array<i64: 1, 1, 1, 1, 1, 2>, quantization_info = #tosa.conv_quant<input_zp = -128, weight_zp = 0>, stride = array<i64: 2, 2, 3>} : (tensor<2x3x4x5x1xi8>, tensor<1x3x2x3x1xi4>, tensor<1xi32>) -> tensor<2x1x2x2x1xi32>
    return %0 : tensor<2x1x2x2x1xi32>
  }
}

