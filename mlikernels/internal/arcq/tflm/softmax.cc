#include "tensorflow/lite/micro/kernels/softmax.h"

#include "arcq_tflm.h"
#include "tensorflow/lite/kernels/internal/types.h"

namespace tflite {
namespace {

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  SoftmaxParams r;
  TF_LITE_ENSURE_OK(context, arcq::Reference(context, node, SoftmaxPrepare, &r));
  arcq::Tensors t(context, node);
  const bool halves = t.Whole(1) && t.in(0)->type == kTfLiteInt16;
  if (!t.Whole(1) || (t.in(0)->type != kTfLiteInt8 && !halves)) return arcq::Unsupported("SOFTMAX", t.in(0), t.out());
  arcq_softmax c = {};
  c.count = t.in(0)->dims->data[t.in(0)->dims->size - 1];
  c.rows = NumElements(t.in(0)) / c.count;
  c.halves = t.out()->type == kTfLiteInt16;
  c.multiplier = r.input_multiplier;
  c.shift = r.input_left_shift;
  if (halves) {
    c.exponentials = r.exp_lut;
    c.inverses = r.one_over_one_plus_x_lut;
  } else {
    c.least_difference = r.diff_min;
  }
  const arcq_memory memory = arcq::Memory(context);
  return arcq::Finish(context, node, "SOFTMAX", arcq_prepare_softmax(&c, &memory, arcq::Glue(node)));
}

}  // namespace

TFLMRegistration Register_SOFTMAX() { return arcq::RegisterPlain(Prepare); }

}  // namespace tflite
