package fast

import (
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLeafCode reads the compiled leaf: no calls, one jump table, and between two micro-operations
// no store to the stack, no comparison, and code that one line of the host holds.
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

	targets := map[string]int{}
	jump := regexp.MustCompile(`\tJMP (0x[0-9a-f]+)`)
	tables := 0
	for _, line := range code {
		if strings.Contains(line, "CALL") {
			require.Contains(t, line, "morestack", "the leaf makes a call")
		}
		if strings.Contains(line, "leaf.jump") {
			tables++
		}
		if m := jump.FindStringSubmatch(line); m != nil {
			targets[m[1]]++
		}
	}
	require.Equal(t, 1, tables, "the switch is not one jump table")

	// the dispatch: from where most cases go on to the jump by the table
	first := -1
	for i, line := range code {
		if f := strings.Fields(line); len(f) > 1 && targets[f[1]] > 300 {
			require.Equal(t, -1, first, "cases go on by way of more than one place")
			first = i
		}
	}
	require.NotEqual(t, -1, first, "the dispatch was not found")
	last := first
	for !strings.Contains(code[last], "\tJMP ") {
		last++
	}
	require.Less(t, last-first, 8, "the dispatch was not found")
	for _, line := range code[first : last+1] {
		require.NotRegexp(t, `\t(MOV|LEA)\w* [A-Z0-9]+, (0x[0-9a-f]+)?\(SP\)`, line, "the dispatch saves a register")
		require.NotRegexp(t, `\tCMP`, line, "a number has no case")
	}

	// Functions begin at multiples of 32 bytes, and hosts fetch 64 at once: a dispatch in two such lines makes
	// every micro-operation slower, by a tenth and more. Within 32 aligned bytes it is in one line wherever the
	// linker places the leaf. Statements before the loop of the leaf move it.
	at := func(i int) int64 {
		n, err := strconv.ParseInt(strings.Fields(code[i])[1], 0, 64)
		require.NoError(t, err)
		return n - start(t, code)
	}
	require.Equal(t, at(first)/32, (at(last+1)-1)/32, "the dispatch, %#x to %#x, is not within 32 aligned bytes", at(first), at(last+1))
}

// start is the address of the first instruction of a listing.
func start(t *testing.T, code []string) int64 {
	n, err := strconv.ParseInt(strings.Fields(code[1])[1], 0, 64)
	require.NoError(t, err)
	return n
}
