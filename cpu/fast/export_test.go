package fast

// Compiled returns how many instructions, blocks and bytes have been compiled.
func (e *Engine) Compiled() (insts, blocks, bytes int) {
	return e.native.compiledInsts, e.native.compiledBlocks, e.native.compiledBytes
}

// CompiledPCs returns how many instructions of the guest are in what has been compiled.
func (e *Engine) CompiledPCs() int {
	pcs := map[uint32]bool{}
	for _, g := range e.native.generations {
		for _, u := range g.units {
			for _, b := range u.Blocks {
				for i := range b.Src.Insts {
					pcs[b.Src.Insts[i].PC] = true
				}
			}
		}
	}
	return len(pcs)
}

// Measure has a function call what compiles.
func (e *Engine) Measure(f func(compile func())) { e.native.measure = f }

// RefuseAreas makes the host refuse memory for code until what it returns is called.
func RefuseAreas(err error) (end func()) {
	before := newArea
	newArea = func(int) (codeArea, error) { return nil, err }
	return func() { newArea = before }
}

// Stay is how many cycles compiled code executes at most before it comes back to Go.
const Stay = stay

// Fault names the store of a micro-operation that stands in front of an exit, see ssa.Builder.Fault.
func (e *Engine) Fault() error {
	if e.native == nil {
		return nil
	}
	return e.native.fault
}

// Units returns how many units there are.
func (e *Engine) Units() (n int) {
	for _, g := range e.native.generations {
		for _, u := range g.units {
			if !u.Dead {
				n++
			}
		}
	}
	return n
}
