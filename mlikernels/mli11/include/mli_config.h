/* Limits of the kernels in libmli_arcv2.a. They are properties of the assembled library: changing a
 * value here does not change the kernels. */
#ifndef MLI_CONFIG_H
#define MLI_CONFIG_H

/* Dimensions a tensor can have. */
#define MLI_MAX_RANK 4

/* Tensors mli_krn_concat_* joins in one call. */
#define MLI_CONCAT_MAX_TENSORS 8

/* Every kernel checks its arguments and returns a status; nothing is written when it is not OK. */
#define MLI_CHECKS_ARGUMENTS 1

/* Bytes of stack a function needs at most. Convolutions, depthwise ones excepted, need more where the
 * library is for cores without AGU: up to MLI_STACK_PATCH for the elements under one window and for
 * copies of the weights. */
#define MLI_STACK 320
#define MLI_STACK_PATCH 16512

#endif
