"""arcsim from Python: programs, kernels, networks, regressions and measurements of ARCv2 DSP cores.

The package calls the command arcsim and reads its JSON and NumPy files; arrays are numpy.ndarray.

    import arcsim
    sim = arcsim.Arcsim()
    print(sim.run("fir.elf", core="em9d").cycles)
"""

from ._command import Arcsim, ArcsimError
from ._results import Bench, Kernel, Measurement, Model, ModelBench, Program, Quantized, Regression, Run

__all__ = ["Arcsim", "ArcsimError", "Bench", "Kernel", "Measurement", "Model", "ModelBench", "Program", "Quantized", "Regression", "Run"]
