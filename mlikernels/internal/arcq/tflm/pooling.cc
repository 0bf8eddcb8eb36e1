#include "tensorflow/lite/micro/kernels/pooling.h"

#include "arcq_tflm.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/micro/kernels/kernel_util.h"

namespace tflite {
namespace {

struct OpData {
  OpDataPooling reference;
  arcq::Prepared prepared;
};

void* Init(TfLiteContext* context, const char*, size_t) {
  return context->AllocatePersistentBuffer(context, sizeof(OpData));
}

TfLiteStatus Fill(TfLiteContext* context, TfLiteNode* node, const char* name, bool greatest, const TfLiteTensor* input,
                  const TfLiteTensor* output) {
  OpData* data = static_cast<OpData*>(node->user_data);
  const auto& params = *static_cast<const TfLitePoolParams*>(node->builtin_data);
  if (input->type != kTfLiteInt8 && input->type != kTfLiteInt16) return arcq::Unsupported(name, input, output);
  arcq_pool c = {};
  c.in = arcq::Map(input);
  c.out = arcq::Map(output);
  c.window.rows = params.filter_height;
  c.window.columns = params.filter_width;
  c.window.stride_rows = params.stride_height;
  c.window.stride_columns = params.stride_width;
  c.window.pad_rows = data->reference.padding.height;
  c.window.pad_columns = data->reference.padding.width;
  c.greatest = greatest;
  c.halves = input->type == kTfLiteInt16;
  c.limits.least = data->reference.activation_min;
  c.limits.greatest = data->reference.activation_max;
  const arcq_memory memory = arcq::Memory(context);
  return arcq::Finish(context, name, arcq_prepare_pool(&c, &memory, &data->prepared.glue), &data->prepared);
}

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node, const char* name, bool greatest) {
  TF_LITE_ENSURE_OK(context, PoolingPrepare(context, node));
  MicroContext* micro = GetMicroContext(context);
  TfLiteTensor* input = micro->AllocateTempInputTensor(node, kPoolingInputTensor);
  TfLiteTensor* output = micro->AllocateTempOutputTensor(node, kPoolingOutputTensor);
  const TfLiteStatus status = Fill(context, node, name, greatest, input, output);
  micro->DeallocateTempTfLiteTensor(output);
  micro->DeallocateTempTfLiteTensor(input);
  return status;
}

TfLiteStatus PrepareAverage(TfLiteContext* context, TfLiteNode* node) { return Prepare(context, node, "AVERAGE_POOL_2D", false); }
TfLiteStatus PrepareMax(TfLiteContext* context, TfLiteNode* node) { return Prepare(context, node, "MAX_POOL_2D", true); }

TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) {
  const OpData& data = *static_cast<const OpData*>(node->user_data);
  return arcq::Run(context, data.prepared, micro::GetEvalInput(context, node, kPoolingInputTensor)->data.data, nullptr,
                   micro::GetEvalOutput(context, node, kPoolingOutputTensor)->data.data, nullptr);
}

}  // namespace

TFLMRegistration Register_AVERAGE_POOL_2D() { return micro::RegisterOp(Init, PrepareAverage, Eval); }
TFLMRegistration Register_MAX_POOL_2D() { return micro::RegisterOp(Init, PrepareMax, Eval); }

}  // namespace tflite
