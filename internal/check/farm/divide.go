package farm

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Piece is work that one machine does in one go.
type Piece struct {
	Names []string // of the cases or measurements in it
	Cost  uint64   // their cycles, as far as those are known
}

// maxShards bounds the shards of a plan.
const maxShards = 10_000

// Divide gives every piece to one of n shards, so that all cost about the same: the dearest piece first, each to the
// shard that has least so far. The same pieces give the same shards everywhere. A shard has the indices of
// its pieces, in order.
func Divide(pieces []Piece, n int) ([][]int, error) {
	switch {
	case n < 1 || n > maxShards:
		return nil, fmt.Errorf("%d shards: there may be 1 to %d", n, maxShards)
	case n > len(pieces):
		return nil, fmt.Errorf("%d shards, but only %d pieces of work", n, len(pieces))
	}
	order := make([]int, len(pieces))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(pieces[b].Cost, pieces[a].Cost) })
	shards := make([][]int, n)
	queue := make([]load, n) // a heap, the least load first
	for i := range queue {
		queue[i].shard = i
	}
	for _, piece := range order {
		least := &queue[0]
		shards[least.shard] = append(shards[least.shard], piece)
		// A piece costs at least 1, so that none that costs nothing crowds in one shard.
		least.cost += max(1, pieces[piece].Cost)
		sink(queue)
	}
	for _, s := range shards {
		slices.Sort(s)
	}
	return shards, nil
}

// load is the cost of a shard so far.
type load struct {
	cost  uint64
	shard int
}

// before reports whether a shard is served before another.
func (l load) before(o load) bool { return cmp.Or(cmp.Compare(l.cost, o.cost), l.shard-o.shard) < 0 }

// sink restores the order of the heap after its first element has grown.
func sink(heap []load) {
	for i := 0; ; {
		least := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < len(heap) && heap[child].before(heap[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		heap[i], heap[least] = heap[least], heap[i]
		i = least
	}
}

// Selection is one shard of some, written 3/8.
type Selection struct{ Shard, Of int }

// ParseSelection reads a selection; shards are counted from 1.
func ParseSelection(text string) (Selection, error) {
	a, b, ok := strings.Cut(text, "/")
	shard, err1 := strconv.Atoi(a)
	of, err2 := strconv.Atoi(b)
	if !ok || err1 != nil || err2 != nil || of < 1 || of > maxShards {
		return Selection{}, fmt.Errorf("%q is no shard such as 3/8, the third of eight", text)
	}
	if shard < 1 || shard > of {
		return Selection{}, fmt.Errorf("there is no shard %s, they are 1/%d to %d/%d", text, of, of, of)
	}
	return Selection{Shard: shard, Of: of}, nil
}

// Take returns the indices of a shard's pieces.
func (s Selection) Take(pieces []Piece) ([]int, error) {
	shards, err := Divide(pieces, s.Of)
	if err != nil {
		return nil, err
	}
	return shards[s.Shard-1], nil
}
