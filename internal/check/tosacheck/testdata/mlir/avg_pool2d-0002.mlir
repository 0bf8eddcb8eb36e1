module {
  func.func @main(%arg0: tensor<1x1x7x8xi8>) -> tensor<1x1x2x8xi8> {
    %0 = tosa.avg_pool2d %arg0 {acc_type = i32, kernel = array<i64: 1, 6>, pad = array<i64: 0, 0, 2, 0>, quantization_info = #tosa.unary_quant<input_zp = -1, output_zp = 1>, stride = array<i64: 2, 3>} : (tensor<1x1x7x8xi8>) -> tensor<1x1x2x8xi8>
    return %0 : tensor<1x1x2x8xi8>
  }
}

