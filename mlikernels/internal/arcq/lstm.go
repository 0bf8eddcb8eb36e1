package arcq

import (
	"fmt"
	"math"
	"math/rand/v2"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

// gateRecord is a gate of an LSTM.
var gateRecord = declared("arcq_gate")

// lstmParams is the parameter block of LSTMs. Steps are in bytes.
var lstmParams = declared("arcq_lstm_params")

// recurrent are the rows of LSTMs.
func recurrent() []row {
	op := operator(nn.TFLite, "UNIDIRECTIONAL_SEQUENCE_LSTM")
	of := func(symbol, types, doc string, data nn.Type, bits int) row {
		return row{
			symbol: symbol, operator: "lstm", types: types, body: "lstm.inc", equ: []string{fmt.Sprintf("DATA_BYTES,%d", data.Bytes())},
			params: lstmParams, records: gateRecord, computes: []*nn.Operator{op}, doc: doc, accBits: bits,
			fits: func(c *nn.Call) error {
				if t := c.In[0].Type; t != data {
					return fmt.Errorf("data of %s, not %s", t, data)
				}
				return nil
			},
			fill: fillLSTM, macs: true,
			rounds: []nn.Rounding{nn.Double, nn.Single}, grid: lstmGrid(op, data),
		}
	}
	return []row{
		of("arcq_lstm_s8", "s8", "long short-term memory, 8-bit data and weights, 16-bit cells", nn.I8, 32),
		of("arcq_lstm_s16s8", "s16s8", "long short-term memory, 16-bit data and cells, 8-bit weights, 64-bit sums", nn.I16, 64),
	}
}

// gateRoles are the names of the gates in the roles of the operator.
var gateRoles = [tflite.Gates]string{"input", "forget", "cell", "output"}

func fillLSTM(p *params, c *nn.Call) {
	s := must(tflite.LSTM(c))
	in, hidden, out := c.In[0], c.Input("hidden"), c.Out[0]
	wide := in.Type == nn.I16
	p.input("in", "in", kernel.Data)
	gates := make([]byte, tflite.Gates*gateRecord.Size())
	for g, role := range gateRoles {
		at := gates[g*gateRecord.Size():]
		p.gate(at, "", "input_to_"+role, role+"_bias", s.InZero, s.Input[g], wide)
		p.gate(at, "recurrent_", "recurrent_to_"+role, "", s.HiddenZero, s.Recurrent[g], wide)
	}
	p.pointer("gates", p.layout.Place(kernel.Buffer{Name: "gates", Memory: kernel.Structs, Bytes: gates}))
	p.state("hidden", "hidden")
	p.state("cell", "cell")
	p.output("out", "out")
	units, inputs, size := hidden.Dim(1), in.Dim(2), in.Type.Bytes()
	p.scratch("arguments", nn.I16, tflite.Gates*units)
	p.sigmoidTable("table")
	batches, steps := in.Dim(0), in.Dim(1)
	fromBatch, fromStep := steps, 1
	if c.Attrs.Bool("time_major") {
		batches, steps = steps, batches
		fromBatch, fromStep = 1, batches
	}
	for name, v := range map[string]int{
		"batches": batches, "steps": steps, "inputs": inputs, "units": out.Dim(2),
		"batch_in": fromBatch * inputs * size, "step_in": fromStep * inputs * size,
		"batch_out": fromBatch * units * size, "step_out": fromStep * units * size,
	} {
		p.set(name, int64(v))
	}
	p.set("hidden_zero", s.HiddenZero)
	p.set("cell_least", max(-s.Clip, math.MinInt16))
	p.set("cell_greatest", min(s.Clip, math.MaxInt16))
	for name, m := range map[string]quant.Multiplier{"keep": s.Keep, "take": s.Take, "hidden": s.Hidden} {
		p.set(name+"_multiplier", int64(m.Value))
		p.set(name+"_shift", shiftWord(m, c.Rounding))
	}
	step, down := s.Tanh.Factor, s.Tanh.Shift
	if step == 0 {
		step, down = 3<<s.Tanh.Shift, 0
	}
	p.set("tanh_multiplier", step)
	p.set("tanh_shift", int64(down))
}

// gate fills in one product of a gate.
func (p *params) gate(at []byte, which, role, biasRole string, zero int64, m quant.Multiplier, wide bool) {
	weights := p.call.Input(role)
	if weights == nil || !weights.Filled() {
		panic(unfit{fmt.Errorf("input %s has no elements", role)})
	}
	var bias *nn.Tensor
	if biasRole != "" {
		bias = p.call.Input(biasRole)
	}
	starts := nn.FromInts(nn.I32, []int{weights.Dim(0)}, tflite.FoldedBias(weights, bias, 0, zero, wide))
	multiplier, shift := int64(m.Value), shiftWord(m, p.call.Rounding)
	if wide {
		if m.Shift > greatestWideShift {
			panic(unfit{fmt.Errorf("a factor of %g for sums of 64 bits, 2^%d or more", m.Real(), greatestWideShift)})
		}
		short := m.Reduce16()
		starts.Type, multiplier, shift = nn.I64, int64(short.Value), wideShiftWord(short)
	}
	gateRecord.Put(at, which+"weights", int64(p.layout.Input(role, weights, kernel.Weights)))
	gateRecord.Put(at, which+"starts", int64(p.layout.Input(which+"starts", starts, kernel.Weights)))
	gateRecord.Put(at, which+"multiplier", multiplier)
	gateRecord.Put(at, which+"shift", shift)
}

// sigmoidTable places the table of the logistic function, its last entry twice: the end is flat.
func (p *params) sigmoidTable(member string) {
	entries := make([]int64, len(quant.SigmoidTable)+1)
	for i := range entries {
		entries[i] = int64(quant.SigmoidTable[min(i, len(quant.SigmoidTable)-1)])
	}
	p.table(member, nn.U16, entries)
}

// lstmGrid is the grid of LSTMs.
func lstmGrid(op *nn.Operator, data nn.Type) func(*grid) {
	return func(g *grid) {
		for i, n := range edges {
			add := func(batches, steps, inputs, units, cellPower int, timeMajor bool) {
				name := fmt.Sprintf("%dx%dx%d-%d_c%d_t%t", batches, steps, inputs, units, cellPower, timeMajor)
				g.add(name, func(r *rand.Rand) *nn.Call {
					return lstmCall(r, op, data, batches, steps, inputs, units, cellPower, timeMajor)
				})
			}
			add(1+i%2, 1+i%4, min(n, 127), 3+i%5, -11-i%3, i%3 == 0)
			add(1, 2+i%2, 4+i%3, min(n, 32+i), -9-i%4, i%2 == 0)
		}
	}
}

func lstmCall(r *rand.Rand, op *nn.Operator, data nn.Type, batches, steps, inputs, units, cellPower int, timeMajor bool) *nn.Call {
	zero, biasType := func() []int64 { return []int64{[]int64{-128, 127, int64(r.IntN(256) - 128)}[r.IntN(3)]} }, nn.I32
	if data == nn.I16 {
		zero, biasType = func() []int64 { return []int64{0} }, nn.I64
	}
	lo, _ := data.Range()
	first, second := batches, steps
	if timeMajor {
		first, second = steps, batches
	}
	c := &nn.Call{Op: op, In: make([]*nn.Tensor, len(op.Inputs)),
		Attrs: nn.Attrs{"fused_activation_function": "TANH", "time_major": timeMajor, "cell_clip": []float64{0, 0, 1.5}[r.IntN(3)]}}
	set := func(role string, t *nn.Tensor, f nn.Format) {
		t.Format = f
		for i, port := range op.Inputs {
			if port.Role == role {
				c.In[i] = t
			}
		}
	}
	unit := float32(-1 / float64(lo)) // full scale of data is one
	format := func(scale float32, zeros []int64) nn.Format {
		return nn.Format{Kind: nn.Scaled, Scales: []float32{scale}, Zeros: zeros}
	}
	set("in", random(r, data, first, second, inputs), format(unit, zero()))
	hidden := format(unit, zero())
	set("hidden", random(r, data, batches, units), hidden)
	set("cell", random(r, nn.I16, batches, units), format(float32(math.Ldexp(1, cellPower)), []int64{0}))
	for _, role := range gateRoles {
		set("input_to_"+role, random(r, nn.I8, units, inputs), format((0.5+r.Float32())/(16*float32(inputs)), []int64{0}))
		set("recurrent_to_"+role, random(r, nn.I8, units, units), format((0.5+r.Float32())/(16*float32(units)), []int64{0}))
		b := random(r, nn.I32, units)
		b.Type = biasType
		for i := range b.Ints {
			b.Ints[i] >>= 16
		}
		set(role+"_bias", b, nn.Format{})
	}
	c.Out = []*nn.Tensor{{Type: data, Shape: []int{first, second, units}, Format: hidden}}
	return c
}
