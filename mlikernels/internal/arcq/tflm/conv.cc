#include "tensorflow/lite/micro/kernels/conv.h"

#include "arcq_tflm.h"

namespace tflite {
namespace {

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  const auto& options = *static_cast<const TfLiteConvParams*>(node->builtin_data);
  return arcq::PrepareConvolution<TfLiteConvParams, OpDataConv>(context, node, "CONV_2D", ConvPrepare, false, options.quantized_bias_type);
}

}  // namespace

TFLMRegistration Register_CONV_2D() { return arcq::Register(Prepare); }

}  // namespace tflite
