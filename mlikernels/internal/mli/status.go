package mli

import (
	"fmt"
	"strings"
)

// Status is the result of a function: mli_status of the C interface.
type Status uint32

// The statuses that functions return; the last two are those of MLI 2.0 alone.
const (
	StatusOK Status = iota
	StatusBadTensor
	StatusShapeMismatch
	StatusIncompatibleTensors
	StatusBadFuncCfg
	StatusNotEnoughMem
	StatusNotSupported
	StatusSpecParamMismatch
	StatusArgumentError
	StatusLengthError
	StatusSizeMismatch
	StatusRankMismatch
	StatusTypeMismatch
	StatusMemBankMismatch
	StatusMisalignment
)

// The names are those of the C header without their prefix, its spelling included.
var statusNames = [...]string{
	StatusOK: "OK", StatusBadTensor: "BAD_TENSOR", StatusShapeMismatch: "SHAPE_MISMATCH",
	StatusIncompatibleTensors: "INCOMPATEBLE_TENSORS", StatusBadFuncCfg: "BAD_FUNC_CFG",
	StatusNotEnoughMem: "NOT_ENGH_MEM", StatusNotSupported: "NOT_SUPPORTED",
	StatusSpecParamMismatch: "SPEC_PARAM_MISMATCH", StatusArgumentError: "ARGUMENT_ERROR",
	StatusLengthError: "LENGTH_ERROR", StatusSizeMismatch: "SIZE_MISMATCH",
	StatusRankMismatch: "RANK_MISMATCH", StatusTypeMismatch: "TYPE_MISMATCH",
	StatusMemBankMismatch: "MEM_BANK_MISMATCH", StatusMisalignment: "MISALIGNMENT_ERROR",
}

func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("status %d", uint32(s))
}

// statusText says the statuses to the assembly sources.
func statusText() string {
	var b strings.Builder
	b.WriteString("\n; mli_status\n")
	for i, name := range statusNames {
		fmt.Fprintf(&b, "\t.equ\t%s,%d\n", name, i)
	}
	return b.String()
}
