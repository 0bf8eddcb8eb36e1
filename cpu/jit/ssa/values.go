package ssa

// values finds values by what makes them. Those made in a branch are forgotten behind it.
type values struct {
	heads [1 << 9]int32 // the last one of each list, 0 for none
	next  []int32       // the one before it in its list, by value
	log   []int32       // all of them, in order
}

func (v *values) clear() {
	clear(v.heads[:])
	v.log = v.log[:0]
}

// list is the one of the lists that a node is in.
func (x *Node) list() uint32 {
	h := x.Imm ^ x.Imm>>32
	h = (h + uint64(x.Op)<<40 + uint64(x.Cond)<<48 + uint64(x.Scale)<<56) * 0x9e3779b97f4a7c15
	h = (h ^ uint64(uint32(x.A))<<32 ^ uint64(uint32(x.B))) * 0xff51afd7ed558ccd
	h = (h ^ h>>29 ^ uint64(uint32(x.C))) * 0x9e3779b97f4a7c15
	return uint32(h >> 55)
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
	for int(n) >= len(v.next) {
		v.next = append(v.next, 0)
	}
	head := &v.heads[x.list()]
	v.next[n], *head = *head, n
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
