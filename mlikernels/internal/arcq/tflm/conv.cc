#include "tensorflow/lite/micro/kernels/conv.h"

#include "arcq_tflm.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/micro/kernels/kernel_util.h"

namespace tflite {
namespace {

// What the reference computes comes first: its preparation fills it in.
struct OpData {
  OpDataConv reference;
  arcq::Prepared prepared;
};

void* Init(TfLiteContext* context, const char*, size_t) {
  return context->AllocatePersistentBuffer(context, sizeof(OpData));
}

TfLiteStatus Fill(TfLiteContext* context, TfLiteNode* node, const TfLiteTensor* input, const TfLiteTensor* filter,
                  const TfLiteTensor* bias, const TfLiteTensor* output) {
  OpData* data = static_cast<OpData*>(node->user_data);
  const auto& params = *static_cast<const TfLiteConvParams*>(node->builtin_data);
  if (input->type != kTfLiteInt8 || filter->type != kTfLiteInt8) return arcq::Unsupported("CONV_2D", input, filter);
  arcq_convolution c = {};
  c.in = arcq::Map(input);
  c.out = arcq::Map(output);
  c.window.rows = filter->dims->data[1];
  c.window.columns = filter->dims->data[2];
  c.window.stride_rows = params.stride_height;
  c.window.stride_columns = params.stride_width;
  c.window.pad_rows = data->reference.padding.height;
  c.window.pad_columns = data->reference.padding.width;
  c.window.dilation_rows = params.dilation_height_factor;
  c.window.dilation_columns = params.dilation_width_factor;
  c.depthwise = 0;
  c.weights = GetTensorData<int8_t>(filter);
  c.bias = bias == nullptr ? nullptr : GetTensorData<int32_t>(bias);
  c.multipliers = data->reference.per_channel_output_multiplier;
  c.shifts = data->reference.per_channel_output_shift;
  c.in_zero = data->reference.input_zero_point;
  c.out_zero = data->reference.output_zero_point;
  c.limits.least = data->reference.output_activation_min;
  c.limits.greatest = data->reference.output_activation_max;
  const arcq_memory memory = arcq::Memory(context);
  return arcq::Finish(context, "CONV_2D", arcq_prepare_convolution(&c, &memory, &data->prepared.glue), &data->prepared);
}

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_OK(context, ConvPrepare(context, node));
  MicroContext* micro = GetMicroContext(context);
  TfLiteTensor* input = micro->AllocateTempInputTensor(node, kConvInputTensor);
  TfLiteTensor* filter = micro->AllocateTempInputTensor(node, kConvWeightsTensor);
  TfLiteTensor* bias = micro->AllocateTempInputTensor(node, kConvBiasTensor);
  TfLiteTensor* output = micro->AllocateTempOutputTensor(node, kConvOutputTensor);
  const TfLiteStatus status = Fill(context, node, input, filter, bias, output);
  micro->DeallocateTempTfLiteTensor(output);
  if (bias != nullptr) micro->DeallocateTempTfLiteTensor(bias);
  micro->DeallocateTempTfLiteTensor(filter);
  micro->DeallocateTempTfLiteTensor(input);
  return status;
}

TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) {
  const OpData& data = *static_cast<const OpData*>(node->user_data);
  return arcq::Run(context, data.prepared, micro::GetEvalInput(context, node, kConvInputTensor)->data.data, nullptr,
                   micro::GetEvalOutput(context, node, kConvOutputTensor)->data.data, nullptr);
}

}  // namespace

TFLMRegistration Register_CONV_2D() { return micro::RegisterOp(Init, Prepare, Eval); }

}  // namespace tflite
