module {
  func.func @main(%arg0: tensor<1x7xi8>, %arg1: tensor<2x7xi4>, %arg2: tensor<2xi32>) -> tensor<1x2xi32> {
    %0 = tosa.fully_connected %arg0, %arg1, %arg2 {quantization_info = #tosa.conv_quant<input_zp = -1, weight_zp = 0>} : (tensor<1x7xi8>, tensor<2x7xi4>, tensor<2xi32>) -> tensor<1x2xi32>
    return %0 : tensor<1x2xi32>
  }
}

