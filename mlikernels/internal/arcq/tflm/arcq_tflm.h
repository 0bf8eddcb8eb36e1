// What the operators of this folder share: memory, shapes, and the one call of an evaluation.
//
// -DARCQ_TFLM_Y_BYTES=N keeps weights and tables in an array of N bytes in the section .ymem, as far as they fit; put that
// section into Y memory, and the tensor arena of the application into X memory. Without it weights stay in the model.
#ifndef ARCQ_TFLM_H_
#define ARCQ_TFLM_H_

#include "arcq_glue.h"
#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/micro/kernels/kernel_util.h"

namespace tflite {
namespace arcq {

// The tensors of an operator while it is prepared.
class Tensors {
 public:
  Tensors(TfLiteContext* context, TfLiteNode* node);
  ~Tensors();
  Tensors(const Tensors&) = delete;
  Tensors& operator=(const Tensors&) = delete;
  // An input, or null where it is absent.
  const TfLiteTensor* in(int index) const { return in_[index]; }
  TfLiteTensor* out() const { return out_; }
  // Whether an operator has its first inputs and its output.
  bool Whole(int inputs) const;

 private:
  enum { kMost = 5 };
  MicroContext* context_;
  TfLiteTensor* in_[kMost];
  TfLiteTensor* out_;
};

// Runs the framework's own preparation, which checks an operator and computes its factors. Its data are needed no longer than ours.
template <typename Data>
TfLiteStatus Reference(TfLiteContext* context, TfLiteNode* node, TfLiteStatus (*prepare)(TfLiteContext*, TfLiteNode*), Data* data) {
  void* own = node->user_data;
  node->user_data = data;
  const TfLiteStatus status = prepare(context, node);
  node->user_data = own;
  return status;
}

// The glue of an operator that is being prepared.
arcq_glue* Glue(TfLiteNode* node);

// Memory for what an operator keeps.
arcq_memory Memory(TfLiteContext* context);

// Rows, columns and channels of a tensor of four dimensions.
arcq_map Map(const TfLiteTensor* tensor);

// The contents of a tensor that may be absent.
const void* Contents(const TfLiteTensor* tensor);

// Whether sums of an operator have 64 bits.
bool Wide(const TfLiteTensor* input, const TfLiteTensor* bias, TfLiteType without_bias);

// Says which types the operator has no kernel for.
TfLiteStatus Unsupported(const char* name, const TfLiteTensor* input, const TfLiteTensor* other);

// The inputs besides the first that an evaluation needs, 0 for none.
struct Further {
  int in2, state, cell;
};

// Ends a preparation: notes where the pointers of an evaluation come from and asks for scratch, or says why there is no kernel.
TfLiteStatus Finish(TfLiteContext* context, TfLiteNode* node, const char* name, int status, Further further = {0, 0, 0});

// An operator of this folder. A plain one has one input, one output, and no scratch.
TFLMRegistration Register(TfLiteStatus (*prepare)(TfLiteContext*, TfLiteNode*));
TFLMRegistration RegisterPlain(TfLiteStatus (*prepare)(TfLiteContext*, TfLiteNode*));

// A sum, difference or product, whose numbers are in c. The shapes follow here.
TfLiteStatus PreparePair(TfLiteContext* context, TfLiteNode* node, const char* name, arcq_pair* c,
                         int (*prepare)(const arcq_pair*, const arcq_memory*, arcq_glue*));

// A sum or difference: the framework's data of both have the same members.
template <typename Data>
TfLiteStatus PrepareSum(TfLiteContext* context, TfLiteNode* node, const char* name, TfLiteStatus (*reference)(TfLiteContext*, TfLiteNode*),
                        int (*prepare)(const arcq_pair*, const arcq_memory*, arcq_glue*)) {
  Data r;
  TF_LITE_ENSURE_OK(context, Reference(context, node, reference, &r));
  arcq_pair c = {};
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
  return PreparePair(context, node, name, &c, prepare);
}

// A convolution: the options of both kinds have the same members.
template <typename Options, typename Data>
TfLiteStatus PrepareConvolution(TfLiteContext* context, TfLiteNode* node, const char* name, TfLiteStatus (*reference)(TfLiteContext*, TfLiteNode*),
                                bool depthwise, TfLiteType without_bias) {
  Data r;
  TF_LITE_ENSURE_OK(context, Reference(context, node, reference, &r));
  const auto& options = *static_cast<const Options*>(node->builtin_data);
  Tensors t(context, node);
  if (!t.Whole(2) || (t.in(0)->type != kTfLiteInt8 && t.in(0)->type != kTfLiteInt16) || t.in(1)->type != kTfLiteInt8) {
    return Unsupported(name, t.in(0), t.in(1));
  }
  arcq_convolution c = {};
  c.in = Map(t.in(0));
  c.out = Map(t.out());
  c.window.rows = t.in(1)->dims->data[1];
  c.window.columns = t.in(1)->dims->data[2];
  c.window.stride_rows = options.stride_height;
  c.window.stride_columns = options.stride_width;
  c.window.pad_rows = r.padding.height;
  c.window.pad_columns = r.padding.width;
  c.window.dilation_rows = options.dilation_height_factor;
  c.window.dilation_columns = options.dilation_width_factor;
  c.depthwise = depthwise;
  c.depth = t.in(1)->dims->data[3];
  c.weights = GetTensorData<int8_t>(t.in(1));
  c.sums.halves = t.in(0)->type == kTfLiteInt16;
  c.sums.wide = Wide(t.in(0), t.in(2), without_bias);
  if (depthwise && c.sums.halves && !c.sums.wide) return Unsupported(name, t.in(0), t.in(2));
  c.sums.bias = Contents(t.in(2));
  c.sums.multipliers = r.per_channel_output_multiplier;
  c.sums.shifts = r.per_channel_output_shift;
  c.sums.per_channel = 1;
  c.sums.in_zero = r.input_zero_point;
  c.sums.out_zero = r.output_zero_point;
  c.sums.limits.least = r.output_activation_min;
  c.sums.limits.greatest = r.output_activation_max;
  const arcq_memory memory = Memory(context);
  return Finish(context, node, name, arcq_prepare_convolution(&c, &memory, Glue(node)));
}

}  // namespace arcq
}  // namespace tflite

#endif  // ARCQ_TFLM_H_
