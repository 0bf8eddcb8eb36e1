#include "tensorflow/lite/micro/kernels/mul.h"

#include "arcq_tflm.h"

namespace tflite {
namespace {

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  OpDataMul r;
  TF_LITE_ENSURE_OK(context, arcq::Reference(context, node, MulPrepare, &r));
  arcq_pair c = {};
  c.in1_zero = r.input1_zero_point;
  c.in2_zero = r.input2_zero_point;
  c.out_zero = r.output_zero_point;
  c.multiplier = r.output_multiplier;
  c.shift = r.output_shift;
  c.limits.least = r.output_activation_min;
  c.limits.greatest = r.output_activation_max;
  return arcq::PreparePair(context, node, "MUL", &c, arcq_prepare_mul);
}

}  // namespace

TFLMRegistration Register_MUL() { return arcq::Register(Prepare); }

}  // namespace tflite
