#include "tensorflow/lite/micro/kernels/depthwise_conv.h"

#include "arcq_tflm.h"

namespace tflite {
namespace {

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  return arcq::PrepareConvolution<TfLiteDepthwiseConvParams, OpDataConv>(context, node, "DEPTHWISE_CONV_2D", DepthwiseConvPrepare, true,
                                                                         kTfLiteInt64);
}

}  // namespace

TFLMRegistration Register_DEPTHWISE_CONV_2D() { return arcq::Register(Prepare); }

}  // namespace tflite
