#include "tensorflow/lite/micro/kernels/fully_connected.h"

#include "arcq_tflm.h"

namespace tflite {
namespace {

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  const auto& options = *static_cast<const TfLiteFullyConnectedParams*>(node->builtin_data);
  arcq::Tensors t(context, node);
  if (!t.Whole(2) || (t.in(0)->type != kTfLiteInt8 && t.in(0)->type != kTfLiteInt16) || t.in(1)->type != kTfLiteInt8 ||
      t.out()->type != t.in(0)->type) {
    return arcq::Unsupported("FULLY_CONNECTED", t.in(0), t.in(1));
  }
  OpDataFullyConnected r;
  TF_LITE_ENSURE_OK(context,
                    CalculateOpDataFullyConnected(context, options.activation, t.in(0)->type, t.in(0), t.in(1), t.in(2), t.out(), &r));
  arcq_product c = {};
  c.outputs = t.in(1)->dims->data[0];
  c.inputs = t.in(1)->dims->data[1];
  c.rows = NumElements(t.out()) / c.outputs;
  c.weights = GetTensorData<int8_t>(t.in(1));
  c.weight_zero = r.filter_zero_point;
  c.sums.halves = t.in(0)->type == kTfLiteInt16;
  c.sums.wide = arcq::Wide(t.in(0), t.in(2), options.quantized_bias_type);
  c.sums.bias = arcq::Contents(t.in(2));
  const int32_t shift = r.output_shift;
  c.sums.per_channel = r.is_per_channel;
  c.sums.multipliers = r.is_per_channel ? r.per_channel_output_multiplier : &r.output_multiplier;
  c.sums.shifts = r.is_per_channel ? r.per_channel_output_shift : &shift;
  c.sums.in_zero = r.input_zero_point;
  c.sums.out_zero = r.output_zero_point;
  c.sums.limits.least = r.output_activation_min;
  c.sums.limits.greatest = r.output_activation_max;
  const arcq_memory memory = arcq::Memory(context);
  return arcq::Finish(context, node, "FULLY_CONNECTED", arcq_prepare_product(&c, &memory, arcq::Glue(node)));
}

}  // namespace

TFLMRegistration Register_FULLY_CONNECTED() { return arcq::RegisterPlain(Prepare); }

}  // namespace tflite
