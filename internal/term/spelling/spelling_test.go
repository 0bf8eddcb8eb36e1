package spelling

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "arcv2dsp/internal/dev/testkit/nofiles"
)

func TestNearest(t *testing.T) {
	cores := []string{"em4", "em6", "em5d", "em7d", "em9d", "em11d", "hs38"}
	options := []string{"nsim_isa_mpy_option", "mpy_option", "dsp_option", "div_rem_option"}
	for _, row := range []struct {
		name  string
		names []string
		want  string
	}{
		{name: "em9", names: cores, want: "em9d"},
		{name: "EM11", names: cores, want: "em11d"},
		{name: "em4d", names: cores, want: "em4"},
		{name: "hs83", names: cores, want: "hs38"},
		{name: "cortex", names: cores},
		{name: "mpy_opt", names: options, want: "mpy_option"},
		{name: "div", names: options, want: "div_rem_option"},
		{name: "dps_option", names: options, want: "dsp_option"},
		{name: "x", names: []string{"y", "abc"}, want: "y"},
		{name: "x", names: []string{"abc"}},
		{name: "", names: []string{"a", "abc"}},
		{name: "n", names: nil},
	} {
		require.Equal(t, row.want, Nearest(row.name, row.names), row.name)
	}
}

// TestOneSlip: a name with one letter dropped, doubled or swapped leads to one that is one slip away.
func TestOneSlip(t *testing.T) {
	names := []string{"nsim_isa_mpy_option", "dsp_option", "max-inst", "max-cycles", "vmac2h", "xy_size", "abc", "agu_size"}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "name")
		at := rapid.IntRange(1, len(name)-1).Draw(t, "at")
		var slip string
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			slip = name[:at] + name[at+1:]
		case 1:
			slip = name[:at] + name[at:at+1] + name[at:]
		case 2:
			slip = name[:at-1] + name[at:at+1] + name[at-1:at] + name[at+1:]
		}
		require.Equal(t, name, Nearest(slip, names), slip)
	})
}
