module {
  func.func @main(%arg0: tensor<6x4xi8>) -> tensor<6x4xi8> {
    %0 = tosa.negate %arg0 {quantization_info = #tosa.unary_quant<input_zp = -128, output_zp = 127>} : (tensor<6x4xi8>) -> tensor<6x4xi8>
    return %0 : tensor<6x4xi8>
  }
}

