module {
  func.func @main(%arg0: tensor<1x3x2x4x5xi8>, %arg1: tensor<4x3x1x3x5xi8>, %arg2: tensor<4xi32>) -> tensor<1x1x2x3x4xi32> {
    %0 = tosa.conv3d %arg0, %arg1, %arg2 {dilation = array<i64: 3, 2, 1>, pad = array<i64: 2, 2, 1, 0, 3, 0>, quantization_info = #tosa.conv_quant<input_zp = 127, weight_zp = -128>, stride = array<i64: 3, 2, 2>} : (tensor<1x3x2x4x5xi8>, tensor<4x3x1x3x5xi8>, tensor<4xi32>) -> tensor<1x1x2x3x4xi32>
    return %0 : tensor<1x1x2x3x4xi32>
  }
}

