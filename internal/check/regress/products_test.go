package regress

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const productRecord = `{"id":3,"kind":"int32_raw","m":1,"n":1,"k":2,"lhs_order":"row","lhs_stride":2,"rhs_order":"col","rhs_stride":2,` +
	`"out_order":"row","out_stride":1,"lhs_offset":-1,"rhs_offset":2,"pipeline":[],"out_type":"i32","lhs":[1,2],"rhs":[3,4],"out":[6]}`

// TestProductVectors: a recorded product runs on all cores in all ways; a wrong record and a bad line fail by themselves.
func TestProductVectors(t *testing.T) {
	name := vectorFileOf(t, productRecord, strings.Replace(productRecord, `"out":[6]`, `"out":[7]`, 1),
		strings.Replace(productRecord, `"col"`, `"up"`, 1), "")
	sum := run(t, Options{Vectors: []string{name}}, RunOptions{Workers: 4})
	require.Equal(t, 4, sum.Passed)
	failures := map[Kind]int{}
	for i := range sum.Results {
		f := sum.Results[i].Failure
		if f == nil {
			continue
		}
		failures[f.Kind]++
		if f.Kind == KindInput {
			require.Contains(t, f.Message, `mine.jsonl:3: rhs: order "up" is neither row nor col`)
		} else {
			require.Contains(t, f.Message, "the golden model differs from the record in the same way")
		}
	}
	require.Equal(t, 1, failures[KindInput])
	require.Equal(t, 5, sum.Failed)
}
