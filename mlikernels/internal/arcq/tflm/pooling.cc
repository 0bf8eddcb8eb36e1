#include "tensorflow/lite/micro/kernels/pooling.h"

#include "arcq_tflm.h"

namespace tflite {
namespace {

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node, const char* name, bool greatest) {
  OpDataPooling r;
  TF_LITE_ENSURE_OK(context, arcq::Reference(context, node, PoolingPrepare, &r));
  const auto& options = *static_cast<const TfLitePoolParams*>(node->builtin_data);
  arcq::Tensors t(context, node);
  if (!t.Whole(1) || (t.in(0)->type != kTfLiteInt8 && t.in(0)->type != kTfLiteInt16)) return arcq::Unsupported(name, t.in(0), t.out());
  arcq_pool c = {};
  c.in = arcq::Map(t.in(0));
  c.out = arcq::Map(t.out());
  c.window.rows = options.filter_height;
  c.window.columns = options.filter_width;
  c.window.stride_rows = options.stride_height;
  c.window.stride_columns = options.stride_width;
  c.window.pad_rows = r.padding.height;
  c.window.pad_columns = r.padding.width;
  c.greatest = greatest;
  c.halves = t.in(0)->type == kTfLiteInt16;
  c.limits.least = r.activation_min;
  c.limits.greatest = r.activation_max;
  const arcq_memory memory = arcq::Memory(context);
  return arcq::Finish(context, node, name, arcq_prepare_pool(&c, &memory, arcq::Glue(node)));
}

TfLiteStatus PrepareAverage(TfLiteContext* context, TfLiteNode* node) { return Prepare(context, node, "AVERAGE_POOL_2D", false); }
TfLiteStatus PrepareMax(TfLiteContext* context, TfLiteNode* node) { return Prepare(context, node, "MAX_POOL_2D", true); }

}  // namespace

TFLMRegistration Register_AVERAGE_POOL_2D() { return arcq::RegisterPlain(PrepareAverage); }
TFLMRegistration Register_MAX_POOL_2D() { return arcq::RegisterPlain(PrepareMax); }

}  // namespace tflite
