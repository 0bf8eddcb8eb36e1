#include "tensorflow/lite/micro/kernels/svdf.h"

#include "arcq_tflm.h"

namespace tflite {
namespace {

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  OpDataSvdf r;
  TF_LITE_ENSURE_OK(context, arcq::Reference(context, node, PrepareSvdf, &r));
  arcq::Tensors t(context, node);
  const TfLiteTensor *input = t.in(kSvdfInputTensor), *feature = t.in(kSvdfWeightsFeatureTensor), *time = t.in(kSvdfWeightsTimeTensor);
  if (!t.Whole(3) || input->type != kTfLiteInt8 || feature->type != kTfLiteInt8) return arcq::Unsupported("SVDF", input, feature);
  arcq_svdf c = {};
  c.batches = input->dims->data[0];
  c.inputs = input->dims->data[1];
  c.filters = feature->dims->data[0];
  c.outputs = t.out()->dims->data[1];
  c.cells = time->dims->data[1];
  c.halves = time->type == kTfLiteInt16;
  c.weights_feature = GetTensorData<int8_t>(feature);
  c.weights_time = time->data.data;
  c.bias = static_cast<const int32_t*>(arcq::Contents(t.in(kSvdfBiasTensor)));
  c.in_zero = r.input_zero_point;
  c.state_zero = r.activation_state_zero_point;
  c.out_zero = r.output_zero_point;
  c.feature_multiplier = r.effective_scale_1_a;
  c.feature_shift = r.effective_scale_1_b;
  c.time_multiplier = r.effective_scale_2_a;
  c.time_shift = r.effective_scale_2_b;
  const arcq_memory memory = arcq::Memory(context);
  return arcq::Finish(context, node, "SVDF", arcq_prepare_svdf(&c, &memory, arcq::Glue(node)), {0, kSvdfInputActivationStateTensor, 0});
}

}  // namespace

TFLMRegistration Register_SVDF() { return arcq::Register(Prepare); }

}  // namespace tflite
