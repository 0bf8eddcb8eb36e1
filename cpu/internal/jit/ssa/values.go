package ssa

// values finds values by what makes them. Those made in a branch are forgotten behind it, but for constants, which
// are made where they are used.
type values struct {
	heads  [1 << 9]int32 // the last one of each list, 0 for none
	consts [1 << 7]int32 // the same of constants
	next   []int32       // the one before it in its list, by value
	log    []int32       // all of them but constants, in order
}

func (v *values) clear() {
	clear(v.heads[:])
	clear(v.consts[:])
	v.log = v.log[:0]
}

// list is the one of the lists that a node is in.
func (x *Node) list() uint32 {
	h := x.Imm * 0x9e3779b97f4a7c15
	h ^= (uint64(x.Op) | uint64(x.Cond)<<8 | uint64(x.Scale)<<16 | uint64(uint32(x.C))<<24) * 0xff51afd7ed558ccd
	h ^= (uint64(uint32(x.A))<<32 | uint64(uint32(x.B))) * 0xc4ceb9fe1a85ec53
	return uint32((h ^ h>>29) * 0x9e3779b97f4a7c15 >> 55)
}

// constant returns the number of a constant, 0 when there is none, and the head of its list.
func (v *values) constant(c uint64, nodes []Node) (n int32, head *int32) {
	head = &v.consts[(c^c>>32)*0x9e3779b97f4a7c15>>57]
	n = *head
	for n > 0 && nodes[n].Imm != c {
		n = v.next[n]
	}
	return n, head
}

// enter puts node n in front of a list.
func (v *values) enter(n int32, head *int32) {
	for int(n) >= len(v.next) {
		v.next = append(v.next, 0)
	}
	v.next[n], *head = *head, n
}

// find returns the number of a node like x, 0 when there is none.
func (v *values) find(x *Node, nodes []Node) int32 {
	n := v.heads[x.list()]
	for n > 0 && nodes[n] != *x {
		n = v.next[n]
	}
	return n
}

// note enters node n.
func (v *values) note(n int32, x *Node) {
	v.enter(n, &v.heads[x.list()])
	v.log = append(v.log, n)
}

func (v *values) mark() int { return len(v.log) }

// forget drops the values made since a mark.
func (v *values) forget(mark int, nodes []Node) {
	for k := len(v.log) - 1; k >= mark; k-- {
		n := v.log[k]
		v.heads[nodes[n].list()] = v.next[n]
	}
	v.log = v.log[:mark]
}
