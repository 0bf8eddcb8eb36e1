package isa

import (
	"fmt"
	"os"
	"sort"
	"testing"
)

func TestZZ(t *testing.T) {
	m := map[string]int{}
	n := map[string]int{}
	s := ""
	for _, r := range Rows() {
		m[fmt.Sprintf("%T shape=%d always=%v", r.Format, r.Shape, r.AlwaysFlags)]++
		n[fmt.Sprintf("%T class=%s model=%d", r.Format, r.Class, r.Model)]++
		q := *r
		s += fmt.Sprintf("%+v refuses=%v forms=%d\n", q, r.RefusesLPCount(), len(r.Forms()))
	}
	for _, x := range []map[string]int{m, n} {
		var k []string
		for a := range x {
			k = append(k, a)
		}
		sort.Strings(k)
		for _, a := range k {
			fmt.Println(x[a], a)
		}
	}
	os.WriteFile(os.Getenv("ZZ"), []byte(s), 0o644)
}
