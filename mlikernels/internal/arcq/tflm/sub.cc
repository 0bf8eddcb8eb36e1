#include "tensorflow/lite/micro/kernels/sub.h"

#include "arcq_tflm.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/micro/kernels/kernel_util.h"

namespace tflite {
namespace {

struct OpData {
  OpDataSub reference;
  arcq::Prepared prepared;
};

void* Init(TfLiteContext* context, const char*, size_t) {
  return context->AllocatePersistentBuffer(context, sizeof(OpData));
}

TfLiteStatus Fill(TfLiteContext* context, TfLiteNode* node, const TfLiteTensor* input1, const TfLiteTensor* input2,
                  const TfLiteTensor* output) {
  OpData* data = static_cast<OpData*>(node->user_data);
  const OpDataSub& r = data->reference;
  arcq_pair c = {};
  if ((input1->type != kTfLiteInt8 && input1->type != kTfLiteInt16) || input1->type != output->type ||
      !arcq::Shape(input1, &c.in1) || !arcq::Shape(input2, &c.in2) || !arcq::Shape(output, &c.out)) {
    return arcq::Unsupported("SUB", input1, output);
  }
  c.halves = input1->type == kTfLiteInt16;
  c.in1_zero = -r.input1_offset;
  c.in2_zero = -r.input2_offset;
  c.out_zero = r.output_offset;
  c.left_shift = r.left_shift;
  c.multiplier1 = r.input1_multiplier;
  c.shift1 = r.input1_shift;
  c.multiplier2 = r.input2_multiplier;
  c.shift2 = r.input2_shift;
  c.multiplier = r.output_multiplier;
  c.shift = r.output_shift;
  c.limits.least = r.output_activation_min;
  c.limits.greatest = r.output_activation_max;
  const arcq_memory memory = arcq::Memory(context);
  return arcq::Finish(context, "SUB", arcq_prepare_sum(&c, 1, &memory, &data->prepared.glue), &data->prepared);
}

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_OK(context, SubPrepare(context, node));
  MicroContext* micro = GetMicroContext(context);
  TfLiteTensor* input1 = micro->AllocateTempInputTensor(node, 0);
  TfLiteTensor* input2 = micro->AllocateTempInputTensor(node, 1);
  TfLiteTensor* output = micro->AllocateTempOutputTensor(node, 0);
  const TfLiteStatus status = Fill(context, node, input1, input2, output);
  micro->DeallocateTempTfLiteTensor(output);
  micro->DeallocateTempTfLiteTensor(input2);
  micro->DeallocateTempTfLiteTensor(input1);
  return status;
}

TfLiteStatus Eval(TfLiteContext* context, TfLiteNode* node) {
  const OpData& data = *static_cast<const OpData*>(node->user_data);
  return arcq::Run(context, data.prepared, micro::GetEvalInput(context, node, 0)->data.data,
                   micro::GetEvalInput(context, node, 1)->data.data, micro::GetEvalOutput(context, node, 0)->data.data, nullptr);
}

}  // namespace

TFLMRegistration Register_SUB() { return micro::RegisterOp(Init, Prepare, Eval); }

}  // namespace tflite
