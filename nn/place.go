package nn

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
)

// The search for places of buffers; it has no part in graphs.

// tries bounds the search for a better plan than those of orders, pairs the comparisons of buffers in all tries.
const (
	tries = 1000
	pairs = 1 << 28
)

func activations(buffers []Buffer) []Buffer {
	var list []Buffer
	for _, b := range buffers {
		if b.Class == Activation {
			list = append(list, b)
		}
	}
	return list
}

// orders are where the search for a plan begins. Large buffers first is best for most networks; long-lived
// ones first helps those with connections over many layers.
var orders = []func(a, b Buffer) int{
	func(a, b Buffer) int { return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.First, b.First)) },
	func(a, b Buffer) int {
		return cmp.Or(cmp.Compare(b.Last-b.First, a.Last-a.First), cmp.Compare(b.Bytes, a.Bytes))
	},
	func(a, b Buffer) int { return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(b.Bytes, a.Bytes)) },
}

// tooSmall says that a buffer found no place.
type tooSmall struct {
	buffer Buffer
	short  int // bytes missing in the memory that comes nearest
	memory string
}

func (e *tooSmall) Error() string {
	return fmt.Sprintf("%d bytes of %s do not fit: %s lacks %d bytes", e.buffer.Bytes, e.buffer.Class, e.memory, e.short)
}

// place gives every buffer a memory and an offset. While the plan is larger than the buffers that live at one time, two
// buffers change their turns at random, and a change that does no harm stays. The seed is fixed: a
// network always has the same plan.
func place(buffers []Buffer, memories []Memory, align int) ([]Buffer, error) {
	if len(buffers) == 0 {
		return nil, nil
	}
	var best []Buffer
	var turns []int
	var failed error
	consider := func(order []int) {
		placed, err := placeInOrder(buffers, memories, align, order)
		if err != nil {
			failed = cmp.Or(failed, err)
			return
		}
		if best == nil || total(placed, len(memories)) <= total(best, len(memories)) {
			best, turns = placed, slices.Clone(order)
		}
	}
	for _, order := range orders {
		consider(sorted(buffers, order))
	}
	if turns == nil {
		turns = sorted(buffers, orders[0])
	}
	random := rand.New(rand.NewPCG(1, 1))
	bound := simultaneous(buffers)
	for range min(tries, pairs/(len(buffers)*len(buffers))) {
		if best != nil && total(best, len(memories)) <= bound {
			break
		}
		order := slices.Clone(turns)
		i, j := random.IntN(len(order)), random.IntN(len(order))
		if buffers[order[i]].Class == buffers[order[j]].Class {
			order[i], order[j] = order[j], order[i]
			consider(order)
		}
	}
	if best == nil {
		return nil, failed
	}
	return best, nil
}

// sorted are the turns of buffers. Classes come first: activations must find room before weights fill the
// fast memories.
func sorted(buffers []Buffer, order func(a, b Buffer) int) []int {
	turns := make([]int, len(buffers))
	for i := range turns {
		turns[i] = i
	}
	slices.SortStableFunc(turns, func(i, j int) int {
		return cmp.Or(cmp.Compare(buffers[i].Class, buffers[j].Class), order(buffers[i], buffers[j]))
	})
	return turns
}

// simultaneous is the greatest sum of buffers that live at one time.
func simultaneous(buffers []Buffer) int {
	most := 0
	for _, at := range buffers {
		sum := 0
		for _, b := range buffers {
			if b.First <= at.First && at.First <= b.Last {
				sum += b.Bytes
			}
		}
		most = max(most, sum)
	}
	return most
}

func total(buffers []Buffer, memories int) int {
	sum := 0
	for m := range memories {
		sum += top(buffers, m)
	}
	return sum
}

// top is the end of the highest buffer in a memory.
func top(buffers []Buffer, memory int) int {
	end := 0
	for _, b := range buffers {
		if b.Memory == memory {
			end = max(end, b.Offset+b.Bytes)
		}
	}
	return end
}

func placeInOrder(buffers []Buffer, memories []Memory, align int, order []int) ([]Buffer, error) {
	placed := slices.Clone(buffers)
	var done []int
	for _, i := range order {
		b := &placed[i]
		fault := &tooSmall{buffer: *b, short: -1, memory: "no memory"}
		found := false
		for m := range memories {
			if !memories[m].takes(b.Class) {
				continue
			}
			offset := gap(placed, done, *b, m, align)
			if short := offset + b.Bytes - memories[m].Bytes; memories[m].Bytes > 0 && short > 0 {
				if fault.short < 0 || short < fault.short {
					fault.short, fault.memory = short, memories[m].Name
				}
				continue
			}
			b.Memory, b.Offset, found = m, offset, true
			break
		}
		if !found {
			return nil, fault
		}
		done = append(done, i)
	}
	return placed, nil
}

// gap is the lowest offset at which a buffer meets no other one while it lives.
func gap(placed []Buffer, done []int, b Buffer, memory, align int) int {
	var near []Buffer
	for _, i := range done {
		if o := placed[i]; o.Memory == memory && o.First <= b.Last && b.First <= o.Last {
			near = append(near, o)
		}
	}
	slices.SortFunc(near, func(a, b Buffer) int { return cmp.Compare(a.Offset, b.Offset) })
	offset := 0
	for _, o := range near {
		if offset+b.Bytes <= o.Offset {
			break
		}
		offset = max(offset, (o.Offset+o.Bytes+align-1)/align*align)
	}
	return offset
}
