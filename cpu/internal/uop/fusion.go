package uop

import (
	"arcv2dsp/cpu"
	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
)

// Fusion is a block that is the body of a loop that can be fused.
type Fusion struct {
	Op    isa.Op // the operation
	End   uint32 // address behind the body
	Dest  uint8  // slot of the result, the null slot when it is dropped
	Ports bool
	X, Y  FusedSource
}

// FusedSource is where a source of the operation comes from: a port, or a load.
type FusedSource struct {
	Port uint8 // number of the port
	Load uint8 // slot that is loaded
	Base uint8 // slot of the pointer
	Step uint32
	Size uint32
	Sign bool
}

// Fuses reports whether an operation has a fused loop.
func Fuses(op isa.Op) bool {
	r := isa.RowOf(op)
	return r != nil && r.Streams >= isa.LoopStreams
}

// FuseAbove is the loop count above which leaving the leaf for a fused loop pays.
const FuseAbove = 4

// fusionOf recognises a loop body that can be fused.
func fusionOf(b *cpu.Block) *Fusion {
	n := len(b.Insts)
	if b.End != cpu.EndLoop || b.Exits[1].PC != b.PC || n != 1 && n != 3 {
		return nil
	}
	in := &b.Insts[n-1]
	if !Fuses(in.Exec()) || in.Cond != isa.CondAL || in.SetFlags || in.N != 3 || in.Args[1].Kind != isa.OpReg || in.Args[2].Kind != isa.OpReg {
		return nil
	}
	f := &Fusion{Op: in.Exec(), End: b.Exits[0].PC, Dest: cpu.SlotNull}
	if a := in.Args[0]; a.Kind == isa.OpReg {
		if f.Dest = cpu.Slot(a.Reg); a.Reg >= dspunit.FirstPort || in.Row().Pair != 0 {
			return nil
		}
	}
	switch {
	case n == 1 && cpu.Ports(&in.Inst) == 0b110:
		f.Ports = true
		f.X.Port = in.Args[1].Reg - dspunit.FirstPort
		f.Y.Port = in.Args[2].Reg - dspunit.FirstPort
	case n == 3 && cpu.Ports(&in.Inst) == 0:
		p, ok1 := loadOf(&b.Insts[0])
		q, ok2 := loadOf(&b.Insts[1])
		f.X, f.Y = p, q
		if x, y := in.Args[1].Reg, in.Args[2].Reg; x == q.Load && y == p.Load {
			f.X, f.Y = q, p
		} else if x != p.Load || y != q.Load {
			return nil
		}
		regs := map[uint8]bool{p.Load: true, q.Load: true, p.Base: true, q.Base: true}
		if !ok1 || !ok2 || len(regs) != 4 || f.Dest == p.Base || f.Dest == q.Base {
			return nil
		}
		if f.Dest != cpu.SlotNull && (p.Size != 4 || q.Size != 4) {
			return nil // converting loads drop the result
		}
	default:
		return nil
	}
	return f
}

// loadOf recognises a load with post-increment by a literal.
func loadOf(in *cpu.BlockInst) (s FusedSource, ok bool) {
	if in.Exec() != isa.LD || in.Cond != isa.CondAL || in.Addr != isa.AddrPost || cpu.Ports(&in.Inst) != 0 ||
		in.Args[0].Kind != isa.OpReg || in.Args[1].Kind != isa.OpReg || in.Args[2].Kind != isa.OpImm ||
		in.Args[0].Reg >= 32 || in.Args[1].Reg >= 32 {
		return s, false
	}
	return FusedSource{
		Load: in.Args[0].Reg, Base: in.Args[1].Reg, Step: uint32(in.Args[2].Val),
		Size: in.Size.Bytes(), Sign: in.SignExtend,
	}, true
}
