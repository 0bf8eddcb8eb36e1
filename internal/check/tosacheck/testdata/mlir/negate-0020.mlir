module {
  func.func @main(%arg0: tensor<2x5x2xi16>) -> tensor<2x5x2xi16> {
    %0 = tosa.negate %arg0 {quantization_info = #tosa.unary_quant<input_zp = 0, output_zp = 0>} : (tensor<2x5x2xi16>) -> tensor<2x5x2xi16>
    return %0 : tensor<2x5x2xi16>
  }
}

