#include "arcq_tflm.h"

#include "tensorflow/lite/micro/micro_log.h"

namespace tflite {
namespace arcq {
namespace {

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

}  // namespace

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

bool Shape(const TfLiteTensor* tensor, arcq_shape* shape) {
  if (tensor->dims->size > ARCQ_MOST_DIMENSIONS) return false;
  shape->rank = tensor->dims->size;
  for (int d = 0; d < shape->rank; d++) shape->size[d] = tensor->dims->data[d];
  return true;
}

TfLiteStatus Unsupported(const char* name, const TfLiteTensor* input, const TfLiteTensor* filter) {
  MicroPrintf("%s: no kernel for %s and %s", name, TfLiteTypeGetName(input->type), TfLiteTypeGetName(filter->type));
  return kTfLiteError;
}

TfLiteStatus Finish(TfLiteContext* context, const char* name, int status, Prepared* prepared) {
  prepared->scratch = -1;
  if (status != ARCQ_OK) {
    MicroPrintf("%s: %s", name, status == ARCQ_NOT_SUPPORTED ? "no kernel takes this call" : "no memory");
    return kTfLiteError;
  }
  if (prepared->glue.scratch_bytes == 0) return kTfLiteOk;
  return context->RequestScratchBufferInArena(context, prepared->glue.scratch_bytes, &prepared->scratch);
}

TfLiteStatus Run(TfLiteContext* context, const Prepared& prepared, const void* in, const void* in2, void* out, void* state) {
  const arcq_glue& glue = prepared.glue;
  *glue.in = in;
  *glue.out = out;
  if (glue.in2 != nullptr) *glue.in2 = in2;
  if (glue.state != nullptr) *glue.state = state;
  if (prepared.scratch >= 0) *glue.scratch = context->GetScratchBuffer(context, prepared.scratch);
  return glue.run(glue.params) == ARCQ_OK ? kTfLiteOk : kTfLiteError;
}

}  // namespace arcq
}  // namespace tflite
