package drawing

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
)

// TestFresh compares the committed drawing with one of the packages as they are.
func TestFresh(t *testing.T) {
	list, err := packages("../../..")
	require.NoError(t, err)
	require.Greater(t, len(list), 80)
	want, err := draw(list)
	require.NoError(t, err)
	goldenfile.File(t, "../../../docs/pictures/architecture.svg", string(want))
	for d := xml.NewDecoder(bytes.NewReader(want)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
	}
}

// TestGroups: each package has its box, and each box a package.
func TestGroups(t *testing.T) {
	_, err := graphOf([]pkg{{name: "internal/novel"}})
	require.EqualError(t, err, "package internal/novel is in no group of internal/dev/drawing and not outside")
	_, err = graphOf([]pkg{{name: "isa", imports: []string{"isa/gen"}}})
	require.ErrorContains(t, err, "isa imports isa/gen: package isa/gen is in no group", "what is outside is for nobody inside")
	_, err = graphOf([]pkg{{name: "isa"}})
	require.ErrorContains(t, err, "has no package")
	for name, want := range map[string]string{"cpu": "processor", "internal/program/calls": "program", "cpu/fast": "processor", ".": "public face", "nn/internal/golden/mli11/recorded": "operators"} {
		i, err := groupOf(name)
		require.NoError(t, err)
		require.Equal(t, want, groups[i].title, name)
	}
}

// TestLayout: a imports b, c and d, b imports c, c imports d. The line from a to c says nothing new, d stands lowest.
func TestLayout(t *testing.T) {
	g := graph{{false, true, true, true}, {false, false, true, false}, {false, false, false, true}, make([]bool, 4)}
	require.Equal(t, graph{{false, true, false, false}, {false, false, true, false}, {false, false, false, true}, make([]bool, 4)}, g.reduced())
	level, err := g.levels()
	require.NoError(t, err)
	require.Equal(t, []int{3, 2, 1, 0}, level)
	g[3][0] = true
	_, err = g.levels()
	require.ErrorContains(t, err, "ring")

	// In a row no two nodes overlap, so that no line passes through a box.
	list, err := packages("../../..")
	require.NoError(t, err)
	all, err := graphOf(list)
	require.NoError(t, err)
	level, err = all.levels()
	require.NoError(t, err)
	nodes := nodesOf(all.reduced(), level)
	rows := rowsOf(nodes)
	width := place(nodes, rows)
	for _, row := range rows {
		right := 0.0
		for _, i := range row {
			n := nodes[i]
			require.GreaterOrEqual(t, n.x-n.width()/2, right, fmt.Sprint(i))
			right = n.x + n.width()/2
		}
		require.LessOrEqual(t, right, width)
	}
	for i := range nodes {
		for _, j := range nodes[i].down {
			require.Equal(t, nodes[i].level-1, nodes[j].level, "lines lead from row to row")
		}
	}
}
