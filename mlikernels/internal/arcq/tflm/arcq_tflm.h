// What the operators of this folder share: memory, shapes, and the one call of an evaluation.
//
// -DARCQ_TFLM_Y_BYTES=N keeps weights and tables in an array of N bytes in the section .ymem, as far as they fit; put that
// section into Y memory, and the tensor arena of the application into X memory. Without it weights stay in the model.
#ifndef ARCQ_TFLM_H_
#define ARCQ_TFLM_H_

#include "arcq_glue.h"
#include "tensorflow/lite/c/common.h"

namespace tflite {
namespace arcq {

// A prepared operator in the persistent arena, with the scratch buffer that it needs, -1 for none.
struct Prepared {
  arcq_glue glue;
  int scratch;
};

// Memory for what an operator keeps.
arcq_memory Memory(TfLiteContext* context);

// Rows, columns and channels of a tensor of four dimensions.
arcq_map Map(const TfLiteTensor* tensor);

// Shape of a tensor for operators that broadcast; false when it has too many dimensions.
bool Shape(const TfLiteTensor* tensor, arcq_shape* shape);

// Says which types the operator has no kernel for.
TfLiteStatus Unsupported(const char* name, const TfLiteTensor* input, const TfLiteTensor* filter);

// Ends a preparation: asks for scratch, or says why there is no kernel.
TfLiteStatus Finish(TfLiteContext* context, const char* name, int status, Prepared* prepared);

// Evaluates: sets the pointers and calls the kernel.
TfLiteStatus Run(TfLiteContext* context, const Prepared& prepared, const void* in, const void* in2, void* out, void* state);

}  // namespace arcq
}  // namespace tflite

#endif  // ARCQ_TFLM_H_
