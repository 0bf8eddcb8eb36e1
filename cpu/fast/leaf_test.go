package fast

import (
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
)

// TestLeafCode reads the compiled leaf: no calls, one jump table, and between two micro-operations
// no store to the stack.
func TestLeafCode(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("reads amd64 code")
	}
	if testing.Short() {
		t.Skip("disassembles the package")
	}
	list := exec.Command("go", "list", "-export", "-f", "{{.Export}}", "arcv2dsp/cpu/fast")
	archive, err := list.Output()
	require.NoError(t, err)
	out, err := exec.Command("go", "tool", "objdump", "-s", `fast\.leaf$`, strings.TrimSpace(string(archive))).Output()
	require.NoError(t, err)
	code := strings.Split(string(out), "\n")
	require.Greater(t, len(code), 5000)

	table := -1
	for i, line := range code {
		if strings.Contains(line, "CALL") {
			require.Contains(t, line, "morestack", "the leaf makes a call")
		}
		if strings.Contains(line, "leaf.jump") {
			require.Equal(t, -1, table, "a second jump table, or the switch became something else")
			table = i
		}
	}
	require.NotEqual(t, -1, table, "the switch is not a jump table")

	toStack := regexp.MustCompile(`\t(MOV|LEA)\w* [A-Z0-9]+, (0x[0-9a-f]+)?\(SP\)`)
	n := 0
	for i := table; !regexp.MustCompile(`\tJMP `).MatchString(code[i]); i-- {
		require.NotRegexp(t, toStack, code[i], "the dispatch saves a register")
		n++
	}
	require.Greater(t, n, 3, "the dispatch was not found")
	require.Less(t, n, 15, "the dispatch was not found")
}

// TestSizes holds the layout that the leaf relies on.
func TestSizes(t *testing.T) {
	require.EqualValues(t, 16, unsafe.Sizeof(uop{}))
	require.Less(t, unsafe.Sizeof(edge{}), uintptr(256), "edges are addressed by a byte")
	require.Zero(t, unsafe.Offsetof(cpu.CPU{}.R)%8)
	require.Less(t, int(tmpStalls), 256)
}

// TestBanks holds the table of stalls against the model: kinds of memory and banks must match.
func TestBanks(t *testing.T) {
	require.EqualValues(t, []uint32{1, 2, 3}, []uint32{bankOf(4), bankOf(5), bankOf(3)})
}
