"""The road of a network in four words: quantize, bench, compile, and kernel for a function of your own.

    import arcv2dsp
    q = arcv2dsp.quantize("net.tflite", samples, output="int8.tflite")
    arcv2dsp.bench("int8.tflite")
    arcv2dsp.compile("int8.tflite", "firmware")

Each calls the command that ARCSIM names, or the search path has. arcsim.Arcsim has these and all others with a command and
a limit of time of their own.
"""

from typing import Any, List, Optional

from arcsim import Arcsim, ArcsimError, Kernel, ModelBench, Program, Quantized

__all__ = ["ArcsimError", "bench", "compile", "kernel", "quantize"]


def quantize(network: Any, calibrate: Any = None, **options: Any) -> Quantized:
    """Make integers of a network of floats: arcsim.Arcsim.quantize."""
    return Arcsim().quantize(network, calibrate, **options)


def bench(network: Any, **options: Any) -> List[ModelBench]:
    """Measure a network layer by layer: arcsim.Arcsim.model_bench."""
    return Arcsim().model_bench(network, **options)


def compile(network: Any, folder: Any, *inputs: Any, **options: Any) -> Program:
    """Write a network as C: arcsim.Arcsim.compile."""
    return Arcsim().compile(network, folder, inputs, **options)


def kernel(case: Any, name: Optional[str] = None, **options: Any) -> Kernel:
    """Run a kernel, or with source= a function of your own: arcsim.Arcsim.kernel."""
    return Arcsim().kernel(case, name, **options)
