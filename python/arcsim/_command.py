"""The command arcsim: arguments in, results out."""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._results import Bench, Kernel, Measurement, Model, ModelBench, Program, Quantized, Regression, Run

PathLike = Union[str, "os.PathLike[str]"]

# The exit status of regress, bench and kernels run when something failed, which is a result.
_FAILED = 1


class ArcsimError(Exception):
    """The command did not do what it was asked to; the text is its message."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message or f"arcsim ended with status {status}")
        self.status = status


class Arcsim:
    """The command, found by the variable ARCSIM or in the path unless it is given.

    timeout bounds each call, in seconds; subprocess.TimeoutExpired is raised beyond it.
    """

    def __init__(self, command: Optional[PathLike] = None, timeout: Optional[float] = None) -> None:
        self.command = os.fspath(command) if command is not None else os.environ.get("ARCSIM", "arcsim")
        self.timeout = timeout

    def version(self) -> str:
        """The version of the command."""
        return self._text("version").strip()

    def run(
        self,
        program: PathLike,
        args: Sequence[str] = (),
        *,
        core: Optional[str] = None,
        properties: Optional[Mapping[str, object]] = None,
        stdin: bytes = b"",
        flags: Sequence[str] = (),
    ) -> Run:
        """Run an ELF program to its end; flags are more flags of arcsim run."""
        with tempfile.TemporaryDirectory() as folder:
            stat = Path(folder, "stat.json")
            words = ["run", "--json", "-o", str(stat), *_options(core, properties), *flags, os.fspath(program), *args]
            done = self._call(words, stdin)
            if not stat.exists():  # the program was not started
                raise ArcsimError(done.returncode, _message(done))
            raw = json.loads(stat.read_text())
        return Run(
            status=done.returncode,
            stop=raw["stop"],
            stdout=done.stdout,
            stderr=done.stderr,
            core=raw["core"],
            instructions=raw["instructions"],
            cycles=raw["cycles"],
            stalls=raw["stalls"],
            exit_code=raw["exit_code"],
            raw=raw,
        )

    def kernel(
        self,
        case: PathLike,
        name: Optional[str] = None,
        *,
        core: Optional[str] = None,
        id: Optional[int] = None,
        inputs: Optional[Mapping[str, np.ndarray]] = None,
        source: Optional[PathLike] = None,
        symbol: Optional[str] = None,
        like: Optional[str] = None,
        flags: Sequence[str] = (),
    ) -> Kernel:
        """Run a kernel on a record; inputs replace elements of the record by their roles.

        source is an assembly file, or its text, with a function of your own; symbol is its name, like the kernel whose
        arguments and golden function it has.
        """
        with tempfile.TemporaryDirectory() as folder:
            words = ["kernels", "run", "--json", "--case", os.fspath(case), f"--npy={folder}", *_options(core, None)]
            if id is not None:
                words += ["--id", str(id)]
            if source is not None:
                words += ["--source", _source(source, folder)]
            for flag, value in (("--symbol", symbol), ("--like", like)):
                if value is not None:
                    words += [flag, value]
            for role, array in (inputs or {}).items():
                path = os.path.join(folder, f"given-{role}.npy")
                np.save(path, np.ascontiguousarray(array))
                words += ["--tensor", f"{role}={path}"]
            raw = self._json([*words, *flags, *([name] if name else [])])
            arrays = {
                path.stem: np.load(path, allow_pickle=False)
                for path in sorted(Path(folder).glob("*.npy"))
                if not path.name.startswith("given-")
            }
        return Kernel(
            kernel=raw["kernel"],
            core=raw["core"],
            passed=raw["passed"],
            failure=raw.get("failure"),
            cycles=raw["cycles"],
            instructions=raw["instructions"],
            stalls=raw["stalls"],
            arrays=arrays,
            raw=raw,
        )

    def regress(
        self,
        match: Optional[str] = None,
        *,
        short: bool = False,
        cores: Iterable[str] = (),
        vectors: Iterable[PathLike] = (),
        flags: Sequence[str] = (),
    ) -> Regression:
        """Check kernels; match is a regular expression of names of cases."""
        words = ["regress", "--json", *_cores(cores)]
        if match is not None:
            words += ["--run", match]
        if short:
            words.append("--short")
        for path in vectors:
            words += ["--vectors", os.fspath(path)]
        raw = self._json([*words, *flags])
        return Regression(
            passed=raw["status"] == "PASSED",
            cases=raw["cases"],
            failures=raw["failures"],
            kernels=raw["kernels"],
            raw=raw,
        )

    def model(
        self,
        network: PathLike,
        inputs: Sequence[np.ndarray] = (),
        *,
        core: Optional[str] = None,
        seed: Optional[int] = None,
        flags: Sequence[str] = (),
    ) -> Model:
        """Run a network: with the golden functions, or with the kernels on a core. Without inputs they are random."""
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out")
            words = ["model", "run", os.fspath(network), "--json", "--output", out, *_options(core, None)]
            for i, array in enumerate(inputs):
                path = os.path.join(folder, f"input{i}.npy")
                np.save(path, np.ascontiguousarray(array))
                words += ["--input", path]
            if seed is not None:
                words += ["--seed", str(seed)]
            raw = self._json([*words, *flags])
            outputs = [np.load(os.path.join(out, f"output{i}.npy"), allow_pickle=False) for i in range(len(raw["outputs"]))]
        return Model(outputs=outputs, raw=raw)

    def model_bench(
        self,
        network: PathLike,
        *,
        cores: Iterable[str] = (),
        properties: Optional[Mapping[str, object]] = None,
        flags: Sequence[str] = (),
    ) -> List[ModelBench]:
        """Measure a network on cores, layer by layer."""
        words = ["model", "bench", os.fspath(network), "--json", *_cores(cores), *_options(None, properties), *flags]
        return [
            ModelBench(name=b.get("name", ""), core=b["core"], cycles=b["cycles"], macs=b["macs"], layers=b["layers"], raw=b)
            for b in self._json(words)
        ]

    def quantize(
        self,
        network: PathLike,
        calibrate: Union[np.ndarray, Sequence[np.ndarray], None] = None,
        *,
        way: str = "int8",
        evaluate: Union[np.ndarray, Sequence[np.ndarray], None] = None,
        labels: Optional[Sequence[int]] = None,
        output: Optional[PathLike] = None,
        core: Optional[str] = None,
        statistics: Optional[str] = None,
        equalize: bool = False,
        correct_bias: bool = False,
        flags: Sequence[str] = (),
    ) -> Quantized:
        """Make integers of a network of floats and judge them on a core.

        calibrate has representative inputs, evaluate those that judge, labels their classes: an array for each input of
        the network, or the one array of its only input. output is the file of the network of integers. A network of
        integers that has nothing to quantize stays as it is; its way is "".
        """
        words = ["model", "quantize", os.fspath(network), "--json", "--as", way, *_options(core, None)]
        with tempfile.TemporaryDirectory() as folder:
            for flag, arrays in (("--calibrate", calibrate), ("--eval", evaluate)):
                for i, array in enumerate([arrays] if isinstance(arrays, np.ndarray) else arrays or ()):
                    path = os.path.join(folder, f"{flag[2:]}{i}.npy")
                    np.save(path, np.ascontiguousarray(array))
                    words += [flag, path]
            if labels is not None:
                path = os.path.join(folder, "labels.npy")
                np.save(path, np.ascontiguousarray(labels, dtype=np.int32))
                words += ["--labels", path]
            if output is not None:
                words += ["-o", os.fspath(output)]
            if statistics is not None:
                words += ["--stats", statistics]
            words += ["--equalize"] * equalize + ["--correct-bias"] * correct_bias
            raw = self._json([*words, *flags])
        one = raw["networks"][0] if raw["networks"] else {"way": "", "cycles": 0, "layers": []}
        return Quantized(
            way=one["way"],
            sqnr_db=one.get("sqnr_db"),
            cycles=one["cycles"],
            layers=one["layers"],
            accuracy=one.get("accuracy"),
            gains=one.get("gains", []),
            path=Path(output) if output is not None else None,
            raw=raw,
        )

    def compile(
        self,
        network: PathLike,
        folder: PathLike,
        inputs: Sequence[np.ndarray] = (),
        *,
        core: Optional[str] = None,
        flags: Sequence[str] = (),
    ) -> Program:
        """Write a network of integers as a C library into a folder; inputs are those of its program for the simulator."""
        with tempfile.TemporaryDirectory() as given:
            words = ["model", "compile", os.fspath(network), "-o", os.fspath(folder), *_options(core, None)]
            for i, array in enumerate(inputs):
                path = os.path.join(given, f"input{i}.npy")
                np.save(path, np.ascontiguousarray(array))
                words += ["--input", path]
            summary = self._text(*words, *flags).strip()
        place = Path(folder)
        return Program(folder=place, name=summary.split(":")[0], files=sorted(p for p in place.rglob("*") if p.is_file()), summary=summary)

    def bench(self, *subjects: str, cores: Iterable[str] = (), flags: Sequence[str] = ()) -> Bench:
        """Count the cycles of kernels and programs, by regular expressions, and of ELF files."""
        files = [s for s in map(os.fspath, subjects) if os.path.isfile(s)]
        pattern = "|".join(s for s in map(os.fspath, subjects) if s not in files)
        words = ["--run", pattern] if pattern else []
        raw = self._json(["bench", "--json", *_cores(cores), *flags, *words, *files])
        results = [
            Measurement(
                name=r["name"],
                core=r["core"],
                cycles=r["cycles"],
                instructions=r["instructions"],
                stalls=r["stalls"],
                options=r.get("options", ""),
                skipped=r.get("skipped"),
                failure=r.get("failure"),
            )
            for r in raw["results"]
        ]
        return Bench(results=results, raw=raw)

    def _call(self, words: Sequence[str], stdin: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run([self.command, *words], input=stdin, capture_output=True, timeout=self.timeout, check=False)

    def _text(self, *words: str) -> str:
        done = self._call(words)
        if done.returncode != 0:
            raise ArcsimError(done.returncode, _message(done))
        return done.stdout.decode()

    def _json(self, words: Sequence[str]) -> Any:
        done = self._call(words)
        # A failed case is part of the result; without one the command has failed.
        if done.returncode not in (0, _FAILED) or not done.stdout.strip():
            raise ArcsimError(done.returncode, _message(done))
        return json.loads(done.stdout)


def _source(source: PathLike, folder: str) -> str:
    """The path of an assembly file; a text of several lines becomes one."""
    text = os.fspath(source)
    if "\n" not in text:
        return text
    path = os.path.join(folder, "own.s")
    Path(path).write_text(text)
    return path


def _options(core: Optional[str], properties: Optional[Mapping[str, object]]) -> List[str]:
    words: List[str] = []
    if core is not None:
        words += ["--core", core]
    for name, value in (properties or {}).items():
        words += ["-p", f"{name}={value}"]
    return words


def _cores(cores: Iterable[str]) -> Tuple[str, ...]:
    names = [cores] if isinstance(cores, str) else list(cores)
    return ("--core", ",".join(names)) if names else ()


def _message(done: "subprocess.CompletedProcess[bytes]") -> str:
    return done.stderr.decode(errors="replace").strip()
