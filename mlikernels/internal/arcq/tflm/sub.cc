#include "tensorflow/lite/micro/kernels/sub.h"

#include "arcq_tflm.h"

namespace tflite {
namespace {

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  return arcq::PrepareSum<OpDataSub>(context, node, "SUB", SubPrepare, arcq_prepare_sub);
}

}  // namespace

TFLMRegistration Register_SUB() { return arcq::Register(Prepare); }

}  // namespace tflite
