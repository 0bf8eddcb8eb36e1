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

/* Bytes of stack a function needs at most. Some need up to MLI_STACK_PATCH more for copies: where the library
 * is for cores without AGU, convolutions, depthwise ones excepted, for the elements under one window and
 * their weights; where it is for cores with AGU, convolutions of CHW maps for what 1 x 1 windows with a stride
 * see of the map and for a small map with its padding, convolutions of HWC maps for the weights, padded
 * depthwise convolutions with zero points for the map, and fully connected layers with zero points for the
 * input. */
#define MLI_STACK 320
#define MLI_STACK_PATCH 16608

#endif
