package devices

// ConsolePort is the word of the QEMU boards to which a program stores the bytes it prints. It
// reads back what was stored.
type ConsolePort struct {
	Console Console
	Word    uint32
}

// ReadPort implements memory.Port.
func (p *ConsolePort) ReadPort(offset, size uint32) (uint32, bool) {
	return part(p.Word, offset, size), true
}

// WritePort implements memory.Port.
func (p *ConsolePort) WritePort(offset, size, value uint32) bool {
	p.Word = merge(p.Word, offset, size, value)
	if offset == 0 {
		p.Console.Put(byte(value))
	}
	return true
}

// PowerPort is the word of the QEMU boards that ends the run when 1 is stored to it.
type PowerPort struct {
	Off  func()
	Word uint32
}

// ReadPort implements memory.Port.
func (p *PowerPort) ReadPort(offset, size uint32) (uint32, bool) {
	return part(p.Word, offset, size), true
}

// WritePort implements memory.Port.
func (p *PowerPort) WritePort(offset, size, value uint32) bool {
	p.Word = merge(p.Word, offset, size, value)
	if p.Word == 1 {
		p.Off()
	}
	return true
}

// part is the piece of a word that an access sees.
func part(word, offset, size uint32) uint32 {
	return word >> (8 * (offset & 3)) & mask(size)
}

// merge is the word after an access stored a piece of it.
func merge(word, offset, size, value uint32) uint32 {
	shift := 8 * (offset & 3)
	return word&^(mask(size)<<shift) | value&mask(size)<<shift
}

func mask(size uint32) uint32 {
	if size >= 4 {
		return 0xffffffff
	}
	return 1<<(8*size) - 1
}
