#include "arcq_tflm.h"

#include "tensorflow/lite/micro/micro_log.h"

namespace tflite {
namespace arcq {
namespace {

// A prepared operator in the persistent arena. The framework keeps its tensors where they are when it prepares them, and places
// their contents later.
struct Prepared {
  arcq_glue glue;
  const TfLiteEvalTensor *in, *out;
  const TfLiteEvalTensor *in2, *state, *cell;
  int scratch; // number of its buffer, -1 for none
};

#ifdef ARCQ_TFLM_Y_BYTES
alignas(4) uint8_t fast[ARCQ_TFLM_Y_BYTES] __attribute__((section(".ymem")));
uint32_t fast_used = 0;

void* TakeFast(uint32_t bytes) {
  if (bytes > sizeof(fast) - fast_used) return nullptr;
  void* at = fast + fast_used;
  fast_used += bytes;
  return at;
}
#else
void* TakeFast(uint32_t) { return nullptr; }
#endif

void* Take(void* context, uint32_t bytes, arcq_use use) {
  if (use != ARCQ_USE_BLOCK) {
    void* at = TakeFast(bytes);
    if (at != nullptr || use == ARCQ_USE_WEIGHTS) return at;
  }
  auto* c = static_cast<TfLiteContext*>(context);
  return c->AllocatePersistentBuffer(c, bytes);
}

bool Shape(const TfLiteTensor* tensor, arcq_shape* shape) {
  if (tensor->dims->size > ARCQ_MOST_DIMENSIONS) return false;
  shape->rank = tensor->dims->size;
  for (int d = 0; d < shape->rank; d++) shape->size[d] = tensor->dims->data[d];
  return true;
}

const TfLiteEvalTensor* EvalInput(TfLiteContext* context, TfLiteNode* node, int input) {
  return input == 0 ? nullptr : micro::GetEvalInput(context, node, input);
}

void* Init(TfLiteContext* context, const char*, size_t) { return context->AllocatePersistentBuffer(context, sizeof(Prepared)); }

// Sets two pointers and calls the kernel. Its status is 0 or ends the run.
TfLiteStatus Eval(TfLiteContext*, TfLiteNode* node) {
  const Prepared& p = *static_cast<const Prepared*>(node->user_data);
  const auto run = p.glue.run;
  *p.glue.in = p.in->data.data;
  *p.glue.out = p.out->data.data;
  return static_cast<TfLiteStatus>(run(p.glue.params));
}

TfLiteStatus EvalMore(TfLiteContext* context, TfLiteNode* node) {
  const Prepared& p = *static_cast<const Prepared*>(node->user_data);
  const arcq_glue& glue = p.glue;
  if (p.in2 != nullptr) *glue.in2 = p.in2->data.data;
  if (p.state != nullptr) *glue.state = p.state->data.data;
  if (p.cell != nullptr) *glue.cell = p.cell->data.data;
  if (p.scratch >= 0) *glue.scratch = context->GetScratchBuffer(context, p.scratch);
  return Eval(context, node);
}

}  // namespace

Tensors::Tensors(TfLiteContext* context, TfLiteNode* node) : context_(GetMicroContext(context)) {
  for (int i = 0; i < kMost; i++) in_[i] = context_->AllocateTempInputTensor(node, i);
  out_ = context_->AllocateTempOutputTensor(node, 0);
}

Tensors::~Tensors() {
  if (out_ != nullptr) context_->DeallocateTempTfLiteTensor(out_);
  for (int i = kMost - 1; i >= 0; i--) {
    if (in_[i] != nullptr) context_->DeallocateTempTfLiteTensor(in_[i]);
  }
}

bool Tensors::Whole(int inputs) const {
  for (int i = 0; i < inputs; i++) {
    if (in_[i] == nullptr) return false;
  }
  return out_ != nullptr;
}

arcq_glue* Glue(TfLiteNode* node) { return &static_cast<Prepared*>(node->user_data)->glue; }

arcq_memory Memory(TfLiteContext* context) {
  arcq_memory memory;
  memory.take = Take;
  memory.context = context;
  return memory;
}

arcq_map Map(const TfLiteTensor* tensor) {
  arcq_map map;
  map.batches = tensor->dims->data[0];
  map.rows = tensor->dims->data[1];
  map.columns = tensor->dims->data[2];
  map.channels = tensor->dims->data[3];
  return map;
}

const void* Contents(const TfLiteTensor* tensor) { return tensor == nullptr ? nullptr : tensor->data.data; }

bool Wide(const TfLiteTensor* input, const TfLiteTensor* bias, TfLiteType without_bias) {
  return input->type == kTfLiteInt16 && (bias == nullptr ? without_bias : bias->type) != kTfLiteInt32;
}

TfLiteStatus Unsupported(const char* name, const TfLiteTensor* input, const TfLiteTensor* other) {
  if (input == nullptr || other == nullptr) {
    MicroPrintf("%s: a tensor is missing", name);
  } else {
    MicroPrintf("%s: no kernel for %s and %s", name, TfLiteTypeGetName(input->type), TfLiteTypeGetName(other->type));
  }
  return kTfLiteError;
}

TfLiteStatus Finish(TfLiteContext* context, TfLiteNode* node, const char* name, int status, Further further) {
  if (status != ARCQ_OK) {
    MicroPrintf("%s: %s", name, status == ARCQ_NOT_SUPPORTED ? "no kernel takes this call" : "no memory");
    return kTfLiteError;
  }
  auto* p = static_cast<Prepared*>(node->user_data);
  p->in = micro::GetEvalInput(context, node, 0);
  p->out = micro::GetEvalOutput(context, node, 0);
  p->in2 = EvalInput(context, node, further.in2);
  p->state = EvalInput(context, node, further.state);
  p->cell = EvalInput(context, node, further.cell);
  p->scratch = -1;
  if (p->glue.scratch_bytes == 0) return kTfLiteOk;
  return context->RequestScratchBufferInArena(context, p->glue.scratch_bytes, &p->scratch);
}

TFLMRegistration Register(TfLiteStatus (*prepare)(TfLiteContext*, TfLiteNode*)) { return micro::RegisterOp(Init, prepare, EvalMore); }

TFLMRegistration RegisterPlain(TfLiteStatus (*prepare)(TfLiteContext*, TfLiteNode*)) { return micro::RegisterOp(Init, prepare, Eval); }

TfLiteStatus PreparePair(TfLiteContext* context, TfLiteNode* node, const char* name, arcq_pair* c,
                         int (*prepare)(const arcq_pair*, const arcq_memory*, arcq_glue*)) {
  Tensors t(context, node);
  if (!t.Whole(2) || (t.in(0)->type != kTfLiteInt8 && t.in(0)->type != kTfLiteInt16) || t.in(0)->type != t.out()->type ||
      !Shape(t.in(0), &c->in1) || !Shape(t.in(1), &c->in2) || !Shape(t.out(), &c->out)) {
    return Unsupported(name, t.in(0), t.out());
  }
  c->halves = t.in(0)->type == kTfLiteInt16;
  const arcq_memory memory = Memory(context);
  return Finish(context, node, name, prepare(c, &memory, Glue(node)), {1, 0, 0});
}

}  // namespace arcq
}  // namespace tflite
