package dap

import (
	"encoding/base64"
	"fmt"
	"strconv"

	protocol "github.com/google/go-dap"

	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/term/steps"
)

// reference is an address as the client passes it back.
func reference(addr uint32) string { return fmt.Sprintf("0x%08x", addr) }

// address reads a reference with a distance from it.
func address(ref string, offset int) uint32 {
	n, err := strconv.ParseUint(ref, 0, 32)
	if err != nil {
		steps.Check(fmt.Errorf("%q is not an address", ref))
	}
	at := int64(n) + int64(offset)
	steps.Refuse(at < 0 || at > 1<<32-1, "%s%+d is outside the address space", ref, offset)
	return uint32(at)
}

// maxRead bounds what is read or written at once, and maxListed the instructions of a listing.
const (
	maxRead   = 1 << 20
	maxListed = 1 << 12
)

func (s *session) readMemory(a protocol.ReadMemoryArguments) any {
	addr := address(a.MemoryReference, a.Offset)
	steps.Refuse(a.Count < 0 || a.Count > maxRead, "%d bytes are asked for, 0 to %d are possible", a.Count, maxRead)
	buf := make([]byte, min(a.Count, int(1<<32-uint64(addr))))
	n := len(buf)
	if err := s.d.ReadMemory(addr, buf); err != nil {
		for n = 0; n < len(buf) && s.d.ReadMemory(addr+uint32(n), buf[n:n+1]) == nil; n++ {
		}
	}
	return protocol.ReadMemoryResponseBody{
		Address: reference(addr), UnreadableBytes: a.Count - n, Data: base64.StdEncoding.EncodeToString(buf[:n]),
	}
}

func (s *session) writeMemory(a protocol.WriteMemoryArguments) any {
	addr := address(a.MemoryReference, a.Offset)
	data, err := base64.StdEncoding.DecodeString(a.Data)
	if err != nil {
		steps.Check(fmt.Errorf("the data is not base64: %w", err))
	}
	steps.Refuse(len(data) > maxRead, "%d bytes are more than %d", len(data), maxRead)
	steps.Check(s.d.WriteMemory(addr, data))
	return protocol.WriteMemoryResponseBody{BytesWritten: len(data)}
}

// disassemble lists instructions around an address. Where there is none, such as before the program, the
// protocol wants a line nevertheless.
func (s *session) disassemble(a protocol.DisassembleArguments) any {
	addr := address(a.MemoryReference, a.Offset)
	before, after := 0, a.InstructionCount
	if a.InstructionOffset < 0 {
		before = min(-a.InstructionOffset, maxListed)
	}
	if a.InstructionCount < 0 || a.InstructionCount > maxListed || a.InstructionOffset > maxListed || a.InstructionOffset < -maxListed {
		steps.Check(fmt.Errorf("%d instructions from number %d are too many", a.InstructionCount, a.InstructionOffset))
	}
	var list []protocol.DisassembledInstruction
	if before > 0 {
		known := s.d.DisassembleBefore(addr, before)
		for i := before - len(known); i > 0; i-- {
			at := uint32(0)
			if gap := uint32(2 * (len(known) + i)); gap < addr {
				at = addr - gap
			}
			list = append(list, unknown(at))
		}
		for _, in := range known {
			list = append(list, s.instruction(in))
		}
		after = max(a.InstructionCount-before, 0)
	}
	skip := max(a.InstructionOffset, 0)
	for n := 0; n < skip+after; n++ {
		next, step := unknown(addr), uint32(2)
		if in, err := s.d.Disassemble(addr, 1); err == nil && len(in) == 1 {
			next, step = s.instruction(in[0]), in[0].Len
		}
		if n >= skip {
			list = append(list, next)
		}
		addr += step
	}
	return protocol.DisassembleResponseBody{Instructions: list[:min(len(list), a.InstructionCount)]}
}

func unknown(addr uint32) protocol.DisassembledInstruction {
	return protocol.DisassembledInstruction{Address: reference(addr), Instruction: "??"}
}

func (s *session) instruction(in debug.Instruction) protocol.DisassembledInstruction {
	out := protocol.DisassembledInstruction{
		Address: reference(in.Addr), InstructionBytes: fmt.Sprintf("% x", in.Bytes), Instruction: in.Text, Symbol: in.Symbol,
	}
	if in.Line.Line > 0 {
		out.Location, out.Line = s.sourceOf(in.Line.File), s.toClient(in.Line.Line)
	}
	return out
}
