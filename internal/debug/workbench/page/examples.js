// The examples that the page offers: programs, and kernels of the library, whose view opens.

export const examples = [
  { name: "dot", title: "dot product", file: "examples/dot.s" },
  { name: "fir", title: "FIR filter", file: "examples/fir.s" },
  { name: "ports", title: "loop with two AGU ports", file: "examples/ports.s" },
  { name: "interrupt", title: "timer interrupt", file: "examples/interrupt.s" },
  { name: "convolution", title: "MLI convolution", kernel: "mli_krn_conv2d_hwc_fx16" },
  { name: "relu", title: "relu", kernel: "mli_krn_relu_fx16" },
];

/** The networks of the project that the command knows by name. */
export const networks = [
  { name: "keywords", title: "words in 49 frames of 10 cepstral coefficients" },
  { name: "anomaly", title: "sounds of machines" },
  { name: "cifar10", title: "pictures of 32 × 32, small" },
  { name: "resnet8", title: "pictures of 32 × 32, residual" },
  { name: "person", title: "persons in pictures of 96 × 96" },
  { name: "vww", title: "persons, MobileNet" },
];
