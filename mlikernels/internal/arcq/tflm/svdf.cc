#include "tensorflow/lite/micro/kernels/svdf.h"

#include "arcq_tflm.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/micro/kernels/kernel_util.h"

namespace tflite {
namespace {

struct OpData {
  OpDataSvdf reference;
  arcq::Prepared prepared;
};

void* Init(TfLiteContext* context, const char*, size_t) {
  return context->AllocatePersistentBuffer(context, sizeof(OpData));
}

TfLiteStatus Fill(TfLiteContext* context, TfLiteNode* node, const TfLiteTensor* input, const TfLiteTensor* feature,
                  const TfLiteTensor* time, const TfLiteTensor* bias, const TfLiteTensor* output) {
  OpData* data = static_cast<OpData*>(node->user_data);
  if (input->type != kTfLiteInt8 || feature->type != kTfLiteInt8) return arcq::Unsupported("SVDF", input, feature);
  arcq_svdf c = {};
  c.batches = input->dims->data[0];
  c.inputs = input->dims->data[1];
  c.filters = feature->dims->data[0];
  c.outputs = output->dims->data[1];
  c.cells = time->dims->data[1];
  c.halves = time->type == kTfLiteInt16;
  c.weights_feature = GetTensorData<int8_t>(feature);
  c.weights_time = time->data.data;
  c.bias = bias == nullptr ? nullptr : GetTensorData<int32_t>(bias);
  c.in_zero = data->reference.input_zero_point;
  c.state_zero = data->reference.activation_state_zero_point;
  c.out_zero = data->reference.output_zero_point;
  c.feature_multiplier = data->reference.effective_scale_1_a;
  c.feature_shift = data->reference.effective_scale_1_b;
  c.time_multiplier = data->reference.effective_scale_2_a;
  c.time_shift = data->reference.effective_scale_2_b;
  const arcq_memory memory = arcq::Memory(context);
  return arcq::Finish(context, "SVDF", arcq_prepare_svdf(&c, &memory, &data->prepared.glue), &data->prepared);
}

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_OK(context, PrepareSvdf(context, node));
  MicroContext* micro = GetMicroContext(context);
  TfLiteTensor* input = micro->AllocateTempInputTensor(node, kSvdfInputTensor);
  TfLiteTensor* feature = micro->AllocateTempInputTensor(node, kSvdfWeightsFeatureTensor);
  TfLiteTensor* time = micro->AllocateTempInputTensor(node, kSvdfWeightsTimeTensor);
  TfLiteTensor* bias = micro->AllocateTempInputTensor(node, kSvdfBiasTensor);
  TfLiteTensor* output = micro->AllocateTempOutputTensor(node, kSvdfOutputTensor);
  const TfLiteStatus status = Fill(context, node, input, feature, time, bias, output);
  micro->DeallocateTempTfLiteTensor(output);
  if (bias != nullptr) micro->DeallocateTempTfLiteTensor(bias);
  micro->DeallocateTempTfLiteTensor(time);
  micro->DeallocateTempTfLiteTensor(feature);
  micro->DeallocateTempTfLiteTensor(input);
  return status;
}

TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) {
  const OpData& data = *static_cast<const OpData*>(node->user_data);
  return arcq::Run(context, data.prepared, micro::GetEvalInput(context, node, kSvdfInputTensor)->data.data, nullptr,
                   micro::GetEvalOutput(context, node, kSvdfOutputTensor)->data.data,
                   micro::GetMutableEvalInput(context, node, kSvdfInputActivationStateTensor)->data.data);
}

}  // namespace

TFLMRegistration Register_SVDF() { return micro::RegisterOp(Init, Prepare, Eval); }

}  // namespace tflite
