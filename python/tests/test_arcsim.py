"""The package against the command itself and against NumPy. ARCSIM names the command.

    ARCSIM=/path/to/arcsim python3 -m unittest discover -s python/tests
"""

import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import arcsim  # noqa: E402
import arcv2dsp  # noqa: E402

GUEST = ROOT / "testdata" / "guest" / "elf"


def record(kernel, cfg, tensors, type):
    """A record of a call; without data of the output the golden function says what is expected."""
    r = {"id": 1, "lib": "1.1", "round": "convergent", "kernel": kernel, "cfg": cfg, "status": 0}
    r["out"] = {"type": type, "frac": 3}
    for role, array in tensors.items():
        r[role] = {"type": type, "shape": list(array.shape), "frac": 3, "data": array.flatten().tolist()}
    return r


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sim = arcsim.Arcsim(timeout=300)

    def setUp(self):
        self.random = np.random.default_rng(7)  # whatever other tests have taken

    def write(self, value):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name, "case.json")
        path.write_text(json.dumps(value) + "\n")
        return path

    def test_version(self):
        self.assertRegex(self.sim.version(), r"^arcsim .+")

    def test_program(self):
        text = b"a line\nanother\n"
        r = self.sim.run(GUEST / "cat.elf", core="em9d", stdin=text)
        self.assertEqual((r.status, r.stop, r.core), (0, "exit", "em9d"))
        self.assertIn(text, r.stdout)
        self.assertEqual(r.cycles - r.instructions, sum(r.stalls.values()))
        again = self.sim.run(GUEST / "cat.elf", core="em9d", stdin=text, flags=["--engine", "ref"])
        self.assertEqual((again.cycles, again.stdout), (r.cycles, r.stdout))

    def test_limit(self):
        r = self.sim.run(GUEST / "cat.elf", flags=["--max-inst", "5"])
        self.assertEqual((r.stop, r.instructions, r.exit_code), ("inst-limit", 5, None))

    def test_errors(self):
        for call, words in (
            (lambda: self.sim.run("none.elf"), "none.elf"),
            (lambda: self.sim.run(GUEST / "hello.elf", core="em99"), "unknown core"),
            (lambda: self.sim.regress("nothing_is_called_this", cores=["em9d"]), "no case has such a name"),
            (lambda: self.sim.bench("nosuch"), "nosuch"),
            (lambda: self.sim.model("nosuch"), "nosuch"),
        ):
            with self.assertRaises(arcsim.ArcsimError) as e:
                call()
            self.assertIn(words, str(e.exception))
            self.assertIn(e.exception.status, (2, 3))

    def test_relu(self):
        x = self.random.integers(-128, 128, (5, 3, 4), dtype=np.int8)
        case = self.write(record("mli_krn_relu_fx8", {"relu": 1}, {"in": np.zeros_like(x)}, "fx8"))
        r = self.sim.kernel(case, inputs={"in": x}, core="em7d")
        self.assertTrue(r.passed, r.failure)
        self.assertEqual(r.core, "em7d")
        np.testing.assert_array_equal(r.arrays["in"], x)
        np.testing.assert_array_equal(r.arrays["out"], np.maximum(x, 0))
        self.assertEqual(r.arrays["out"].dtype, np.int8)

    def test_add(self):
        a, b = self.random.integers(-32768, 32768, (2, 7, 9)).astype(np.int16)
        case = self.write(record("mli_krn_eltwise_add_fx16", {}, {"in1": a, "in2": b}, "fx16"))
        r = self.sim.kernel(case)
        self.assertTrue(r.passed, r.failure)
        want = np.clip(a.astype(np.int32) + b, -32768, 32767)
        np.testing.assert_array_equal(r.arrays["out"], want)

    def test_kernel_that_fails(self):
        x = np.array([1, -2], dtype=np.int8)
        wrong = record("mli_krn_relu_fx8", {"relu": 1}, {"in": x}, "fx8")
        wrong["out"] = {"type": "fx8", "shape": [2], "frac": 3, "data": [1, 5]}
        r = self.sim.kernel(self.write(wrong))
        self.assertFalse(r.passed)
        self.assertIn("expected 5", r.failure)

    def test_regress(self):
        x = self.random.integers(-128, 128, (6,), dtype=np.int8)
        good = record("mli_krn_relu_fx8", {"relu": 1}, {"in": x, "out": np.maximum(x, 0)}, "fx8")
        r = self.sim.regress(vectors=[self.write(good)], cores="em9d")
        self.assertTrue(r.passed)
        self.assertEqual((r.cases, r.kernels[0]["name"]), (1, "mli_krn_relu_fx8"))
        good["out"]["data"][3] += 1
        r = self.sim.regress(vectors=[self.write(good)], cores=["em9d"])
        self.assertFalse(r.passed)
        self.assertEqual(r.failures[0]["mismatch"]["at"], [3])

    def test_model(self):
        golden = self.sim.model("anomaly", seed=3)
        core = self.sim.model("anomaly", seed=3, core="em9d")
        self.assertEqual(len(golden.outputs), 1)
        np.testing.assert_array_equal(golden.outputs[0], core.outputs[0])
        np.testing.assert_array_equal(golden.outputs[0], np.array(golden.raw["outputs"][0]["elements"]))
        x = self.random.integers(-128, 128, (1, 640), dtype=np.int8)
        given = self.sim.model("anomaly", [x])
        self.assertEqual(given.outputs[0].dtype, np.int8)
        self.assertFalse(np.array_equal(given.outputs[0], golden.outputs[0]))

    def test_model_bench(self):
        em9d, em7d = self.sim.model_bench("anomaly", cores=["em9d", "em7d"])
        self.assertEqual((em9d.core, em7d.core), ("em9d", "em7d"))
        self.assertEqual(em9d.cycles, sum(layer["cycles"] for layer in em9d.layers))
        self.assertLess(em9d.cycles, em7d.cycles)
        self.assertEqual(em9d.macs, sum(layer.get("macs", 0) for layer in em9d.layers))

    # A product of 3 by 4 as a network of floats in MLIR's text.
    WEIGHTS = np.array([[1.0, -0.5, 0.25], [0.5, 2.0, -1.0], [-2.0, 0.75, 1.5], [0.125, -1.5, 0.5]], dtype=np.float32)

    def product(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name, "product.mlir")
        rows = ", ".join(str(list(map(float, row))) for row in self.WEIGHTS)
        path.write_text(
            f"""func.func @product(%x: tensor<1x4xf32>) -> tensor<1x3xf32> {{
  %w = arith.constant dense<[{rows}]> : tensor<4x3xf32>
  %y = "fxpmath.real_matmul"(%x, %w) : (tensor<1x4xf32>, tensor<4x3xf32>) -> tensor<1x3xf32>
  return %y : tensor<1x3xf32>
}}
"""
        )
        return path

    def test_quantize(self):
        path = self.product()
        some, others = self.random.uniform(-1, 1, (2, 50, 1, 4)).astype(np.float32)
        ends = np.sign(self.WEIGHTS.T)  # inputs under which a sum is greatest
        some[:6, 0] = np.concatenate([ends, -ends])
        labels = (others[:, 0] @ self.WEIGHTS).argmax(axis=1)
        file = path.with_name("int8.tflite")
        q = self.sim.quantize(path, some, evaluate=others, labels=labels, output=file, equalize=True, correct_bias=True)
        self.assertEqual((q.way, q.path), ("int8", file))
        self.assertEqual(q.accuracy["float_top1"], 1)  # NumPy and the golden functions agree
        self.assertGreater(q.accuracy["core_top1"], 0.9)
        self.assertGreater(q.sqnr_db, 30)
        self.assertEqual([g["option"] for g in q.gains], ["equalization across layers", "correction of biases"])
        # The file computes what NumPy computes of its integers and scales, within a step.
        model = self.sim.model(file, [others[:1, 0]], core="em9d")
        real = (model.outputs[0].astype(float) - model.raw["outputs"][0]["zero_point"]) * model.raw["outputs"][0]["scale"]
        np.testing.assert_allclose(real, others[0] @ self.WEIGHTS, atol=0.06)
        with self.assertRaises(arcsim.ArcsimError) as e:
            self.sim.quantize(path, some, evaluate=others, labels=labels[:3])
        self.assertIn("3 labels for 50 inputs", str(e.exception))

    def test_quantize_hands_integers_on(self):
        net = Path(__file__).resolve().parents[3] / "shared/vectors/networks/microwake_models_alexa.tflite"
        if not net.exists():
            self.skipTest(f"{net} is absent")
        file = self.product().with_name("same.tflite")
        q = self.sim.quantize(net, output=file)
        self.assertEqual((q.way, q.layers), ("", []))
        self.assertIn("nothing to quantize", q._repr_html_())
        self.assertEqual(file.read_bytes(), net.read_bytes())

    def test_compile(self):
        path = self.product()
        file = path.with_name("int8.tflite")
        self.sim.quantize(path, np.ones((2, 1, 4), np.float32), output=file)
        p = self.sim.compile(file, path.parent / "firmware", [np.ones((1, 4), np.float32)])
        self.assertEqual(p.name, "int8")
        self.assertIn(p.folder / "int8.h", p.files)
        self.assertIn("int8_run", (p.folder / "int8.h").read_text())
        self.assertIn("int8.h", p._repr_html_())

    def test_kernel_from_source(self):
        x = self.random.integers(-128, 128, (8,), dtype=np.int8)
        case = self.write(record("mli_krn_relu_fx8", {"relu": 1}, {"in": x}, "fx8"))
        # It leaves its output as it is, so that the golden function of the kernel does not agree.
        idle = "\t.text\n\t.global my_relu\nmy_relu:\n\tmov\tr0,0\n\tj_s\t[blink]\n"
        r = self.sim.kernel(case, source=idle, symbol="my_relu", like="mli_krn_relu_fx8")
        self.assertFalse(r.passed)
        self.assertLess(r.cycles, 20)
        path = case.with_name("mine.s")
        path.write_text(idle)
        self.assertEqual(self.sim.kernel(case, source=path, symbol="my_relu", like="mli_krn_relu_fx8").cycles, r.cycles)

    def test_words_of_the_road(self):
        path = self.product()
        old = os.environ.get("ARCSIM")
        os.environ["ARCSIM"] = self.sim.command
        try:
            q = arcv2dsp.quantize(path, np.eye(4, dtype=np.float32)[:, None], way="int8", output=path.with_name("q.tflite"))
            (b,) = arcv2dsp.bench(q.path, cores="em9d")
            p = arcv2dsp.compile(q.path, path.parent / "c")
        finally:
            if old is None:
                del os.environ["ARCSIM"]
            else:
                os.environ["ARCSIM"] = old
        self.assertEqual(q.cycles, b.cycles)
        self.assertEqual(p.name, "q")

    def test_tables(self):
        (b,) = self.sim.model_bench("anomaly", cores="em9d")
        text = b._repr_html_()
        self.assertTrue(text.startswith("<table>") and text.endswith("</table>"))
        self.assertEqual(text.count("<tr>"), len(b.layers) + 2)  # the head, the layers, the sum
        self.assertIn(f"{b.cycles:,}", text)
        m = arcsim.Measurement("<b>&", "em9d", 1, 1, {}, "", None, None)
        self.assertIn("&lt;b&gt;&amp;", arcsim.Bench([m], {})._repr_html_())
        r = self.sim.run(GUEST / "hello.elf", core="em9d")
        self.assertIn(f"<td style='text-align:right'>{r.cycles:,}</td>", r._repr_html_())

    def test_bench(self):
        b = self.sim.bench("fir", "crc", cores=["em9d", "em4"])
        self.assertEqual(len(b.results), 4)
        for m in b.results:
            if m.skipped is None:
                self.assertEqual(m.cycles - m.instructions, sum(m.stalls.values()), m.name)
        self.assertTrue(any(m.cycles for m in b.results))


if __name__ == "__main__":
    unittest.main()
