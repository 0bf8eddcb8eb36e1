#include "tensorflow/lite/micro/kernels/softmax.h"

#include "arcq_tflm.h"
#include "tensorflow/lite/kernels/internal/types.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/micro/kernels/kernel_util.h"

namespace tflite {
namespace {

struct OpData {
  SoftmaxParams reference;
  arcq::Prepared prepared;
};

void* Init(TfLiteContext* context, const char*, size_t) {
  return context->AllocatePersistentBuffer(context, sizeof(OpData));
}

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_OK(context, SoftmaxPrepare(context, node));
  OpData* data = static_cast<OpData*>(node->user_data);
  MicroContext* micro = GetMicroContext(context);
  TfLiteTensor* input = micro->AllocateTempInputTensor(node, 0);
  TfLiteTensor* output = micro->AllocateTempOutputTensor(node, 0);
  TfLiteStatus status = kTfLiteError;
  if (input->type == kTfLiteInt8) {
    arcq_softmax c = {};
    c.count = input->dims->data[input->dims->size - 1];
    c.rows = NumElements(input) / c.count;
    c.halves = output->type == kTfLiteInt16;
    c.multiplier = data->reference.input_multiplier;
    c.shift = data->reference.input_left_shift;
    c.least_difference = data->reference.diff_min;
    const arcq_memory memory = arcq::Memory(context);
    status = arcq::Finish(context, "SOFTMAX", arcq_prepare_softmax(&c, &memory, &data->prepared.glue), &data->prepared);
  } else {
    status = arcq::Unsupported("SOFTMAX", input, output);
  }
  micro->DeallocateTempTfLiteTensor(output);
  micro->DeallocateTempTfLiteTensor(input);
  return status;
}

TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) {
  const OpData& data = *static_cast<const OpData*>(node->user_data);
  return arcq::Run(context, data.prepared, micro::GetEvalInput(context, node, 0)->data.data, nullptr,
                   micro::GetEvalOutput(context, node, 0)->data.data, nullptr);
}

}  // namespace

TFLMRegistration Register_SOFTMAX() { return micro::RegisterOp(Init, Prepare, Eval); }

}  // namespace tflite
