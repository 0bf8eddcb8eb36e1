"""The results of commands, as docs/formats.md describes their JSON."""

from dataclasses import dataclass
from typing import Any, Dict, List, Optional

import numpy as np


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


@dataclass(frozen=True)
class Regression:
    """A regression; kernels has the totals of each."""

    passed: bool
    cases: int
    failures: List[Dict[str, Any]]
    kernels: List[Dict[str, Any]]
    raw: Dict[str, Any]


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
