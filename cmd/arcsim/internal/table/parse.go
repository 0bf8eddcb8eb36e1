package table

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"arcv2dsp"
)

// Bounds of a file, so that it takes little memory.
const (
	maxSize      = 1 << 20 // bytes of a device
	maxRegisters = 4096
	maxReads     = 1 << 16
)

// file is what a file of devices says.
type file struct {
	Devices map[string]struct {
		Base      int64
		Size      int64 // 0: up to the last register
		Registers []entry
	}
}

// entry is a register of a file. The numbers are wide, so that a value that is no register's is told by its name.
type entry struct {
	Name   string
	Offset int64
	Reset  int64
	Write  *int64 // bits that programs may change, all if it is not said
	Reads  []int64
}

// Parse reads devices from the text of a file.
func Parse(name, text string) ([]arcv2dsp.Peripheral, error) {
	var f file
	md, err := toml.Decode(text, &f)
	if pe := (toml.ParseError{}); errors.As(err, &pe) {
		return nil, fmt.Errorf("%s:%d: %s", name, pe.Position.Line, oneLine(pe.Message+pe.LastKey))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s", name, oneLine(strings.TrimPrefix(err.Error(), "toml: ")))
	}
	if unknown := md.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%s: unknown key %s", name, unknown[0])
	}
	if len(f.Devices) == 0 {
		return nil, fmt.Errorf("%s: no devices: tables [devices.NAME]", name)
	}
	var list []arcv2dsp.Peripheral
	for _, device := range slices.Sorted(maps.Keys(f.Devices)) {
		d := f.Devices[device]
		registers, size, err := check(d.Registers, d.Size)
		if err == nil && (d.Base < 0 || d.Base&3 != 0 || d.Base+size > 1<<32) {
			err = fmt.Errorf("base %#x and size %#x: a device lies at a multiple of 4 below 4 GB", d.Base, size)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: device %s: %w", name, device, err)
		}
		list = append(list, arcv2dsp.Peripheral{Name: device, Base: uint32(d.Base), Size: uint32(size),
			New: func(arcv2dsp.Board) arcv2dsp.Device { return newDevice(registers) }})
	}
	return list, nil
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// check makes the registers of a device by their offsets, and its size.
func check(entries []entry, size int64) (map[uint32]*register, int64, error) {
	if len(entries) == 0 || len(entries) > maxRegisters {
		return nil, 0, fmt.Errorf("%d registers, there are 1 to %d", len(entries), maxRegisters)
	}
	registers := map[uint32]*register{}
	end := int64(0)
	for i, e := range entries {
		r, err := e.register()
		if err == nil && registers[uint32(e.Offset)] != nil {
			err = fmt.Errorf("%s has the offset %#x too", registers[uint32(e.Offset)].name, e.Offset)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("register %d (%s): %w", i+1, e.Name, err)
		}
		registers[uint32(e.Offset)] = r
		end = max(end, e.Offset+4)
	}
	if size == 0 {
		size = end
	}
	if size < end || size > maxSize {
		return nil, 0, fmt.Errorf("size %#x: the registers take %#x, and the most is %#x", size, end, maxSize)
	}
	return registers, size, nil
}

// register checks an entry.
func (e entry) register() (*register, error) {
	r := &register{name: e.Name, mask: 0xffffffff}
	switch {
	case e.Name == "":
		return nil, errors.New("it has no name")
	case e.Offset < 0 || e.Offset&3 != 0 || e.Offset >= maxSize:
		return nil, fmt.Errorf("offset %#x is no multiple of 4 below %#x", e.Offset, maxSize)
	case len(e.Reads) > maxReads:
		return nil, fmt.Errorf("%d reads are more than %d", len(e.Reads), maxReads)
	}
	word := func(key string, v int64, to *uint32) error {
		if v < 0 || v > 0xffffffff {
			return fmt.Errorf("%s = %#x is no number of 32 bits", key, v)
		}
		*to = uint32(v)
		return nil
	}
	err := word("reset", e.Reset, &r.reset)
	if e.Write != nil {
		err = errors.Join(err, word("write", *e.Write, &r.mask))
	}
	r.reads = make([]uint32, len(e.Reads))
	for i, v := range e.Reads {
		if err == nil {
			err = word("reads", v, &r.reads[i])
		}
	}
	return r, err
}
