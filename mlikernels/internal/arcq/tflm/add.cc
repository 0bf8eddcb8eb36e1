#include "tensorflow/lite/micro/kernels/add.h"

#include "arcq_tflm.h"

namespace tflite {
namespace {

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  return arcq::PrepareSum<OpDataAdd>(context, node, "ADD", AddPrepare, arcq_prepare_add);
}

}  // namespace

TFLMRegistration Register_ADD() { return arcq::Register(Prepare); }

}  // namespace tflite
