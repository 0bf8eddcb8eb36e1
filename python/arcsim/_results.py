"""The results of commands, as docs/formats.md describes their JSON. In notebooks they show themselves as tables."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Optional

import numpy as np

from ._html import counts, table


@dataclass(frozen=True)
class Run:
    """A program that ran."""

    status: int  # exit status of the process, the guest's own where it ended by itself
    stop: str  # why it ended: "exit", "fault", "inst-limit" ...
    stdout: bytes
    stderr: bytes
    core: str
    instructions: int
    cycles: int
    stalls: Dict[str, int]  # lost cycles by reason
    exit_code: Optional[int]  # the 32-bit value the program returned
    raw: Dict[str, Any]  # all of --json

    def _repr_html_(self) -> str:
        rows = [("status", self.status), ("ended by", self.stop), ("instructions", self.instructions), ("cycles", self.cycles)]
        return table(f"run on {self.core}", ("", ""), rows + sorted(self.stalls.items()))


@dataclass(frozen=True)
class Kernel:
    """A kernel that ran on the case of a record."""

    kernel: str
    core: str
    passed: bool
    failure: Optional[str]
    cycles: int
    instructions: int
    stalls: Dict[str, int]
    arrays: Dict[str, np.ndarray]  # inputs and outputs by their roles
    raw: Dict[str, Any]

    def _repr_html_(self) -> str:
        rows = [("verdict", "passed" if self.passed else self.failure), ("instructions", self.instructions), ("cycles", self.cycles)]
        return table(f"{self.kernel} on {self.core}", ("", ""), rows + sorted(self.stalls.items()))


@dataclass(frozen=True)
class Regression:
    """A regression; kernels has the totals of each."""

    passed: bool
    cases: int
    failures: List[Dict[str, Any]]
    kernels: List[Dict[str, Any]]
    raw: Dict[str, Any]

    def _repr_html_(self) -> str:
        verdict = "passed" if self.passed else f"{len(self.failures)} failures"
        columns = sorted({key for k in self.kernels for key, value in k.items() if isinstance(value, (int, str))})
        return table(f"{self.cases} cases, {verdict}", columns, [[k.get(c, "") for c in columns] for k in self.kernels])


@dataclass(frozen=True)
class Model:
    """A network that ran: its outputs in order, one more dimension in front when there were several runs."""

    outputs: List[np.ndarray]
    raw: Dict[str, Any]


@dataclass(frozen=True)
class ModelBench:
    """A network measured on a core, layer by layer."""

    name: str
    core: str
    cycles: int
    macs: int
    layers: List[Dict[str, Any]]
    raw: Dict[str, Any]

    def _repr_html_(self) -> str:
        rows = [(i, l.get("operator", ""), l.get("macs", 0), l.get("cycles", 0), counts(l.get("cycles", 0), self.cycles)) for i, l in enumerate(self.layers)]
        rows.append(("", "all", self.macs, self.cycles, "100.0 %"))
        return table(f"{self.name or 'network'} on {self.core}", ("layer", "operator", "MACs", "cycles", "share"), rows)


@dataclass(frozen=True)
class Measurement:
    """One subject at one point."""

    name: str
    core: str
    cycles: int
    instructions: int
    stalls: Dict[str, int]
    options: str
    skipped: Optional[str]
    failure: Optional[str]


@dataclass(frozen=True)
class Bench:
    """Measurements of kernels and programs."""

    results: List[Measurement]
    raw: Dict[str, Any]

    def _repr_html_(self) -> str:
        rows = [(m.name, m.core, m.options, m.cycles, m.instructions, m.skipped or m.failure or "") for m in self.results]
        return table("measurements", ("name", "core", "options", "cycles", "instructions", "remark"), rows)


@dataclass(frozen=True)
class Quantized:
    """A network of floats in integers of one way, judged beside the floats."""

    way: str  # "int8", "fx16" ...; "" for a network of integers that stays as it is
    sqnr_db: Optional[float]  # of the output; None where it equals that of the floats
    cycles: int  # of one inference on the core
    layers: List[Dict[str, Any]]
    accuracy: Optional[Dict[str, Any]]  # top-1 of floats, integers and core, and the confusion; None without labels
    gains: List[Dict[str, Any]]  # what each option changed
    path: Optional[Path]  # the file with the network of integers
    raw: Dict[str, Any]

    def _repr_html_(self) -> str:
        if not self.way:
            return table(self.raw["integers"], (), ())
        rows = [
            (l["layer"], l["output"], l.get("sqnr_db", "equal"), l["cosine"], l["beyond"], l["macs"], l["cycles"], " ".join(l["kernels"] or ()))
            for l in self.layers
        ]
        text = table(f"as {self.way}, {self.cycles} cycles", ("layer", "output", "SQNR dB", "cosine", "beyond", "MACs", "cycles", "kernels"), rows)
        if self.accuracy:
            a = self.accuracy
            shares = [(name, f"{100 * a[key]:.2f} %") for name, key in (("floats", "float_top1"), ("integers", "integer_top1"), ("core", "core_top1"))]
            text += table(f"top-1 of {a['inputs']}", ("", ""), shares)
        return text


@dataclass(frozen=True)
class Program:
    """A network as a C library in a folder."""

    folder: Path
    name: str  # what its symbols begin with
    files: List[Path]
    summary: str  # layers and bytes, as the command says them

    def _repr_html_(self) -> str:
        rows = [(f.relative_to(self.folder), f.stat().st_size) for f in self.files if f.exists()]
        return table(self.summary, ("file", "bytes"), rows)
