package machine

import (
	"errors"

	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// Read copies guest memory to buf as it is stored. Of devices only the doorbell of hostlink can be read: it
// stands over memory of the program.
func (s *System) Read(addr uint32, buf []byte) error {
	err := s.Mem.Peek(addr, buf)
	if err == nil {
		return nil
	}
	var fault *memory.Fault
	if !errors.As(err, &fault) || !s.board.HasDoorbell() {
		return err
	}
	for i := range buf {
		at := addr + uint32(i)
		if v, ok := s.board.PeekDoorbell(at); ok {
			buf[i] = v
		} else if err := s.Mem.Peek(at, buf[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

// Decode decodes the instruction at an address as the core would, ignoring permissions.
func (s *System) Decode(addr uint32) (isa.Inst, error) {
	var code [8]byte
	if err := s.Read(addr, code[:2]); err != nil {
		return isa.Inst{}, err
	}
	// The end of memory may follow: bytes that cannot be read stay zero.
	for i := uint32(2); i < 8; i += 2 {
		if s.Read(addr+i, code[i:i+2]) != nil {
			break
		}
	}
	if s.decoder == nil {
		s.decoder = isa.NewDecoder(s.CPU.Config.Features)
	}
	return s.decoder.DecodeBytes(code[:], false)
}
