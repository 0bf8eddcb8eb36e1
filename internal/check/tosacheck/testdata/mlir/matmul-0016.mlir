module {
  func.func @main(%arg0: tensor<1x6x31xi16>, %arg1: tensor<1x31x6xi16>) -> tensor<1x6x6xi48> {
    %0 = tosa.matmul %arg0, %arg1 {quantization_info = #tosa.matmul_quant<a_zp = 0, b_zp = 0>} : (tensor<1x6x31xi16>, tensor<1x31x6xi16>) -> tensor<1x6x6xi48>
    return %0 : tensor<1x6x6xi48>
  }
}

