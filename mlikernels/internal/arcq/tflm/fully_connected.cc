#include "tensorflow/lite/micro/kernels/fully_connected.h"

#include "arcq_tflm.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/micro/kernels/kernel_util.h"

namespace tflite {
namespace {

struct OpData {
  OpDataFullyConnected reference;
  arcq::Prepared prepared;
};

void* Init(TfLiteContext* context, const char*, size_t) {
  return context->AllocatePersistentBuffer(context, sizeof(OpData));
}

TfLiteStatus Fill(TfLiteContext* context, TfLiteNode* node, const TfLiteTensor* input, const TfLiteTensor* filter,
                  const TfLiteTensor* bias, TfLiteTensor* output) {
  OpData* data = static_cast<OpData*>(node->user_data);
  const auto& params = *static_cast<const TfLiteFullyConnectedParams*>(node->builtin_data);
  if (input->type != kTfLiteInt8 || filter->type != kTfLiteInt8) return arcq::Unsupported("FULLY_CONNECTED", input, filter);
  TF_LITE_ENSURE_OK(context, CalculateOpDataFullyConnected(context, params.activation, input->type, input, filter, bias, output,
                                                           &data->reference));
  arcq_product c = {};
  c.outputs = filter->dims->data[0];
  c.inputs = filter->dims->data[1];
  c.rows = NumElements(output) / c.outputs;
  c.weights = GetTensorData<int8_t>(filter);
  c.bias = bias == nullptr ? nullptr : GetTensorData<int32_t>(bias);
  const int32_t shift = data->reference.output_shift;
  c.per_channel = data->reference.is_per_channel;
  c.multipliers = c.per_channel ? data->reference.per_channel_output_multiplier : &data->reference.output_multiplier;
  c.shifts = c.per_channel ? data->reference.per_channel_output_shift : &shift;
  c.in_zero = data->reference.input_zero_point;
  c.weight_zero = data->reference.filter_zero_point;
  c.out_zero = data->reference.output_zero_point;
  c.limits.least = data->reference.output_activation_min;
  c.limits.greatest = data->reference.output_activation_max;
  const arcq_memory memory = arcq::Memory(context);
  return arcq::Finish(context, "FULLY_CONNECTED", arcq_prepare_product(&c, &memory, &data->prepared.glue), &data->prepared);
}

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  MicroContext* micro = GetMicroContext(context);
  TfLiteTensor* input = micro->AllocateTempInputTensor(node, kFullyConnectedInputTensor);
  TfLiteTensor* filter = micro->AllocateTempInputTensor(node, kFullyConnectedWeightsTensor);
  TfLiteTensor* bias = micro->AllocateTempInputTensor(node, kFullyConnectedBiasTensor);
  TfLiteTensor* output = micro->AllocateTempOutputTensor(node, kFullyConnectedOutputTensor);
  TF_LITE_ENSURE(context, input != nullptr && filter != nullptr && output != nullptr);
  const TfLiteStatus status = Fill(context, node, input, filter, bias, output);
  micro->DeallocateTempTfLiteTensor(output);
  if (bias != nullptr) micro->DeallocateTempTfLiteTensor(bias);
  micro->DeallocateTempTfLiteTensor(filter);
  micro->DeallocateTempTfLiteTensor(input);
  return status;
}

TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) {
  const OpData& data = *static_cast<const OpData*>(node->user_data);
  return arcq::Run(context, data.prepared, micro::GetEvalInput(context, node, kFullyConnectedInputTensor)->data.data, nullptr,
                   micro::GetEvalOutput(context, node, kFullyConnectedOutputTensor)->data.data, nullptr);
}

}  // namespace

TFLMRegistration Register_FULLY_CONNECTED() { return micro::RegisterOp(Init, Prepare, Eval); }

}  // namespace tflite
