package arcq

import (
	"fmt"
	"math"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/quant"
)

// gemmStage is one output stage of a matrix product.
var gemmStage = declared("arcq_gemm_stage")

// The codes of stages, in the order of the table in gemm_unpack.inc.
const (
	stageBias = iota
	stageBiasRows
	stageClamp
	stageLegacy
	stageLegacyRows
	stageScaleDown
	stageScale
	stageScaleRows
	stageTanh
	store8
	store16
	store32
	storeFloat
	stageCodes
)

// stage is a stage as the kernel has it: one set of values, or one for every column or row.
type stage struct {
	code    int64
	values  [][]int64
	columns bool // a set for every column
}

// byShape chooses the code for values of rows, or marks them as values of columns.
func byShape(s golden.GEMMShape, code, rows int64, values [][]int64) stage {
	if s == golden.GEMMCol {
		return stage{code: rows, values: values}
	}
	return stage{code: code, values: values, columns: true}
}

// each is a set of values for every index.
func each(n int, set func(i int) []int64) [][]int64 {
	all := make([][]int64, n)
	for i := range all {
		all[i] = set(i)
	}
	return all
}

// downOne is 1 where a shift rounds.
func downOne(shift int64) int64 { return min(shift, 1) }

func legacyValues(offset, multiplier int32, shift int) []int64 {
	return []int64{int64(offset), int64(multiplier), downOne(int64(shift)), int64(shift)}
}

func scaleValues(multiplier int32, exponent int, offset int32) []int64 {
	down := int64(max(-exponent, 0))
	return []int64{int64(max(exponent, 0)), int64(multiplier), downOne(down), down, int64(offset)}
}

// scale prefers the loop for shifts to the right.
func scale(multiplier int32, exponent int, offset int32) stage {
	if exponent < 0 {
		return stage{code: stageScaleDown, values: [][]int64{{int64(multiplier), int64(-exponent), int64(offset)}}}
	}
	return stage{code: stageScale, values: [][]int64{scaleValues(multiplier, exponent, offset)}}
}

// lowered is a stage of gemmlowp, casts aside, as the kernel has it.
func lowered(s golden.GEMMStage) (stage, error) {
	switch s := s.(type) {
	case golden.GEMMQuantizeDown:
		return stage{code: stageLegacy, values: [][]int64{legacyValues(s.Offset, s.Multiplier, s.Shift)}}, nil
	case golden.GEMMQuantizeDownPC:
		return byShape(s.Shape, stageLegacy, stageLegacyRows, each(len(s.Offset), func(i int) []int64 {
			return legacyValues(s.Offset[i], s.Multiplier[i], s.Shift)
		})), nil
	case golden.GEMMQuantizeDownByFixedPoint:
		return scale(s.Multiplier, -s.Shift, s.Offset), nil
	case golden.GEMMScaleByExponent:
		return scale(s.Multiplier, s.Exponent, s.Offset), nil
	case golden.GEMMScaleByExponentPC:
		return byShape(s.Shape, stageScale, stageScaleRows, each(len(s.Multiplier), func(i int) []int64 {
			return scaleValues(s.Multiplier[i], int(s.Exponent[i]), s.Offset)
		})), nil
	case golden.GEMMBiasAddition:
		return byShape(s.Shape, stageBias, stageBiasRows, each(len(s.Bias), func(i int) []int64 { return []int64{int64(s.Bias[i])} })), nil
	case golden.GEMMClamp:
		return stage{code: stageClamp, values: [][]int64{{int64(s.Min), int64(s.Max)}}}, nil
	case golden.GEMMTanh:
		return stage{code: stageTanh, values: [][]int64{tanhValues(s)}}, nil
	}
	return stage{}, fmt.Errorf("the kernel has no stage %s", s.Name())
}

// tanhValues are the numbers that gemmlowp derives from zero and amplitude: the inverse of the amplitude in
// [1/2, 1) with its exponent, and the amplitude likewise.
func tanhValues(s golden.GEMMTanh) []int64 {
	const fraction = 28 // bits of the argument below the point
	inverse, down := math.Frexp(1 / float64(s.Amplitude))
	if s.Amplitude == 1 {
		inverse, down = 1, 0
	}
	amplitude, up := math.Frexp(float64(s.Amplitude))
	var q quant.Fixed[int32]
	return []int64{int64(s.Zero), int64(s.Zero - 8*s.Amplitude), int64(s.Zero + 8*s.Amplitude), int64(s.Amplitude),
		int64(q.FromReal(inverse)), int64(fraction + down), int64(q.FromReal(amplitude)), int64(31 - up)}
}

// stores are the store stages by the type of the result.
var stores = map[nn.Type]int64{nn.U8: store8, nn.I8: store8, nn.I16: store16, nn.I32: store32}

// store is the last stage. A clamp just before it narrows its range instead of being a stage.
func store(stages []golden.GEMMStage, result nn.Type) (store stage, before []golden.GEMMStage) {
	lo, hi := nn.I32.Range()
	if n := len(stages) - 1; n >= 0 {
		if cast, ok := stages[n].(golden.GEMMCast); ok {
			stages = stages[:n]
			if !cast.Truncate {
				lo, hi = cast.To.Range()
			}
		}
	}
	if n := len(stages) - 1; n >= 0 {
		if clamp, ok := stages[n].(golden.GEMMClamp); ok {
			stages = stages[:n]
			limit := func(v int32) int64 { return min(max(int64(v), lo), hi) }
			lo, hi = limit(clamp.Min), limit(clamp.Max)
		}
	}
	return stage{code: stores[result], values: [][]int64{{lo, hi}}}, stages
}

// floatStore is the store of sums times a factor: its significand with 24 bits, exponent and sign.
func floatStore(factor float32) stage {
	sign := int64(math.Float32bits(factor) >> 31 << 31)
	fraction, exponent := math.Frexp(math.Abs(float64(factor)))
	return stage{code: storeFloat, values: [][]int64{{int64(fraction * (1 << 24)), int64(exponent - 24), int64(int32(sign))}}}
}

// stages places the stages of a call.
func (p *params) stages(c *nn.Call, rows, columns int) {
	var list []stage
	if c.Out[0].Type == nn.F32 {
		list = append(list, floatStore(float32(c.Attrs.Float("factor"))))
	} else {
		pipeline := must(golden.ParseGEMMPipeline([]byte(c.Attrs.String("pipeline"))))
		last, before := store(pipeline, c.Out[0].Type)
		for _, s := range before {
			l := must(lowered(s))
			list = append(list, l)
		}
		list = append(list, last)
	}
	records := make([]byte, len(list)*gemmStage.Size())
	for i, s := range list {
		record := records[i*gemmStage.Size():]
		var flat []int64
		for _, set := range s.values {
			flat = append(flat, set...)
		}
		t := nn.FromInts(nn.I32, []int{len(flat)}, flat)
		name := fmt.Sprintf("values of stage %d", i+1)
		gemmStage.Put(record, "code", s.code)
		gemmStage.Put(record, "values", int64(p.layout.Place(kernel.Buffer{Name: name, Memory: kernel.Structs, Bytes: kernel.Elements(t)})))
		if s.columns {
			gemmStage.Put(record, "step", int64(len(s.values[0])*nn.I32.Bytes()))
		}
	}
	p.pointer("stages", p.layout.Place(kernel.Buffer{Name: "stages", Memory: kernel.Structs, Bytes: records}))
	p.set("stage_count", int64(len(list)))
}
