module {
  func.func @main(%arg0: tensor<3x33xi8>, %arg1: tensor<2x33xi8>, %arg2: tensor<2xi32>) -> tensor<3x2xi32> {
    %0 = tosa.fully_connected %arg0, %arg1, %arg2 {quantization_info = #tosa.conv_quant<input_zp = -128, weight_zp = 127>} : (tensor<3x33xi8>, tensor<2x33xi8>, tensor<2xi32>) -> tensor<3x2xi32>
    return %0 : tensor<3x2xi32>
  }
}

