package gemm

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// spelling is how a stage is written on the command line: NAME:KEY=VALUE,... The keys lead to the names of
// gemmlowp's parameters.
type spelling struct {
	name  string
	stage golden.GEMMStage
	keys  map[string]string
}

var legacyKeys = map[string]string{"offset": "result_offset", "multiplier": "result_mult_int", "shift": "result_shift", "shape": "shape"}

var exponentKeys = map[string]string{"multiplier": "result_fixedpoint_multiplier", "exponent": "result_exponent",
	"offset": "result_offset_after_shift", "shape": "shape"}

// spellings are the stages in the order of gemmlowp's documents.
var spellings = []spelling{
	{name: "legacy", stage: golden.GEMMQuantizeDown{}, keys: legacyKeys},
	{name: "legacy-pc", stage: golden.GEMMQuantizeDownPC{}, keys: legacyKeys},
	{name: "fixed-point", stage: golden.GEMMQuantizeDownByFixedPoint{}, keys: map[string]string{
		"multiplier": "result_fixedpoint_multiplier", "shift": "result_shift", "offset": "result_offset_after_shift"}},
	{name: "exponent", stage: golden.GEMMScaleByExponent{}, keys: exponentKeys},
	{name: "exponent-pc", stage: golden.GEMMScaleByExponentPC{}, keys: exponentKeys},
	{name: "bias", stage: golden.GEMMBiasAddition{}, keys: map[string]string{"shape": "shape", "bias": "bias"}},
	{name: "clamp", stage: golden.GEMMClamp{}, keys: map[string]string{"min": "min", "max": "max"}},
	{name: "tanh", stage: golden.GEMMTanh{}, keys: map[string]string{"zero": "real_zero_as_int32", "amplitude": "real_amplitude_as_int32"}},
	{name: "u8", stage: golden.GEMMCast{To: nn.U8}},
	{name: "i8", stage: golden.GEMMCast{To: nn.I8}},
	{name: "i16", stage: golden.GEMMCast{To: nn.I16}},
	{name: "truncate-u8", stage: golden.GEMMCast{To: nn.U8, Truncate: true}},
}

// StageNames are the names that ParseStage takes.
func StageNames() []string {
	var names []string
	for _, s := range spellings {
		names = append(names, s.name)
	}
	return names
}

// ParseStage reads a stage as the command line has it. A value is a number, row or col, or a list of numbers that
// vector reads from a file.
func ParseStage(text string, vector func(file string) ([]int64, error)) (golden.GEMMStage, error) {
	name, rest, _ := strings.Cut(text, ":")
	i := slices.IndexFunc(spellings, func(s spelling) bool { return s.name == name })
	if i < 0 {
		return nil, fmt.Errorf("unknown stage %q, there are %s", name, strings.Join(StageNames(), ", "))
	}
	s := spellings[i]
	fields := map[string]any{"stage": s.stage.Name()}
	for _, pair := range strings.FieldsFunc(rest, func(r rune) bool { return r == ',' }) {
		key, value, ok := strings.Cut(pair, "=")
		full := s.keys[key]
		switch {
		case !ok:
			return nil, fmt.Errorf("stage %s: %q is not KEY=VALUE", name, pair)
		case full == "" && len(s.keys) == 0:
			return nil, fmt.Errorf("stage %s has no parameters", name)
		case full == "":
			return nil, fmt.Errorf("stage %s has no %q, it has %s", name, key, strings.Join(slices.Sorted(maps.Keys(s.keys)), ", "))
		}
		if n, err := strconv.ParseInt(value, 0, 64); err == nil {
			fields[full] = n
		} else if value == string(golden.GEMMRow) || value == string(golden.GEMMCol) {
			fields[full] = value
		} else if fields[full], err = vector(value); err != nil {
			return nil, fmt.Errorf("stage %s: %s: %w", name, key, err)
		}
	}
	list, err := json.Marshal([]any{fields})
	if err != nil {
		return nil, err
	}
	stages, err := golden.ParseGEMMPipeline(list)
	if err != nil {
		return nil, fmt.Errorf("stage %s: %w", name, err)
	}
	return stages[0], nil
}
