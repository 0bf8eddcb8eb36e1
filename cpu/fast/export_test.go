package fast

import "arcv2dsp/cpu/jit/exec"

// CompileAt makes an engine compile blocks when it has met them n times, whenever it meets them.
func (e *Engine) CompileAt(n uint8) error {
	if err := e.Compile(); err != nil {
		return err
	}
	e.native.heat, e.native.every = n, 0
	return nil
}

// Compiled returns how many instructions, blocks and bytes have been compiled.
func (e *Engine) Compiled() (insts, blocks, bytes int) {
	return e.native.compiledInsts, e.native.compiledBlocks, e.native.compiledBytes
}

// Measure has a function call what compiles.
func (e *Engine) Measure(f func(compile func())) { e.native.measure = f }

// RefuseAreas makes the host refuse memory for code until what it returns is called.
func RefuseAreas(err error) (end func()) {
	before := newArea
	newArea = func(int) (*exec.Area, error) { return nil, err }
	return func() { newArea = before }
}
